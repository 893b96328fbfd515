import { expect, test } from "vitest";
import { mapLink } from "./map-link.js";

// The link of a place to its map (extensions X11.4).

const map = "https://www.openstreetmap.org/search?query=";

test.each([
  ["Town hall, Bergholz", "Town%20hall%2C%20Bergholz"],
  ["  Café  &\tBar #1 ", "Caf%C3%A9%20%26%20Bar%20%231"],
  ['"><script>', "%22%3E%3Cscript%3E"],
  ["half \ud83c a character", "half%20%EF%BF%BD%20a%20character"],
])("%j stands behind the address of the map", (location, end) => {
  expect(mapLink(map, location)).toBe(`${map}${end}`);
});

test.each(["", "  ", "https://meet.example/abc", "Zoom: http://meet.example"])(
  "%j has no map",
  (location) => {
    expect(mapLink(map, location)).toBeUndefined();
  },
);

test("without a map no place has one", () => {
  expect(mapLink(false, "Town hall")).toBeUndefined();
});
