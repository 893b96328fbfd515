import { type Dialect, namedColumns } from "../query.js";

export const dialect: Dialect = {
  name: "postgres",
  items: "jsonb_array_elements",
  joined: (expression) => `string_agg(${expression}, ',')`,
  jsonObject: (columns) => `cast(json_build_object(${namedColumns(columns)}) as text)`,
  lock: (table) => `for no key update of ${table}`,
  tryLock: (name) => `pg_try_advisory_xact_lock(hashtextextended(${name}, 0))`,
  reserveIds: (table) =>
    `select nextval(pg_get_serial_sequence('${table}', 'id')) as id
      from generate_series(1, cast($1 as bigint))`,
};
