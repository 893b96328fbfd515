import { batched, batchedWrite } from "../db/batch.js";
import {
  columnsExcept,
  insertRows,
  rowArray,
  stagedEventColumns,
  stagedValueColumns,
} from "../db/columns.js";
import type { Database } from "../db/database.js";
import type { StagedEventRow, StagedValueRow } from "../db/import-rows.js";

// The rows of an import wait in tables of their own, which no one reads, until one short transaction publishes all of them: other
// writers wait for that alone, and readers of the calendar see all of an import or nothing (docs/decisions/0018-import.md).

/** Begins an import, which may be published until `expiresAt`. Returns its id. */
export const beginStaging = batched<{ readonly expiresAt: number }, { readonly id: number }, number>({
  name: "begin staging",
  writes: true,
  rows: (inputs) => inputs.map(({ expiresAt }) => [expiresAt]),
  sql: ({ items }) => `insert into staged_imports (expires_at)
    select cast(value ->> 0 as bigint) from ${items}($1) returning id`,
  results: (inputs, rows) => {
    if (rows.length !== inputs.length) throw new Error("insert returned no id");
    return rows.map(({ id }) => id);
  },
});

const eventCells = rowArray(stagedEventColumns, columnsExcept(stagedEventColumns));
const valueCells = rowArray(stagedValueColumns, columnsExcept(stagedValueColumns));

export const stageEvents = batchedWrite<readonly StagedEventRow[]>({
  name: "stage events",
  rows: (inputs) => inputs.flat().map(eventCells.cells),
  sql: (dialect) => insertRows("staged_events", eventCells, dialect),
});

export const stageValues = batchedWrite<readonly StagedValueRow[]>({
  name: "stage values",
  rows: (inputs) => inputs.flat().map(valueCells.cells),
  sql: (dialect) => insertRows("staged_values", valueCells, dialect),
});

const removedAtOnce = 500;

const removeSome = (table: string) =>
  batched<number, never, number>({
    name: `remove ${table}`,
    writes: true,
    rows: (ids) => [...new Set(ids)].map((id) => [id]),
    sql: ({ items }) => `delete from ${table} where (import_id, place) in (select s.import_id, s.place
      from ${items}($1) as target join ${table} as s on s.import_id = cast(target.value ->> 0 as bigint)
      order by s.import_id, s.place limit ${removedAtOnce}) returning place`,
    results: (ids, rows) => ids.map(() => rows.length),
  });

const removeStagedEvents = removeSome("staged_events");
const removeStagedValues = removeSome("staged_values");

const endStaging = batchedWrite<number>({
  name: "end staging",
  rows: (ids) => ids.map((id) => [id]),
  sql: ({ items }) =>
    `delete from staged_imports where id in (select cast(value ->> 0 as bigint) from ${items}($1))`,
});

/** Removes what is left of an import, in short transactions. It cannot be published any more. */
export async function removeStaged(
  db: Pick<Database, "staging">,
  importId: number,
  isStopping: () => boolean = () => false,
): Promise<void> {
  await db.staging((trx) => endStaging(trx, importId));
  for (const remove of [removeStagedValues, removeStagedEvents])
    while (!isStopping() && (await db.staging((trx) => remove(trx, importId))) === removedAtOnce);
}

/** Removes what imports have left whose process ended. Returns how many they were. */
export async function removeDeadImports(
  db: Pick<Database, "staging" | "read">,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const dead = new Set<number>();
  const expired = await db.read<{ id: number }>("staged_imports").where("expires_at", "<=", now).select("id");
  for (const { id } of expired) dead.add(id);
  for (const table of ["staged_events", "staged_values"]) {
    const ids = db.read("staged_imports").select("id");
    const rows = await db
      .read<{ import_id: number }>(table)
      .whereNotIn("import_id", ids)
      .distinct("import_id");
    for (const { import_id } of rows) dead.add(import_id);
  }
  for (const id of dead) if (!isStopping()) await removeStaged(db, id, isStopping);
  return dead.size;
}
