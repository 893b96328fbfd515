import { equal, expect, sameSet } from "../engine/assert.js";
import { reads, recommended } from "../engine/check.js";
import { isItem } from "../engine/item.js";
import { idOf, only } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { isWrite, contractNames } from "../engine/operations.js";
import type { Params } from "../engine/target.js";
import { eachSample, errorKinds } from "../steps/answers.js";
import { titles } from "../steps/event-lists.js";
import { change, refusesBody, untouched } from "../steps/refusals.js";

/** Rulings R1.4 to R1.9 and R1.11: parameters, sizes, tokens and other origins. */
export const checks = [
  recommended("http.unknown-parameters", "R1.4", "Unknown parameters are ignored", reads, async (kit) => {
    await kit.ok("listCalendars", { x_unknown: "1", utm_source: "mail" });
  }),
  recommended("http.ignored-parameters", "R1.11", "Kalends-Ignored-Parameters names what was ignored, and nothing else", reads, async (kit) => {
    const named = async (params: Params): Promise<readonly string[]> => {
      const { headers } = await kit.call("listCalendars", params);
      return (headers["kalends-ignored-parameters"] ?? "").split(", ").filter((name) => name !== "");
    };
    sameSet(await named({ page: "1", x_unknown: "1", utm_source: "mail" }), ["x_unknown", "utm_source"], "Kalends-Ignored-Parameters");
    equal(await named({ page: "1" }), [], "Kalends-Ignored-Parameters when all are known");
  }),
  recommended("http.empty-pairs", "R1.4", "A query that begins with & is fine", reads, async (kit) => {
    await kit.ok("listCalendars", {}, { as: "none", rawQuery: `&token=${encodeURIComponent(kit.session.target.token)}` });
  }),
  recommended("http.repeated-parameters", "R1.4", "A known parameter given twice is 400 and named", reads, async (kit) => {
    for (const rawQuery of ["page=2", "page=1", "page%5B%5D=2"]) {
      const answer = await kit.refused("listCalendars", { page: "1" }, { rawQuery });
      expect(answer.status === 400 && answer.text.includes("page"), `${rawQuery}: expected HTTP 400 that names page, got ${answer.status}.`);
    }
  }),
  recommended(
    "http.repeated-in-body",
    "R1.4",
    "A parameter in the query and in the body is 400 and makes nothing",
    refusesBody(400, () => ({ send: "form", rawQuery: "title=again" }), "title"),
  ),
  recommended("http.repeated-token", "R1.4", "A token given twice is 400", reads, async (kit) => {
    const rawQuery = `token=${encodeURIComponent(kit.session.target.token)}`;
    equal((await kit.refused("listCalendars", {}, { rawQuery })).status, 400, "HTTP status");
  }),
  recommended("text.invalid-utf8", "R1.4", "Values that are not valid UTF-8 are refused and make nothing", async (kit) => {
    const calendar = await kit.calendar();
    for (const rawQuery of ["title=%ff", "title=%c3%28", "title=%zz", "title=%ED%A0%80"])
      equal(
        (await kit.refused("createEvent", { calendar_id: idOf(calendar), start_date: someStart }, { rawQuery })).status,
        400,
        `HTTP status of ${rawQuery}`,
      );
    equal(await kit.events(calendar), [], "events after refused creates");
  }),
  recommended("text.control-characters", "R1.4", "NUL and other control characters are refused and make nothing", async (kit) => {
    const calendar = await kit.calendar();
    for (const field of ["title", "location", "organizer", "description"])
      for (const character of ["\u0000", "\u0007", "\u001B", ...(field === "description" ? [] : ["\n"])])
        await kit.refused("createEvent", { calendar_id: idOf(calendar), title: "Control", start_date: someStart, [field]: `a${character}b` });
    equal(await kit.events(calendar), [], "events after refused creates");
  }),
  recommended("events.list.empty-parameters", "R1.5", "Empty filters act as if not sent", async (kit) => {
    equal(await titles(kit, { order_by: "", month: "", year: "", upcoming: "", page: "" }), ["February", "January", "March"], "events");
  }),
  recommended("http.empty-ids", "R1.5", "An empty id is refused as a missing one", async (kit) => {
    const event = { title: "Which", start_date: someStart };
    for (const operation of ["listEvents", "listSubscribers"] as const) await kit.refused(operation, { calendar_id: "" });
    await kit.refused("createEvent", { calendar_id: "", ...event });
    await kit.refused("saveEvent", { event_id: "", ...event });
    await kit.refused("deleteEvent", { event_id: "" });
  }),
  recommended("http.long-query", "R1.6", "A query of 20,000 characters passes", async (kit) => {
    const calendar = await kit.calendar();
    const description = "d".repeat(20_000);
    await kit.event(calendar, { description });
    equal(only(await kit.events(calendar), "events")["description"], description, "description");
  }),
  recommended("http.huge-query", "R1.6", "A query over 64 KiB is 431 or 414 in the envelope", reads, async (kit) => {
    const answer = await kit.call("listCalendars", { x_long: "x".repeat(70_000) });
    expect([414, 431].includes(answer.status) && isItem(answer.body), `Expected HTTP 431 or 414 with JSON, got ${answer.status}.`);
  }),
  recommended(
    "http.huge-body",
    "R1.6",
    "A body over 1 MiB is 413 in the envelope and makes nothing",
    refusesBody(413, (name) => ({ send: "form", rawBody: `title=${name}&description=${"d".repeat(1_050_000)}` })),
  ),
  recommended("http.bearer", "R1.7", "The token may come as Authorization: Bearer, also beside the same one in the query", reads, async (kit) => {
    const headers = { Authorization: `Bearer ${kit.session.target.token}` };
    await kit.ok("listCalendars", {}, { as: "none", headers });
    await kit.ok("listCalendars", {}, { headers });
    const another = { Authorization: `Bearer ${kit.session.target.token}x` };
    equal((await kit.refused("listCalendars", {}, { headers: another })).status, 400, "HTTP status with two tokens that differ");
  }),
  recommended("http.prefetch", "R1.8", "A write that is a prefetch is 403 and changes nothing", (kit) =>
    untouched(kit, async (ids) => {
      for (const headers of [{ "Sec-Purpose": "prefetch" }, { "Sec-Purpose": "prefetch;prerender" }, { Purpose: "prefetch" }])
        for (const operation of contractNames.filter(isWrite))
          equal((await kit.refused(operation, { ...ids, ...change }, { headers })).status, 403, `HTTP status of ${operation}`);
    }),
  ),
  recommended("http.cors", "R1.9", "Any origin may read every answer, without credentials", reads, (kit) =>
    eachSample(kit, ["success", ...errorKinds], ({ answer: { headers } }, name) => {
      expect(
        ["*", "https://example.com"].includes(headers["access-control-allow-origin"] ?? ""),
        `Access-Control-Allow-Origin of ${name}: expected any origin.`,
      );
      expect(headers["access-control-allow-credentials"] !== "true", `Access-Control-Allow-Credentials of ${name}: must not be true.`);
    }),
  ),
  recommended("http.no-cookies", "R1.9", "No answer sets a cookie", reads, (kit) =>
    eachSample(kit, ["success", ...errorKinds], ({ answer }, name) =>
      expect(answer.headers["set-cookie"] === undefined, `Set-Cookie of ${name}: must be absent.`),
    ),
  ),
];
