import type { ParameterFailure, Params, Payload } from "@kalends/spec";
import { lockCalendar, type LockedCalendar, lockTogether } from "../calendars/lock-queries.js";
import { paletteSize } from "../calendars/palettes.js";
import type { EventRow } from "../db/rows.js";
import type { Context } from "../http/handler.js";
import { storeChange } from "./drafts.js";
import { publicationOf, requireExtras, sentFields } from "./fields.js";
import { findMoving } from "./move-queries.js";
import { lockEvent } from "./queries.js";
import type { EventChange } from "./revisions.js";
import { event as shown } from "./serialize.js";
import { storeMovedEvent } from "./write.js";

/** Changes an event or a draft and moves it to another calendar (extensions X8.4), in a transaction of its own: both calendars are locked at once. */
export async function moveEvent(
  params: Params<"eventsUpdate">,
  calendarId: number,
  { db, accountId, calendars, now, base, requireMatch, wrote, error }: Context<"eventsUpdate">,
): Promise<Payload<"eventsUpdate">> {
  return db.transaction(async (trx) => {
    const id = Number(params.event_id);
    await lockTogether(trx, accountId, { eventIds: [id], calendarId });
    const found = await lockEvent(trx, { accountId, calendars }, id);
    const target = await lockCalendar(trx, { accountId, calendarId });
    if (found === undefined) throw error("event_not_found");
    if (target === undefined) throw error("calendar_not_found");
    const { event, calendar } = found;
    requireMatch(event);
    const categories = params.categories ?? event.categories;
    await requireExtras(trx, target, { ...params, categories }, error);
    const publication = publicationOf(params, event, now, error);
    const sent = { ...sentFields(params, { event, calendar: target }, error), ...publication };
    wrote({ calendarId: target.id, eventId: event.id });
    const address = { uniquekey: target.uniquekey, base };
    if (target.id === calendar.id)
      return { event: shown(await storeChange(trx, found, sent, { now, error }), address) };
    const moving = await findMoving(trx, { id: event.id, calendar_id: target.id });
    if (moving?.is_taken === 1) throw error("parameter_invalid", [uidTaken]);
    const change = { ...fitting(event, target), ...sent };
    return { event: shown(await storeMovedEvent(trx, found, target, change, now), address) };
  });
}

export const uidTaken: ParameterFailure = {
  parameter: "calendar_id",
  message: "must be a calendar without an event of the same UID",
  code: "not_allowed",
};

/** A colour that the palette of a calendar lacks is none. */
export function fitting({ color_id }: EventRow, { palette_id }: LockedCalendar): EventChange {
  return Number(color_id) <= paletteSize(palette_id) ? {} : { color_id: "" };
}
