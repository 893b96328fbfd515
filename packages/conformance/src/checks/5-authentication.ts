import { equal, expect } from "../engine/assert.js";
import { observed, reads, recommended, required, twoAccounts } from "../engine/check.js";
import { idOf, idsOf, only, text } from "../engine/json.js";
import { fixture, type Kit, someStart } from "../engine/kit.js";
import { isWrite, type ContractName } from "../engine/operations.js";
import type { Credential, Params } from "../engine/target.js";
import { withToken } from "../steps/answers.js";
import { listedCalendar } from "../steps/calendars.js";
import { outcome } from "../steps/observations.js";
import { subscribers, variants } from "../steps/subscribers.js";

/** A calendar of the first account with one event, which no refused call may change. */
const mine = fixture(async (kit) => {
  const calendar = await kit.calendar({ description: "mine" });
  return { calendar, event: await kit.event(calendar, { location: "mine" }) };
});

/** Parameters with which the operation would succeed on that calendar and event, were it not for the token. */
async function good(kit: Kit, operation: ContractName): Promise<Params> {
  if (!isWrite(operation)) return readable(kit, operation);
  const { calendar, event } = await mine(kit);
  const change = { title: kit.name("stolen"), timezone: "Asia/Tokyo", start_date: someStart };
  return { ...(operation === "createCalendar" ? {} : { calendar_id: idOf(calendar), event_id: idOf(event) }), ...change };
}

/** Ids of the account: absent ones are refused with any token. */
async function readable(kit: Kit, operation: ContractName): Promise<Params> {
  const { followed, session } = kit;
  if (followed === "" && session.options.readOnly === true) return { calendar_id: "1", subscriber_id: "1" };
  const calendar_id = followed === "" ? idOf((await mine(kit)).calendar) : followed;
  const [first] = operation === "getSubscriber" && followed !== "" ? await subscribers(kit) : [];
  return { calendar_id, subscriber_id: first === undefined ? "1" : idOf(first) };
}

/** The call is refused, and neither calendar nor event change. */
async function cannot(kit: Kit, operation: ContractName, as: Credential, params?: Params): Promise<void> {
  const { calendar } = await mine(kit);
  const state = async () => [await listedCalendar(kit, calendar), await kit.events(calendar)];
  const before = await state();
  await kit.refused(operation, params ?? (await good(kit, operation)), { as });
  equal(await state(), before, "calendar and events after a refused call");
}

/** Tokens that are not the account's: made out of it, so that a careless comparison takes them. */
function wrongTokens(token: string): readonly string[] {
  const last = token.endsWith("x") ? "y" : "x";
  const cut = token.slice(0, -1);
  return [`${cut}${last}`, cut, `${token}x`, `${token}${token}`, `x${token}`, "0", "null", "undefined"];
}

function otherCase(token: string): string {
  const swap = (character: string): string => {
    const upper = character.toUpperCase();
    return character === upper ? character.toLowerCase() : upper;
  };
  return Array.from(token).map(swap).join("");
}

const foreign: readonly (readonly [id: string, words: string, operations: readonly ContractName[]])[] = [
  ["calendars.save", "save another's calendar", ["saveCalendar"]],
  ["calendars.delete", "delete another's calendar", ["deleteCalendar"]],
  ["events.list", "list the events of another's calendar", ["listEvents"]],
  ["events.create", "create events in another's calendar", ["createEvent"]],
  ["events.save", "save another's event", ["saveEvent"]],
  ["events.delete", "delete another's event", ["deleteEvent"]],
  ["subscribers.list", "list the subscribers of another's calendar", variants],
];

/** contract 5: the token, and the account that it identifies. */
export const checks = [
  ...withToken.map((operation) =>
    required(
      `auth.no-token.${operation}`,
      ["5.1 token", "1.5 token"],
      `${operation} without a token is refused`,
      { writes: isWrite(operation) },
      async (kit) => {
        if (isWrite(operation)) return cannot(kit, operation, "none");
        await kit.refused(operation, await good(kit, operation), { as: "none" });
      },
    ),
  ),
  required("auth.empty-token", "5.1 token", "An empty token is refused", reads, async (kit) => {
    await kit.refused("listCalendars", {}, { as: "none", rawQuery: "token=" });
  }),
  required("auth.wrong-tokens", "5.2 account", "Tokens that differ from the account's by a character are refused", reads, async (kit) => {
    for (const token of wrongTokens(kit.session.target.token)) await kit.refused("listCalendars", {}, { as: { token } });
  }),
  recommended("auth.token-case", ["R2.3", "5.2 account"], "The case of the token counts", reads, async (kit) => {
    const { token } = kit.session.target;
    for (const changed of [otherCase(token), token.toLowerCase(), token.toUpperCase()])
      if (changed !== token) await kit.refused("listCalendars", {}, { as: { token: changed } });
  }),
  required("auth.wrong-token-writes-nothing", "5.2 account", "A wrong token changes nothing", async (kit) => {
    const as = { token: `${kit.session.target.token}x` };
    for (const operation of withToken.filter(isWrite)) await cannot(kit, operation, as);
  }),
  required("isolation.calendars.list", "5.2 account", "An account lists its own calendars only", twoAccounts, async (kit) => {
    const [name, { calendar }] = [kit.name(), await mine(kit)];
    const theirs = await kit.calendar({ title: name }, { as: "other" });
    equal(await kit.calendars(text(calendar, "title"), { as: "other" }), [], "the first account's calendar in the other's list");
    equal(idsOf(await kit.calendars(name, { as: "other" })), [idOf(theirs)], "the other account's own calendar");
    equal(await kit.calendars(name), [], "the other account's calendar in the first's list");
  }),
  ...foreign.map(([id, words, operations]) =>
    required(`isolation.${id}`, "5.2 account", `An account cannot ${words}`, twoAccounts, async (kit) => {
      const { calendar, event } = await mine(kit);
      const ids = { calendar_id: idOf(calendar), event_id: idOf(event) };
      for (const operation of operations) await cannot(kit, operation, "other", isWrite(operation) ? undefined : ids);
      equal(idOf(only(await kit.events(calendar), "events")), idOf(event), "the event");
    }),
  ),
  required(
    "isolation.subscribers.details",
    "5.2 account",
    "An account cannot read the subscribers of another's calendar",
    { other: true, subscribers: true, writes: false },
    async (kit) => {
      const [subscriber_id] = idsOf(await subscribers(kit));
      expect(subscriber_id !== undefined, "subscribers: expected one at least.");
      await kit.refused("getSubscriber", { calendar_id: kit.followed, subscriber_id }, { as: "other" });
      for (const operation of variants) await kit.refused(operation, { calendar_id: kit.followed }, { as: "other" });
    },
  ),
  observed("auth.observed.bearer", "5.2 account", "Whether the token may come as Authorization: Bearer", reads, async (kit) => {
    const headers = { Authorization: `Bearer ${kit.session.target.token}` };
    kit.observe(outcome(await kit.call("listCalendars", {}, { as: "none", headers })));
  }),
];
