import { equal } from "../engine/assert.js";
import { reads, required } from "../engine/check.js";

/** contract 9: versioning. */
export const checks = [
  required("timezones.version", "9.1 version", "The time zone list lies under /api/v1/", reads, async (kit) => {
    equal((await kit.raw("/api/v1/timezones")).status, 200, "HTTP status");
  }),
];
