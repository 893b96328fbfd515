import { expect, test } from "vitest";
import { dropDraft, keepDraft, readDraft, type Store } from "./drafts.js";

function memory(): Store & { readonly size: () => number } {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    size: () => kept.size,
  };
}

const initial = { title: "", place: "Hall" };

test("a draft has what was changed, and a cleared field too", () => {
  const store = memory();
  keepDraft(store, "event", { title: "Concert", place: "" }, initial);
  expect(readDraft(store, "event")).toEqual({
    fields: { title: "Concert", place: "" },
    before: { title: "", place: "Hall" },
  });
  expect(readDraft(store, "other")).toBeUndefined();
});

test("a form that is as it began leaves no draft, nor does one that was saved", () => {
  const store = memory();
  keepDraft(store, "event", { title: "Concert", place: "Hall" }, initial);
  keepDraft(store, "event", initial, initial);
  expect(store.size()).toBe(0);
  keepDraft(store, "event", { title: "Concert" }, initial);
  dropDraft(store, "event");
  expect(readDraft(store, "event")).toBeUndefined();
});

test("a storage that refuses, or has something else, loses nothing of the form", () => {
  const refuse = (): never => {
    throw new Error("refused");
  };
  const refusing: Store = { getItem: refuse, setItem: refuse, removeItem: refuse };
  expect(() => keepDraft(refusing, "event", { title: "x" }, initial)).not.toThrow();
  expect(readDraft(refusing, "event")).toBeUndefined();
  for (const text of ["[1]", "{", '"x"', "null", '{"title":"x"}', '{"fields":{"title":1},"before":{}}']) {
    const store = { ...memory(), getItem: () => text };
    expect(readDraft(store, "event")).toBeUndefined();
  }
});
