import { Refusal } from "./errors.js";
import type { Faulty } from "./faults.js";
import type { Pair } from "./request.js";
import { rules } from "./rules.js";

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
  const { given, repeated } = knownOf(known, pairs);
  if (faulty("M16") && given["page"] === "0") throw new TypeError("LIMIT must not be negative");
  const params = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== "" || accepted.clearable?.includes(name)),
  );
  // upcoming disables order_by, even a bad one (service.md 4.5, rulings R3.6).
  if (params["upcoming"] !== undefined && !faulty("M44")) delete params["order_by"];

  const failures = new Map<string, string>();
  if (!faulty("K40")) for (const name of repeated) failures.set(name, "must be given once");
  const missing = [...missingOf(accepted, params, faulty), ...lonely(known, params, faulty)];
  for (const [name, message] of [...missing, ...brokenRules(params, faulty)])
    if (!failures.has(name)) failures.set(name, message);
  if (failures.size === 0) return params;
  const listed = [...failures].map(([parameter, message]) => ({ parameter, message }));
  if (repeated.length > 0 && !faulty("K40")) throw new Refusal("parameter_repeated", listed);
  throw new Refusal(missing.length > 0 ? "parameter_missing" : "parameter_invalid", listed);
}

/** Lists that people write with a blank behind each comma; names may not have one at their ends. */
const mayHaveBlanks = ["types", "rdate", "exdate"];

function withoutBlanks(list: string): string {
  const items = list.split(",").map((item) => item.trim());
  return items.join() || list; // blanks alone are no empty value, which would count as absent
}

/** Of a repeated parameter the last; `name[]` and `name[x]` count as repeated (rulings R1.4). */
function knownOf(known: readonly string[], pairs: readonly Pair[]) {
  const given: Record<string, string> = {};
  const repeated: string[] = [];
  for (const [name, value] of pairs) {
    const plain = name.replace(/\[.*$/s, "");
    if (!known.includes(plain)) continue;
    if (plain !== name || given[plain] !== undefined) repeated.push(plain);
    given[plain] = mayHaveBlanks.includes(plain) ? withoutBlanks(value) : value;
  }
  return { given, repeated };
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

function brokenRules(params: Params, faulty: Faulty): readonly Broken[] {
  return Object.entries(params).flatMap(([name, value]): readonly Broken[] => {
    const message = value === "" ? undefined : rules[name]?.(value, faulty, params);
    if (message === undefined) return [];
    return [[name, faulty("K41") ? `${message}, not ${value}` : message]];
  });
}
