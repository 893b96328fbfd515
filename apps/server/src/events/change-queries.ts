import type { Reader } from "../db/database.js";
import { type Sized, sizeSql } from "./queries.js";

// Every change of an event takes place while its calendar's row is locked, and gives the event a version above those of all
// transactions before it. So a reader that goes on from the version and id of what it saw last skips none, on any server (extensions X2.5).

export interface ChangeCursor {
  readonly calendarId: number;
  readonly version: number;
  readonly id: number;
  /** When it was issued, in Unix seconds. */
  readonly issuedAt: number;
}

/** How long a cursor is good for, and how long deleted events are remembered: a day longer, for clocks that differ. */
export const cursorSeconds = 30 * 86_400;
export const rememberedSeconds = cursorSeconds + 86_400;

export interface ChangedEvent extends Sized {
  readonly id: number;
  readonly version: number;
  readonly deletedAt: number | null;
}

const after = "calendar_id = $1 and (feed_version, id) > (cast($2 as bigint), cast($3 as bigint))";

const sql = `select c.id, c.feed_version as version, c.deleted_at as "deletedAt", coalesce(${sizeSql}, 0) as size
   from (
     select id, feed_version, cast(null as bigint) as deleted_at from published_events where ${after}
     union all
     select id, feed_version, deleted_at from deleted_events where ${after}
     order by feed_version, id limit cast($4 as bigint)
   ) as c left join published_events as e on e.id = c.id
   order by c.feed_version, c.id`;

/** Returns the next changes after a cursor, in the order of the versions. */
export async function listChanges(
  on: Reader,
  { calendarId, version, id }: Omit<ChangeCursor, "issuedAt">,
  limit: number,
): Promise<readonly ChangedEvent[]> {
  return on.query<ChangedEvent>(sql, [calendarId, version, id, limit]);
}

/** Prints a cursor. To a caller it is a text without a meaning. */
export function printCursor({ calendarId, version, id, issuedAt }: ChangeCursor): string {
  return Buffer.from(`1.${calendarId}.${version}.${id}.${issuedAt}`).toString("base64url");
}

/** Reads a cursor; undefined when `printCursor` has not made it for this calendar. */
export function parseCursor(text: string, calendarId: number): ChangeCursor | undefined {
  const parts = /^1\.(\d{1,16})\.(-?\d{1,16})\.(\d{1,16})\.(\d{1,16})$/.exec(
    Buffer.from(text, "base64url").toString("latin1"),
  );
  const [calendar, version, id, issuedAt] = (parts ?? []).slice(1).map(Number);
  if (version === undefined || id === undefined || issuedAt === undefined || calendar !== calendarId)
    return undefined;
  return { calendarId, version, id, issuedAt };
}
