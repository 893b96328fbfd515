import type { Params, Payload } from "@kalends/spec";
import type { LockedCalendar } from "../calendars/lock-queries.js";
import { lockCalendar, lockTogether } from "../calendars/lock-queries.js";
import { requirePicture } from "../calendars/picture-fields.js";
import type { Transaction } from "../db/transaction.js";
import { type InvalidParameter, requireCategories } from "./fields.js";
import { type Refuse, storeChange } from "./drafts.js";
import { changeEvents, moveEvents, removeEvents } from "./many.js";
import { findMoving, isReplaced } from "./move-queries.js";
import { type LockedEvent, lockEvent, lockEvents } from "./queries.js";
import type { Handlers } from "../http/handler.js";
import { type Change, type Failed, namedEvents, plannedChanges } from "./batch-change.js";
import { copyEvents } from "./batch-copy.js";

/** Writes of many events (extensions X8.4), each in a transaction of its own, as those of series are. */
export const batchHandlers = {
  async eventsBatch(params, { db, accountId, now, wrote, error, calendars: own }) {
    return db.transaction(async (trx) => {
      const named = namedEvents(params.events);
      const ids = named.map(({ id }) => id);
      const calendarId = Number(params.calendar_id ?? 0);
      if (calendarId !== 0) await lockTogether(trx, accountId, { eventIds: ids, calendarId });
      const events = await lockEvents(trx, accountId, ids);
      const target = calendarId === 0 ? undefined : await lockCalendar(trx, { accountId, calendarId });
      if (calendarId !== 0 && target === undefined) throw error("calendar_not_found");
      const found = new Map([...events].filter(([, { calendar }]) => own?.has(calendar.id) ?? true));
      await requireCategoriesOf(trx, found, target, params, error);
      await requirePicture(trx, accountId, params.picture_id, error);
      const taken = await takenIn(trx, found, target);
      const planned = plannedChanges(params, named, found, { target, taken, now }, error);
      const replaced = await replacedDrafts(trx, planned.changes, target);
      const changes = planned.changes.filter(({ event }) => !replaced.has(event.id));
      const failed = named.flatMap(({ id }): readonly Failed[] => {
        const event_id = String(id);
        if (replaced.has(id)) return [{ event_id, error_type: "event_replaced", errors: [] }];
        return planned.failed.filter((one) => one.event_id === event_id);
      });
      const refuse: Refuse = (_code, failures) => error("parameter_invalid", failures);
      const done = params.dry_run !== "true" && (failed.length === 0 || params.partial === "true");
      for (const calendar of done ? calendarsOf(changes) : []) {
        const ofCalendar = changes.filter((change) => change.calendar.id === calendar.id);
        await store(trx, { calendar, target }, ofCalendar, { params, now, refuse });
        wrote({ calendarId: calendar.id });
      }
      if (done && target !== undefined) wrote({ calendarId: target.id });
      const event_ids = changes.map(({ event }) => String(event.id));
      return { done, event_ids, failed } satisfies Payload<"eventsBatch">;
    });
  },

  async eventsCopy(
    { event_id, start_dates, calendar_id, published },
    { db, accountId, calendars, now, wrote, error },
  ) {
    return db.transaction(async (trx) => {
      const id = Number(event_id);
      const calendarId = Number(calendar_id ?? 0);
      if (calendarId !== 0) await lockTogether(trx, accountId, { eventIds: [id], calendarId });
      const found = await lockEvent(trx, { accountId, calendars }, id);
      const target = calendarId === 0 ? undefined : await lockCalendar(trx, { accountId, calendarId });
      if (found === undefined) throw error("event_not_found");
      const calendar = calendar_id === undefined ? found.calendar : target;
      if (calendar === undefined) throw error("calendar_not_found");
      await requireCategories(trx, calendar, found.event.categories, error);
      const given = published === "true" ? "published" : "draft";
      const work = { now, error, state: published === undefined ? found.event.state : given };
      const copies = await copyEvents(trx, { event: found.event, calendar }, start_dates.split(","), work);
      wrote({ calendarId: calendar.id });
      return { event_ids: copies.map(({ id }) => String(id)) };
    });
  },
} satisfies Partial<Handlers>;

const calendarsOf = (events: Iterable<LockedEvent>): ReadonlySet<LockedCalendar> =>
  new Set([...events].map(({ calendar }) => calendar));

type Found = ReadonlyMap<number, LockedEvent>;
type Target = LockedCalendar | undefined;

/** The categories of events that move come with them. */
async function requireCategoriesOf(
  trx: Transaction,
  found: Found,
  target: Target,
  { categories }: Params<"eventsBatch">,
  error: InvalidParameter,
): Promise<void> {
  const events = [...found.values()];
  if (target === undefined)
    for (const calendar of calendarsOf(events)) await requireCategories(trx, calendar, categories, error);
  else {
    const moved = events.map(({ event }) => event.categories).filter((names) => names !== "");
    await requireCategories(trx, target, categories ?? moved.join(), error);
  }
}

/** Returns the events that cannot move to a calendar: it has one of the same UID, or one before them brings it. */
async function takenIn(trx: Transaction, found: Found, target: Target): Promise<ReadonlySet<number>> {
  const taken = new Set<number>();
  if (target === undefined) return taken;
  const moving = [...found.values()].filter(({ calendar }) => calendar.id !== target.id);
  const known = moving.map(({ event: { id } }) => findMoving(trx, { id, calendar_id: target.id }));
  const brought = new Set<string>();
  for (const [index, identity] of (await Promise.all(known)).entries()) {
    const { import_uid = null, import_recurrence_id, is_taken } = identity ?? {};
    const { id = 0, uid = "" } = moving[index]?.event ?? {};
    const keys = [` ${uid}`, ...(import_uid === null ? [] : [`${import_recurrence_id} ${import_uid}`])];
    if (is_taken === 1 || keys.some((key) => brought.has(key))) taken.add(id);
    else for (const key of keys) brought.add(key);
  }
  return taken;
}

/** Returns the ids of those drafts that cannot be published where they are, since another event stands for them. */
async function replacedDrafts(
  trx: Transaction,
  changes: readonly Change[],
  target: Target,
): Promise<ReadonlySet<number>> {
  const published = changes.filter(
    ({ calendar, event, change }) =>
      event.state === "draft" && change.state === "published" && calendar.id === (target?.id ?? calendar.id),
  );
  const areReplaced = await Promise.all(published.map(({ event }) => isReplaced(trx, event)));
  return new Set(published.filter((_, index) => areReplaced[index]).map(({ event: { id } }) => id));
}

async function store(
  trx: Transaction,
  { calendar, target }: { readonly calendar: LockedCalendar; readonly target: Target },
  changes: readonly Change[],
  {
    params,
    now,
    refuse,
  }: { readonly params: Params<"eventsBatch">; readonly now: number; readonly refuse: Refuse },
): Promise<void> {
  if (target !== undefined && target.id !== calendar.id) return moveEvents(trx, target, changes, now);
  if (params.delete === "true") {
    const events = changes.map(({ event }) => event);
    return removeEvents(trx, calendar, events, now);
  }
  const pairs = changes.map(({ event, change }) => [event, change] as const);
  const work = { now, error: refuse };
  await changeEvents(trx, calendar, pairs, now, (found, change) => storeChange(trx, found, change, work));
}
