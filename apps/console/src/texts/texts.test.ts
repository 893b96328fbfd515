import { expect, test } from "vitest";
import { de } from "./de.js";
import { en, type Texts } from "./en.js";
import { es } from "./es.js";
import { fr } from "./fr.js";

/** Each text by its path; one that is made of numbers or names is called with some. */
function textsOf(value: unknown, path = ""): readonly (readonly [string, string])[] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function")
    return [0, 1, 2].map((count) => [`${path}(${count})`, String(value(count, count, count, count))]);
  return Object.entries(Object(value)).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`));
}

/** What is the same in several languages. */
const same = /\.(app|figures\.apps\.\w+|calendar\.more\(\d\)|calendar\.status\.confirmed)$/;

test.each([de, fr, es])("$name has each text, of its own", (texts: Texts) => {
  const english = new Map(textsOf(en));
  const all = textsOf(texts);
  expect(all.map(([path]) => path)).toEqual([...english.keys()]);
  const untranslated = all.filter(
    ([path, text]) => text === english.get(path) && text.length > 12 && !same.test(path),
  );
  expect(untranslated).toEqual([]);
  expect(all.filter(([path, text]) => text === "" && !same.test(path))).toEqual([]);
});

test("numbers have their plural in each language", () => {
  const cells = [en, de, fr, es].map((texts) =>
    [0, 1, 2].map((count) => texts.calendar.cell("", count).slice(2)),
  );
  expect(cells).toEqual([
    ["no events", "1 event", "2 events"],
    ["keine Termine", "1 Termin", "2 Termine"],
    ["aucun événement", "1 événement", "2 événements"],
    ["sin eventos", "1 evento", "2 eventos"],
  ]);
});
