import type { Knex } from "knex";

/**
 * Makes the list item of every event that lacks a true one, and a trigger that makes it for servers of older versions, which
 * do not know the column: so it is always there and always true (docs/decisions/0009-the-hot-path.md). The trigger leaves
 * the items of later formats alone.
 */
export async function up(db: Knex): Promise<void> {
  const { dialect }: { readonly dialect: string } = db.client;
  const statements = dialect === "sqlite3" ? sqlite : postgres;
  for (const sql of statements) await db.raw(sql);
}

/** What `json_of` holds while `json` is true of the row; 2^40 is the number of the format. */
const version = (row: string): string => `1099511627776 + ${row}updated_times + ${row}moves`;

const flag = (condition: string): string => `case when ${condition} then 'true' else 'false' end`;
const half = (hour: string): string => `case when ${hour} < 12 then 'AM' else 'PM' end`;

/** The SQL of each field of an item, in the order of the contract (contract 2.4), for the columns of `row`. */
function fieldsOf(
  row: string,
  format: { date(column: string): string; time(column: string): string; hour(column: string): string },
): readonly (readonly [name: string, sql: string])[] {
  const column = (name: string) => [name, row + name] as const;
  const shown = (name: "start" | "end") => {
    const local = `${row}${name}_local`;
    return [
      [`date_${name}`, format.date(local)],
      [`date_${name}_time`, format.time(local)],
      [`date_${name}_ampm`, half(format.hour(local))],
    ] as const;
  };
  return [
    ...["title", "description", "location", "organizer", "organizer_email"].map(column),
    ...shown("start"),
    ...shown("end"),
    ["all_day_event", flag(`${row}all_day = 1`)],
    ["date_format", "'MM/DD/YYYY'"],
    column("timezone"),
    column("reminder"),
    ["date_create", `${row}created_at`],
    ["date_modified", `${row}modified_at`],
    ["updated_times", `cast(${row}updated_times as text)`],
    ["date_start_unix", `${row}start_at`],
    ["date_end_unix", `${row}end_at`],
    ["color", `${row}color_id`],
  ];
}

const sqliteFormat = {
  date: (local: string) => `strftime('%m/%d/%Y', ${local}, 'unixepoch')`,
  time: (local: string) => `strftime('%H:%M:%S', ${local}, 'unixepoch')`,
  hour: (local: string) => `cast(strftime('%H', ${local}, 'unixepoch') as integer)`,
};
const sqliteItem = `substr(json_object(${fieldsOf("", sqliteFormat)
  .map(([name, sql]) => `'${name}', ${sql}`)
  .join(", ")}), 2)`;
const sqliteFill = `update events set json = ${sqliteItem}, json_of = ${version("")}`;

const sqlite = [
  `${sqliteFill} where json_of < ${version("")}`,
  ...["insert", "update"].map(
    (change) => `create trigger events_list_item_${change} after ${change} on events
     when new.json_of < ${version("new.")} begin ${sqliteFill} where id = new.id; end`,
  ),
];

const at = (local: string): string => `(timestamp '1970-01-01' + ${local} * interval '1 second')`;
const postgresFormat = {
  date: (local: string) => `to_char(${at(local)}, 'MM/DD/YYYY')`,
  time: (local: string) => `to_char(${at(local)}, 'HH24:MI:SS')`,
  hour: (local: string) => `extract(hour from ${at(local)})`,
};
// row_to_json prints no blanks, json_build_object would.
const postgresItem = (row: string): string =>
  `(select substr(row_to_json(item)::text, 2) from (select ${fieldsOf(row, postgresFormat)
    .map(([name, sql]) => `${sql} as ${name}`)
    .join(", ")}) as item)`;

const postgres = [
  `update events set json = ${postgresItem("events.")}, json_of = ${version("")} where json_of < ${version("")}`,
  `create function make_list_item() returns trigger language plpgsql as $$ begin
     new.json := ${postgresItem("new.")};
     new.json_of := ${version("new.")};
     return new;
   end $$`,
  `create trigger events_list_item before insert or update on events for each row
   when (new.json_of < ${version("new.")}) execute function make_list_item()`,
];
