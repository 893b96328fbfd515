import { allOperationIds, allOperations, type AnyOperationId, isWrite } from "@kalends/spec";
import fc from "fast-check";
import * as z from "zod";

// Requests at the edges of the operations' schemas. Names in capitals stand for what the test has made: CALENDAR, EVENT, WEBHOOK.

/** A request: the pairs may name one parameter twice. */
export interface EdgeRequest {
  readonly id: AnyOperationId;
  readonly method: "GET" | "POST";
  readonly pairs: readonly (readonly [name: string, value: string])[];
  readonly body: "form" | "json" | "query";
  readonly headers: Readonly<Record<string, string>>;
  readonly token: "valid" | "wrong" | "none";
}

/** What a request has where it is right. */
const valid: Readonly<Record<string, string>> = {
  calendar_id: "CALENDAR",
  event_id: "EVENT",
  webhook_id: "WEBHOOK",
  delivery_id: "DELIVERY",
  subscriber_id: "9007199254740991",
  title: "Council",
  start_date: "2026-07-04T13:30",
  rrule: "FREQ=WEEKLY;COUNT=3",
  scope: "all",
  ics: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n",
  url: "https://hooks.example.com/",
  timezone: "Europe/Paris",
};

/** Random requests, the same ones for each seed. An operation with more parameters comes more often. */
export function edgeRequests(numRuns: number, seed: number): readonly EdgeRequest[] {
  const weighted = allOperationIds.map((id) => ({
    // A rule has more edges than other parameters have.
    weight: Object.keys(allOperations[id].params.shape).length * (id === "createSeries" ? 3 : 1) + 1,
    arbitrary: requestOf(id),
  }));
  return fc.sample(fc.oneof(...weighted), { numRuns, seed });
}

function requestOf(id: AnyOperationId): fc.Arbitrary<EdgeRequest> {
  const op: (typeof allOperations)[AnyOperationId] = allOperations[id];
  const shape: Readonly<Record<string, z.ZodType>> = op.params.shape;
  // The fake changes no rule of a series.
  const names = Object.keys(shape).filter(
    (name) => id !== "updateSeries" || !/^(rrule|rdate|exdate)$/.test(name),
  );
  const mandatory = names.filter((name) => !shape[name]?.safeParse(undefined).success);
  const edge = (name: string) =>
    valuesOf(name, shape[name]).map((value): readonly [string, string] => [name, value]);
  const changed = fc.oneof(
    { weight: 3, arbitrary: fc.subarray(names, { maxLength: Math.min(2, names.length) }) },
    { weight: 2, arbitrary: fc.subarray(names, { maxLength: Math.min(5, names.length) }) },
  );
  const pairs = fc.tuple(changed, fc.integer({ min: 0, max: 19 })).chain(([edges, luck]) => {
    const kept = mandatory.filter((name) => !edges.includes(name));
    const left = luck === 0 ? kept.slice(1) : kept;
    const again = luck === 1 ? edges.slice(0, 1) : [];
    const base = left.map((name) => fc.tuple(fc.constant(name), name === "rrule" ? rule : right(name)));
    return fc.tuple(...base, ...[...edges, ...again].map(edge));
  });
  const writes = isWrite(op);
  return fc.record({
    id: fc.constant(id),
    method: fc.constantFrom(...op.methods).map((method) => (method === "get" ? "GET" : "POST")),
    pairs,
    body: fc.constantFrom("form", "json", "query"),
    headers: fc.oneof(
      { weight: 6, arbitrary: fc.constant({}) },
      {
        weight: writes ? 2 : 1,
        arbitrary: fc.constantFrom(...matches).map((match) => ({ "If-Match": match })),
      },
      { weight: 1, arbitrary: fc.constantFrom(...keys).map((key) => ({ "Idempotency-Key": key })) },
      { weight: 1, arbitrary: fc.constant({ "Idempotency-Key": "a b", "If-Match": "0" }) },
    ),
    token: fc.oneof(
      { weight: 18, arbitrary: fc.constant("valid" as const) },
      { weight: 1, arbitrary: fc.constantFrom("wrong" as const, "none" as const) },
    ),
  });
}

function right(name: string): fc.Arbitrary<string> {
  return fc.constant(valid[name] ?? "");
}

const matches = ['"0"', '"1"', "*", 'W/"0"', "0", '"7", "0"', "", '""', '"0",'];
const keys = ["a b", "k".repeat(256), ""];

/** Values on both sides of what a schema allows. */
function valuesOf(name: string, schema: z.ZodType | undefined): fc.Arbitrary<string> {
  const own = grammars[name];
  const { pattern, enum: names, maxLength } = constraints(schema);
  const example = valid[name] ?? exampleOf(schema);
  const formed = [
    fc.constantFrom(example, example, ...(names ?? [])),
    ...(own === undefined ? [] : [own, own]),
    ...(pattern === undefined || own !== undefined ? [] : [fc.stringMatching(new RegExp(pattern))]),
  ];
  const lengths = maxLength === undefined ? [] : [maxLength, maxLength + 1].map((n) => "🎉".repeat(n));
  const some = fc.oneof(...formed);
  return fc
    .oneof(
      { weight: 6, arbitrary: some },
      { weight: 3, arbitrary: fc.tuple(some, mutation).map(([text, mutate]) => mutate(text)) },
      { weight: 1, arbitrary: fc.constantFrom("", " ", "0", "-1", "null", ...lengths) },
    )
    .map((value) =>
      name.endsWith("_id") && /^[1-9]\d{0,7}$/.test(value) && name !== "color_id" && name !== "palette_id"
        ? `1${value.padEnd(14, "0")}`
        : value,
    );
}

interface Constraints {
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
}

function constraints(schema: z.ZodType | undefined): Constraints {
  const printed = z.toJSONSchema(schema ?? z.string(), { unrepresentable: "any" });
  const { pattern, enum: names, maxLength } = printed;
  return {
    ...(pattern === undefined ? {} : { pattern }),
    ...(names === undefined ? {} : { enum: names.map(String) }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
}

function exampleOf(schema: z.ZodType | undefined): string {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const example = (inner instanceof z.ZodType ? inner.meta() : undefined)?.["example"];
  if (Array.isArray(example)) return example.join();
  if (typeof example === "string") return example;
  return example === undefined ? "x" : JSON.stringify(example);
}

/** One change of one character. */
const mutation: fc.Arbitrary<(text: string) => string> = fc
  .record({
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    kind: fc.constantFrom("delete", "double", "replace", "insert", "case"),
    by: fc.constantFrom(...'09-+/.,;:="é \t\n\u0000AaZ'),
  })
  .map(({ at, kind, by }) => (text: string): string => {
    const characters = Array.from(text);
    const index = Math.floor(at * characters.length);
    const found = characters[index] ?? "";
    const put = { delete: "", double: found + found, replace: by, insert: found + by, case: swapped(found) }[
      kind
    ];
    return characters.toSpliced(index, 1, put).join("");
  });

function swapped(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

/** One of the right values, now and then of the wrong ones. */
const part = (name: string, right: readonly string[], wrong: readonly string[]) =>
  fc
    .oneof(
      { weight: 9, arbitrary: fc.constantFrom(...right) },
      { weight: 2, arbitrary: fc.constantFrom(...wrong) },
    )
    .map((value) => `${name}=${value}`);

/** Before, at and after the first event, which begins on 2026-07-04 at 13:30. */
const untils = [
  "20260704T133000",
  "20260704T132959",
  "20260704T133000Z",
  "20260101T000000",
  "20261231T235959Z",
  "20261231T235960",
  "99991231T235959",
];
const noUntils = [
  "20260703",
  "20261231",
  "20260230T000000",
  "20261301T000000",
  "20261231T240000",
  "20261231T2359",
  "18991231T000000",
];

/** Rules of the parts that the fake knows; BYDAY only beside WEEKLY. */
const rule = fc
  .record({
    freq: part("FREQ", ["DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "YEARLY"], ["HOURLY", ""]),
    parts: fc.array(
      fc.oneof(
        part("INTERVAL", ["1", "2", "+2", "9999", "007"], ["0", "-1", "10000", "1,2", "1.5"]),
        part("COUNT", ["1", "3", "+3", "366", "367"], ["0", "-1", "1000000", "3,4"]),
        part("UNTIL", untils, noUntils),
        part("WKST", ["MO", "SU", "mo"], ["XX"]),
        part("BYDAY", ["MO", "SA", "MO,WE", "MO,MO"], ["XX", "1MO", "MO,"]),
      ),
      { maxLength: 3 },
    ),
    prefix: fc.constantFrom("", "", "", "RRULE:", "rrule:"),
    end: fc.oneof(
      { weight: 9, arbitrary: fc.constant("") },
      { weight: 1, arbitrary: fc.constantFrom(";", ";COUNT", ";COUNT=", ";FREQ=DAILY", ";X-A=1") },
    ),
  })
  .map(({ freq, parts, prefix, end }) => {
    const known = parts.filter((one) => freq === "FREQ=WEEKLY" || !one.startsWith("BYDAY"));
    return `${prefix}${[freq, ...known].join(";")}${end}`;
  });

const categoryNames = fc
  .array(fc.constantFrom("a", "b", "é".repeat(40), "é".repeat(41), "c d", " e", "", "f\u2028g"), {
    maxLength: 4,
  })
  .map((names) => names.join());

const data = fc.oneof(
  fc.json({ maxDepth: 2 }),
  fc
    .dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
    .map((value) => JSON.stringify(value)),
  fc.constantFrom(
    JSON.stringify({ ["k".repeat(64)]: 1 }),
    JSON.stringify({ ["k".repeat(65)]: 1 }),
    JSON.stringify({ "": 1 }),
    JSON.stringify({ a: "x".repeat(4088) }),
    JSON.stringify({ a: "x".repeat(4089) }),
    '{"a":9007199254740991}',
    '{"a":9007199254740992}',
    '{"a":1e400}',
    '{"a":1,"a":2}',
    '{"a":"\\ud800"}',
    '{ "a" : 1 }',
  ),
);

const dates = fc.constantFrom(
  "2026-07-04T13:30",
  "2026-07-04T13:29",
  "2026-07-04",
  "07/04/2026",
  "07/04/2026 01:30 PM",
  "2026-07-11",
  "2026-07-18T13:30",
  "2020-01-01T00:00",
  "9999-12-31T23:30",
  "9999-12-31 22:59:59",
  "1900-01-01",
  "2026-02-29",
);
const places = fc.array(dates, { maxLength: 4 }).map((list) => list.join());

const types = fc
  .array(fc.constantFrom("event.created", "event.saved", " event.saved", "event.moved", ""), { maxLength: 3 })
  .map((list) => list.join());

/** Parameters whose form is more than a pattern says. */
const grammars: Readonly<Record<string, fc.Arbitrary<string>>> = {
  rrule: rule,
  rdate: places,
  exdate: places,
  categories: categoryNames,
  custom_data: data,
  types,
  start_date: dates,
  end_date: dates,
  url: fc.constantFrom(
    "http://hooks.example.com/",
    "HTTPS://hooks.example.com/",
    "https://127.0.0.1/",
    "https://10.0.0.1/",
    "https://[::1]/",
    "https://a:b@hooks.example.com/",
    "https://hooks.example.com/#a",
    `https://hooks.example.com/${"a".repeat(2022)}`,
    `https://hooks.example.com/${"a".repeat(2023)}`,
  ),
  timezone: fc.constantFrom(
    "Europe/Paris",
    "US/Pacific",
    "europe/paris",
    "Mars/Olympus",
    "UTC",
    "Etc/GMT+1",
    "EST",
  ),
};
