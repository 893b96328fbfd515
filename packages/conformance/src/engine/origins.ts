import type { Exchange } from "../types.js";
import { concerning, equal } from "./assert.js";
import { isItem, type Item } from "./item.js";

const origins = new WeakMap<object, Exchange>();

/** Notes of each object in a body which exchange it came with. */
export function remember(body: unknown, exchange: Exchange): void {
  if (Array.isArray(body)) for (const item of body) remember(item, exchange);
  if (!isItem(body)) return;
  origins.set(body, exchange);
  for (const value of Object.values(body)) remember(value, exchange);
}

/** Judges an object of an answer: a failure then knows the exchange that it is about. */
export function judgeItem<Result>(item: Item, judge: () => Result): Result {
  const origin = origins.get(item);
  return origin === undefined ? judge() : concerning(origin, judge);
}

/** Ends the check as failed unless the field has this value. */
export function equalField(item: Item, field: string, wanted: unknown, where: string): void {
  judgeItem(item, () => equal(item[field], wanted, `${field} ${where}`));
}
