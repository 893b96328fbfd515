import type { ExtensionClause } from "../clauses.js";
import { equal, expect, failure, notTestable } from "../engine/assert.js";
import { type Covers, type Defined, required, type Needs, type Run } from "../engine/check.js";
import { documentPath, isWrite, type OperationName, pathOf } from "../engine/operations.js";
import { idOf, isItem, type Item, list, member, text } from "../engine/json.js";
import { fixture, type Kit, someStart, succeeded, wasRefused } from "../engine/kit.js";
import type { Answer, CallOptions, Params } from "../engine/target.js";

/** The document of the extensions, as it was answered. */
export const served = fixture((kit) => kit.raw(documentPath));

/**
 * A check of the extensions. A server that says that it has no such document is not judged by it; one that fails to answer
 * fails the check.
 */
export function extension(
  id: string,
  covers: Covers<ExtensionClause>,
  title: string,
  ...rest: readonly [run: Run] | readonly [needs: Needs, run: Run]
): Defined {
  const [needs, judge] = rest.length === 1 ? [{}, rest[0]] : rest;
  return required(`extensions.${id}`, covers, title, needs, async (kit) => {
    const { status, body } = await served(kit);
    if (status === 404)
      throw notTestable(`the server has no extensions: ${documentPath} is not served (HTTP 404)`);
    if (status !== 200 || !isItem(body))
      throw failure(
        `${documentPath}: expected a JSON object or HTTP 404, got HTTP ${status}.`,
        `${documentPath}: HTTP ${status}`,
      );
    await judge(kit);
  });
}

/** Sends one call: writes of the extensions as a form, all others as a query. */
export async function send(
  kit: Kit,
  operation: OperationName,
  params: Params = {},
  options: CallOptions = {},
): Promise<Answer> {
  const form = isWrite(operation) ? ({ send: "form" } as const) : {};
  return kit.session.target.call(kit.recorder, operation, params, { ...form, ...options });
}

/** Sends one call that must succeed. */
export async function ok(
  kit: Kit,
  operation: OperationName,
  params: Params = {},
  options: CallOptions = {},
): Promise<Answer> {
  const answer = await send(kit, operation, params, options);
  succeeded(answer, operation);
  return answer;
}

/** The call is refused with this status and, where one is stated, this `error_type`. */
export async function refuses(
  kit: Kit,
  [status, type]: readonly [status: number, type?: string],
  operation: OperationName,
  params: Params = {},
  options: CallOptions = {},
): Promise<Answer> {
  const answer = await send(kit, operation, params, options);
  wasRefused(answer, operation);
  equal(answer.status, status, `${pathOf(operation)}: HTTP status`);
  if (type !== undefined) equal(member(answer.body, "meta")["error_type"], type, "meta.error_type");
  return answer;
}

export async function eventDetails(kit: Kit, event_id: string): Promise<Item> {
  return member((await ok(kit, "GET events/details/", { event_id })).body, "event");
}

export async function calendarDetails(kit: Kit, calendar_id: string): Promise<Item> {
  return member((await ok(kit, "GET calendars/details/", { calendar_id })).body, "calendar");
}

/** Changes an event, and returns it as it was answered. */
export async function updateEvent(
  kit: Kit,
  event_id: string,
  params: Params,
  options: CallOptions = {},
): Promise<Item> {
  return member((await ok(kit, "POST events/update/", { event_id, ...params }, options)).body, "event");
}

export async function updateCalendar(kit: Kit, calendar_id: string, params: Params): Promise<Item> {
  return member((await ok(kit, "POST calendars/update/", { calendar_id, ...params })).body, "calendar");
}

/** What an event has when all its fields are set, and when it lasts more than an hour. */
export const everything = {
  description: "Text",
  location: "Here",
  organizer: "Me",
  organizer_email: "me@example.com",
  reminder: "10",
  color_id: "4",
  start_date: someStart,
  end_date: "07/04/2026 17:00",
  timezone: "Europe/Paris",
} as const satisfies Params;

/** An event with all its fields, in a calendar of its own. */
export async function fullEvent(
  kit: Kit,
): Promise<{ readonly calendar: Item; readonly id: string; readonly before: Item }> {
  const calendar = await kit.calendar();
  const id = idOf(await kit.event(calendar, everything));
  return { calendar, id, before: await eventDetails(kit, id) };
}

/** What changes with every write. */
const ofEachWrite = ["updated_times", "date_modified"];

/** Between two readings only these fields are others. */
export function changedOnly(before: Item, after: Item, changed: Item): void {
  for (const [name, value] of Object.entries(changed)) equal(after[name], value, name);
  const kept = Object.keys(before).filter((name) => !(name in changed) && !ofEachWrite.includes(name));
  for (const name of kept) equal(after[name], before[name], `${name}, which was not sent`);
}

/** A text that no other write of the run uses as its key. */
export function newKey(kit: Kit): string {
  return kit.name().replaceAll(" ", "-");
}

export function withKey(key: string): CallOptions {
  return { headers: { "Idempotency-Key": key } };
}

/** An event of a calendar file: lines of its own, and a UID. */
export interface FileEvent {
  readonly uid: string;
  readonly lines?: readonly string[];
}

/** The text of a calendar file (RFC 5545). */
export function calendarFile(events: readonly FileEvent[]): string {
  const start = ["DTSTART:20260704T173000Z", "DTEND:20260704T183000Z"];
  const lines = events.flatMap(({ uid, lines = [] }) => [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    "SUMMARY:Imported",
    ...(lines.some((line) => line.startsWith("DTSTART")) ? lines : [...start, ...lines]),
    "END:VEVENT",
  ]);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n");
}

const mostTurns = 100;

/** Follows the changes of a calendar to their end: what changed since, in order, and the cursor after it. */
export async function follow(
  kit: Kit,
  calendar_id: string,
  since?: string,
): Promise<{ readonly changes: readonly Item[]; readonly cursor: string }> {
  const changes: Item[] = [];
  let cursor = since;
  for (let turn = 0; turn < mostTurns; turn++) {
    const { body } = await ok(kit, "GET events/changes/", { calendar_id, since: cursor });
    changes.push(...list(body, "changes"));
    expect(isItem(body) && typeof body["has_more"] === "boolean", "has_more: expected true or false.");
    const next = text(body, "cursor");
    if (!body["has_more"]) return { changes, cursor: next };
    expect(next !== cursor, "cursor: the same again, although has_more is true.");
    cursor = next;
  }
  throw failure(`events/changes/: has_more is still true after ${mostTurns} pages.`);
}
