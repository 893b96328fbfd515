/** Queries kept of one request at most. */
const mostKept = 50;

export interface Timing {
  /** Its text, or what was done, such as "commit". */
  readonly sql: string;
  readonly ms: number;
}

/** What a request spends in the database, for the log. */
export class Trace {
  /** Time spent waiting for a connection, for locks and for other writes, in ms. */
  waitMs = 0;
  slowest: Timing | undefined;
  /** All queries, where the log shows them. */
  readonly all: Timing[] | undefined;

  constructor(keepsAll: boolean) {
    this.slowest = undefined;
    this.all = keepsAll ? [] : undefined;
  }

  note(sql: string, ms: number): void {
    if (this.all !== undefined && this.all.length < mostKept) this.all.push({ sql, ms });
    if (this.slowest === undefined || ms > this.slowest.ms) this.slowest = { sql, ms };
  }
}

const names = new Map<string, string>();

/** Gives a prepared statement the name that the log shows. Returns its text. */
export function named(name: string | undefined, sql: string): string {
  if (name !== undefined) names.set(sql, name);
  return sql;
}

/** Returns the name of a query; of one without a name, its verb and its table. Never a value: those are not part of the text. */
export function queryName(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const [verb = "query"] = /\w+/.exec(sql) ?? [];
  const [, table] = /\b(?:from|into|update|table)\s+[`"]?(\w+)/i.exec(sql) ?? [];
  return table === undefined ? verb : `${verb} ${table}`;
}
