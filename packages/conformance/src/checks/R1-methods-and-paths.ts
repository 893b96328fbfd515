import { equal, expect, sameSet } from "../engine/assert.js";
import { reads, recommended, type Run } from "../engine/check.js";
import { idOf, member, text } from "../engine/json.js";
import { type Kit, someStart } from "../engine/kit.js";
import { isWrite, contractNames, operations } from "../engine/operations.js";
import { boundary } from "../engine/target.js";
import { severalPages } from "../steps/pages.js";
import { change, refusesBody, untouched } from "../steps/refusals.js";

const methods = ["PUT", "PATCH", "DELETE", "TRACE"];

/** All six writes succeed when they are sent so. */
const writesBy =
  (send: "form" | "json" | "multipart"): Run =>
  async (kit) => {
    const title = kit.name("a+b & c%20d é🎉");
    const sent = { title, timezone: "Europe/Paris" };
    const calendar = member((await kit.ok("createCalendar", sent, { send })).body, "calendar");
    equal([calendar["title"], calendar["timezone"]], [title, "Europe/Paris"], "title and timezone");
    const calendar_id = idOf(calendar);
    const event = { title, start_date: someStart, description: "one\ntwo" };
    const event_id = idOf(member((await kit.ok("createEvent", { calendar_id, ...event }, { send })).body, "event"));
    const saved = member((await kit.ok("saveEvent", { event_id, ...event }, { send })).body, "event");
    equal([saved["title"], saved["description"], saved["updated_times"]], [title, "one\r\ntwo", "1"], "title, description and updated_times");
    await kit.ok("saveCalendar", { calendar_id, ...sent }, { send });
    await kit.ok("deleteEvent", { event_id }, { send });
    await kit.ok("deleteCalendar", { calendar_id }, { send });
  };

const file = `--${boundary}\r\nContent-Disposition: form-data; name="description"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nx\r\n--${boundary}--\r\n`;

/** Rulings R1.1 to R1.3 and R1.10: methods, bodies and paths. */
export const checks = [
  recommended("http.post-form", "R1.1", "The six writes answer POST with a form", writesBy("form")),
  recommended("http.post-json", "R1.1", "The six writes answer POST with a JSON object", writesBy("json")),
  recommended("http.post-multipart", "R1.1", "The six writes answer POST with multipart/form-data", writesBy("multipart")),
  recommended("http.post-query", "R1.1", "Writes answer POST with a query", async (kit) => {
    const title = kit.name();
    const answer = await kit.ok("createCalendar", { title, timezone: "Europe/Paris" }, { method: "POST" });
    equal(member(answer.body, "calendar")["title"], title, "title");
  }),
  recommended("http.post-json-values", "R1.1", "JSON bodies may hold integers and booleans", async (kit) => {
    const calendar = await kit.calendar();
    const json = { calendar_id: Number(idOf(calendar)), color_id: 4, reminder: 30, all_day_event: true };
    const event = member((await kit.ok("createEvent", { title: "Values", start_date: someStart }, { send: "json", json })).body, "event");
    equal([event["color_id"], event["reminder"], event["all_day_event"]], ["4", "30", "true"], "color_id, reminder, all_day_event");
    const again = { event_id: Number(idOf(event)), all_day_event: false };
    const saved = await kit.ok("saveEvent", { title: "Values", start_date: someStart }, { send: "json", json: again });
    equal(member(saved.body, "event")["all_day_event"], "false", "all_day_event after a save");
  }),
  ...Object.entries({ null: null, "a-list": ["x"], "an-object": { a: 1 }, "a-fraction": 1.5 }).map(([name, description]) =>
    recommended(
      `http.post-json-refused.${name}`,
      "R1.1",
      `${name.replace("-", " ")} in a JSON body is 400, and its field is named`,
      refusesBody(400, () => ({ send: "json", json: { description } }), "description"),
    ),
  ),
  recommended("http.post-json-broken", "R1.1", "A body that is no JSON object is 400 and makes nothing", async (kit) => {
    for (const rawBody of ["{", "[]", '"x"', "1"])
      await refusesBody(400, () => ({ send: "json", rawBody, headers: { Authorization: `Bearer ${kit.session.target.token}` }, as: "none" }))(kit);
  }),
  recommended("http.post-multipart-file", "R1.1", "A file in multipart/form-data is 400, and its field is named", async (kit) => {
    const headers = { Authorization: `Bearer ${kit.session.target.token}` };
    await refusesBody(400, () => ({ send: "multipart", as: "none", headers, rawBody: file }), "description")(kit);
  }),
  recommended("http.post-other-types", "R1.1", "A body of another type is 415 and makes nothing", async (kit) => {
    const { token } = kit.session.target;
    for (const type of ["text/plain", "application/xml"])
      await refusesBody(415, (name) => ({
        send: "form",
        as: "none",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": type },
        rawBody: `title=${name}`,
      }))(kit);
  }),
  recommended("http.reads-refuse-post", "R1.2", "Reads answer 405 to POST, with Allow", reads, async (kit) => {
    for (const operation of contractNames.filter((name) => !isWrite(name))) {
      const { status, headers } = await kit.call(operation, {}, { method: "POST" });
      equal(status, 405, `HTTP status of ${operation}`);
      sameSet((headers["allow"] ?? "").split(/\s*,\s*/), ["GET", "HEAD"], `Allow of ${operation}`);
    }
  }),
  recommended("http.other-methods", "R1.2", "Other methods are 405 with Allow, in the envelope, on every operation", reads, async (kit) => {
    for (const operation of contractNames)
      for (const method of isWrite(operation) ? [...methods, "HEAD"] : methods) {
        if (isWrite(operation) && kit.session.options.readOnly === true) continue;
        const { status, headers, body } = await kit.call(operation, {}, { method });
        equal(status, 405, `HTTP status of ${method} ${operation}`);
        sameSet((headers["allow"] ?? "").split(/\s*,\s*/), isWrite(operation) ? ["GET", "POST"] : ["GET", "HEAD"], `Allow of ${operation}`);
        if (method !== "HEAD") equal(Number(member(body, "meta")["code"]), 405, `meta.code of ${method} ${operation}`);
      }
  }),
  recommended("http.other-methods-change-nothing", "R1.2", "HEAD, OPTIONS, PUT, PATCH and DELETE on a write change nothing", (kit) =>
    untouched(kit, async (ids) => {
      for (const method of ["HEAD", "OPTIONS", ...methods])
        for (const operation of ["saveEvent", "deleteEvent", "saveCalendar", "deleteCalendar", "createEvent"] as const)
          await kit.call(operation, { ...ids, ...change }, { method });
    }),
  ),
  recommended("http.head", "R1.2", "HEAD of a read answers as GET, without a body", reads, async (kit) => {
    const followed = kit.session.options.subscribersCalendar;
    for (const operation of contractNames.filter((name) => !isWrite(name))) {
      const params = {
        calendar_id: operation === "listCalendars" || operation === "listTimeZones" ? undefined : (followed ?? "9007199254740991"),
        subscriber_id: operation === "getSubscriber" ? "9007199254740991" : undefined,
      };
      const [get, head] = [await kit.call(operation, params), await kit.call(operation, params, { method: "HEAD" })];
      equal(
        [head.status, head.text, head.headers["content-type"]],
        [get.status, "", get.headers["content-type"]],
        `HTTP status, body and type of HEAD ${operation}`,
      );
    }
  }),
  recommended("http.slash", "R1.3", "Reads answer with and without the final slash, without a redirect", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    for (const operation of contractNames.filter((name) => !isWrite(name) && name !== "getSubscriber")) {
      const path = operations[operation].path;
      const other = path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
      await kit.ok(operation, operation === "listTimeZones" || operation === "listCalendars" ? {} : { calendar_id }, { path: other });
    }
  }),
  recommended("http.slash-of-writes", "R1.3", "Writes answer without the final slash, too", (kit) => {
    const at = { calendar: "/api/v1/calendars", event: "/api/v1/calendars/events" };
    return writesAt(kit, at);
  }),
  recommended("http.me", "R1.10", "/api/v1/me/ stands for /api/v1/, for reads and writes", async (kit) => {
    await writesAt(kit, { calendar: "/api/v1/me/calendars", event: "/api/v1/me/calendars/events" });
    const calendar_id = idOf(await kit.calendar());
    for (const operation of contractNames.filter((name) => !isWrite(name) && name !== "getSubscriber"))
      await kit.ok(operation, operation === "listTimeZones" || operation === "listCalendars" ? {} : { calendar_id }, {
        path: operations[operation].path.replace("/v1/", "/v1/me/"),
      });
  }),
  recommended("http.me-keeps-its-path", ["R1.10", "R3.2"], "next and previous keep the path /api/v1/me/", async (kit) => {
    const { calendar } = await severalPages(kit);
    const path = "/api/v1/me/calendars/events/list/";
    const first = member((await kit.ok("listEvents", { calendar_id: calendar }, { path })).body, "paging");
    const second = member((await kit.ok("listEvents", { calendar_id: calendar, page: "2" }, { path })).body, "paging");
    for (const url of [text(first, "next"), text(second, "previous")])
      expect(url.includes(path), `expected the path ${path}, got ${url.split("?")[0] ?? ""}.`);
  }),
];

/** Creates, saves and deletes below other paths. */
async function writesAt(kit: Kit, at: { readonly calendar: string; readonly event: string }): Promise<void> {
  const title = kit.name();
  const sent = { title, timezone: "Europe/Paris" };
  const calendar = member((await kit.ok("createCalendar", sent, { path: `${at.calendar}/create` })).body, "calendar");
  equal(calendar["title"], title, "title");
  const calendar_id = idOf(calendar);
  const created = await kit.ok("createEvent", { calendar_id, title, start_date: someStart }, { path: `${at.event}/create` });
  const event_id = idOf(member(created.body, "event"));
  const saved = await kit.ok("saveEvent", { event_id, title, start_date: someStart }, { path: `${at.event}/save` });
  equal(member(saved.body, "event")["updated_times"], "1", "updated_times");
  await kit.ok("deleteEvent", { event_id }, { path: `${at.event}/delete` });
  await kit.ok("saveCalendar", { calendar_id, ...sent }, { path: `${at.calendar}/save` });
  await kit.ok("deleteCalendar", { calendar_id }, { path: `${at.calendar}/delete` });
}
