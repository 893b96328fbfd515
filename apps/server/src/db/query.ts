export type Value = string | number | null;

/**
 * Runs a statement that each connection prepares once: its text is one of few, and `$1`, `$2`, … stand for its values in
 * the order of their first use. Resolves to its rows.
 */
export type Query = <Row>(sql: string, values: readonly Value[]) => Promise<readonly Row[]>;

/** What differs between the SQL of the databases. */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  /** A function that returns the items of a JSON array in the column `value`, as binary JSON: text would be parsed for each cell. */
  readonly items: string;
  /** An aggregate that joins the texts of an expression with commas; its result is a Buffer or a string. */
  readonly joined: (expression: string) => string;
  /** An expression that prints columns of a row as a JSON object. */
  readonly jsonObject: (columns: readonly string[]) => string;
  /**
   * Ends a query that keeps others from changing the rows of that table until the transaction ends; empty where one
   * transaction writes at a time.
   */
  readonly lock: (table: string) => string;
  /**
   * A condition that takes the lock of that name, a text, until the transaction ends, unless another has it; always true where
   * one transaction writes at a time.
   */
  readonly tryLock: (name: string) => string;
  /**
   * A statement that reserves `$1` ids of a table. Each row that it returns has the last `id` of a run of ids; all runs are equally
   * long.
   */
  readonly reserveIds: (table: string) => string;
}

/** Columns as the arguments of a function that makes a JSON object: each one's name and its value. */
export function namedColumns(columns: readonly string[]): string {
  return columns.map((name) => `'${name}', ${name}`).join(", ");
}
