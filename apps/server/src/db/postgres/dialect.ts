import type { Dialect } from "../query.js";

export const dialect: Dialect = {
  items: "json_array_elements",
  joined: (expression) => `string_agg(${expression}, ',')`,
  lock: (table) => `for no key update of ${table}`,
  skipsLocked: false,
};

/** In a transaction that several writes share: one row that is locked elsewhere must not hold up them all. */
export const sharedDialect: Dialect = {
  ...dialect,
  lock: (table) => `${dialect.lock(table)} skip locked`,
  skipsLocked: true,
};
