import type { Column, Table } from "./catalog.js";

// A database of a build from before the first release, which has the migrations 0001_initial to 0012_categories or later ones. Tables and
// columns that it lacks are as in a new database.

const bytesOf = (prefix: string, factor: number, names: readonly string[]): string =>
  names.map((name) => `${factor} * octet_length(${prefix}${name})`).join(" + ");
const eventTexts = ["title", "description", "location", "organizer", "organizer_email", "categories"];

/** SQL: the stored bytes of a calendar, as calendars/stored-bytes.ts counts them. */
export const storedBytes = `cast(case when deleted_at is null or purge_pending = 1 then
    1024 + ${bytesOf("", 1, ["title", "calendarname", "description"])} + ${bytesOf("", 16, ["custom_data"])}
    + coalesce((select sum(1024 + ${bytesOf("e.", 2, eventTexts)} + ${bytesOf("e.", 16, ["custom_data"])})
      from events as e where e.calendar_id = calendars.id), 0)
  else 0 end as bigint)`;

/** Not copied: what is unfinished has no attempt yet, and each sync reads its file whole, since private events of it are to go. */
const left: ReadonlySet<string> = new Set(["json_of", "read_at", "unfinished_starts", "stored_bytes"]);

/** Returns the tables of such a database with the columns to copy. Today's other columns take their defaults. */
export function copiedOfOld(old: readonly Table[]): readonly Table[] {
  return old.map((table) => {
    const columns = table.columns.filter(({ name }) => !left.has(name));
    const computed: Column = { name: "stored_bytes", type: "integer", sql: storedBytes };
    return { ...table, columns: table.name === "calendars" ? [...columns, computed] : columns };
  });
}
