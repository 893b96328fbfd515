import { type Dialect, namedColumns } from "../query.js";

export const dialect: Dialect = {
  name: "sqlite",
  items: "jsonb_each",
  // As a BLOB: the sqlite3 package makes a Buffer of it in half the time that a string takes.
  joined: (expression) => `cast(group_concat(${expression}, ',') as blob)`,
  jsonObject: (columns) => `json_object(${namedColumns(columns)})`,
  lock: () => "",
  tryLock: () => "true",
  reserveIds: (table) =>
    `update sqlite_sequence set seq = seq + $1 where name = '${table}' returning seq as id`,
};
