import { Refusal } from "./errors.js";
import type { Faulty } from "./faults.js";
import type { Pair } from "./request.js";
import { meanings, type Rule, rules } from "./rules.js";

export type Params = Readonly<Record<string, string>>;

export interface Accepted {
  /** Parameters without which the operation is refused. */
  readonly mandatory: readonly string[];
  readonly optional: readonly string[];
  /** Those that an empty value clears, instead of being absent (rulings R4.6). */
  readonly clearable?: readonly string[];
  /** Those that a JSON body may give as an object. */
  readonly structured?: readonly string[];
  /** Those that a JSON body may give as a list of texts; a form has commas between them. */
  readonly lists?: readonly string[];
  /** Whether what is not sent is that of a stored item, so that `all_day_event` is not known yet. */
  readonly isPartial?: boolean;
  /** The one that the body itself may be, as text/calendar (extensions.md X6.1). */
  readonly file?: string;
}

/** The id that a parameter names; its rule has been asked. */
export function idOf(params: Params, name: string): number {
  return Number.parseInt(params[name] ?? "", 10);
}

/** The known parameters of a request, each satisfying its rule (service.md 4, rulings R1.4, R1.5, R2.2). */
export function readParams(accepted: Accepted, pairs: readonly Pair[], faulty: Faulty): Params {
  const known = [...accepted.mandatory, ...accepted.optional];
  const { given, empty, repeated } = knownOf(known, pairs);
  if (faulty("M16") && given["page"] === "0") throw new TypeError("LIMIT must not be negative");
  const params = Object.fromEntries(
    Object.entries(given).filter(([name]) => !empty.has(name) || accepted.clearable?.includes(name)),
  );
  // upcoming disables order_by, even a bad one (service.md 4.5, rulings R3.6).
  if (params["upcoming"] !== undefined && !faulty("M44")) delete params["order_by"];

  const again = faulty("K40") ? [] : repeated.map((name): Broken => [name, "must be given once"]);
  const missing = missingOf(accepted, params, faulty);
  const malformed = [...missing, ...brokenRules(rules, params, params, faulty)];
  const names = new Set(malformed.map(([name]) => name));
  const formed = Object.fromEntries(Object.entries(params).filter(([name]) => !names.has(name)));
  const all = accepted.isPartial === true ? { all_day_event: "true", ...params } : params;
  const unreal = [...brokenRules(meanings, formed, all, faulty), ...lonely(known, params, faulty)];
  const inOrder = malformed.toSorted(([one], [other]) => rank(one) - rank(other));
  const failures = new Map([...again, ...inOrder, ...unreal].toReversed());
  const [first] = [...inOrder, ...unreal];
  if (failures.size === 0) return params;
  const listed = [...failures].map(([parameter, message]) => ({ parameter, message }));
  if (again.length > 0) throw new Refusal("parameter_repeated", listed);
  // The first one says which error it is.
  const isMissing = first !== undefined && params[first[0]] === undefined;
  throw new Refusal(isMissing ? "parameter_missing" : "parameter_invalid", listed);
}

/** The order of the specification, as far as it has a mandatory parameter behind others. */
const inFront =
  "url calendar_id event_id webhook_id delivery_id subscriber_id scope title timezone color_id start_date";
const behind = "rrule ics";

function rank(name: string): number {
  const place = inFront.split(" ").indexOf(name);
  if (place >= 0) return place;
  return behind.includes(name) ? inFront.length + 1 : inFront.length;
}

/** Lists that people write with a blank behind each comma; names may not have one at their ends. */
const mayHaveBlanks = ["types", "rdate", "exdate"];

function withoutBlanks(list: string): string {
  return list
    .split(",")
    .map((item) => item.trim())
    .join();
}

/** Of a repeated parameter the last; `name[]` and `name[x]` count as repeated (rulings R1.4). */
function knownOf(known: readonly string[], pairs: readonly Pair[]) {
  const given: Record<string, string> = {};
  const empty = new Set<string>();
  const repeated: string[] = [];
  for (const [name, value] of pairs) {
    const plain = name.replace(/\[.*$/s, "");
    if (!known.includes(plain)) continue;
    if (plain !== name || given[plain] !== undefined) repeated.push(plain);
    if (value === "") empty.add(plain);
    else empty.delete(plain);
    given[plain] = mayHaveBlanks.includes(plain) ? withoutBlanks(value) : value;
  }
  return { given, empty, repeated };
}

type Broken = readonly [name: string, message: string];

function missingOf({ mandatory, optional }: Accepted, params: Params, faulty: Faulty): readonly Broken[] {
  const untitled =
    (faulty("K36") && optional.includes("calendarname")) || (faulty("K72") && mandatory.includes("event_id"));
  return mandatory
    .filter((name) => params[name] === undefined && !(untitled && name === "title"))
    .map((name) => [name, "is required"]);
}

/** month and year come together (rulings R3.5). */
function lonely(known: readonly string[], params: Params, faulty: Faulty): readonly Broken[] {
  const { month, year } = params;
  if (faulty("K70") || !known.includes("month") || (month === undefined) === (year === undefined)) return [];
  return month === undefined
    ? [["month", "must be given together with year"]]
    : [["year", "must be given together with month"]];
}

function brokenRules(
  table: Readonly<Record<string, Rule>>,
  params: Params,
  all: Params,
  faulty: Faulty,
): readonly Broken[] {
  return Object.entries(params).flatMap(([name, value]): readonly Broken[] => {
    // An empty value clears, but no title; a list of types that is only blanks does not.
    const mayBeEmpty = name !== "title" && name !== "types";
    const message = value === "" && mayBeEmpty ? undefined : table[name]?.(value, faulty, all);
    if (message === undefined) return [];
    return [[name, faulty("K41") ? `${message}, not ${value}` : message]];
  });
}
