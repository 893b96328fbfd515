import type { Store } from "./stores.js";

export function openPostgresStore(_folder: string): Promise<Store> {
  return Promise.reject(new Error("not yet"));
}
