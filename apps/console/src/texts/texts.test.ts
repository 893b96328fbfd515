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

test("what is said of a series has its number too", () => {
  const said = [en, de, fr, es].map(({ series: { scope, effect, moreDates } }) => [
    ...[1, 2].map((count) => scope.following("5.", count)),
    ...[0, 1, 2].map((count) => effect(count, count, count)),
    ...[1, 2].map((count) => moreDates(count)),
  ]);
  expect(said).toEqual([
    [
      ...["5. and 1 later", "5. and 2 later"],
      ...["0 stay, 0 new, 0 deleted", "1 stays, 1 new, 1 deleted", "2 stay, 2 new, 2 deleted"],
      ...["and 1 more", "and 2 more"],
    ],
    [
      ...["5. und 1 späterer", "5. und 2 spätere"],
      ...["0 bleiben, 0 neu, 0 gelöscht", "1 bleibt, 1 neu, 1 gelöscht", "2 bleiben, 2 neu, 2 gelöscht"],
      ...["und 1 weiterer", "und 2 weitere"],
    ],
    [
      ...["5. et 1 suivant", "5. et 2 suivants"],
      "0 reste, 0 en plus, 0 supprimé",
      "1 reste, 1 en plus, 1 supprimé",
      "2 restent, 2 en plus, 2 supprimés",
      ...["et 1 de plus", "et 2 de plus"],
    ],
    [
      ...["5. y 1 posterior", "5. y 2 posteriores"],
      "0 quedan, 0 nuevos, 0 eliminados",
      "1 queda, 1 nuevo, 1 eliminado",
      "2 quedan, 2 nuevos, 2 eliminados",
      ...["y 1 más", "y 2 más"],
    ],
  ]);
});
