import { equal } from "../engine/assert.js";
import { idOf, text } from "../engine/json.js";
import { fixture, type Kit, someStart } from "../engine/kit.js";
import { isWrite, type OperationName, operationNames } from "../engine/operations.js";
import type { Answer } from "../engine/target.js";

export const withToken = operationNames.filter((name) => name !== "listTimeZones");
export const reads = { writes: false };

/** Parameters with which the operation would succeed, were it not for the token. */
export async function goodParams(
  kit: Kit,
  operation: OperationName,
): Promise<Readonly<Record<string, string>>> {
  if (!isWrite(operation))
    return operation === "listCalendars" ? {} : { calendar_id: "1", subscriber_id: "1" };
  const { calendar, event } = await target(kit);
  const all = { title: kit.name(), timezone: "Europe/Paris", start_date: someStart };
  const ids = {
    createCalendar: {},
    createEvent: { calendar_id: calendar },
    saveEvent: { event_id: event },
    deleteEvent: { event_id: event },
  };
  return {
    ...all,
    ...(operation in ids
      ? Object.entries(ids).find(([name]) => name === operation)?.[1]
      : { calendar_id: calendar }),
  };
}

export const target = fixture(async (kit) => {
  const calendar = await kit.calendar();
  return { calendar: idOf(calendar), title: text(calendar, "title"), event: idOf(await kit.event(calendar)) };
});

/** The calendar and its one event are still there. */
export async function nothingChanged(kit: Kit): Promise<void> {
  const { calendar, title, event } = await target(kit);
  equal((await kit.calendars(title)).map(idOf), [calendar], "the calendar after refused calls");
  const [first, ...more] = await kit.events(calendar);
  equal(
    [first === undefined ? "" : idOf(first), first?.["updated_times"], more.length],
    [event, "0", 0],
    "its event after refused calls",
  );
}

/** Tokens that are not the account's: made out of it, so that a careless comparison takes them. */
export function wrongTokens(token: string): readonly string[] {
  const last = token.slice(-1) === "x" ? "y" : "x";
  return [
    `${token.slice(0, -1)}${last}`,
    token.slice(0, -1),
    `${token}x`,
    `${token}${token}`,
    `x${token}`,
    "0",
    "null",
    "undefined",
  ];
}

export function otherCase(token: string): string {
  return Array.from(token)
    .map((character) =>
      character === character.toUpperCase() ? character.toLowerCase() : character.toUpperCase(),
    )
    .join("");
}

export const refusal = (kit: Kit): Promise<Answer> => kit.call("listCalendars", {}, { as: "none" });

/** One answer of each common kind: no token, wrong token, missing parameter, absent id. */
export async function errorAnswers(kit: Kit): Promise<readonly Answer[]> {
  return [
    await refusal(kit),
    await kit.call("listCalendars", {}, { as: { token: `${kit.session.target.token}x` } }),
    await kit.call("listEvents"),
    await kit.call("listEvents", { calendar_id: "9007199254740991" }),
  ];
}
