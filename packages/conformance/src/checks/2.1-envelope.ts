import { equal, expect, show } from "../engine/assert.js";
import { reads, required } from "../engine/check.js";
import { member } from "../engine/json.js";
import { eachSample } from "../steps/answers.js";

const lists = ["listCalendars", "listEvents", "listSubscribers", "listInactiveSubscribers", "listBlockedSubscribers"];

/** contract 2.1: what every answer holds. */
export const checks = [
  required("envelope.code-is-a-string", ["2.1 code", "7.2 success"], 'meta.code of a success is the string "200"', (kit) =>
    eachSample(kit, ["success"], ({ operation, answer }, name) =>
      equal(member(answer.body, "meta")["code"], operation === "listTimeZones" ? 200 : "200", `meta.code of ${name}`),
    ),
  ),
  required("errors.code-is-a-string", "2.1 code", "meta.code of an error is a string of digits", reads, (kit) =>
    eachSample(kit, ["no token", "wrong token", "missing", "absent"], ({ answer }, name) => {
      const { code } = member(answer.body, "meta");
      expect(typeof code === "string" && /^[0-9]{3}$/.test(code), `meta.code of ${name}: expected a string of three digits, got ${show(code)}.`);
    }),
  ),
  required("envelope.paging", "2.1 paging", "Every list of calendars, events and subscribers has paging, with texts", reads, (kit) =>
    eachSample(kit, ["success"], ({ operation, answer }, name) => {
      if (!lists.includes(operation)) return;
      const { previous, next } = member(answer.body, "paging");
      equal([typeof previous, typeof next], ["string", "string"], `types of previous and next of ${name}`);
    }),
  ),
];
