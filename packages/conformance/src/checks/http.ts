import { equal, expect } from "../engine/assert.js";
import { idOf, list, member } from "../engine/json.js";
import { someStart, wasRefused } from "../engine/kit.js";
import { isWrite, operationNames, paths } from "../engine/operations.js";
import { reads, event, stillThere } from "./http-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("http");

export const httpChecks = [
  required(
    "http.get-with-a-query",
    ["4 query", "9.1 version", "1.1 base"],
    "Every operation is there as a path with a query",
    async (kit) => {
      for (const operation of operationNames) {
        const answer = await kit.call(operation, {}, { as: "none" });
        expect(
          answer.status !== 404 && answer.status !== 405 && answer.status < 500,
          `${paths[operation]}: HTTP ${answer.status}.`,
        );
      }
    },
  ),
  required("http.parameter-order", "4 query", "The order of the parameters does not matter", async (kit) => {
    const { calendar } = await event(kit);
    const { token } = kit.session.target;
    const rawQuery = `order_by=id-asc&calendar_id=${idOf(calendar)}&token=${encodeURIComponent(token)}`;
    equal(
      list((await kit.ok("listEvents", {}, { as: "none", rawQuery })).body, "events").length,
      1,
      "events",
    );
  }),
  recommended(
    "http.content-type",
    "R2.4",
    "Answers and errors are application/json",
    async (kit) => {
      for (const answer of [
        await kit.call("listCalendars"),
        await kit.call("listCalendars", {}, { as: "none" }),
        await kit.call("listTimeZones"),
      ])
        expect(
          /^application\/json\s*(;|$)/.test(answer.headers["content-type"] ?? ""),
          `Content-Type: ${answer.headers["content-type"] ?? "none"}.`,
        );
    },
    reads,
  ),
  recommended(
    "http.unknown-path",
    "R2.4",
    "An unknown path under /api/ answers 404 in the envelope",
    async (kit) => {
      const answer = await kit.raw("/api/v1/no-such-thing/");
      wasRefused(answer, "listCalendars");
      equal(answer.status, 404, "HTTP status");
    },
    reads,
  ),
  recommended(
    "http.slash",
    "R1.3",
    "Paths answer with and without the final slash, without a redirect",
    async (kit) => {
      for (const operation of operationNames.filter((name) => !isWrite(name) && name !== "getSubscriber")) {
        const params =
          operation === "listTimeZones" || operation === "listCalendars"
            ? {}
            : { calendar_id: idOf((await event(kit)).calendar) };
        const path = paths[operation];
        const other = path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
        await kit.ok(operation, params, { path: other });
      }
    },
  ),
  recommended("http.slash-of-writes", "R1.3", "Writes answer without the final slash, too", async (kit) => {
    const title = kit.name();
    const answer = await kit.ok(
      "createCalendar",
      { title, timezone: "Europe/Paris" },
      { path: "/api/v1/calendars/create" },
    );
    equal(member(answer.body, "calendar")["title"], title, "title");
  }),
  recommended("http.post-form", "R1.1", "Writes answer POST with a form", async (kit) => {
    const title = kit.name("a+b & c%20d é🎉");
    const made = member(
      (await kit.ok("createCalendar", { title, timezone: "Europe/Paris" }, { send: "form" })).body,
      "calendar",
    );
    equal([made["title"], made["timezone"]], [title, "Europe/Paris"], "title and timezone");
    const created = member(
      (
        await kit.ok(
          "createEvent",
          { calendar_id: idOf(made), title: "Form", start_date: someStart },
          { send: "form" },
        )
      ).body,
      "event",
    );
    const saved = await kit.ok(
      "saveEvent",
      { event_id: idOf(created), title: "Form 2", start_date: someStart },
      { send: "form" },
    );
    equal(member(saved.body, "event")["updated_times"], "1", "updated_times");
    await kit.ok("deleteEvent", { event_id: idOf(created) }, { send: "form" });
    await kit.ok(
      "saveCalendar",
      { calendar_id: idOf(made), title, timezone: "Europe/Paris" },
      { send: "form" },
    );
    await kit.ok("deleteCalendar", { calendar_id: idOf(made) }, { send: "form" });
  }),
  recommended("http.post-json", "R1.1", "Writes answer POST with a JSON object", async (kit) => {
    const title = kit.name();
    const answer = await kit.ok("createCalendar", { title, timezone: "Europe/Paris" }, { send: "json" });
    equal(member(answer.body, "calendar")["title"], title, "title");
  }),
  recommended("http.post-query", "R1.1", "Writes answer POST with a query", async (kit) => {
    const title = kit.name();
    const answer = await kit.ok("createCalendar", { title, timezone: "Europe/Paris" }, { method: "POST" });
    equal(member(answer.body, "calendar")["title"], title, "title");
  }),
  recommended(
    "http.reads-refuse-post",
    "R1.2",
    "Reads answer 405 to POST, with Allow",
    async (kit) => {
      const answer = await kit.call("listCalendars", {}, { method: "POST" });
      equal(answer.status, 405, "HTTP status");
      expect(/\bGET\b/.test(answer.headers["allow"] ?? ""), `Allow: ${answer.headers["allow"] ?? "none"}.`);
    },
    reads,
  ),
  recommended(
    "http.other-methods",
    "R1.2",
    "PUT, PATCH, DELETE and TRACE are 405 with Allow",
    async (kit) => {
      for (const method of ["PUT", "PATCH", "DELETE", "TRACE"]) {
        const answer = await kit.call("listCalendars", {}, { method });
        equal(answer.status, 405, `HTTP status of ${method}`);
        expect(answer.headers["allow"] !== undefined, `${method}: expected a header Allow.`);
      }
    },
    reads,
  ),
  recommended(
    "http.other-methods-change-nothing",
    "R1.2",
    "HEAD, OPTIONS, PUT, PATCH and DELETE on a write change nothing",
    async (kit) => {
      const { calendar, event: event_id } = await event(kit);
      for (const method of ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"]) {
        await kit.call("deleteEvent", { event_id }, { method });
        await kit.call("deleteCalendar", { calendar_id: idOf(calendar) }, { method });
      }
      await stillThere(kit);
    },
  ),
  recommended(
    "http.head",
    "R1.2",
    "HEAD of a read answers as GET, without a body",
    async (kit) => {
      const answer = await kit.call("listCalendars", {}, { method: "HEAD" });
      equal([answer.status, answer.text], [200, ""], "HTTP status and body");
    },
    reads,
  ),
];
