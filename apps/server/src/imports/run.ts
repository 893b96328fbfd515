import { findWholeCalendar } from "../calendars/find.js";
import { lockCalendar, type LockedCalendar } from "../calendars/locks.js";
import type { Member } from "../db/batch.js";
import type { Db } from "../db/database.js";
import { memberTransaction, type TransactionHost } from "../db/member.js";
import { prepare } from "./prepare.js";
import type { Outcome } from "./outcome.js";
import { type Import, store } from "./store.js";

/** A file and the calendar that it is for. */
export interface FileImport extends Pick<Import, "now" | "isDryRun" | "syncId" | "onStored"> {
  readonly accountId: number;
  readonly calendarId: number;
  readonly text: string;
}

interface ImportDatabase<T> extends TransactionHost<T> {
  readonly read: Db;
}

/** What the transaction of an import has beside the outcomes. */
export interface Stored {
  readonly outcomes: readonly Outcome[];
  readonly trx: Db;
  readonly member: Member;
  readonly calendar: LockedCalendar;
}

/** The calendar does not exist, is deleted or another account's. */
export class CalendarMissing extends Error {}

/**
 * Imports a file in one transaction. It is read before that, since a large one takes a while and others write meanwhile.
 * @param finish runs in the transaction
 * @throws FileRefused; CalendarMissing
 */
export async function runImport<T>(
  db: ImportDatabase<T>,
  { accountId, calendarId, text, ...work }: FileImport,
  finish: (stored: Stored) => Promise<T>,
): Promise<T> {
  const calendar = await findWholeCalendar(db.read, accountId, calendarId);
  if (calendar === undefined) throw new CalendarMissing();
  const { timezone } = calendar;
  const before = await prepare(text, { timezone, now: work.now });
  return memberTransaction(db, async (member, trx) => {
    const locked = await lockCalendar(member, { accountId, calendarId });
    if (locked === undefined) throw new CalendarMissing();
    const isSame = locked.timezone === timezone;
    const prepared = isSame ? before : await prepare(text, { timezone: locked.timezone, now: work.now });
    const outcomes = await store(member, locked, { ...work, prepared });
    return finish({ outcomes, trx, member, calendar: locked });
  });
}
