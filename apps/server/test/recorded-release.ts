import { readFileSync } from "node:fs";
import type { Database } from "../src/db/connect.js";
import { onPostgres } from "./databases.js";

/** A release as scripts/record-release.ts wrote it down. */
interface RecordedRelease {
  readonly token: string;
  readonly schema: Readonly<Record<"sqlite" | "postgres", readonly string[]>>;
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>;
  readonly statements: readonly {
    readonly sql: string;
    readonly values: readonly (string | number | null)[];
    /** Absent where the statement gives none. */
    readonly rows?: readonly object[];
  }[];
  readonly answersBefore: readonly RecordedAnswer[];
  readonly answersAfter: readonly RecordedAnswer[];
}

export interface RecordedAnswer {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly status: number;
  readonly body: string;
}

const file = new URL("fixtures/previous-release.json", import.meta.url);

/** The release before this one. */
export const previousRelease: RecordedRelease = JSON.parse(readFileSync(file, "utf8"));

/** Makes an empty database what the previous release left: its schema and its data. */
export async function restorePreviousRelease(db: Database): Promise<void> {
  const { schema, rows: tables } = previousRelease;
  await db.transaction(async (trx) => {
    for (const sql of schema[onPostgres ? "postgres" : "sqlite"]) await trx.raw(sql);
    for (const [table, rows] of Object.entries(tables)) {
      for (const row of rows) await trx(table).insert(row);
      const ids = rows.flatMap(({ id }) => (typeof id === "number" ? [id] : []));
      if (!onPostgres || ids.length === 0) continue;
      await trx.raw("select setval(pg_get_serial_sequence(?, 'id'), ?)", [table, Math.max(...ids)]);
    }
  });
}
