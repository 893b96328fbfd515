import { expect, test } from "vitest";
import { forSpreadsheet } from "./spreadsheet.js";

const csv = '"title","location"\r\n"Fest, ""groß""",""\r\n",","a\r\nb"\r\n';

test.each([
  ["en-GB", ","],
  ["es-MX", ","],
  ["es-ES", ";"],
  ["fr", ";"],
  ["de-CH", ";"],
])("a table for Excel in %s has %j between its cells, and the mark of UTF-8", (locale, separator) => {
  const cells = [
    ["title", "Ort"],
    ['Fest, ""groß""', ""],
    [",", "a\r\nb"],
  ];
  const lines = cells.map((line) => `"${line.join(`"${separator}"`)}"\r\n`);
  expect(forSpreadsheet(csv, locale, { location: "Ort" })).toBe(`\uFEFF${lines.join("")}`);
});
