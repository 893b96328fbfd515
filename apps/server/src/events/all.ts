import type { Db } from "../db/database.js";
import type { EventRow } from "../db/rows.js";
import { eventsAfter } from "./queries.js";

/** Runs queries that only read. */
export type Read = <T>(work: (on: Db) => Promise<T>) => Promise<T>;

/** Of events that are read at a time: to take over and print so many texts keeps the event loop for some milliseconds. */
const most = { limit: 500, bytes: 500_000 };

/** Yields all events of a calendar in the order of their ids, some at a time. */
export async function* allEvents(read: Read, calendarId: number): AsyncGenerator<readonly EventRow[]> {
  for (let id = 0; ;) {
    const rows = await read((on) => eventsAfter(on, calendarId, { id, ...most }));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    id = last.id;
  }
}
