import { equal, expect, show } from "../engine/assert.js";
import { idOf, isItem, member, text } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { type Answer, metaCode } from "../engine/target.js";
import { reads, target, refusal, errorAnswers } from "./error-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("errors");

export const errorChecks = [
  required(
    "errors.status",
    "7.1 errors",
    "An error is told by the HTTP status, not with a 200",
    async (kit) => {
      for (const answer of await errorAnswers(kit))
        expect(answer.status >= 400, `Expected an HTTP error status, got ${answer.status}.`);
    },
    reads,
  ),
  required(
    "errors.json",
    ["7.1 errors", "1.2 json"],
    "The body of an error is a JSON object",
    async (kit) => {
      for (const answer of await errorAnswers(kit))
        expect(
          isItem(answer.body),
          `HTTP ${answer.status}: expected a JSON object, got ${show(answer.text)}.`,
        );
    },
    reads,
  ),
  required(
    "errors.meta",
    "1.6 meta",
    "The body of an error has meta with code",
    async (kit) => {
      for (const answer of await errorAnswers(kit))
        expect("code" in member(answer.body, "meta"), "meta: expected the member code.");
    },
    reads,
  ),
  required(
    "errors.code-is-not-200",
    "7.2 success",
    "meta.code of an error is not 200",
    async (kit) => {
      for (const answer of await errorAnswers(kit))
        expect(metaCode(answer) !== 200, `HTTP ${answer.status} with meta.code 200.`);
    },
    reads,
  ),
  required(
    "errors.code-is-a-string",
    "2.1 code",
    "meta.code of an error is a string with the HTTP status",
    async (kit) => {
      for (const answer of await errorAnswers(kit))
        equal(member(answer.body, "meta")["code"], String(answer.status), "meta.code");
    },
    reads,
  ),
  required(
    "envelope.code-is-a-string",
    ["2.1 code", "7.2 success"],
    'meta.code of a success is the string "200"',
    async (kit) => {
      const { calendar } = await target(kit);
      const answers = [
        await kit.ok("listCalendars"),
        await kit.ok("listEvents", { calendar_id: calendar }),
        await kit.ok("listSubscribers", { calendar_id: calendar }),
      ];
      const made = await kit.ok("createCalendar", { title: kit.name(), timezone: "Europe/Paris" });
      const calendar_id = idOf(member(made.body, "calendar"));
      const event = await kit.ok("createEvent", { calendar_id, title: "Code", start_date: someStart });
      const event_id = idOf(member(event.body, "event"));
      answers.push(
        made,
        event,
        await kit.ok("saveEvent", { event_id, title: "Code", start_date: someStart }),
      );
      answers.push(
        await kit.ok("saveCalendar", { calendar_id, title: kit.name(), timezone: "Europe/Paris" }),
      );
      answers.push(
        await kit.ok("deleteEvent", { event_id }),
        await kit.ok("deleteCalendar", { calendar_id }),
      );
      for (const { body, operation } of answers)
        equal(member(body, "meta")["code"], "200", `meta.code of ${operation ?? ""}`);
    },
  ),
  required(
    "envelope.success",
    ["7.2 success", "1.6 meta", "1.3 codes"],
    "A success has HTTP 200 and meta.code 200",
    async (kit) => {
      const answer = await kit.call("listCalendars");
      equal([answer.status, metaCode(answer)], [200, 200], "HTTP status and meta.code");
    },
    reads,
  ),
  required(
    "errors.unknown-parameters-values",
    "1.3 codes",
    "Odd values never end in a server error",
    async (kit) => {
      const odd = [
        "",
        "0",
        "-1",
        "abc",
        "1e3",
        "1.5",
        "99999999999999999999",
        "' OR 1=1 --",
        "../../etc",
        "[]",
        "{}",
        "null",
        "٣",
      ];
      for (const calendar_id of odd) {
        const answer = await kit.call("listEvents", { calendar_id });
        expect(
          answer.status >= 400 && answer.status < 500,
          `calendar_id=${calendar_id}: expected HTTP 4xx, got ${answer.status}.`,
        );
        expect(isItem(answer.body), `calendar_id=${calendar_id}: expected a JSON body.`);
      }
    },
    reads,
  ),
  recommended(
    "errors.fields",
    "R2.2",
    "meta of an error has code, error_type, error_message and request_id only",
    async (kit) => {
      for (const { body } of await errorAnswers(kit)) {
        const meta = member(body, "meta");
        const { code: _code, errors: _errors, ...rest } = meta;
        equal(Object.keys(rest).sort(), ["error_message", "error_type", "request_id"], "members of meta");
        equal(Object.keys(isItem(body) ? body : {}), ["meta"], "members of the body");
        expect(/^[a-z]+(_[a-z]+)*$/.test(text(meta, "error_type")), "error_type: expected snake_case.");
      }
    },
    reads,
  ),
  recommended(
    "errors.names-the-parameters",
    "R2.2",
    "A 400 names every parameter that failed",
    async (kit) => {
      const { calendar } = await target(kit);
      const { status, body } = await kit.refused("createEvent", {
        calendar_id: calendar,
        color_id: "21",
        reminder: "soon",
      });
      const { errors } = member(body, "meta");
      const named = Array.isArray(errors)
        ? errors.map((error: unknown) => (isItem(error) ? error["parameter"] : undefined))
        : [];
      equal(
        [status, named.map(String).toSorted((a, b) => (a < b ? -1 : 1))],
        [400, ["color_id", "reminder", "start_date", "title"]],
        "status and parameters",
      );
    },
  ),
  recommended(
    "errors.no-echo",
    "R2.2",
    "An error does not echo the value",
    async (kit) => {
      const answer = await kit.refused("listEvents", { calendar_id: "kalconf<b>echo" });
      expect(!answer.text.includes("kalconf<b>echo"), "The body holds the value that was sent.");
    },
    reads,
  ),
  recommended(
    "errors.401",
    "R2.3",
    "No token and a wrong token are 401, each with a type of its own",
    async (kit) => {
      const missing = await refusal(kit);
      const wrong = await kit.call("listCalendars", {}, { as: { token: `${kit.session.target.token}x` } });
      equal([missing.status, wrong.status], [401, 401], "statuses");
      const type = (answer: Answer): string => text(member(answer.body, "meta"), "error_type");
      expect(type(missing) !== type(wrong), `error_type: both are ${type(missing)}.`);
    },
    reads,
  ),
  recommended(
    "errors.malformed-id",
    "R2.6",
    "A malformed id is 400",
    async (kit) => {
      for (const calendar_id of ["abc", "-1", "01", "1.0", " 1", "9007199254740992"])
        equal((await kit.call("listEvents", { calendar_id })).status, 400, `status for ${calendar_id}`);
    },
    reads,
  ),
  recommended(
    "errors.absent-id",
    "R2.6",
    "A well-formed id that does not exist is 404",
    async (kit) => {
      equal((await kit.call("listEvents", { calendar_id: "9007199254740991" })).status, 404, "status");
    },
    reads,
  ),
  recommended(
    "errors.absent-event",
    "R2.6",
    "An event that does not exist is 404 to save and delete",
    async (kit) => {
      const event_id = "9007199254740991";
      equal((await kit.call("deleteEvent", { event_id })).status, 404, "status of delete");
      equal(
        (await kit.call("saveEvent", { event_id, title: "x", start_date: someStart })).status,
        404,
        "status of save",
      );
    },
  ),
  recommended(
    "errors.missing-is-400",
    "R2.3",
    "A missing parameter is 400",
    async (kit) => {
      for (const operation of ["listEvents", "listSubscribers", "getSubscriber"] as const)
        equal((await kit.call(operation)).status, 400, `status of ${operation}`);
    },
    reads,
  ),
  recommended(
    "errors.token-before-parameters",
    "R2.3",
    "The token is judged before the parameters",
    async (kit) => {
      equal((await kit.call("listEvents", { calendar_id: "abc" }, { as: "none" })).status, 401, "status");
    },
    reads,
  ),
];
