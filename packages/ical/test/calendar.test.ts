import { describe, expect, test } from "vitest";
import { realisticEvents } from "./realistic-events.js";
import {
  calendarEnd,
  calendarStart,
  calendarText,
  eventFile,
  eventText,
  type FeedEvent,
} from "../src/index.js";
import { contentLines, faults, namesIn, parsed } from "./reading.js";
import { feed, harmlessCalendar, harmlessEvent } from "./samples.js";

describe("a feed in chunks", () => {
  const events = realisticEvents(1000);

  test("is its start, its events and its end", () => {
    const parts = [calendarStart(harmlessCalendar), ...events.map(eventText), calendarEnd(events.length)];
    expect(feed(harmlessCalendar, events)).toBe(parts.join(""));
    expect([...calendarText(harmlessCalendar, events, 1)].join("")).toBe(parts.join(""));
  });

  test("has chunks of at most 65,536 characters, and nearly so many", () => {
    const lengths = [...calendarText(harmlessCalendar, events)].map((chunk) => chunk.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(65_536);
    expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThan(60_000);
    expect(lengths.length).toBeGreaterThan(8);
  });

  test("has an event that is longer than a chunk in a chunk of its own", () => {
    const long = { ...harmlessEvent, description: "x".repeat(200) };
    const chunks = [...calendarText(harmlessCalendar, [harmlessEvent, long, harmlessEvent], 100)];
    expect(chunks).toEqual([
      calendarStart(harmlessCalendar),
      eventText(harmlessEvent),
      eventText(long),
      eventText(harmlessEvent) + calendarEnd(3),
    ]);
  });

  test("takes events as it goes, and no more than one ahead", () => {
    let taken = 0;
    function* source(): Generator<FeedEvent> {
      for (const event of events) {
        taken++;
        yield event;
      }
    }
    const chunks = calendarText(harmlessCalendar, source());
    const { value } = chunks.next();
    const inChunk = (value ?? "").split("BEGIN:VEVENT\r\n").length - 1;
    expect(inChunk).toBeGreaterThan(50);
    expect(taken).toBe(inChunk + 1);
  });
});

test("the same input gives the same bytes, whatever was written in between", () => {
  const events = realisticEvents(200);
  const first = feed(harmlessCalendar, events);
  feed({ ...harmlessCalendar, color: "102030" }, realisticEvents(300).toReversed());
  expect(feed(structuredClone(harmlessCalendar), structuredClone(events))).toBe(first);
});

test("a feed is never a scheduling message: no METHOD", () => {
  expect(namesIn(parsed(feed(harmlessCalendar, realisticEvents(10))))).not.toContain("method");
});

test.each([
  [3600, "PT1H"],
  [900, "PT15M"],
  [86_400, "PT24H"],
])("the refresh interval of %i seconds is written in both properties", (refreshSeconds, want) => {
  const lines = contentLines(feed({ ...harmlessCalendar, refreshSeconds }, []));
  expect(lines.find(({ name }) => name === "REFRESH-INTERVAL")).toEqual({
    name: "REFRESH-INTERVAL",
    parameters: { VALUE: "DURATION" },
    value: want,
  });
  expect(lines.find(({ name }) => name === "X-PUBLISHED-TTL")?.value).toBe(want);
});

test("a calendar without description and colour has no lines for them", () => {
  const bare = feed({ ...harmlessCalendar, description: "", color: "" }, []);
  expect(namesIn(parsed(bare))).toEqual([
    ...["version", "prodid", "calscale", "name", "x-wr-calname", "x-wr-timezone"],
    ...["last-modified", "refresh-interval", "x-published-ttl"],
  ]);
});

describe("the lint of these tests", () => {
  const good = feed(harmlessCalendar, [harmlessEvent]);

  test.each([
    ["a line of 76 octets", good.replace("SUMMARY:Opening night", `SUMMARY:${"ß".repeat(34)}`)],
    ["a bare LF", good.replace("Opening night", "Opening\nnight")],
    ["a bare CR", good.replace("Opening night", "Opening\rnight")],
    ["a control character", good.replace("Opening night", "Opening\u0007night")],
    ["a line separator", good.replace("Opening night", "Opening\u2028night")],
    ["half a pair", good.replace("Opening night", "Opening \uD83C")],
    ["a pair cut by a fold", good.replace("Opening night", "Opening \uD83C\r\n \uDF89")],
    ["an empty line", good.replace("\r\nSUMMARY", "\r\n\r\nSUMMARY")],
    ["no CRLF at the end", good.slice(0, -2)],
  ])("finds %s", (_, feedText) => {
    expect(faults(good)).toEqual([]);
    expect(faults(feedText)).not.toEqual([]);
  });
});

test("a file with one event is valid, and has neither a name nor a refresh interval that would make a calendar of it", () => {
  const written = eventFile(harmlessCalendar, { ...harmlessEvent, url: "https://example.org/c/a/e/b" });
  expect(faults(written)).toEqual([]);
  const names = namesIn(parsed(written));
  for (const name of ["method", "name", "x-wr-calname", "refresh-interval", "x-published-ttl"])
    expect(names).not.toContain(name);
  expect(written).toContain(eventText({ ...harmlessEvent, url: "https://example.org/c/a/e/b" }));
});
