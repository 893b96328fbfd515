import { type Access, type Operation, roles } from "@kalends/spec";
import { readableCalendars, showsFollowers, type SignedIn } from "../accounts/principal.js";
import type { ReadDatabase } from "../db/database.js";
import { ApiError } from "../http/errors.js";
import type { Restricted } from "../http/handler.js";
import type { Values } from "../http/parameter-checks.js";
import { calendarsOf, type ItemColumn } from "./queries.js";

/** Columns by parameter; `calendar_id` needs no look-up. */
const columns: Readonly<Record<string, ItemColumn>> = {
  event_id: { table: "events", column: "id" },
  events: { table: "events", column: "id" },
  series_id: { table: "series", column: "id" },
  subscriber_id: { table: "subscribers", column: "id" },
  sync_id: { table: "calendar_syncs", column: "id" },
};

/** Columns for operations of the trash, where a deleted series is found by its events. */
const columnsInTrash: typeof columns = { ...columns, series_id: { table: "events", column: "series_id" } };

const ofCalendars = ["calendar_id", "calendar_ids"];

/** Ids that belong to no calendar, or come with another id that does. */
const ofNone = ["palette_id", "color_id", "person_id", "entry_id", "message_id", "picture_id", "logo_id"];

/** An id that no row has. */
const absent = String(Number.MAX_SAFE_INTEGER);

type Grant = SignedIn["grants"][number];

function allows(grant: Grant, { role: needed, followers }: Access): boolean {
  const isEnough = roles.indexOf(grant.role) <= roles.indexOf(needed);
  return isEnough && (followers !== true || showsFollowers(grant));
}

/** Returns the parameters of an operation that name something of a calendar. @throws Error when one of them has no rule */
export function namingParameters(op: Operation): readonly string[] {
  const { calendar } = op.access;
  if (calendar === "all" || calendar === "any") return [];
  const own = op.tag === "Trash" ? columnsInTrash : columns;
  const names = Object.keys(op.params.shape).filter(
    (name) => name === "events" || (/_ids?$/.test(name) && !ofNone.includes(name)),
  );
  const unknown = names.filter((name) => !ofCalendars.includes(name) && !(name in own));
  if (unknown.length > 0) throw new Error(`say in people/restrict.ts where ${unknown.join(", ")} is stored`);
  return names;
}

/**
 * Restricts an operation to a person's grants (extensions X9.1): an id that the person may not see is replaced by one that no
 * row has, so the handler answers as for an item that does not exist.
 * @throws ApiError when the person sees the item, but may not do this
 */
export async function restrict(
  db: ReadDatabase,
  { accountId, grants }: Pick<SignedIn, "grants"> & { readonly accountId: number },
  op: Operation,
  params: Values,
): Promise<Restricted> {
  const { access } = op;
  const may = (id: number): boolean =>
    grants.some((grant) => (grant.calendar_id === 0 || grant.calendar_id === id) && allows(grant, access));
  const mayInAny = grants.some((grant) => allows(grant, access));
  if (may(0) || (access.calendar === "any" && mayInAny)) return { params, calendars: undefined };
  const calendars = new Set(grants.map(({ calendar_id }) => calendar_id).filter((id) => id !== 0 && may(id)));
  const named = namingParameters(op).filter((name) => params[name] !== undefined && params[name] !== "");
  if (access.calendar !== "listed" && named.length === 0) throw new ApiError("role_insufficient");
  const visible = readableCalendars(grants);
  const of = { accountId, calendarIds: visible };
  const changed: Record<string, string> = { ...params };
  for (const name of named) {
    const items = (params[name] ?? "").split(",");
    const ids = items.map((item) => Number(item.split(":", 1)[0]));
    const found = ofCalendars.includes(name)
      ? new Map(ids.filter((id) => visible?.has(id) ?? true).map((id) => [id, id]))
      : await calendarsNamed(db, op, name, ids, of);
    if ([...found.values()].some((id) => !may(id))) throw new ApiError("role_insufficient");
    // A batch reports a result for each event id, so it omits those of other calendars itself.
    if (name !== "events")
      changed[name] = items.map((item, index) => (found.has(ids[index] ?? 0) ? item : absent)).join(",");
  }
  return { params: changed, calendars };
}

function calendarsNamed(
  db: ReadDatabase,
  { tag }: Operation,
  name: string,
  ids: readonly number[],
  of: Parameters<typeof calendarsOf>[3],
): Promise<ReadonlyMap<number, number>> {
  const column = (tag === "Trash" ? columnsInTrash : columns)[name];
  if (column === undefined) throw new Error(`no place of ${name}`);
  return db.list(of.accountId, ({ read }) => calendarsOf(read, column, ids, of));
}
