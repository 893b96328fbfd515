import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";

// Times in the list of events for other sites, which runs in browsers (docs/following.md). The deep ring has its tests in one.

const script = readFileSync(new URL("../assets/kalends-events.js", import.meta.url), "utf8");

/** What the script needs of a browser before it has an element. */
const browser = createContext({
  CSSStyleSheet: class {
    replaceSync(): void {}
  },
  HTMLElement: Object,
  customElements: { get: () => true },
});
runInContext(script, browser);

function timeOf(start_date: string, end_date: string): string {
  const event = JSON.stringify({ all_day_event: false, start_date, end_date });
  const text: string = runInContext(`timeOf(${event}, formatsOf("en-GB"), "All day")`, browser);
  return text.replace(/,/g, "").replace(/\s+/g, " ").replace(/ ?– ?/g, "–");
}

test("names both days of an event that goes on after 6:00 of the next, as the pages of the server do", () => {
  const year = new Date().getFullYear();
  const [first, second] = [`${year}-07-11`, `${year}-07-12`];
  expect(timeOf(`${first}T18:00`, `${second}T14:00`)).toMatch(
    /^\w+ 11 July? at 18:00–\w+ 12 July? at 14:00$|^\w+ 11 Jul 18:00–\w+ 12 Jul 14:00$/,
  );
  expect(timeOf(`${first}T18:00`, `${second}T06:00`)).toMatch(/ 12 Jul/);
  for (const end of ["05:59", "01:00", "00:00"])
    expect(timeOf(`${first}T20:00`, `${second}T${end}`)).toMatch(new RegExp(`^\\w+ 11 Jul · 20:00–${end}$`));
  expect(timeOf(`${first}T00:00`, `${second}T00:00`)).toMatch(/^\w+ 11 Jul · 00:00–00:00$/);
  expect(timeOf(`${first}T20:00`, `${year}-08-11T22:00`)).toMatch(/ 11 Aug/);
  expect(timeOf(`${first}T20:00`, `${first}T22:00`)).toMatch(/^\w+ 11 Jul · 20:00–22:00$/);
});
