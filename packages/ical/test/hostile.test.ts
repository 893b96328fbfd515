import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventText, type FeedCalendar, type FeedEvent } from "../src/index.js";
import { handWritten, hostileEmail, hostileText } from "./hostile.js";
import {
  contentLines,
  faults,
  namesIn,
  normalized,
  normalizedLine,
  parsed,
  unescaped,
  valuesOf,
  type Component,
  type ContentLine,
} from "./reading.js";
import { feed, harmlessCalendar, harmlessEvent } from "./samples.js";

// 10,000 random texts and those by hand, in every field at once. The seed is fixed, so that a red run can be repeated.
const perFeed = 50;
const random = { numRuns: 200, seed: 5545 };
const texts = fc.array(hostileText, { minLength: perFeed, maxLength: perFeed });
const emails = fc.array(hostileEmail, { minLength: perFeed, maxLength: perFeed });

describe("in every text of an event", () => {
  test(`${random.numRuns * perFeed} random texts are read back equal, and add and take no property`, () => {
    fc.assert(fc.property(texts, expectEventsReadBack), random);
  }, 120_000);

  test(`${handWritten.length} texts by hand are read back equal, and add and take no property`, () => {
    expectEventsReadBack(handWritten);
  });
});

describe("in every text of a calendar", () => {
  test(`${random.numRuns * perFeed} random texts are read back equal, and add and take no property`, () => {
    fc.assert(
      fc.property(texts, (given) => given.forEach(expectCalendarReadsBack)),
      random,
    );
  }, 120_000);

  test("texts by hand are read back equal, and add and take no property", () => {
    for (const text of handWritten) expectCalendarReadsBack(text);
  });
});

describe("an e-mail address", () => {
  test("is read back equal from a mailto that has no sign of its own, or makes the organizer a contact", () => {
    fc.assert(fc.property(emails, expectOrganizers), random);
  }, 120_000);

  test("of any text by hand does the same", () => {
    expectOrganizers(handWritten.flatMap((text) => [text, `${text}@example.org`, `jane@${text}`]));
  });
});

test("a URL of any text stays one line, and only http and https are links", () => {
  const url = fc.oneof(
    hostileText,
    hostileText.map((text) => `https://example.org/${text}`),
  );
  const others = namesIn(parsed(feed(harmlessCalendar, [])));
  const event = eventText(harmlessEvent);
  const check = (text: string): void => {
    const written = feed({ ...harmlessCalendar, url: text }, []);
    expect(faults(written)).toEqual([]);
    const isLink = /^https?:\/\//i.test(text);
    const component = parsed(written);
    const [value] = valuesOf(component, "url");
    expect(value === undefined).toBe(!isLink);
    if (value !== undefined) expect(decoded(value)).toBe(decoded(text.toWellFormed()));
    expect(namesIn(component).filter((name) => name !== "url")).toEqual(others);
    // An event's has the same form.
    const [line = ""] = /^URL:.*\r\n(?: .*\r\n)*/m.exec(written) ?? [];
    expect(eventText({ ...harmlessEvent, url: text })).toBe(
      event.replace("ORGANIZER", () => `${line}ORGANIZER`),
    );
  };
  fc.assert(fc.property(url, check), { ...random, numRuns: 1000 });
  for (const text of handWritten) check(`https://example.org/${text}`);
});

test("a colour that is none adds nothing", () => {
  for (const color of ["red", "#4682b4", "4682b", "4682b4\r\nX:1", "4682b4;", "", "４６８２b4"]) {
    const written = feed({ ...harmlessCalendar, color }, [{ ...harmlessEvent, color }]);
    expect(contentLines(written).filter(({ name }) => name.includes("COLOR"))).toEqual([]);
  }
});

function expectEventsReadBack(given: readonly string[]): void {
  const events = given.map((text) => ({ ...harmlessEvent, ...everyEventText(text) }));
  const written = feed(harmlessCalendar, events);
  expect(faults(written)).toEqual([]);
  const component = parsed(written);
  expect(component[2].map(shape)).toEqual(given.map(eventTwin));
  const organizers = contentLines(written).filter(({ name }) => name === "ORGANIZER");
  const names = ["uid", "summary", "location", "description"];
  expect(
    component[2].map((event) => [
      ...names.map((name) => valuesOf(event, name)),
      valuesOf(event[2][0], "description"),
    ]),
  ).toEqual(
    given.map((text) => {
      const line = normalizedLine(text);
      return [...["", "", ""].map(() => textsOf(line)), textsOf(normalized(text)), [line || "Reminder"]];
    }),
  );
  expectCommonNames(organizers, component[2], given.map(normalizedLine));
  // The same texts without an e-mail address: the organizer is a contact.
  const contacts = events.map((event) => ({ ...event, organizerEmail: "" }));
  const parsedContacts = parsed(feed(harmlessCalendar, contacts));
  expect(parsedContacts[2].map((event) => valuesOf(event, "contact"))).toEqual(
    given.map((text) => textsOf(normalizedLine(text))),
  );
}

/** ical.js reads a backslash in a parameter as the start of an escape, which it is not: there the grammar decides. */
function expectCommonNames(
  lines: readonly ContentLine[],
  events: readonly Component[],
  given: readonly string[],
): void {
  const names = given.map((name) => (name.endsWith("\\") ? `${name} ` : name));
  const value = "mailto:jane@example.org";
  expect(lines.map((line) => [line.parameters, line.value])).toEqual(
    names.map((name) => [name === "" ? {} : { CN: name }, value]),
  );
  const isRead = (_any: unknown, index: number) => !names[index]?.includes("\\");
  const organizers = events.map(([, properties]) => properties.find(([name]) => name === "organizer"));
  expect(organizers.filter(isRead).map((organizer) => [organizer?.[1], organizer?.[3]])).toEqual(
    names.filter(isRead).map((name) => [name === "" ? {} : { cn: name }, value]),
  );
}

function expectCalendarReadsBack(text: string): void {
  const written = feed({ ...harmlessCalendar, ...everyCalendarText(text) }, []);
  const [line, lines] = [normalizedLine(text), normalized(text)];
  const component = parsed(written);
  // Of the others ical.js does not know that they are TEXT.
  const unknown = (name: string) => valuesOf(component, name).map(unescaped);
  expect([
    faults(written),
    shape(component),
    valuesOf(component, "prodid"),
    ...["name", "x-wr-calname", "x-wr-timezone"].map(unknown),
    valuesOf(component, "description"),
    unknown("x-wr-caldesc"),
  ]).toEqual([[], calendarTwin(line, lines), ...[line, line, line, line, lines, lines].map(textsOf)]);
}

function expectOrganizers(given: readonly string[]): void {
  const events = given.map((organizerEmail) => ({ ...harmlessEvent, organizerEmail }));
  const written = feed(harmlessCalendar, events);
  expect(faults(written)).toEqual([]);
  const component = parsed(written);
  expect(component[2].length).toBe(given.length);
  const addresses = component[2].map((event) => valuesOf(event, "organizer").at(0));
  expect(component[2].map((event) => [shape(event), ...valuesOf(event, "contact")])).toEqual(
    addresses.map((address) =>
      address === undefined
        ? [withOrganizer.replace(" organizer ", " contact "), "Jane Doe"]
        : [withOrganizer],
    ),
  );
  const mailto = /^mailto:[A-Za-z0-9\-._~!$'*+%]+@[A-Za-z0-9\-._~!$'*+%]+$/;
  expect(addresses.filter((address) => address !== undefined && !mailto.test(address))).toEqual([]);
  expect(addresses.map((address) => address && decodeURIComponent(address.slice("mailto:".length)))).toEqual(
    addresses.map((address, index) => address && given[index]),
  );
}

function everyEventText(text: string): Partial<FeedEvent> {
  return { uid: text, title: text, description: text, location: text, organizer: text };
}

function everyCalendarText(text: string): Partial<FeedCalendar> {
  return { prodId: text, name: text, description: text, timezone: text };
}

/** The names of all properties and components, in their order. */
function shape([name, properties, components]: Component): string {
  const names = properties.map(([property]) => property);
  return `${name}: ${names.join(" ")} (${components.map(shape).join(" ")})`;
}

/** The shape of a calendar with a harmless text wherever the feed keeps something of this one. */
function calendarTwin(line: string, lines: string): string {
  if (line !== "") return calendarTwins.all;
  return lines === "" ? calendarTwins.none : calendarTwins.description;
}

const calendarTwinOf = (texts: Partial<FeedCalendar>): string =>
  shape(parsed(feed({ ...harmlessCalendar, ...texts }, [])));

const calendarTwins = {
  none: calendarTwinOf(everyCalendarText("")),
  description: calendarTwinOf({ ...everyCalendarText(""), description: "x" }),
  all: calendarTwinOf(everyCalendarText("x")),
};

/** The shape of an event with a harmless text wherever the feed keeps something of this one. */
function eventTwin(text: string): string {
  if (normalizedLine(text) !== "") return twins.all;
  return normalized(text) === "" ? twins.none : twins.description;
}

function twinOf(texts: Partial<FeedEvent>): string {
  return parsed(feed(harmlessCalendar, [{ ...harmlessEvent, ...texts }]))[2]
    .map(shape)
    .join(" ");
}

const twins = {
  none: twinOf(everyEventText("")),
  description: twinOf({ ...everyEventText(""), description: "x" }),
  all: twinOf(everyEventText("x")),
};

const withOrganizer = twinOf({});

/** A property's values, for an empty text has no property. */
function textsOf(text: string): readonly string[] {
  return text === "" ? [] : [text];
}

/** Whatever is percent-encoded in a URL, decoded; a % that stands for nothing stays. */
function decoded(url: string): string {
  return url.replace(/(?:%[0-9a-f]{2})+/gi, (octets) =>
    Buffer.from(octets.replaceAll("%", ""), "hex").toString(),
  );
}
