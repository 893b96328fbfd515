import type { Db, Reader } from "../database.js";
import { isOutdated } from "./failures.js";

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
    // json_build_object prints blanks between the names and the values.
    jsonObject: (fields) => `(select row_to_json(item)::text from (select ${columnsOf(fields)}) as item)`,
  };
}

function columnsOf(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${value} as ${name}`)
    .join(", ");
}
