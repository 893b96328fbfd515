export type Value = string | number | null;

/**
 * Runs a statement that each connection prepares once, so there must be few texts. `$1`, `$2`, … stand for its values in the
 * order of their first use. Resolves to its rows.
 */
export type Query = <Row>(sql: string, values: readonly Value[]) => Promise<readonly Row[]>;

export interface Dialect {
  readonly name: "sqlite" | "postgres";
  /**
   * Function that returns the items of a JSON array in the column `value`, as binary JSON: text would be parsed for each cell.
   */
  readonly items: string;
  /** Aggregate that joins the texts of an expression with commas, as a Buffer or a string. */
  readonly joined: (expression: string) => string;
  /** Expression for a JSON object of these columns. */
  readonly jsonObject: (columns: readonly string[]) => string;
  /** Clause that locks the selected rows of a table until the transaction ends; empty on SQLite, which has one writer. */
  readonly lock: (table: string) => string;
  /**
   * Condition that takes the lock of that name until the transaction ends, unless another transaction has it; always true on
   * SQLite.
   */
  readonly tryLock: (name: string) => string;
  /** Expression for the id of a new row; null on SQLite, which gives it with the row, as there is no way to a server to spare. */
  readonly nextId: (table: string) => string;
  /**
   * Statement that reserves `$1` ids of a table. Each returned row has the last `id` of a run of ids; all runs are equally
   * long.
   */
  readonly reserveIds: (table: string) => string;
}

/** Returns columns as arguments of a function that builds a JSON object: each name and its value. */
export function namedColumns(columns: readonly string[]): string {
  return columns.map((name) => `'${name}', ${name}`).join(", ");
}
