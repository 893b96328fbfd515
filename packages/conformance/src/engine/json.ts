import { expect, failure, show } from "./assert.js";
import { isItem, type Item } from "./item.js";
import { judgeItem } from "./origins.js";

// The message of `expect` is made for what holds, too: bodies are long.

function notAnObject(body: unknown): Error {
  return failure(`The body is not a JSON object: ${show(body)}.`);
}

/** Fails the check for a missing member, a cause that many failures may share. */
function lacks(of: Item, name: string, kind: string): never {
  return judgeItem(of, () => {
    throw failure(`${name}: expected ${kind}, got ${show(of[name])}.`, `no ${name}`);
  });
}

/** A member that must be an object. */
export function member(of: unknown, name: string): Item {
  if (!isItem(of)) throw notAnObject(of);
  const value = of[name];
  if (!isItem(value)) return lacks(of, name, "an object");
  return value;
}

/** A member that must be an array of objects. */
export function list(of: unknown, name: string): readonly Item[] {
  if (!isItem(of)) throw notAnObject(of);
  const value = of[name];
  if (!Array.isArray(value)) return lacks(of, name, "an array");
  return value.map((item: unknown, index) => {
    if (!isItem(item)) throw failure(`${name}[${index}]: expected an object, got ${show(item)}.`);
    return item;
  });
}

/** A member that must be a string. */
export function text(of: Item, name: string): string {
  const value = of[name];
  if (typeof value !== "string") throw failure(`${name}: expected a string, got ${show(value)}.`);
  return value;
}

/** A member that must be a number. */
export function number(of: Item, name: string): number {
  const value = of[name];
  expect(typeof value === "number", `${name}: expected a number, got ${show(value)}.`);
  return value;
}

/** Returns the id as text. The checks of shapes judge whether it is a string or an integer. */
export function idOf(of: Item): string {
  const { id } = of;
  expect(typeof id === "string" || typeof id === "number", `id: expected an id, got ${show(id)}.`);
  return String(id);
}

export function idsOf(items: readonly Item[]): readonly string[] {
  return items.map(idOf);
}

export function only(items: readonly Item[], what: string): Item {
  const [first] = items;
  expect(items.length === 1 && first !== undefined, `${what}: expected one, got ${items.length}.`);
  return first;
}

export function withId(items: readonly Item[], id: string, what: string): Item {
  const found = items.find((item) => String(item["id"]) === id);
  expect(found !== undefined, `${what}: ${id} is not in the list.`);
  return found;
}
