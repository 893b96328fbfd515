import type { Db } from "../db/database.js";
import { feedOrder, type FeedPlace, feedSlice } from "../events/part-queries.js";
import { shownEventColumns, type ShownEventRow } from "./queries.js";

export interface FeedSlice extends FeedPlace {
  /** Events at most. */
  readonly limit: number;
  /** Bytes of texts: no event follows the first that goes beyond. */
  readonly bytes: number;
  /** Only events that have one of these, or none at all; undefined for every event. */
  readonly categories: readonly string[] | undefined;
}

/** Returns the next events of a part of a feed, as the feed shows them: no more than may fit. */
export async function listFeedEvents(
  db: Db,
  calendarId: number,
  { limit, bytes, categories, ...place }: FeedSlice,
): Promise<readonly ShownEventRow[]> {
  const { column, order } = feedOrder(place.part, place.from);
  const slice = feedSlice(db, calendarId, place, limit)
    .select("id", { place: column })
    // Of a text that is stored elsewhere than its row, this reads nothing.
    .select(db.raw("octet_length(description) as size"));
  if (categories !== undefined) {
    const ofEvent = () => db("event_categories").select("name").whereRaw("event_id = events.id");
    void slice.where((either) => {
      void either.whereNotExists(ofEvent()).orWhereExists(ofEvent().whereIn("name", [...categories]));
    });
  }
  const inOrder = `place ${order}, id ${order}`;
  const measured = db
    .select("id", "place")
    .select(db.raw(`sum(size) over (order by ${inOrder} rows unbounded preceding) - size as preceding`))
    .from(slice.as("slice"));
  return db
    .select<ShownEventRow[]>(shownEventColumns.map((name) => `events.${name}`))
    .from(measured.as("measured"))
    .join("events", "events.id", "measured.id")
    .where("preceding", "<=", bytes)
    .orderBy([
      { column: "measured.place", order },
      { column: "measured.id", order },
    ]);
}
