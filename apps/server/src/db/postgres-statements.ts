import type { Db, Reader } from "./database.js";

/** The names of the statements, which every connection of the process knows them by. */
const names = new Map<string, string>();

/** Named statements: each connection plans one the first time it meets it. */
export function askingOn(db: Db): Pick<Reader, "ask" | "joined"> {
  return {
    ask: async <Row>(sql: string, values: readonly (string | number)[]) => {
      const name = names.get(sql) ?? `kalends_${names.size + 1}`;
      names.set(sql, name);
      const { rows }: { rows: readonly Row[] } = await db.raw(sql, [...values]).options({ name });
      return rows;
    },
    joined: (expression) => `string_agg(${expression}, ',')`,
  };
}
