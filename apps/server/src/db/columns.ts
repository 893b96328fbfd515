import type { Cell } from "./batch.js";
import type { StagedEventRow, StagedValueRow } from "./import-rows.js";
import type { Dialect } from "./query.js";
import type { CalendarRow, DeletedEventRow, StoredEventRow, SubscriberRow } from "./rows.js";

type Kind = "integer" | "text";

/** A kind for each column of a row: a column that is missing, or of the wrong kind, does not compile. */
export type Columns<Row> = {
  readonly [Name in keyof Row]-?: NonNullable<Row[Name]> extends number ? "integer" : "text";
};

// Each table's columns stand here and nowhere else: statements and tests are made of these lists.

export const eventColumns = {
  id: "integer",
  account_id: "integer",
  calendar_id: "integer",
  uid: "text",
  title: "text",
  description: "text",
  location: "text",
  organizer: "text",
  organizer_email: "text",
  timezone: "text",
  color_id: "text",
  reminder: "text",
  start_local: "integer",
  end_local: "integer",
  start_month: "integer",
  start_at: "integer",
  end_at: "integer",
  all_day: "integer",
  updated_times: "integer",
  created_at: "integer",
  modified_at: "integer",
  status: "text",
  custom_data: "text",
  categories: "text",
  feed_version: "integer",
  moves: "integer",
  moved_at: "integer",
  series_id: "integer",
  series_place: "integer",
  json: "text",
} as const satisfies Columns<StoredEventRow>;

export const deletedEventColumns = {
  id: "integer",
  account_id: "integer",
  calendar_id: "integer",
  uid: "text",
  feed_version: "integer",
  deleted_at: "integer",
} as const satisfies Columns<DeletedEventRow>;

export const stagedEventColumns = {
  ...eventColumns,
  import_id: "integer",
  place: "integer",
  action: "text",
  import_uid: "text",
  import_recurrence_id: "text",
  sync_id: "integer",
  replaces_values: "integer",
  replaces_categories: "integer",
  type: "text",
  message_id: "text",
  payload: "text",
} as const satisfies Columns<StagedEventRow>;

export const stagedValueColumns = {
  import_id: "integer",
  place: "integer",
  calendar_id: "integer",
  event_id: "integer",
  kind: "text",
  name: "text",
  value_hash: "text",
} as const satisfies Columns<StagedValueRow>;

export const calendarColumns = {
  id: "integer",
  account_id: "integer",
  uniquekey: "text",
  calendarname: "text",
  title: "text",
  description: "text",
  timezone: "text",
  palette_id: "text",
  followers_total: "integer",
  followers_active: "integer",
  followers_inactive: "integer",
  followers_blocked: "integer",
  events_total: "integer",
  stored_bytes: "integer",
  feed_version: "integer",
  feed_modified_at: "integer",
  feed_cut: "integer",
  palette_changed_at: "integer",
  searchable: "integer",
  save_order: "integer",
  created_at: "integer",
  modified_at: "integer",
  deleted_at: "integer",
  purge_pending: "integer",
  custom_data: "text",
} as const satisfies Columns<CalendarRow>;

export const subscriberColumns = {
  id: "integer",
  account_id: "integer",
  calendar_id: "integer",
  name: "text",
  email: "text",
  ip: "text",
  postal: "text",
  city: "text",
  state: "text",
  country: "text",
  calendar_type: "text",
  active: "integer",
  blocked: "integer",
  subscribed_at: "integer",
  key_hash: "text",
  last_seen_at: "integer",
  type_confirmed: "integer",
  unfollowed_at: "integer",
  categories: "text",
} as const satisfies Columns<SubscriberRow>;

/** The names of columns, without those of `except`, in the order of the list. */
export function columnsExcept<List extends object, Except extends Extract<keyof List, string> = never>(
  columns: List,
  ...except: readonly Except[]
): readonly Exclude<Extract<keyof List, string>, Except>[] {
  const names: Exclude<Extract<keyof List, string>, Except>[] = [];
  const isKept = (name: string): name is Exclude<Extract<keyof List, string>, Except> =>
    !except.some((other) => other === name);
  for (const name in columns) if (isKept(name)) names.push(name);
  return names;
}

/** The columns of a calendar that the API shows. */
export const shownCalendarColumns = columnsExcept(
  calendarColumns,
  "account_id",
  "followers_inactive",
  "followers_blocked",
  "stored_bytes",
  "feed_version",
  "feed_modified_at",
  "feed_cut",
  "palette_changed_at",
  "searchable",
  "save_order",
  "deleted_at",
  "purge_pending",
  "custom_data",
);
export type ShownCalendar = Pick<CalendarRow, (typeof shownCalendarColumns)[number]>;

/** The columns of a subscriber that the API shows. */
export const shownSubscriberColumns = columnsExcept(
  subscriberColumns,
  "account_id",
  "calendar_id",
  "key_hash",
  "last_seen_at",
  "type_confirmed",
  "unfollowed_at",
  "categories",
);
export type ShownSubscriber = Pick<SubscriberRow, (typeof shownSubscriberColumns)[number]>;

/** Some columns of the rows that a statement takes as a JSON array of arrays. An object's fields would each be searched for. */
export interface RowArray<Name extends string> {
  readonly names: readonly Name[];
  /** The expression of a column in a query of `items($1)`. */
  readonly sqlOf: (name: Name) => string;
  readonly cells: (row: Readonly<Record<Name, Cell>>) => readonly Cell[];
}

export function rowArray<Name extends string>(
  columns: Readonly<Record<Name, Kind>>,
  names: readonly Name[],
): RowArray<Name> {
  return {
    names,
    sqlOf: (name) => {
      const cell = `value ->> ${names.indexOf(name)}`;
      return columns[name] === "text" ? cell : `cast(${cell} as bigint)`;
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

/** Returns a statement that updates the rows with the array's ids: all its other columns. */
export function updateRows<Name extends string>(
  table: string,
  { names, sqlOf }: RowArray<Name | "id">,
  { items }: Dialect,
): string {
  const changes = names.filter((name) => name !== "id").map((name) => `${name} = ${sqlOf(name)}`);
  return `update ${table} set ${changes.join(", ")} from ${items}($1) where ${table}.id = ${sqlOf("id")}`;
}
