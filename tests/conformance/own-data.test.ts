import { createCalendarClient } from "@kalends/client";
import { run } from "@kalends/conformance";
import { afterEach, expect, test } from "vitest";
import { faults, startJudged, stopServers } from "./faults/gate.js";
import { refusal, saveCalendar, values } from "./faults/changes.js";
import type { Planted } from "./faults/proxy.js";

// A run on a server with faults leaves what the account had before as it was.

afterEach(stopServers); // so that the first calendar of each test has the id 1

const numbers: Planted = {
  clause: "docs/rulings.md#r2.6",
  title: "ids are read as numbers",
  ask: values(["calendar_id", "event_id", "subscriber_id"], (value) =>
    Number.isInteger(Number(value)) ? String(Number(value)) : value,
  ),
};
const prefixes = faults["K61"] ?? numbers;
const mandatoryTimezone: Planted = {
  clause: "docs/rulings.md#r4.7",
  title: "a calendar is not saved without timezone",
  instead: async (ask, { pass }) =>
    ask.path === saveCalendar && !ask.params.get("timezone") ? refusal(400, "parameter_missing") : pass(ask),
};

test.each([
  [prefixes.title, [prefixes]],
  [`${prefixes.title}, and ${mandatoryTimezone.title}`, [prefixes, mandatoryTimezone]],
  [numbers.title, [numbers]],
  [`${numbers.title}, and ${mandatoryTimezone.title}`, [numbers, mandatoryTimezone]],
])("malformed ids reach nothing that the run has not made where %s", async (_, planted) => {
  const { url: baseUrl, token, followed, errors, stop } = await startJudged(planted);
  const { calendars, events } = createCalendarClient({ baseUrl, token });
  const mine = await events.create({ calendar_id: followed, title: "Mine", start_date: "07/04/2026 13:30" });
  expect([followed, mine.id]).toEqual(["1", 1]);
  const before = [await calendars.list().toArray(), await events.list({ calendar_id: followed }).toArray()];
  const { results, leftovers } = await run({ baseUrl, token, seed: 7, only: ["errors.malformed-id"] });
  const listed = await calendars.list().toArray();
  const kept = listed.length === 0 ? [] : await events.list({ calendar_id: followed }).toArray();
  await stop();
  expect([listed, kept]).toEqual(before);
  expect(results.map(({ status }) => status)).toEqual(["failed"]);
  expect([leftovers, errors]).toEqual([[], []]);
});
