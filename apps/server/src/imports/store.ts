import type { LockedCalendar } from "../calendars/locks.js";
import { paletteSize } from "../calendars/palettes.js";
import { holdCategories } from "../categories/queries.js";
import type { Member } from "../db/batch.js";
import type { EventRow } from "../db/rows.js";
import { initial, type NewEvent } from "../events/revisions.js";
import { storeEventChange, storeNewEvent } from "../events/write.js";
import { createRoom } from "./categories.js";
import { changeOf } from "./compare.js";
import type { Skipped } from "./event.js";
import type { Instance, Prepared } from "./instances.js";
import type { Outcome } from "./outcome.js";
import { createPace } from "./pace.js";
import { findByUid, findImported, storeImported } from "./queries.js";

/** What an import is to do. */
export interface Import {
  readonly prepared: Prepared;
  /** Unix seconds. */
  readonly now: number;
  /** Only finds out what would be done. */
  readonly isDryRun: boolean;
  /** The sync that it is for. */
  readonly syncId: number | null;
  /** Receives how many events of how many are done. */
  readonly onStored?: ((done: number, total: number) => void) | undefined;
}

/** Events that are looked up and written at a time. */
const sliceSize = 200;

/** Imports into a locked calendar, in the transaction that has locked it. */
export async function store(
  trx: Member,
  calendar: LockedCalendar,
  work: Import,
): Promise<readonly Outcome[]> {
  const { instances, skipped } = work.prepared;
  const pace = createPace();
  const outcomes: Outcome[] = skipped.map(skippedOutcome);
  const room = createRoom(await holdCategories(trx, calendar.id));
  for (let start = 0; start < instances.length; start += sliceSize) {
    const slice = instances.slice(start, start + sliceSize);
    // Side by side, so that the queries of a slice are one statement each.
    const storing = slice.map((instance) => storeOne(trx, calendar, fitting(instance, calendar, room), work));
    outcomes.push(...(await Promise.all(storing)));
    work.onStored?.(start + slice.length, instances.length);
    await pace.rest();
  }
  return outcomes;
}

/** A colour that the palette lacks is none, and so is a category that the calendar has no room for. */
function fitting(
  instance: Instance,
  { palette_id }: LockedCalendar,
  room: ReturnType<typeof createRoom>,
): Instance {
  const { texts, notes } = instance;
  const color_id = Number(texts.color_id) <= paletteSize(palette_id) ? texts.color_id : undefined;
  const categories = texts.categories === undefined ? undefined : room(texts.categories);
  const note =
    categories === texts.categories ? [] : ["the calendar has too many categories: some are left out"];
  return { ...instance, texts: { ...texts, color_id, categories }, notes: [...notes, ...note] };
}

function skippedOutcome({ uid, title, reason }: Skipped): Outcome {
  return { result: "skipped", uid, recurrenceId: "", title, event: undefined, reason, notes: [] };
}

async function storeOne(
  trx: Member,
  calendar: LockedCalendar,
  read: Instance,
  { now, isDryRun, syncId }: Import,
): Promise<Outcome> {
  const instance = syncId === null ? read : withoutData(read);
  const { uid, recurrenceId, texts, notes } = instance;
  const common = { uid, recurrenceId, title: texts.title, reason: "", notes };
  const found = await findEvent(trx, calendar.id, instance);
  const known = { calendar_id: calendar.id, import_uid: uid, import_recurrence_id: recurrenceId };
  if (found === undefined) {
    if (isDryRun) return { ...common, result: "created", event: undefined };
    const event = await storeNewEvent(trx, calendar, newEvent(instance), now);
    await storeImported(trx, { ...known, event_id: event.id, sync_id: syncId });
    return { ...common, result: "created", event };
  }
  const { event, isRenamed } = found;
  if (isRenamed && !isDryRun) await storeImported(trx, { ...known, event_id: event.id, sync_id: syncId });
  const change = changeOf(event, instance);
  if (change === undefined) return { ...common, result: "unchanged", event };
  if (isDryRun) return { ...common, result: "changed", event };
  const row = await storeEventChange(trx, { event, calendar }, change, now);
  return { ...common, result: "changed", event: row };
}

/** Programs of the owner trust `custom_data`: what others publish, which a sync reads, does not set it. */
function withoutData(instance: Instance): Instance {
  return { ...instance, texts: { ...instance.texts, custom_data: undefined } };
}

interface Found {
  readonly event: EventRow;
  /** Whether it was known by another place in its series. */
  readonly isRenamed: boolean;
}

/** The event that was imported as this one before, or, of a file that Kalends has exported, is this one. */
async function findEvent(
  trx: Member,
  calendarId: number,
  { uid, recurrenceId, formerId }: Instance,
): Promise<Found | undefined> {
  const imported = await findImported(trx, { calendarId, uid });
  const byId = (id: string | undefined) => imported.find((row) => row.import_recurrence_id === id);
  const same = byId(recurrenceId);
  if (same !== undefined) return { event: same, isRenamed: false };
  const former = formerId === undefined ? undefined : byId(formerId);
  if (former !== undefined) return { event: former, isRenamed: true };
  const own = recurrenceId === "" ? await findByUid(trx, { calendarId, uid }) : undefined;
  return own && { event: own, isRenamed: false };
}

function newEvent({ texts, zone, isAllDay, dates }: Instance): NewEvent {
  return {
    ...texts,
    timezone: zone,
    color_id: texts.color_id ?? "",
    reminder: texts.reminder ?? "",
    categories: texts.categories ?? "",
    custom_data: texts.custom_data ?? initial.custom_data,
    all_day: isAllDay ? 1 : 0,
    ...dates,
  };
}
