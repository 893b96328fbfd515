import { storageFailure } from "./failures.js";

export interface Unwritten<T> {
  readonly rows: ReadonlyMap<number, T>;
  readonly error: unknown;
}

/**
 * Writes a batch in one transaction; when that fails, in halves, so that a row that cannot be written keeps no other from it. Returns
 * what is left; undefined when everything is written. A database that is away fails the whole batch at once.
 */
export async function writeApart<T>(
  rows: ReadonlyMap<number, T>,
  write: (rows: ReadonlyMap<number, T>) => Promise<void>,
): Promise<Unwritten<T> | undefined> {
  try {
    await write(rows);
    return undefined;
  } catch (error) {
    if (rows.size <= 1 || storageFailure(error) !== undefined) return { rows, error };
  }
  const all = [...rows];
  const middle = Math.ceil(all.length / 2);
  const one = await writeApart(new Map(all.slice(0, middle)), write);
  const other = await writeApart(new Map(all.slice(middle)), write);
  if (one === undefined || other === undefined) return one ?? other;
  return { rows: new Map([...one.rows, ...other.rows]), error: one.error };
}
