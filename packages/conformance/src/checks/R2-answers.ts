import { equal, expect, sameSet, show } from "../engine/assert.js";
import { reads, recommended, twoAccounts } from "../engine/check.js";
import { isItem } from "../engine/item.js";
import { idOf, list, member, text } from "../engine/json.js";
import { someStart, wasRefused } from "../engine/kit.js";
import { isWrite, operations, type ContractName } from "../engine/operations.js";
import type { Params } from "../engine/target.js";
import { eachSample, errorKinds, type Kind, samplesOf, tokenKinds, withMandatory, withToken } from "../steps/answers.js";
import { refusesEvent, refusesEventSave } from "../steps/events.js";
import { around } from "../steps/event-lists.js";

const every: readonly Kind[] = ["success", ...errorKinds];

/** Statuses of refusals (rulings R2.3). */
const statuses: Readonly<Partial<Record<Kind, number>>> = { "no token": 401, "wrong token": 401, missing: 400, absent: 404, method: 405 };

/** Parameters that an error names, each with a message. */
function named(body: unknown): readonly string[] {
  return list(member(body, "meta"), "errors").map((error) => {
    expect(text(error, "message") !== "", "errors: expected a message for each parameter.");
    return text(error, "parameter");
  });
}

/** Malformed variants of an id: a server that accepts one finds the item of `id`, or none, and never another of the account. */
const malformed = (id: string): readonly string[] => ["abc", `-${id}`, `0${id}`, `${id}.0`, ` ${id}`, "0", `${id}e0`, `+${id}`, "9007199254740992"];

/** Rulings R2: answers and errors. */
export const checks = [
  recommended("http.same-number", "R2.1", "The HTTP status and meta.code of errors say the same", reads, async (kit) => {
    await eachSample(kit, every, ({ answer }, name) => equal(Number(member(answer.body, "meta")["code"]), answer.status, `meta.code of ${name}`));
    const { status, body } = await kit.raw("/api/v1/nothing");
    equal(Number(member(body, "meta")["code"]), status, "meta.code of an unknown path");
  }),
  recommended("errors.fields", "R2.2", "meta of an error has code, error_type, error_message and request_id only, each with a text", reads, (kit) =>
    eachSample(kit, errorKinds, ({ answer: { body } }, name) => {
      const meta = member(body, "meta");
      const { errors: _errors, ...rest } = meta;
      sameSet(Object.keys(rest), ["code", "error_message", "error_type", "request_id"], `members of meta of ${name}`);
      equal(Object.keys(isItem(body) ? body : {}), ["meta"], `members of the body of ${name}`);
      expect(/^[a-z]+(_[a-z]+)*$/.test(text(meta, "error_type")), `error_type of ${name}: expected snake_case.`);
      expect(/^\S.+\S$/.test(text(meta, "error_message")), `error_message of ${name}: expected a sentence.`);
      expect(text(meta, "request_id").length > 7, `request_id of ${name}: expected an id.`);
    }),
  ),
  recommended("errors.request-id-is-unique", "R2.2", "Each error has a request_id of its own", reads, async (kit) => {
    const ids = (await samplesOf(kit, errorKinds)).map(({ answer }) => text(member(answer.body, "meta"), "request_id"));
    equal(new Set(ids).size, ids.length, "number of different request_ids");
  }),
  recommended("errors.names-the-parameters", "R2.2", "A 400 names every parameter that failed", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const { status, body } = await kit.refused("createEvent", {
      calendar_id,
      color_id: "21",
      reminder: "soon",
      organizer_email: "nobody",
      end_date: "never",
    });
    equal(status, 400, "status");
    sameSet(named(body), ["color_id", "end_date", "organizer_email", "reminder", "start_date", "title"], "parameters");
    const message = text(member(body, "meta"), "error_message");
    expect(
      named(body).some((name) => message.includes(name)),
      `error_message: expected the name of a parameter, got ${show(message)}.`,
    );
  }),
  recommended("errors.names-what-is-missing", "R2.2", "A request without its parameters names each mandatory one, on every operation", reads, (kit) =>
    eachSample(kit, ["missing"], ({ operation, answer }, name) => sameSet(named(answer.body), operations[operation].needs, `errors of ${name}`)),
  ),
  recommended("errors.no-echo", "R2.2", "An error does not echo the value", reads, async (kit) => {
    const value = "kalconf<b>echo";
    for (const params of [
      { calendar_id: value },
      { calendar_id: "1", order_by: value },
      { calendar_id: "1", upcoming: value },
      { calendar_id: "1", month: value, year: "2026" },
      { calendar_id: "1", page: value },
    ])
      expect(!(await kit.refused("listEvents", params)).text.includes(value), `The body holds the value of ${Object.keys(params).join(", ")}.`);
  }),
  recommended("errors.401", "R2.3", "No token and a wrong token are 401, each with a type of its own", reads, async (kit) => {
    await eachSample(kit, ["no token", "wrong token"], ({ answer }, name) => equal(answer.status, 401, `HTTP status of ${name}`));
    const type = async (kind: Kind): Promise<readonly string[]> =>
      (await samplesOf(kit, [kind])).map(({ answer }) => text(member(answer.body, "meta"), "error_type"));
    const [missing, wrong] = [new Set(await type("no token")), new Set(await type("wrong token"))];
    equal(
      [missing.size, wrong.size, new Set([...missing, ...wrong]).size],
      [1, 1, 2],
      "number of error_types without a token, with a wrong one, together",
    );
  }),
  recommended("errors.statuses", "R2.3", "Refusals have their statuses on every operation: 400, 401, 404, 405", reads, (kit) =>
    eachSample(kit, errorKinds, ({ answer, kind }, name) => equal(answer.status, statuses[kind], `HTTP status of ${name}`)),
  ),
  recommended("errors.missing-is-400", "R2.3", "A missing parameter is 400", reads, (kit) =>
    eachSample(kit, ["missing"], ({ answer }, name) => equal(answer.status, 400, `HTTP status of ${name}`)),
  ),
  recommended("errors.token-before-parameters", "R2.3", "The token is judged before the parameters", reads, async (kit) => {
    for (const operation of withMandatory.filter((name) => !isWrite(name)))
      equal((await kit.call(operation, { calendar_id: "abc" }, { as: "none" })).status, 401, `status of ${operation}`);
  }),
  recommended("errors.order", "R2.3", "Path, method, token and parameters are judged in this order, before who owns what", reads, async (kit) => {
    equal((await kit.raw("/api/v1/no-such-thing/", { method: "PUT" })).status, 404, "status of another method on an unknown path");
    equal(
      (await kit.call("listEvents", { calendar_id: "abc" }, { method: "PUT", as: "none" })).status,
      405,
      "status of another method without a token",
    );
    equal(
      (await kit.call("listEvents", { calendar_id: "9007199254740991", order_by: "sideways" })).status,
      400,
      "status of a bad parameter for an absent calendar",
    );
  }),
  recommended(
    "isolation.same-answer",
    "R2.3",
    "Another's calendar and an absent one answer the same, on every operation",
    twoAccounts,
    async (kit) => {
      const calendar = await kit.calendar();
      const gone = idOf(await kit.calendar());
      await kit.ok("deleteCalendar", { calendar_id: gone });
      const change = { title: "x", start_date: someStart, subscriber_id: "1" };
      await sameAnswers(
        withToken.filter((name) => !["listCalendars", "createCalendar", "saveEvent", "deleteEvent"].includes(name)),
        (operation, absent) => kit.refused(operation, { ...change, calendar_id: absent ? gone : idOf(calendar) }, { as: "other" }),
      );
    },
  ),
  recommended("isolation.events.same-answer", "R2.3", "Another's event and an absent one answer the same", twoAccounts, async (kit) => {
    const calendar = await kit.calendar();
    const [event, gone] = [idOf(await kit.event(calendar)), idOf(await kit.event(calendar))];
    await kit.ok("deleteEvent", { event_id: gone });
    await sameAnswers(["saveEvent", "deleteEvent"], (operation, absent) =>
      kit.refused(operation, { title: "x", start_date: someStart, event_id: absent ? gone : event }, { as: "other" }),
    );
    equal((await kit.events(calendar)).map(idOf), [event], "events");
  }),
  recommended("text.bad-e-mail", "R2.3", "organizer_email that is no address is refused and makes nothing", async (kit) => {
    for (const organizer_email of ["nobody", "a@", "@b.example", "a b@example.com", "a@b@example.com"]) {
      await refusesEvent({ organizer_email })(kit);
      await refusesEventSave({ organizer_email })(kit);
    }
  }),
  recommended("events.list.upcoming-refused", "R2.3", "An upcoming of another form, or an impossible day, is refused", async (kit) => {
    const calendar_id = await around(kit);
    const bad = [
      "soon",
      "2026-02-30 00:00:00",
      "2026-13-01 00:00:00",
      "2026/03/05 13:30:00",
      "2026-03-05 24:00:00",
      "2026-03-05 10:60:00",
      "30-02-2026 00:00:00",
      "02/30/2026 01:00am",
      "2026/03/05 00:30pm",
      "2026/03/05 13:00am",
      "13/01/2026 01:00am",
    ];
    for (const upcoming of bad) await kit.refused("listEvents", { calendar_id, upcoming });
  }),
  recommended("http.content-type", "R2.4", "Answers and errors of every operation are application/json", reads, (kit) =>
    eachSample(kit, every, ({ answer: { headers } }, name) =>
      expect(/^application\/json\s*(;|$)/.test(headers["content-type"] ?? ""), `Content-Type of ${name}: ${headers["content-type"] ?? "none"}.`),
    ),
  ),
  recommended("http.unknown-path", "R2.4", "An unknown path under /api/ answers 404 in the envelope", reads, async (kit) => {
    for (const path of ["/api/v1/no-such-thing/", "/api/v1/", "/api/v2/calendars/list/", "/api/v1/calendars/", "/api/v1/calendars/list/active/"]) {
      const answer = await kit.raw(path);
      wasRefused(answer, "listCalendars");
      equal([answer.status, text(member(answer.body, "meta"), "code")], [404, "404"], `HTTP status and meta.code of ${path}`);
    }
  }),
  recommended("http.path-case", "R2.4", "A path in capitals is unknown, in the envelope", reads, async (kit) => {
    for (const path of ["/api/v1/NO-SUCH/LIST/", "/api/v1/Calendars/List/"]) {
      const { status, body } = await kit.raw(path);
      expect(status === 404 && isItem(body), `${path}: expected HTTP 404 with JSON, got ${status}.`);
    }
  }),
  recommended("http.no-store", "R2.5", "Answers that needed a token are not stored, on every operation", reads, (kit) =>
    eachSample(kit, tokenKinds, ({ operation, answer: { headers } }, name) =>
      expect(
        operation === "listTimeZones" || /\bno-store\b/.test(headers["cache-control"] ?? ""),
        `Cache-Control of ${name}: ${headers["cache-control"] ?? "none"}.`,
      ),
    ),
  ),
  recommended("timezones.etag", "R2.5", "The list has an ETag and answers 304 to it", reads, async (kit) => {
    const { headers } = await kit.ok("listTimeZones");
    expect(headers["etag"] !== undefined, "ETag: expected one.");
    equal((await kit.call("listTimeZones", {}, { headers: { "If-None-Match": headers["etag"] } })).status, 304, "status of a second request");
    equal((await kit.call("listTimeZones", {}, { headers: { "If-None-Match": '"another"' } })).status, 200, "status with another ETag");
  }),
  recommended("errors.malformed-id", "R2.6", "A malformed id is 400, of every operation", reads, async (kit) => {
    const readOnly = kit.session.options.readOnly === true;
    const calendar_id = readOnly ? "1" : idOf(await kit.calendar());
    const event_id = readOnly ? "1" : idOf(await kit.event(calendar_id));
    const good: Params = { calendar_id, event_id, subscriber_id: "1", title: kit.name(), start_date: someStart, timezone: "Europe/Paris" };
    for (const operation of withMandatory.filter((name) => name !== "createCalendar" && (!isWrite(name) || !readOnly))) {
      const [name, id] = operation === "saveEvent" || operation === "deleteEvent" ? ["event_id", event_id] : ["calendar_id", calendar_id];
      for (const bad of malformed(id)) equal((await kit.call(operation, { ...good, [name]: bad })).status, 400, `status of ${operation} for ${bad}`);
      if (operation === "getSubscriber")
        for (const bad of malformed("1"))
          equal((await kit.call(operation, { ...good, subscriber_id: bad })).status, 400, `status of ${operation} for the subscriber ${bad}`);
    }
  }),
  recommended("errors.absent-id", "R2.6", "A well-formed id that does not exist is 404", reads, (kit) =>
    eachSample(kit, ["absent"], ({ answer }, name) => equal(answer.status, 404, `HTTP status of ${name}`)),
  ),
  recommended("errors.absent-event", "R2.6", "An event that does not exist is 404 to save and delete", async (kit) => {
    for (const operation of ["saveEvent", "deleteEvent"] as const)
      equal((await kit.call(operation, { event_id: "9007199254740991", title: "x", start_date: someStart })).status, 404, `status of ${operation}`);
  }),
];

/** Absent items and those of another account answer 404 with the same bytes, except for the id of the request. */
async function sameAnswers(
  operations: readonly ContractName[],
  ask: (operation: ContractName, absent: boolean) => Promise<{ readonly status: number; readonly text: string }>,
): Promise<void> {
  const plain = (body: string): string => body.replace(/"request_id":"[^"]*"/, "");
  for (const operation of operations) {
    const [foreign, absent] = [await ask(operation, false), await ask(operation, true)];
    equal([foreign.status, absent.status, plain(foreign.text)], [404, 404, plain(absent.text)], `answers of ${operation}`);
  }
}
