import { type Db, namesAndValues, type Reader } from "./database.js";
import { isOutdated } from "./postgres-failures.js";

/** The names of the statements, which every connection of the process knows them by. */
const names = new Map<string, string>();
let last = 0;

/** Named statements: each connection plans one the first time it meets it. */
export function askingOn(db: Db): Pick<Reader, "ask" | "joined" | "jsonObject"> {
  const ask = async <Row>(sql: string, values: readonly (string | number)[]): Promise<readonly Row[]> => {
    const name = names.get(sql) ?? `kalends_${++last}`;
    names.set(sql, name);
    try {
      const { rows }: { rows: readonly Row[] } = await db.raw(sql, [...values]).options({ name });
      return rows;
    } catch (error) {
      if (!isOutdated(error)) throw error;
      if (names.get(sql) === name) names.delete(sql); // every connection plans it anew, under another name
      if (db.isTransaction === true) throw error; // it is over, and may be run again
      return ask(sql, values);
    }
  };
  return {
    ask,
    joined: (expression) => `string_agg(${expression}, ',')`,
    jsonObject: (fields) => `json_build_object(${namesAndValues(fields)})::text`,
  };
}
