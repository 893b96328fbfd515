import type { Dialect, Value } from "./query.js";

/** Types of columns; "?" means nullable. */
interface Kinds {
  readonly integer: number;
  readonly "integer?": number | null;
  readonly text: string;
  readonly "text?": string | null;
}

type Columns = Readonly<Record<string, keyof Kinds>>;

/** A row of a table with these columns. */
export type RowOf<List extends Columns> = { readonly [Name in keyof List]: Kinds[List[Name]] };

// The only list of each table's columns, from which row types, statements and tests are derived. Times are Unix seconds;
// `_local` is a wall clock written as Unix seconds of the same digits in UTC.

export const eventColumns = {
  id: "integer",
  account_id: "integer",
  calendar_id: "integer",
  /** Stable random UID for iCalendar (RFC 5545 3.8.4.7). */
  uid: "text",
  /** "published", "draft" or "trashed": a deleted event that can be restored. */
  state: "text",
  /** Null unless it is trashed. */
  deleted_at: "integer?",
  /** When a draft is published automatically. */
  publish_at: "integer?",
  /** Key of the preview of a draft; a trashed draft keeps it, and is restored as a draft. */
  preview_key: "text?",
  title: "text",
  /** Line breaks as CR LF. */
  description: "text",
  location: "text",
  organizer: "text",
  organizer_email: "text",
  /** An https URL with more information. */
  url: "text",
  /** The hash of a picture; empty for none. */
  picture_id: "text",
  picture_alt: "text",
  timezone: "text",
  color_id: "text",
  reminder: "text",
  start_local: "integer",
  end_local: "integer",
  /** Month of start_local: year * 12 + month - 1. */
  start_month: "integer",
  start_at: "integer",
  end_at: "integer",
  all_day: "integer",
  updated_times: "integer",
  created_at: "integer",
  modified_at: "integer",
  status: "text",
  /** A JSON object of the account's own. */
  custom_data: "text",
  /** Names with commas between them; "" for none. */
  categories: "text",
  /**
   * The feed version of the last change: above that of every transaction before, and not above the calendar's own once
   * committed.
   */
  feed_version: "integer",
  /**
   * Parts of the feed entry, not of the API: how often new zone data moved the event, and a lower bound of its LAST-MODIFIED,
   * raised by each such move and by a save within the second of the previous one.
   */
  moves: "integer",
  moved_at: "integer",
  /** 0 without a series. */
  series_id: "integer",
  /** The wall clock of the occurrence in the series' rule, whatever the event's own start is. */
  series_place: "integer",
  /** The serialized list item (events/listed-json.ts). */
  json: "text",
} as const;

/** Defaults of a new event, the same as those in the database. */
export const initial = {
  status: "confirmed",
  custom_data: "{}",
  categories: "",
  url: "",
  picture_id: "",
  picture_alt: "",
} as const;

/** Values of a published event, the same as the defaults in the database. */
export const publishedState = {
  state: "published",
  deleted_at: null,
  publish_at: null,
  preview_key: null,
} as const;

export const deletedEventColumns = {
  id: "integer",
  account_id: "integer",
  calendar_id: "integer",
  uid: "text",
  feed_version: "integer",
  deleted_at: "integer",
} as const;

/** Columns that a search compares (events/search.ts). */
const searchedColumns = {
  /** Bit sets of the pairs of letters in the text: 52 bits each. */
  letters_1: "integer",
  letters_2: "integer",
  letters_3: "integer",
  letters_4: "integer",
  /** Title, place and description without case and accents. */
  folded: "text",
} as const;

export const eventSearchColumns = {
  calendar_id: "integer",
  event_id: "integer",
  ...searchedColumns,
} as const;

/** An entry of the history (calendars/entry-queries.ts). */
export const historyColumns = {
  id: "integer",
  account_id: "integer",
  calendar_id: "integer",
  /** 0 for the calendar itself. */
  event_id: "integer",
  created_at: "integer",
  /** Id of the token, the person or the sync; 0 for others. */
  author_id: "integer",
  author: "text",
  /** Operation of the request; empty without one. */
  operation: "text",
  action: "text",
  /** 1 when followers are not told of it by e-mail (extensions X12.1). */
  quiet: "integer",
  /** What the organizer says of it to followers; empty for nothing. */
  note: "text",
  /** A JSON object: each column with its values before and after (calendars/differences.ts). */
  changes: "text",
} as const;

export const calendarColumns = {
  id: "integer",
  account_id: "integer",
  uniquekey: "text",
  calendarname: "text",
  title: "text",
  description: "text",
  timezone: "text",
  palette_id: "text",
  /** `#rrggbb`; empty for the account's accent. */
  accent: "text",
  /** The hash of a picture; empty for the account's picture. */
  picture_id: "text",
  picture_alt: "text",
  followers_total: "integer",
  /** Active and not blocked. */
  followers_active: "integer",
  followers_inactive: "integer",
  followers_blocked: "integer",
  events_total: "integer",
  /** Bytes of its own texts and of its events (calendars/stored-bytes.ts). */
  stored_bytes: "integer",
  /** Raised by every change of the calendar or its events, in the same transaction. */
  feed_version: "integer",
  /** When feed_version was last raised; grows with every commit, so it can be ahead of the clock. */
  feed_modified_at: "integer",
  /** What the last generated feed omits (calendars/feed-omits.ts). */
  feed_cut: "integer",
  /** When the palette last changed; 0 when it never did. */
  palette_changed_at: "integer",
  /** 1 when search engines may list the calendar's page. */
  searchable: "integer",
  /** 1 when the account's portal shows it. */
  listed: "integer",
  save_order: "integer",
  created_at: "integer",
  modified_at: "integer",
  deleted_at: "integer?",
  /** 1 from the deletion until the contents are removed. */
  purge_pending: "integer",
  /** 1 while the deleted calendar can be restored. */
  trashed: "integer",
  /** Trashed events up to this feed version are to be purged; 0 for none. */
  purged_version: "integer",
  /** A JSON object of the account's own. */
  custom_data: "text",
} as const;

export const subscriberColumns = {
  id: "integer",
  account_id: "integer",
  calendar_id: "integer",
  name: "text",
  email: "text",
  ip: "text",
  postal: "text?",
  city: "text?",
  state: "text?",
  country: "text?",
  calendar_type: "text",
  active: "integer",
  blocked: "integer",
  subscribed_at: "integer",
  /** SHA-256 in hex of the key in the follower's addresses; null without a key. */
  key_hash: "text?",
  /** SHA-256 in hex of the key that subscribers of several calendars of one person share; null for a feed of one calendar. */
  combined_hash: "text?",
  /** Last fetch of the feed, or the subscription; stored up to 15 minutes late. */
  last_seen_at: "integer",
  /** 1 once the app that fetches the feed was recognised: then calendar_type stays. */
  type_confirmed: "integer",
  unfollowed_at: "integer?",
  /** The sorted names of the picked categories, separated by commas; null for everything. */
  categories: "text?",
  /** Whether the follower gets news by e-mail: 0 no, 1 once the address is confirmed, 2 yes (extensions X12.1). */
  news: "integer",
  /** When a link to confirm the address was last asked for. */
  news_asked_at: "integer",
  /** Of messages: one of the texts. */
  language: "text",
} as const;

type Name<List> = Extract<keyof List, string>;
type TextName<List> = { [Key in Name<List>]: List[Key] extends "text" ? Key : never }[Name<List>];

/** Returns the names of columns in the order of the list, without those of `except`. */
export function columnsExcept<List extends object, Except extends Name<List> = never>(
  columns: List,
  ...except: readonly Except[]
): readonly Exclude<Name<List>, Except>[] {
  const isKept = (name: string): name is Exclude<Name<List>, Except> =>
    !except.some((other) => other === name);
  return Object.keys(columns).filter(isKept);
}

/** Returns the names of text columns that are never null. */
function textsExcept<List extends Columns, Except extends TextName<List>>(
  columns: List,
  ...except: readonly Except[]
): readonly Exclude<TextName<List>, Except>[] {
  const isKept = (name: string): name is Exclude<TextName<List>, Except> =>
    columns[name] === "text" && !except.some((other) => other === name);
  return Object.keys(columns).filter(isKept);
}

/** The profile of an account (extensions X11.1): in the history, and removed with the account. */
export const profileColumns = {
  name: "text",
  website: "text",
  imprint_url: "text",
  privacy_url: "text",
  /** `#rrggbb`; empty for the default accent. */
  accent: "text",
  /** The hash of a picture; empty for none. */
  logo_id: "text",
  logo_alt: "text",
  picture_id: "text",
  picture_alt: "text",
} as const;

/** Columns that copies of an event and later events of its series share. */
export const templateColumns = textsExcept(eventColumns, "uid", "state", "timezone", "json");

/** Texts that an owner writes into an event: counted as stored, in its history, and removed with it. */
export const eventTexts = textsExcept(
  eventColumns,
  "uid",
  "state",
  "timezone",
  "json",
  "color_id",
  "reminder",
  "status",
);

/** Texts that an owner writes into a calendar: counted as stored, in its history, and removed with it. */
export const calendarTexts = textsExcept(calendarColumns, "uniquekey", "timezone", "palette_id");

/** The columns of a calendar that lists of the contract show. */
export const shownCalendarColumns = [
  "id",
  "uniquekey",
  "calendarname",
  "title",
  "description",
  "timezone",
  "palette_id",
  "followers_total",
  "followers_active",
  "events_total",
  "created_at",
  "modified_at",
] as const;
export type ShownCalendar = Pick<RowOf<typeof calendarColumns>, (typeof shownCalendarColumns)[number]>;

/** The columns of a subscriber that the API shows. */
export const shownSubscriberColumns = columnsExcept(
  subscriberColumns,
  "account_id",
  "calendar_id",
  "key_hash",
  "combined_hash",
  "last_seen_at",
  "type_confirmed",
  "unfollowed_at",
  "categories",
  "news",
  "news_asked_at",
  "language",
);
export type ShownSubscriber = Pick<RowOf<typeof subscriberColumns>, (typeof shownSubscriberColumns)[number]>;

export interface RowStatement<Name extends string> {
  readonly sql: string;
  readonly values: (row: Readonly<Record<Name, Value>>) => readonly Value[];
}

/** Returns a statement that inserts a row. */
export function insertRow<Name extends string>(table: string, names: readonly Name[]): RowStatement<Name> {
  const places = names.map((_name, index) => `$${index + 1}`);
  return {
    sql: `insert into ${table} (${names.join(", ")}) values (${places.join(", ")})`,
    values: (row) => names.map((name) => row[name]),
  };
}

/** Returns a statement that updates these columns of the row with its id. */
export function updateRow<Name extends string>(
  table: string,
  names: readonly Name[],
): RowStatement<Name | "id"> {
  const changes = names.map((name, index) => `${name} = $${index + 1}`);
  return {
    sql: `update ${table} set ${changes.join(", ")} where id = $${names.length + 1}`,
    values: (row) => [...names.map((name) => row[name]), row.id],
  };
}

/** Columns of rows that a statement takes as a JSON array of arrays: reading objects would search for each field. */
export interface RowArray<Name extends string> {
  readonly names: readonly Name[];
  /** The expression of a column in a query of `items($1)`. */
  readonly sqlOf: (name: Name) => string;
  readonly cells: (row: Readonly<Record<Name, Value>>) => readonly Value[];
}

export function rowArray<Name extends string>(
  columns: Readonly<Record<Name, keyof Kinds>>,
  names: readonly Name[],
): RowArray<Name> {
  return {
    names,
    sqlOf: (name) => {
      const cell = `value ->> ${names.indexOf(name)}`;
      return columns[name].startsWith("text") ? cell : `cast(${cell} as bigint)`;
    },
    cells: (row) => names.map((name) => row[name]),
  };
}

/** Returns a statement that inserts the rows of the array. `returning` may follow. */
export function insertRows<Name extends string>(
  table: string,
  { names, sqlOf }: RowArray<Name>,
  { items }: Dialect,
): string {
  return `insert into ${table} (${names.join(", ")}) select ${names.map(sqlOf).join(", ")} from ${items}($1)`;
}

/** Returns a statement that updates the other columns of the rows with the array's ids. */
export function updateRows<Name extends string>(
  table: string,
  { names, sqlOf }: RowArray<Name | "id">,
  { items }: Dialect,
): string {
  const changes = names.filter((name) => name !== "id").map((name) => `${name} = ${sqlOf(name)}`);
  return `update ${table} set ${changes.join(", ")} from ${items}($1) where ${table}.id = ${sqlOf("id")}`;
}
