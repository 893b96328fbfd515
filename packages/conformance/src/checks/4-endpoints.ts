import { equal } from "../engine/assert.js";
import { observed, reads, required } from "../engine/check.js";
import { idOf, list } from "../engine/json.js";
import { outcome } from "../steps/observations.js";

/** contract 4: what the endpoints have in common. */
export const checks = [
  required("http.parameter-order", "4 query", "The order of the parameters does not matter", async (kit) => {
    const calendar = await kit.calendar();
    await kit.event(calendar);
    const rawQuery = `order_by=id-asc&calendar_id=${idOf(calendar)}&token=${encodeURIComponent(kit.session.target.token)}`;
    equal(list((await kit.ok("listEvents", {}, { as: "none", rawQuery })).body, "events").length, 1, "events");
  }),
  observed("http.observed.post", "4 query", "Whether writes and reads answer POST", async (kit) => {
    const create = await kit.call("createCalendar", { title: kit.name(), timezone: "Europe/Paris" }, { method: "POST" });
    kit.observe(`create: ${outcome(create)}; list: ${outcome(await kit.call("listCalendars", {}, { method: "POST" }))}`);
  }),
  observed("http.observed.form", "4 query", "Whether writes take a form, JSON and multipart", async (kit) => {
    for (const send of ["form", "json", "multipart"] as const)
      kit.observe(`${send}: ${outcome(await kit.call("createCalendar", { title: kit.name(), timezone: "Europe/Paris" }, { send }))}`);
  }),
  observed("http.observed.slash", "4 query", "What a path without its final slash answers", reads, async (kit) => {
    kit.observe(outcome(await kit.call("listCalendars", {}, { path: "/api/v1/calendars/list" })));
  }),
  observed("http.observed.me", "4 query", "Whether /api/v1/me/ stands for /api/v1/", reads, async (kit) => {
    kit.observe(outcome(await kit.call("listCalendars", {}, { path: "/api/v1/me/calendars/list/" })));
  }),
  observed("http.observed.head", "4 query", "What HEAD, OPTIONS and PUT answer", reads, async (kit) => {
    for (const method of ["HEAD", "OPTIONS", "PUT"]) kit.observe(`${method}: ${outcome(await kit.call("listCalendars", {}, { method }))}`);
  }),
  observed("http.observed.repeated", "4 query", "What a repeated parameter answers", reads, async (kit) => {
    kit.observe(outcome(await kit.call("listCalendars", { page: "1" }, { rawQuery: "page=1" })));
  }),
  observed("http.observed.unknown-parameter", "4 query", "What an unknown parameter answers, and whether it is named", reads, async (kit) => {
    const answer = await kit.call("listCalendars", { x_unknown: "1" });
    kit.observe(`${outcome(answer)}, ${answer.headers["kalends-ignored-parameters"] ?? "not named"}`);
  }),
];
