import { randomBytes } from "node:crypto";
import type { ParameterFailure, Payload } from "@kalends/spec";
import {
  countEventsChange,
  lockCalendar,
  type LockedCalendar,
  requireSpace,
} from "../calendars/lock-queries.js";
import { bytesOfEvent } from "../calendars/stored-bytes.js";
import { draftData } from "../custom-data/queries.js";
import { hold, type Member, requireRoom, takeRoom } from "../db/batch.js";
import type { EventRow } from "../db/rows.js";
import { keepsTrash } from "../deletions/days.js";
import {
  type DraftPlace,
  type DraftRow,
  findDraftPlace,
  readDraft,
  type Preview,
} from "../deletions/draft-queries.js";
import {
  eventOf,
  insertDraft,
  isReplaced,
  type NewDraft,
  removeHidden,
  updateDraft,
} from "../deletions/trash-queries.js";
import { announceEvent } from "./announce.js";
import { type Publication, publishedNow, requireCategories } from "./fields.js";
import { forgetDeletion, storeIdentity } from "./move-queries.js";
import { forgetChanges } from "../history-entries/entry-queries.js";
import { deleteEvent, type LockedEvent, lockHeld, type Owned, reserveIds, stayed } from "./queries.js";
import { recordEvent } from "./record-history.js";
import { type EventChange, type NewEvent, newRow, savedRow } from "./revisions.js";
import { searchedOf } from "./search.js";
import * as serialize from "./serialize.js";
import { requireCost, storeEventChange, storeRestoredEvent } from "./write.js";

// Events that followers do not see yet (extensions X8.5), and what makes an event one of them or the other way round.

/** An event or a draft that no one else can change, and its calendar. */
export interface Locked extends LockedEvent {
  readonly draft?: DraftRow | undefined;
}

/** Returns how a locked event, or draft, is published. */
export function publicationNow({ draft }: Pick<Locked, "draft">): Publication {
  return draft === undefined ? publishedNow : { isPublished: false, publishAt: draft.publish_at };
}

/** Makes the error of a draft that cannot be published. */
export type Refuse = (
  code: "event_replaced" | "parameter_invalid",
  failures?: readonly ParameterFailure[],
) => Error;

export function shownDraft(draft: Omit<Preview, "id">, base: string): serialize.ShownDraft {
  const { uniquekey, uid, preview_key, publish_at } = draft;
  const preview_url = `${base}/c/${uniquekey}/e/${encodeURIComponent(uid)}?draft=${preview_key}`;
  return { publish_at, preview_url };
}

/** Returns an event, or a draft, as the extensions do. */
export function shownEvent(row: EventRow | DraftRow, base: string): Payload<"getEvent">["event"] {
  return serialize.event(row, "uniquekey" in row ? shownDraft(row, base) : undefined);
}

/** Drafts whose rows are read at once. */
const mostRead = 64;

/** Locks drafts at these places, and their calendars. Returns those that there are, by id. @throws BudgetExceeded when they are longer than a write may be */
export async function lockDrafts(
  trx: Member,
  accountId: number | undefined,
  places: readonly DraftPlace[],
): Promise<ReadonlyMap<number, Locked>> {
  const target = accountId === undefined ? {} : { accountId };
  const calendars = new Map<number, LockedCalendar>();
  const locked = places.map(({ calendar_id }) => lockCalendar(trx, { ...target, calendarId: calendar_id }));
  for (const calendar of await Promise.all(locked)) if (calendar) calendars.set(calendar.id, calendar);
  requireRoom(trx, 0, places.reduce((sum, { bytes }) => sum + bytes, 0) / 2); // each text is counted twice
  const found = new Map<number, Locked>();
  for (let from = 0; from < places.length; from += mostRead) {
    const some = places.slice(from, from + mostRead);
    for (const draft of await Promise.all(some.map(({ id }) => readDraft(trx, { accountId, id })))) {
      const calendar = draft && calendars.get(draft.calendar_id);
      if (draft && calendar) found.set(draft.id, { event: eventOf(draft), calendar, draft });
    }
  }
  return found;
}

/** Returns where those of these ids are that are drafts of the account. */
export async function draftPlaces(
  trx: Member,
  accountId: number,
  ids: readonly number[],
): Promise<readonly DraftPlace[]> {
  const places = await Promise.all(ids.map((id) => findDraftPlace(trx, { accountId, id })));
  return places.filter((place) => place !== undefined);
}

/** Locks an event or a draft and its calendar. Undefined when it is absent, another account's, or its calendar is deleted. */
export async function lockAny(trx: Member, of: Owned, id: number): Promise<Locked | undefined> {
  await hold(trx, `event ${id}`);
  const found = await lockHeld(trx, of, id);
  // It moved while its calendar was waited for: then it stays where it is now.
  if (found === "moved") return stayed(await lockHeld(trx, of, id));
  if (found !== undefined) return found;
  const places = await draftPlaces(trx, of.accountId, [id]);
  const drafts = await lockDrafts(trx, of.accountId, places);
  // Where there was none, another server may just have published it.
  return drafts.get(id) ?? stayed(await lockHeld(trx, of, id));
}

export async function storeNewDraft(
  trx: Member,
  calendar: LockedCalendar,
  event: NewEvent,
  { publishAt, now }: { readonly publishAt: number | null; readonly now: number },
): Promise<DraftRow> {
  const [id = 0] = await reserveIds.events(trx, 1);
  const row = newDraft({ ...newRow(calendar, event, now), id }, publishAt);
  requireCost(trx, { ...calendar, webhooks: 0 }, row.bytes);
  requireSpace(trx, calendar, row.bytes);
  await insertDraft(trx, row);
  await Promise.all([
    countBytes(trx, calendar, row.bytes, now),
    recordEvent(trx, "created", [row, row], now),
  ]);
  return stored(trx, id);
}

function newDraft(event: EventRow, publish_at: number | null): NewDraft {
  const preview_key = randomBytes(16).toString("base64url");
  return asDraft(event, { publish_at, preview_key });
}

function asDraft(event: EventRow, shown: Pick<NewDraft, "publish_at" | "preview_key">): NewDraft {
  return {
    ...event,
    ...shown,
    deleted_at: 0,
    bytes: bytesOfEvent(event),
    found_words: searchedOf(event).folded,
    found_data: draftData(event.custom_data),
  };
}

async function stored(trx: Member, id: number): Promise<DraftRow> {
  const draft = await readDraft(trx, { id });
  if (draft === undefined) throw new Error("the draft was not stored");
  return draft;
}

/** Counts by how many bytes a calendar grows. It changes nothing that followers see. */
function countBytes(trx: Member, { id: calendarId }: LockedCalendar, bytes: number, now: number) {
  return countEventsChange(trx, { calendarId, events: 0, changes: 0, bytes, now });
}

export interface Change {
  readonly change: EventChange;
  readonly to: Publication;
  readonly now: number;
  readonly error: Refuse;
}

/** Changes a locked event or draft, publishes it, or takes it back. Returns it, as a draft where it is one. */
export async function storeChange(trx: Member, found: Locked, work: Change): Promise<EventRow | DraftRow> {
  const { change, to, now } = work;
  const { draft, event, calendar } = found;
  if (to.isPublished)
    return draft === undefined
      ? storeEventChange(trx, found, change, now)
      : publish(trx, { ...found, draft }, work);
  if (draft !== undefined) return changeDraft(trx, { ...found, draft }, change, { ...to, now });
  const left = { ...event, series_id: 0, series_place: 0 }; // as its deletion would leave the series
  const saved = savedRow(left, change, calendar.feed_version + 1, now);
  return unpublish(trx, found, newDraft(saved, to.publishAt), now);
}

/** Changes a locked draft, which stays one. */
export async function changeDraft(
  trx: Member,
  { event, calendar, draft }: Locked & { readonly draft: DraftRow },
  change: EventChange,
  { publishAt, now }: Pick<Publication, "publishAt"> & { readonly now: number },
): Promise<DraftRow> {
  const saved = savedRow(event, change, calendar.feed_version + 1, now);
  const row = asDraft(saved, { publish_at: publishAt, preview_key: draft.preview_key });
  await recordEvent(trx, "changed", [draft, row], now);
  await storeDraft(trx, calendar, row, row.bytes - draft.bytes, now);
  return stored(trx, row.id);
}

async function storeDraft(trx: Member, calendar: LockedCalendar, row: NewDraft, growth: number, now: number) {
  requireCost(trx, { ...calendar, webhooks: 0 }, row.bytes);
  requireSpace(trx, calendar, growth);
  await Promise.all([updateDraft(trx, row), countBytes(trx, calendar, growth, now)]);
}

/** To followers it is a deletion; the event keeps its id and its UID. */
async function unpublish(trx: Member, { event, calendar }: LockedEvent, draft: NewDraft, now: number) {
  requireCost(trx, calendar, draft.bytes);
  requireSpace(trx, calendar, draft.bytes - bytesOfEvent(event));
  await deleteEvent(trx, { event, calendar }, now, draft);
  await recordEvent(trx, "changed", [event, draft], now);
  await announceEvent(trx, calendar, "event.deleted", event, now);
  return stored(trx, event.id);
}

/** Publishes a locked draft: to followers one new event. @throws Error of `error` when it cannot be */
export async function publish(
  trx: Member,
  { event, calendar, draft }: Locked & { readonly draft: DraftRow },
  { change, now, error }: Pick<Change, "change" | "now" | "error">,
): Promise<EventRow> {
  const before: EventRow = { ...event, ...change };
  if (await isReplaced(trx, draft)) throw error("event_replaced");
  await requireCategories(trx, calendar, before.categories, error);
  const growth = bytesOfEvent(before) - draft.bytes;
  requireSpace(trx, calendar, growth);
  await Promise.all([removeHidden(trx, draft), forgetDeletion(trx, draft)]);
  const row = await storeRestoredEvent(trx, calendar, before, now);
  await Promise.all([
    storeIdentity(trx, draft),
    recordEvent(trx, "changed", [draft, row], now),
    growth === 0 ? undefined : countBytes(trx, calendar, growth, now),
  ]);
  return row;
}

/** Deletes a locked draft, which can be restored from the trash as one. No one who follows hears of it. */
export async function deleteDraft(
  trx: Member,
  { calendar, draft }: Locked & { readonly draft: DraftRow },
  now: number,
): Promise<void> {
  const deleted = { ...draft, publish_at: null };
  await recordEvent(trx, "deleted", [draft, deleted], now);
  if (!keepsTrash()) {
    await Promise.all([
      removeHidden(trx, draft),
      countBytes(trx, calendar, -draft.bytes, now),
      forgetChanges(trx, draft),
    ]);
    return;
  }
  takeRoom(trx, draft.bytes);
  // Its version is above that of every purge that was requested before.
  const feed_version = calendar.feed_version + 1;
  await updateDraft(trx, {
    ...deleted,
    feed_version,
    deleted_at: now,
    found_words: "",
    found_data: "",
  });
}

/** Makes a deleted draft one again. Its calendar must be locked. */
export async function restoreDraft(
  trx: Member,
  calendar: LockedCalendar,
  { preview_key, ...deleted }: EventRow & { readonly preview_key: string },
  now: number,
): Promise<DraftRow> {
  const row = asDraft(savedRow(deleted, {}, calendar.feed_version, now), { publish_at: null, preview_key });
  await storeDraft(trx, calendar, row, 0, now);
  return stored(trx, row.id);
}
