import { equal, expect } from "../engine/assert.js";
import { isItem, member } from "../engine/json.js";
import { reads, event, stillThere } from "./http-kit.js";
import { profile } from "../engine/check.js";

const { recommended } = profile("http");

export const httpRequestChecks = [
  recommended(
    "http.unknown-parameters",
    "R1.4",
    "Unknown parameters are ignored",
    async (kit) => {
      await kit.ok("listCalendars", { x_unknown: "1", utm_source: "mail" });
    },
    reads,
  ),
  recommended(
    "http.empty-pairs",
    "R1.4",
    "A query that begins with & is fine",
    async (kit) => {
      await kit.ok(
        "listCalendars",
        {},
        { as: "none", rawQuery: `&token=${encodeURIComponent(kit.session.target.token)}` },
      );
    },
    reads,
  ),
  recommended(
    "http.repeated-parameters",
    "R1.4",
    "A known parameter given twice is 400 and named",
    async (kit) => {
      const answer = await kit.refused("listCalendars", { page: "1" }, { rawQuery: "page=2" });
      equal(answer.status, 400, "HTTP status");
      expect(JSON.stringify(answer.body).includes("page"), "The body does not name the parameter.");
      equal(
        (await kit.refused("listCalendars", {}, { rawQuery: "page%5B%5D=2" })).status,
        400,
        "HTTP status of page[]=2",
      );
    },
    reads,
  ),
  recommended(
    "http.repeated-token",
    "R1.4",
    "A token given twice is 400",
    async (kit) => {
      const rawQuery = `token=${encodeURIComponent(kit.session.target.token)}`;
      equal((await kit.refused("listCalendars", {}, { rawQuery })).status, 400, "HTTP status");
    },
    reads,
  ),
  recommended(
    "http.bearer",
    "R1.7",
    "The token may come as Authorization: Bearer, also beside the same one in the query",
    async (kit) => {
      const headers = { Authorization: `Bearer ${kit.session.target.token}` };
      await kit.ok("listCalendars", {}, { as: "none", headers });
      await kit.ok("listCalendars", {}, { headers });
      const another = { Authorization: `Bearer ${kit.session.target.token}x` };
      equal(
        (await kit.refused("listCalendars", {}, { headers: another })).status,
        400,
        "HTTP status with two tokens that differ",
      );
    },
    reads,
  ),
  recommended(
    "http.prefetch",
    "R1.8",
    "A write that is a prefetch is 403 and changes nothing",
    async (kit) => {
      const { event: event_id } = await event(kit);
      for (const headers of [{ "Sec-Purpose": "prefetch" }, { Purpose: "prefetch" }])
        equal((await kit.refused("deleteEvent", { event_id }, { headers })).status, 403, "HTTP status");
      await stillThere(kit);
    },
  ),
  recommended(
    "http.cors",
    "R1.9",
    "Any origin may read, without credentials",
    async (kit) => {
      const { headers } = await kit.ok("listCalendars", {}, { headers: { Origin: "https://example.com" } });
      expect(
        ["*", "https://example.com"].includes(headers["access-control-allow-origin"] ?? ""),
        "Access-Control-Allow-Origin: expected any origin.",
      );
      expect(
        headers["access-control-allow-credentials"] !== "true",
        "Access-Control-Allow-Credentials: must not be true.",
      );
    },
    reads,
  ),
  recommended(
    "http.no-cookies",
    "R1.9",
    "No answer sets a cookie",
    async (kit) => {
      for (const answer of [
        await kit.call("listCalendars"),
        await kit.call("listCalendars", {}, { as: "none" }),
      ])
        expect(answer.headers["set-cookie"] === undefined, "Set-Cookie: must be absent.");
    },
    reads,
  ),
  recommended(
    "http.no-store",
    "R2.5",
    "Answers that needed a token are not stored",
    async (kit) => {
      const { headers } = await kit.ok("listCalendars");
      expect(
        /\bno-store\b/.test(headers["cache-control"] ?? ""),
        `Cache-Control: ${headers["cache-control"] ?? "none"}.`,
      );
    },
    reads,
  ),
  recommended(
    "http.same-number",
    "R2.1",
    "The HTTP status and meta.code of errors say the same",
    async (kit) => {
      const answers = [
        await kit.call("listCalendars", {}, { as: "none" }),
        await kit.call("listEvents"),
        await kit.call("listCalendars", {}, { method: "PUT" }),
        await kit.raw("/api/v1/nothing"),
      ];
      for (const { status, body } of answers)
        equal(Number(member(body, "meta")["code"]), status, "meta.code");
    },
    reads,
  ),
  recommended("http.long-query", "R1.6", "A query of 20,000 characters passes", async (kit) => {
    const calendar = await kit.calendar();
    const description = "d".repeat(20_000);
    await kit.event(calendar, { description });
    equal((await kit.events(calendar))[0]?.["description"], description, "description");
  }),
  recommended(
    "http.huge-query",
    "R1.6",
    "A query over 64 KiB is 431 or 414 in the envelope",
    async (kit) => {
      const answer = await kit.call("listCalendars", { x_long: "x".repeat(70_000) });
      expect([414, 431].includes(answer.status), `HTTP ${answer.status}.`);
      expect(isItem(answer.body), "Expected a JSON body.");
    },
    reads,
  ),
  recommended(
    "http.path-case",
    "R2.4",
    "A path in capitals is unknown, in the envelope",
    async (kit) => {
      const answer = await kit.raw("/api/v1/NO-SUCH/LIST/");
      expect(answer.status === 404 && isItem(answer.body), `HTTP ${answer.status}.`);
    },
    reads,
  ),
];
