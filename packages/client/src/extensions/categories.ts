import { type Call, success, type Success } from "../calls.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { Read, Shape, Written } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";

/** The categories of the events of a calendar. */
export interface CategoriesApi {
  /** Reads the categories of a calendar, sorted by name. */
  list(calendarId: string, options?: RequestOptions): Promise<readonly Category[]>;
  /** Renames a category in every event of a calendar. */
  rename(
    calendarId: string,
    category: string,
    name: string,
    options?: RequestOptions,
  ): Promise<ChangedCategory>;
  /** Makes several categories of a calendar one. */
  merge(
    calendarId: string,
    categories: readonly string[],
    into: string,
    options?: RequestOptions,
  ): Promise<ChangedCategory>;
}

/** A category of events of a calendar. */
export interface Category extends Shape<Read<"categories/list/">["categories"][number]> {}
/** A category, and how many events were changed. */
export interface ChangedCategory extends Omit<Written<"categories/rename/">, "meta"> {}

/** @internal */
export function categoriesApi(raw: RawExtensionsClient, send: Send): CategoriesApi {
  return {
    list: async (calendar_id, options) => {
      const query = { calendar_id };
      const call = raw.GET("/api/kalends/v1/categories/list/", { params: { query }, fetch: send(options) });
      return (await success(call, "categories", "list")).categories;
    },
    rename: (calendar_id, category, name, options) => {
      const body = { calendar_id, category, name };
      return changed(raw.POST("/api/kalends/v1/categories/rename/", { body, fetch: send(options) }));
    },
    merge: (calendar_id, categories, into, options) => {
      const body = { calendar_id, categories: [...categories], into };
      return changed(raw.POST("/api/kalends/v1/categories/merge/", { body, fetch: send(options) }));
    },
  };
}

async function changed(call: Call<Success & ChangedCategory>): Promise<ChangedCategory> {
  const { category, events_changed } = await success(call, "category", "object");
  return { category, events_changed };
}
