import { equal } from "../engine/assert.js";
import { idOf, list, member } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { extension, refuses } from "../steps/extensions.js";

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X8.8 codes": "Each failing parameter has a code, and its limit where one number is the limit.",
  "X8.8 contract": "Errors of the contract's operations have no codes of parameters.",
};

/** extensions X8.8: what is wrong with a parameter, for programs. */
export const checks = [
  extension("codes", ["X8.8 codes"], "Failing parameters have a code, and the limit that they exceed", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const event = { calendar_id, title: "Council", start_date: someStart };
    for (const [wrong, type, code, limit] of [
      [{ title: undefined }, "parameter_missing", "missing", undefined],
      [{ title: "x".repeat(256) }, "parameter_invalid", "too_long", 255],
      [{ start_date: "tomorrow" }, "parameter_invalid", "not_a_date", undefined],
      [{ timezone: "Mars/Olympus_Mons" }, "parameter_invalid", "not_a_time_zone", undefined],
      [{ status: "perhaps" }, "parameter_invalid", "not_allowed", undefined],
      [{ reminder: "40321" }, "parameter_invalid", "out_of_range", 40_320],
    ] as const) {
      const { body } = await refuses(kit, [400, type], "POST events/create/", { ...event, ...wrong });
      const named = list(member(body, "meta"), "errors").map((one) => [one["parameter"], one["code"], one["limit"]]);
      equal(named, [[Object.keys(wrong)[0], code, limit]], "parameter, code and limit in meta.errors");
    }
  }),
  extension("codes.contract", ["X8.8 contract"], "The contract's operations have no codes", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const title = "x".repeat(256);
    const { body } = await refuses(kit, [400], "createEvent", { calendar_id, title, start_date: someStart });
    const members = list(member(body, "meta"), "errors").map((one) => Object.keys(one).toSorted());
    equal(members, [["message", "parameter"]], "members of meta.errors");
  }),
];
