import { expect } from "../engine/assert.js";
import { observed, reads, recommended, required, type Run } from "../engine/check.js";
import { type Item, isItem } from "../engine/item.js";
import { member } from "../engine/json.js";
import { contractNames, operations } from "../engine/operations.js";
import { eachSample } from "../steps/answers.js";
import { makes, savesAs } from "../steps/calendars.js";
import { creates, keepsRows, saves } from "../steps/events.js";
import { outcome, show } from "../steps/observations.js";
import { several as texts } from "../steps/texts.js";

/** Title, location and organizer come back as sent, from create, save and the list. */
const returns = (text: string): Run => {
  const all = { title: text, location: text, organizer: text };
  return async (kit) => {
    await creates(all, all)(kit);
    await saves({}, all, all)(kit);
  };
};

const long = "Lorem ipsum dolor sit amet ".repeat(8).slice(0, 199).concat(".");

/** contract 1: what the service does, and its general rules. */
export const checks = [
  ...texts.map(([id, clause, title, text]) => required(`text.${id}`, clause, title, returns(text))),
  required("text.calendar", ["1.4 encoding", "4.2 description"], "A calendar's title, name and description come back as sent", async (kit) => {
    const sent = { title: kit.name(`Fête 🎉 50% & "x"`), calendarname: "N Fête 🎉", description: "D 100%25 + Fête 🎉" };
    await makes(sent, sent)(kit);
    await savesAs({}, { ...sent, title: kit.name("saved 🎉") }, { calendarname: sent.calendarname, description: sent.description })(kit);
  }),
  recommended("text.long-lines", ["R4.11", "1.2 json"], "A text of 200 characters in each field comes back whole", returns(long)),
  required(
    "text.case",
    ["1.4 encoding", "4.6 text"],
    "Capitals and small letters of each text come back as sent",
    keepsRows(["MiXeD Case ÀÉ", "lower", "UPPER"].map((text) => both({ title: text, location: text, organizer: text, description: text }))),
  ),
  required("http.get-with-a-query", ["4 query", "9.1 version", "1.1 base"], "Every operation is there as a path with a query", async (kit) => {
    for (const operation of contractNames) {
      const { status } = await kit.call(operation, {}, { as: "none" });
      expect(status !== 404 && status !== 405 && status < 500, `${operations[operation].path}: HTTP ${status}.`);
    }
  }),
  required("envelope.everywhere", ["1.6 meta", "1.2 json"], "Every answer is a JSON object with meta", reads, (kit) =>
    eachSample(kit, [], ({ answer: { body } }, name) =>
      expect(isItem(body) && isItem(body["meta"]) && "code" in body["meta"], `${name}: expected an object meta with code.`),
    ),
  ),
  required("errors.meta", "1.6 meta", "The body of an error has meta with code", reads, (kit) =>
    eachSample(kit, ["no token", "wrong token", "missing", "absent"], ({ answer }) =>
      expect("code" in member(answer.body, "meta"), "meta: expected the member code."),
    ),
  ),
  recommended("errors.unknown-parameters-values", ["R2.3", "1.3 codes"], "Odd values never end in a server error", reads, async (kit) => {
    const odd = ["", "0", "-1", "abc", "1e3", "1.5", "99999999999999999999", "' OR 1=1 --", "../../etc", "[]", "{}", "null", "٣"];
    for (const value of odd)
      for (const operation of ["listEvents", "listSubscribers", "listInactiveSubscribers", "listBlockedSubscribers", "getSubscriber"] as const) {
        const { status, body } = await kit.call(operation, { calendar_id: value, subscriber_id: value });
        expect(status >= 400 && status < 500 && isItem(body), `${operation}, calendar_id=${value}: expected HTTP 4xx and JSON, got ${status}.`);
      }
  }),
  observed("http.observed.https", "1.3 codes", "Whether the base address is HTTPS", reads, async (kit) => {
    await kit.call("listTimeZones");
    kit.observe(kit.session.target.baseUrl.protocol.replace(":", ""));
  }),
  observed("http.observed.rate-limit", "1.3 codes", "Which headers tell of a rate limit", reads, async (kit) => {
    const names = Object.keys((await kit.call("listCalendars")).headers).filter((name) => /rate-?limit|retry-after/.test(name));
    kit.observe(names.length === 0 ? "none" : names.join(", "));
  }),
  observed("http.observed.plus", "1.4 encoding", "What a plus sign in a query means", async (kit) => {
    const { status, body } = await kit.call("createCalendar", { timezone: "Europe/Paris", description: kit.name() }, { rawQuery: "title=a+b" });
    kit.observe(status === 200 ? show(member(body, "calendar"), "title") : outcome({ status, body }));
  }),
  observed("timezones.observed.token", "1.5 token", "Whether the time zone list minds a token", reads, async (kit) => {
    kit.observe(`with: ${outcome(await kit.call("listTimeZones", {}, { as: "first" }))}; without: ${outcome(await kit.call("listTimeZones"))}`);
  }),
];

/** Texts come back as sent, except line breaks of a description. */
function both(sent: Readonly<Record<string, string>>): readonly [Readonly<Record<string, string>>, Item] {
  return [sent, sent];
}
