import type { Payload } from "@kalends/spec";
import { findCalendar } from "../calendars/queries.js";
import { lockCalendar, type LockedCalendar } from "../calendars/lock-queries.js";
import { namesOf } from "../categories/names.js";
import { countCategories } from "../categories/queries.js";
import type { Db } from "../db/database.js";
import { lockEvents } from "../events/queries.js";
import { storeEventChange } from "../events/write.js";
import type { Context, Handlers } from "../http/handler.js";
import { ImportTooLarge } from "../imports/import-budget.js";
import { Plan } from "../imports/plan.js";
import { Outdated, storePlan } from "../imports/store-queries.js";
import { findTarget } from "../imports/queries.js";
import { untilStored } from "../imports/run.js";
import { pace } from "../time/pace.js";
import * as queries from "./queries.js";

/** Categories that become one. */
interface Merge {
  readonly calendarId: number;
  readonly from: readonly string[];
  readonly to: string;
}

/** The categories of a calendar (extensions X8.6). A change of many events is staged and published as an import is. */
export const categoryHandlers = {
  async listCategories({ calendar_id }, { db, accountId, error }) {
    const calendar = await findCalendar(db, accountId, Number(calendar_id));
    if (calendar === undefined) throw error("calendar_not_found");
    const categories = await db.list(accountId, ({ read }) => countCategories(read, calendar.id));
    return { categories: [...categories] };
  },

  async renameCategory({ calendar_id, category, name }, context) {
    const merge = { calendarId: Number(calendar_id), from: [category], to: name };
    return untilStored(() => mergeOnce(merge, context, true));
  },

  async mergeCategories({ calendar_id, categories, into }, context) {
    const merge = { calendarId: Number(calendar_id), from: namesOf(categories), to: into };
    return untilStored(() => mergeOnce(merge, context, false));
  },
} satisfies Partial<Handlers>;

async function mergeOnce(
  merge: Merge,
  { db, accountId, now, wrote, error }: Context<"renameCategory">,
  isRename: boolean,
): Promise<Payload<"renameCategory">> {
  const { calendarId, to } = merge;
  const calendar = await findTarget(db.read, accountId, calendarId);
  if (calendar === undefined) throw error("calendar_not_found");
  const known = (await countCategories(db.read, calendarId)).map(({ name }) => name);
  const refusal = refusalOf(merge, known, isRename, error);
  // In the transaction: a request that is repeated under its key was done, and has left no such category.
  if (refusal !== undefined) return db.transaction(() => Promise.reject(refusal));
  const plan = await planOf(db.read, calendar, merge, now).catch((thrown: unknown) => {
    throw thrown instanceof ImportTooLarge ? error("write_too_large") : thrown;
  });
  const series = await queries.seriesWithCategories(db.read, calendarId);
  return db.transaction(async (trx) => {
    const locked = await lockCalendar(trx, { accountId, calendarId });
    if (locked === undefined) throw error("calendar_not_found");
    // Events of the plan are compared with what they were; others may have come.
    const names = changedNames(merge);
    if ((await queries.countEventsIn(trx, calendarId, names)) !== plan.events.length) throw new Outdated();
    if (plan.events.length > 0) await storePlan(trx, locked, plan, now);
    const renamed = renaming(merge);
    await queries.renamePicks(trx, { calendarId, names }, renamed);
    await queries.renameInSeries(trx, series, renamed);
    const drafts = await lockEvents(trx, accountId, await queries.draftsIn(trx, calendarId, names));
    for (const found of drafts.values()) {
      const categories = renamed(namesOf(found.event.categories)).join(",");
      await storeEventChange(trx, found, { categories }, now);
    }
    wrote({ calendarId });
    const events_count = await queries.countEventsIn(trx, calendarId, [to]);
    return { category: { name: to, events_count }, events_changed: plan.events.length + drafts.size };
  });
}

/** Why the categories cannot be merged, as far as it is known before the transaction. */
function refusalOf(
  { from, to }: Merge,
  known: readonly string[],
  isRename: boolean,
  error: Context<"renameCategory">["error"],
): Error | undefined {
  if (from.some((name) => !known.includes(name))) return error("category_not_found");
  if (!isRename || !known.includes(to)) return undefined;
  const message = "must not be a category that the calendar has; merge the two";
  return error("parameter_invalid", [{ parameter: "name", message, code: "not_allowed" }]);
}

/** A merge of a category into itself leaves it. */
function changedNames({ from, to }: Merge): readonly string[] {
  return from.filter((name) => name !== to);
}

function renaming(merge: Merge): queries.Renamed {
  const changed = new Set(changedNames(merge));
  return (names) => [...new Set(names.map((name) => (changed.has(name) ? merge.to : name)))];
}

/** Events that are read at a time. */
const sliceSize = 200;

/** @throws ImportTooLarge */
async function planOf(read: Db, calendar: LockedCalendar, merge: Merge, now: number): Promise<Plan> {
  const plan = new Plan(calendar, now);
  const renamed = renaming(merge);
  for (let after = 0; ;) {
    const page = { after, limit: sliceSize };
    const rows = await queries.eventsIn(read, calendar.id, changedNames(merge), page);
    for (const row of rows)
      plan.change(row, { categories: renamed(namesOf(row.categories)).join(",") }, undefined);
    const last = rows.at(-1);
    if (last === undefined || rows.length < sliceSize) return plan;
    after = last.id;
    await pace.rest();
  }
}
