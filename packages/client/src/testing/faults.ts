/** A fault that the model server can show, and the clause that it breaks. */
export interface Fault {
  readonly id: string;
  /** Such as "service.md 4.6". */
  readonly clause: string;
  /** Other clauses that say the same, a ruling or a sentence elsewhere. */
  readonly alsoClauses: readonly string[];
  readonly title: string;
}

type Row = readonly [clause: string, title: string, alsoClauses?: readonly string[]];

/** M: the public faults of the project's research. K: our own. One switch each, where the behaviour is. */
const rows = {
  M1: ["service.md 2.1", "meta.code is an integer outside the time zone list"],
  M2: ["service.md 4.12", "meta.code of the time zone list is a string", ["service.md 2.1"]],
  M3: ["service.md 7.1", "a 401 is HTML", ["service.md 1.2"]],
  M4: ["service.md 7.1", "errors come with HTTP status 200", ["service.md 1.3"]],
  M5: ["service.md 7.2", "meta.code of an error is 200"],
  M6: ["service.md 5.1", "a request without token is let in"],
  M7: ["service.md 5.2", "the token is compared without case"],
  M9: ["service.md 2.2", "next loses calendar_id and order_by", ["rulings R3.2"]],
  M10: ["service.md 2.2", "next carries page twice", ["rulings R3.2"]],
  M11: ["service.md 2.2", "previous is null on page 1", ["rulings R3.2"]],
  M12: ["service.md 2.2", "next is relative", ["rulings R3.2"]],
  M13: ["service.md 2.2", "page 2 repeats the last item of page 1"],
  M14: ["service.md 2.2", "the last page of several lacks its last item"],
  M15: ["service.md 4.1", "calendars come in the order of creation"],
  M16: ["service.md 7.1", "page=0 gives a 500 with a stack trace"],
  M18: ["service.md 2.3", "follower counters are integers"],
  M19: ["service.md 4.2", "an empty calendarname stays empty"],
  M20: ["service.md 4.2", "an empty timezone becomes UTC"],
  M21: ["service.md 2.3", "save answers with timezone", ["service.md 4.3"]],
  M22: ["service.md 4.3", "save leaves date_modified"],
  M23: ["service.md 2.3", "date_create is in milliseconds"],
  M24: ["service.md 2.3", "timezone is wrapped in extra quotes"],
  M26: ["service.md 3", "a deleted calendar is still listed", ["service.md 4.4"]],
  M27: ["service.md 5.2", "any account deletes any calendar"],
  M30: ["service.md 2.4", "create answers with an id that is a string"],
  M31: ["service.md 2.4", "list items have color_id, not color"],
  M32: ["service.md 2.4", "create answers with date_start_unix"],
  M33: ["service.md 4.6", "the default end is half an hour after the start"],
  M34: ["service.md 4.6", "01:30 PM is stored as 01:30"],
  M35: ["service.md 2.4", "date_start_time is on the 12-hour clock"],
  M36: ["service.md 4.6", "the start is read as UTC"],
  M37: ["service.md 4.6", "12:15 AM becomes noon"],
  M38: ["service.md 3", "updated_times never counts", ["service.md 4.7", "service.md 2.4"]],
  M40: ["service.md 2.4", "all_day_event is a boolean"],
  M44: ["service.md 4.5", "order_by still applies with upcoming"],
  M46: ["service.md 8", "color_id 21 is accepted", ["service.md 4.6"]],
  M47: ["service.md 4.6", "30 February rolls over to March"],
  M54: ["service.md 4.9", "inactive/ lists the active ones"],
  M56: ["service.md 4.10", "the one subscriber is an object"],
  M57: ["service.md 2.5", "an unknown postal code is null"],

  K1: ["rulings R3.4", "order_by=date-desc sorts by creation", ["service.md 4.5"]],
  K2: ["service.md 4.5", "order_by=id-asc is descending"],
  K3: ["service.md 4.5", "the default order is oldest first"],
  K4: ["service.md 4.5", "month lists the same month of every year"],
  K5: ["service.md 4.5", "month is that of UTC, not of the event", ["rulings R3.5"]],
  K6: ["service.md 4.5", "upcoming=now lists past events"],
  K7: ["service.md 4.5", "DD-MM-YYYY is read month first"],
  K8: ["service.md 4.5", "upcoming with pm is read as am"],
  K9: ["service.md 2.4", "events_count counts the page only", ["service.md 4.5", "rulings R3.3"]],
  K10: ["service.md 2.4", "line feeds go out as they came", ["service.md 4.6", "rulings R4.8"]],
  K11: ["service.md 4.6", "the zone of an event defaults to Los Angeles, not to that of its calendar"],
  K12: ["service.md 4.7", "save without end_date keeps the old end", ["rulings R4.6"]],
  K13: ["service.md 3", "a deleted event is still listed", ["service.md 4.8"]],
  K14: ["service.md 2.3", "events_total does not count"],
  K15: ["service.md 4.2", "the description of a calendar is lost", ["service.md 2.3"]],
  K16: ["service.md 2.3", "every calendar has the same uniquekey", ["rulings R4.1"]],
  K17: ["service.md 4.6", "updated_times is 1 after creation", ["service.md 2.4"]],
  K18: ["service.md 4.9", "blocked/ lists everyone"],
  K19: ["service.md 4.9", "the plain list hides the blocked ones", ["rulings R5.4"]],
  K20: ["service.md 4.9", "subscribers come oldest first", ["rulings R3.4"]],
  K21: ["service.md 4.10", "a subscriber is shown under any calendar", ["rulings R2.3"]],
  K22: ["service.md 4.12", "time zones are not in the order of their names"],
  K23: ["service.md 2.6", "offsets lack the leading zero"],
  K24: ["service.md 4.12", "the time zone list asks for a token", ["service.md 1.5"]],
  K25: ["service.md 2.2", "next does not encode its values", ["service.md 1.4", "rulings R3.2"]],
  K26: ["service.md 1.4", "values are decoded twice"],
  K27: ["service.md 5.2", "any account reads any calendar's events", ["rulings R2.3"]],
  K28: ["service.md 4.3", "save without description clears it", ["rulings R4.6"]],
  K29: ["service.md 8", "month 13 is accepted and lists nothing", ["service.md 4.5"]],
  K30: ["rulings R4.4", "all_day_event=maybe counts as false", ["service.md 4.6"]],
  K31: ["rulings R1.2", "HEAD deletes"],
  K32: ["service.md 7.1", "an unknown path answers HTML", ["service.md 1.2", "rulings R2.4"]],
  K33: ["service.md 2.5", "active is a boolean"],
  K34: ["service.md 2.5", "the date of a subscriber is in UTC", ["rulings R5.5"]],
  K35: ["service.md 5.2", "the list has the calendars of every account", ["service.md 4.1"]],
  K36: ["service.md 4.2", "a calendar without title is made"],
  K37: ["service.md 1.2", "the type of answers is text/html", ["rulings R2.4"]],
  K38: ["service.md 4.6", "end_date is ignored"],
  K39: ["service.md 2.2", "page is ignored", ["service.md 4.1", "service.md 4.5"]],
  K40: ["rulings R1.4", "of a repeated parameter the last wins"],
  K41: ["rulings R2.2", "error_message echoes the value"],
  K42: ["rulings R4.3", "a time that exists twice is the second", ["service.md 4.6"]],
  K43: [
    "rulings R3.4",
    "calendars saved in the same minute fall to the order of creation",
    ["service.md 4.1"],
  ],
  K44: ["service.md 3", "a deleted calendar can be deleted again", ["service.md 4.4", "rulings R2.3"]],
  K45: ["service.md 4.6", "the reminder is lost", ["service.md 2.4"]],
  K46: ["service.md 4.4", "delete answers with an integer id", ["service.md 2.3"]],
  K47: ["rulings R1.3", "a path without its final slash is redirected"],
  K48: ["rulings R2.5", "answers may be cached"],
  K49: ["service.md 4.5", "ids are ordered as texts", ["service.md 2.2", "rulings R3.4"]],
  K50: ["service.md 3", "an event of a deleted calendar can be saved", ["service.md 4.7", "rulings R2.3"]],
  K51: ["rulings R3.1", "a page past the end shows the last page", ["service.md 2.2"]],
  K52: ["service.md 2.5", "subscribers_count is a string"],
  K53: ["service.md 4.9", "month and year do not filter subscribers"],
  K54: ["service.md 4.9", "order_by=date-desc sorts subscribers by id", ["rulings R3.4"]],
  K55: ["rulings R4.2", "an end before the start is accepted"],
  K56: ["rulings R3.6", "upcoming is read as UTC", ["service.md 4.5"]],
  K57: ["rulings R4.11", "a long title is cut"],
  K58: ["rulings R4.12", "what is beyond the Basic Multilingual Plane becomes a question mark"],
  K59: ["service.md 2.2", "previous is empty on page 2", ["rulings R3.2"]],
  K60: ["rulings R5.2", "followers_active counts the blocked", ["service.md 2.3"]],
  K61: ["rulings R2.6", "ids are read up to the first strange character"],
  K62: ["service.md 4.2", "an unknown time zone is accepted", ["rulings R4.5"]],
  K63: ["rulings R1.1", "POST is refused"],
  K64: ["rulings R2.3", "another account's calendar is a 403"],
  K65: ["service.md 1.6", "delete answers without meta", ["service.md 2.1", "service.md 4.4"]],
  K66: ["service.md 4.5", "the list of events has no calendar", ["service.md 2.4"]],
  K67: ["service.md 2.4", "date_end_unix is in milliseconds"],
  K68: ["service.md 2.4", "organizer is null when not set", ["rulings R4.9"]],
  K69: ["rulings R3.7", "an unknown order_by is ignored"],
  K70: ["rulings R3.5", "month without year is ignored", ["service.md 4.5"]],
  K71: ["service.md 4.7", "save puts the color_id of before", ["rulings R4.6"]],
  K72: ["service.md 4.7", "save without title keeps the title"],
  K73: ["service.md 4.1", "calendars come newest created first"],
  K74: ["rulings R4.2", "dates are accepted in the contract's form alone"],
} as const satisfies Record<string, Row>;

export type FaultId = keyof typeof rows;
export type Faulty = (id: FaultId) => boolean;

function isFaultId(id: string): id is FaultId {
  return Object.hasOwn(rows, id);
}

export const faultIds: readonly FaultId[] = Object.keys(rows).filter(isFaultId);

export function fault(id: FaultId): Fault {
  const row: Row = rows[id];
  return { id, clause: row[0], title: row[1], alsoClauses: row[2] ?? [] };
}
