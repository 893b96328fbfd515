import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createExtensionsClient } from "../src/extensions/index.js";

test("the README lists each part of the client of the extensions, and its calls", () => {
  const client = createExtensionsClient({ baseUrl: "https://calendars.example.com", token: "x" });
  const { raw: _raw, events, ...parts } = client;
  const { series, ...ofEvents } = events;
  const all = Object.entries({ ...parts, events: ofEvents, "events.series": series });
  const made = all.map(([name, part]) => [name, Object.keys(part).toSorted()]);
  const text = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const section = text.slice(text.indexOf("\n## Extensions\n"));
  const rows = [...section.matchAll(/^\| `([a-z.]+)` +\| (`.*`) +\|$/gm)];
  const listed = rows.map(([, name, calls = ""]) => [name, (calls.match(/\w+/g) ?? []).toSorted()]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(made));
});
