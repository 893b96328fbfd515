import {
  operations,
  type OperationId,
  categoryLimits,
  customDataLimits,
  isWrite,
  maxLengths,
  type Operation,
  webhookTypes,
} from "@kalends/spec";
import * as z from "zod";
import { isNeeded, mandatoryParams } from "../calls.js";
import { fileOf } from "./attacks.js";
import { isShort } from "./measure.js";

// The worst legal values of a parameter: every candidate that its schema accepts. A parameter that is declared tomorrow has them
// too, since nothing here goes by its name.

/** A character of four bytes in UTF-8, of two units in UTF-16. */
const wide = "𝄞";

const json = (value: unknown): string => JSON.stringify(value);

/** `custom_data` with as many names as fit. */
export function customDataOfManyNames(): string {
  const entries: string[] = [];
  let bytes = 2;
  for (let index = 0; ; index++) {
    const entry = `"${index.toString(36)}":1`;
    bytes += entry.length + 1;
    if (bytes > customDataLimits.bytes) return `{${entries.join(",")}}`;
    entries.push(entry);
  }
}

const depth = Math.floor((customDataLimits.bytes - 10) / 2);

const customData = [
  customDataOfManyNames(),
  `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`,
  json({ [wide.repeat(customDataLimits.name)]: wide.repeat(900) }),
  json({ a: "\u0001".repeat(680) }), // six bytes each as JSON
];

const dates = Array.from({ length: 366 }, (_, day) =>
  new Date(Date.UTC(2030, 0, 1 + day)).toISOString().slice(0, 16),
).join(",");

const numbers = Array.from({ length: 31 }, (_, day) => day + 1);

const rules = [
  "FREQ=DAILY;COUNT=366",
  "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", // never
  `FREQ=YEARLY;BYMONTHDAY=${numbers.join(",")};BYDAY=MO,TU,WE,TH,FR,SA,SU;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;COUNT=366`,
  `FREQ=YEARLY;BYDAY=${Array.from({ length: 120 }, (_, n) => `${(n % 53) + 1}MO`).join(",")}`.slice(0, 1_000),
  `FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=FR;INTERVAL=11;COUNT=366`,
];

const categories = Array.from({ length: categoryLimits.names }, (_, index) =>
  `${String(index).padStart(2, "0")}${wide.repeat(categoryLimits.characters)}`.slice(
    0,
    2 + 2 * (categoryLimits.characters - 2),
  ),
).join(",");

const lengths = [maxLengths.description, 4_096, 2_000, maxLengths.short, 128, customDataLimits.name, 40, 1];

const candidates: readonly string[] = [
  ...customData,
  ...lengths.flatMap((length) => [wide, "x", "\\n", "<&>\"'", "\u202e"].map((text) => fitting(text, length))),
  ...["\r\n", "\t", ",;\\:"].map((text) => fitting(text, maxLengths.description)),
  categories,
  dates,
  ...rules,
  Array.from({ length: 10_000 }, (_, index) => webhookTypes[index % webhookTypes.length]).join(","),
  `${"x".repeat(maxLengths.email - "@example.com".length)}@example.com`,
  `https://hooks.example/${"x".repeat(2_048 - "https://hooks.example/".length)}`,
  ...["9007199254740991", "2147483648", "40320", "20", "10", "12", "9999"],
  ...["America/Argentina/ComodRivadavia", "Africa/Casablanca", "A".repeat(64)],
  ...["12/31/9999 23:59", "01/01/1900 00:00", "9999-12-31", "now", "9999-12-31 23:59:59"],
  "9999-12-31T23:59:00-12:00",
  ...["true", "false"],
  fileOf(1_000, (index) => [`UID:${index}`, "DTSTART:20300704T100000Z", "SUMMARY:x"]),
  fileOf(1, () => ["UID:1", "DTSTART:20300704T100000Z", ...Array.from({ length: 20_000 }, () => "X-A:b")]),
  fileOf(1, () => ["UID:1", "DTSTART:20300704T100000Z", `DESCRIPTION:${wide.repeat(200_000)}`]),
  fileOf(20, (index) => [`UID:${index}`, "DTSTART:20300704T100000Z", "RRULE:FREQ=DAILY"]),
];

/** A text repeated up to a number of code points. */
function fitting(text: string, length: number): string {
  return text.repeat(Math.floor(length / [...text].length));
}

/** Every value of a parameter that is legal and among the worst, the longest first. */
export function worstValues(id: OperationId, name: string): readonly string[] {
  const op: Operation = operations[id];
  const schema = op.params.shape[name];
  if (schema === undefined) return [];
  const { enum: values = [] } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const named = values.filter((value) => typeof value === "string");
  const example = op.example.request[name];
  return [...named, ...(example === undefined ? [] : [example]), ...candidates]
    .filter((value) => value !== "" && schema.safeParse(value).success)
    .toSorted((one, other) => Buffer.byteLength(other) - Buffer.byteLength(one));
}

/** Parameters whose values are those of rows, which the world makes. */
export function isId(name: string): boolean {
  return name === "events" || (name.endsWith("_id") && name !== "color_id" && name !== "palette_id");
}

export type Params = Readonly<Record<string, string>>;

/** Of each parameter. */
const mostValues = isShort ? 3 : 12;

/**
 * The legal requests of an operation that are the worst: all parameters at once, then each value of each. An id that is "" is left
 * out, since it is not accepted beside another one.
 */
export function worstRequests(id: OperationId, ids: Params): readonly Params[] {
  const op: Operation = operations[id];
  const names = Object.keys(op.params.shape);
  const base: Record<string, string> = {};
  for (const name of names) {
    const value = isId(name) ? ids[name] : op.example.request[name];
    if (isId(name) && value === undefined) throw new Error(`say in world.ts how to make a ${name}`);
    if (value !== undefined && value !== "") base[name] = value;
  }
  const free = names.filter((name) => !isId(name));
  const worst = new Map(free.map((name) => [name, worstValues(id, name)]));
  for (const [name, values] of worst)
    if (values.length === 0) throw new Error(`say in worst.ts what is the worst ${name}`);
  const all = { ...base, ...Object.fromEntries([...worst].map(([name, [value = ""]]) => [name, value])) };
  const each = [...worst].flatMap(([name, values]) =>
    values.slice(0, mostValues).map((value) => ({ ...base, [name]: value })),
  );
  const bare = Object.fromEntries(
    Object.entries(base).filter(
      ([name]) => isId(name) || isNeeded(id, name) || mandatoryParams(op).includes(name),
    ),
  );
  return [bare, all, ...(isWrite(op) ? [{ ...all, ...soonOf(base) }] : []), ...each];
}

/** The dates of a request as they were, so that its other values are stored where the worst date is not possible. */
function soonOf(base: Params): Params {
  return Object.fromEntries(Object.entries(base).filter(([name]) => /date|timezone|rrule/.test(name)));
}
