import type { Payload } from "@kalends/spec";
import { findCalendar } from "../calendars/queries.js";
import { lockCalendar } from "../calendars/lock-queries.js";
import { namesOf } from "../calendars/category-names.js";
import { countCategories, listCategories } from "../calendars/category-queries.js";
import type { Context, Handlers } from "../http/handler.js";
import { renameCategories } from "./category-queries.js";

/** Categories that become one. */
interface Merge {
  readonly calendarId: number;
  readonly from: readonly string[];
  readonly to: string;
}

/** The categories of a calendar (extensions X8.6). */
export const categoryHandlers = {
  async categoriesList({ calendar_id }, { db, accountId, error }) {
    const calendar = await findCalendar(db, accountId, Number(calendar_id));
    if (calendar === undefined) throw error("calendar_not_found");
    const categories = await db.list(accountId, ({ read }) => countCategories(read, calendar.id));
    return { categories: [...categories] };
  },

  async categoriesRename({ calendar_id, category, name }, context) {
    return merge({ calendarId: Number(calendar_id), from: [category], to: name }, context, true);
  },

  async categoriesMerge({ calendar_id, categories, into }, context) {
    return merge({ calendarId: Number(calendar_id), from: namesOf(categories), to: into }, context, false);
  },
} satisfies Partial<Handlers>;

async function merge(
  { calendarId, from, to }: Merge,
  { db, accountId, now, wrote, error }: Context<"categoriesRename">,
  isRename: boolean,
): Promise<Payload<"categoriesRename">> {
  return db.transaction(async (trx) => {
    const calendar = await lockCalendar(trx, { accountId, calendarId });
    if (calendar === undefined) throw error("calendar_not_found");
    const known = await listCategories(trx, calendarId);
    if (from.some((name) => !known.includes(name))) throw error("category_not_found");
    if (isRename && known.includes(to)) {
      const message = "must not be a category that the calendar has; merge the two";
      throw error("parameter_invalid", [{ parameter: "name", message, code: "not_allowed" }]);
    }
    const names = from.filter((name) => name !== to); // a merge of a category into itself leaves it
    const events_changed = await renameCategories(trx, calendar, { names, to }, now);
    wrote({ calendarId });
    const counted = (await countCategories(trx, calendarId)).find(({ name }) => name === to);
    return { category: { name: to, events_count: counted?.events_count ?? 0 }, events_changed };
  });
}
