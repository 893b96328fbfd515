import type { LockedCalendar } from "../calendars/lock-queries.js";
import { bytesOfEvent } from "../calendars/stored-bytes.js";
import { type Member, requireRoom } from "../db/batch.js";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import type { DraftRow } from "../deletions/draft-queries.js";
import { eventOf } from "../deletions/trash-queries.js";
import { changeDraft, deleteDraft, storeNewDraft } from "../events/drafts.js";
import type { Publication } from "../events/fields.js";
import { addMany, changeEvents, inSlices, removeEvents } from "../events/many.js";
import type { EventChange } from "../events/revisions.js";
import { datesOf, type WallTimes } from "./expand.js";
import type { SeriesEvent } from "./queries.js";
import { readTemplate } from "./template.js";

/** When new events are published, where they are drafts. */
export type Hidden = Pick<Publication, "publishAt"> | undefined;

const isDraft = (event: SeriesEvent): event is DraftRow => "preview_key" in event;

/** Stores the events of a series at these places, and announces each, or its drafts. Returns them in the order of the places. */
export function addEvents(
  trx: Member,
  calendar: LockedCalendar,
  series: SeriesRow,
  places: readonly number[],
  { now, hidden }: { readonly now: number; readonly hidden: Hidden },
): Promise<readonly EventRow[]> {
  const template = readTemplate(series);
  const times = (place: number) => datesOf(wallTimes(series, place));
  const { timezone, all_day, id: series_id } = series;
  const zoned = { ...template, timezone, all_day, series_id };
  const fieldsOf = (place: number) => ({ ...times(place), series_place: place });
  if (hidden === undefined) return addMany(trx, calendar, { template: zoned, items: places, fieldsOf }, now);
  const bytes = bytesOfEvent(zoned);
  requireRoom(trx, places.length, places.length * bytes);
  const { publishAt } = hidden;
  return inSlices(
    places,
    () => bytes,
    (place) => storeNewDraft(trx, calendar, { ...zoned, ...fieldsOf(place) }, { publishAt, now }),
  );
}

/** Changes events of a series and announces each, and changes drafts. */
export async function changeMembers(
  trx: Member,
  calendar: LockedCalendar,
  changes: readonly (readonly [event: SeriesEvent, change: EventChange])[],
  now: number,
): Promise<readonly (readonly [before: SeriesEvent, after: SeriesEvent])[]> {
  const events = changes.filter(([event]) => !isDraft(event));
  const drafts = changes.flatMap(([draft, change]) => (isDraft(draft) ? [{ draft, change }] : []));
  return [
    ...(await changeEvents(trx, calendar, events, now)),
    ...(await inSlices(
      drafts,
      ({ draft }) => draft.bytes,
      async ({ draft, change }) => {
        const { publish_at: publishAt } = draft;
        const found = { event: eventOf(draft), calendar, draft };
        return [draft, await changeDraft(trx, found, change, { publishAt, now })] as const;
      },
    )),
  ];
}

/** Deletes events of a series and announces each, and deletes drafts. */
export async function removeMembers(
  trx: Member,
  calendar: LockedCalendar,
  members: readonly SeriesEvent[],
  now: number,
): Promise<void> {
  const shown = members.filter((event) => !isDraft(event));
  await removeEvents(trx, calendar, shown, now);
  await inSlices(members.filter(isDraft), bytesOfEvent, (draft) =>
    deleteDraft(trx, { event: eventOf(draft), calendar, draft }, now),
  );
}

/** The times of the event at a place, unless it was changed by itself. */
export function wallTimes({ shift, length, all_day, timezone }: SeriesRow, place: number): WallTimes {
  return { start: place + shift, length, allDay: all_day === 1, timezone };
}
