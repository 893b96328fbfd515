import { brokenRule, isWrite, type Operation, type ParameterFailure } from "@kalends/spec";
import { LRUCache } from "lru-cache";
import { ApiError } from "./errors.js";
import { withAdvice } from "./file-body.js";
import {
  isParameter,
  isShowable,
  maxPairs,
  mostShown,
  type Pair,
  plainName,
  readForm,
} from "./query-string.js";
import { ruleOf, type Values } from "./parameter-checks.js";

/** Refuses control characters (rulings R1.4): TAB is allowed, line breaks only in a description. */
export function checkCharacters(pairs: readonly Pair[], op: Operation): void {
  const failures = new Map<string, ParameterFailure>();
  let unknown = false;
  for (const [name, value] of pairs) {
    if (plainName(name) === op.file?.parameter) continue; // what reads the file sees to it
    const isText = name === "description" || (name === "text" && Object.hasOwn(op.params.shape, name));
    const mayHaveLines = isText || op.structured?.[name] === "object";
    const { forbidden, rule } = mayHaveLines ? severalLines : oneLine;
    if (!control.test(name) && !forbidden.test(value)) continue;
    if (Object.hasOwn(op.params.shape, name)) {
      failures.set(name, { parameter: name, message: rule, code: "forbidden_characters" });
    } else unknown = true;
  }
  if (!unknown && failures.size === 0) return;
  throw withAdvice(new ApiError("encoding_invalid", [...failures.values()]), op);
}

// oxlint-disable-next-line no-control-regex -- these are what is looked for; with a look-ahead and \p{Cc} it takes ten times as long
const control = /[\0-\x08\n-\x1f\x7f-\x9f]/;
const oneLine = { forbidden: control, rule: "must hold no control characters but tabs" };
const severalLines = {
  // oxlint-disable-next-line no-control-regex -- the same
  forbidden: /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/,
  rule: "must hold no control characters but tabs and line breaks",
};

/**
 * The parameters of an operation from what was sent: a known one given twice is refused, an unknown one is ignored, an
 * empty one is absent (rulings R1.4, R1.5), the rest must satisfy the spec.
 * @throws ApiError naming every failing parameter.
 */
export function readParams(op: Operation, pairs: readonly Pair[]): Values {
  const repeated = repeatedParameters(op, pairs);
  const given: Record<string, string> = { ...op.defaults };
  for (const [name, value] of pairs) {
    if (Object.hasOwn(op.params.shape, name) && (value !== "" || op.clearable?.includes(name) === true))
      given[name] = op.trimmed?.includes(name) === true ? withoutBlanks(value) : value;
  }
  for (const [name, other] of Object.entries(op.ignoredWith ?? {}))
    if (given[other] !== undefined) delete given[name];
  const malformed = schemaFailures(op, given);
  const failures = firstOfEach([...repeated, ...malformed, ...ruleFailures(op, given, malformed)]);
  const [first] = failures;
  if (first === undefined) return given;
  const code =
    repeated.length > 0
      ? "parameter_repeated"
      : given[first.parameter] === undefined
        ? "parameter_missing"
        : "parameter_invalid";
  throw new ApiError(code, code === "parameter_missing" ? withJsonHint(failures, pairs) : failures);
}

/** What a request sent as parameters of an operation. */
export class Sent {
  readonly op: Operation;
  readonly pairs: readonly Pair[];
  /** The names that the operation ignores, as `ignoredParameters` returns them. */
  readonly ignored: string | undefined;
  private known: Values | undefined;

  constructor(op: Operation, pairs: readonly Pair[]) {
    this.op = op;
    this.pairs = pairs;
    this.ignored = ignoredParameters(op, pairs);
    this.known = undefined;
  }

  /** @throws ApiError as `readParams` does */
  get params(): Values {
    this.known ??= readParams(this.op, this.pairs);
    return this.known;
  }
}

/** The parameters of the query and of the body. Of a link only those of the body: addresses are logged, and a link is a secret. */
export function withBody({ op, pairs }: Sent, body: readonly Pair[]): Sent {
  if (op.auth === "link") return new Sent(op, body);
  if (pairs.length + body.length > maxPairs) throw new ApiError("too_many_parameters");
  return new Sent(op, [...pairs, ...body]);
}

/** Returns what the query of an address sends. @throws ApiError when it is not a form of permitted characters */
export type ReadQuery = (op: Operation, query: string) => Sent;

/** The queries of reads are remembered: a client repeats its lists byte for byte (docs/decisions/0009). */
export function createReadQuery(): ReadQuery {
  const read: ReadQuery = (op, query) => {
    const pairs = readForm(query);
    checkCharacters(pairs, op);
    return new Sent(op, pairs);
  };
  const known = new LRUCache<string, Sent, Operation>({
    maxSize: 4 * 1024 * 1024,
    sizeCalculation: ({ pairs }, key) => 500 + 4 * key.length + 100 * pairs.length,
    memoMethod: (key, _stale, { context: op }) => read(op, key.slice(op.path.length + 1)),
  });
  return (op, query) => (isWrite(op) ? read(op, query) : known.memo(`${op.path} ${query}`, { context: op }));
}

/** Splits, since a pattern takes quadratic time for a long row of blanks. */
function withoutBlanks(list: string): string {
  return list
    .split(",")
    .map((item) => item.trim())
    .join(",");
}

/** JSON that is sent as a form, the type that curl gives by itself, is one long name: the first error says what to send. */
function withJsonHint(
  failures: readonly ParameterFailure[],
  pairs: readonly Pair[],
): readonly ParameterFailure[] {
  if (!pairs.some(([name]) => name.trimStart().startsWith("{"))) return failures;
  const hint = "a JSON body needs the header Content-Type: application/json";
  return failures.map((failure, index) =>
    index === 0 ? { ...failure, message: `${failure.message}; ${hint}` } : failure,
  );
}

/**
 * The names of the parameters that the operation ignores, for people who look for a misspelling (rulings R1.11); `*` stands
 * for those that are unfit to be shown. Undefined when there are none.
 */
function ignoredParameters(op: Operation, pairs: readonly Pair[]): string | undefined {
  const ignored = pairs.flatMap(([name]) => (isParameter(op, name) ? [] : [name]));
  if (ignored.length === 0) return undefined;
  const names = new Set(ignored.map((name) => (isShowable(name) ? name : "*")));
  const shown = [...names].slice(0, mostShown);
  return [...shown, ...(names.size > shown.length ? ["*"] : [])].join(", ");
}

function firstOfEach(failures: readonly ParameterFailure[]): readonly ParameterFailure[] {
  return failures.filter(
    ({ parameter }, index) => failures.findIndex((other) => other.parameter === parameter) === index,
  );
}

function repeatedParameters(op: Operation, pairs: readonly Pair[]): readonly ParameterFailure[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of pairs) {
    const plain = plainName(name);
    if (!Object.hasOwn(op.params.shape, plain)) continue;
    if (plain !== name || seen.has(name)) repeated.add(plain);
    seen.add(name);
  }
  return [...repeated].map((parameter) => ({
    parameter,
    message:
      op.structured?.[parameter] === "list"
        ? "must be given once, with commas between its items"
        : "must be given once, as a single value",
    code: "repeated",
  }));
}

/** One failure for each parameter that its schema refuses, in the order of the spec. */
function schemaFailures(op: Operation, given: Values): readonly ParameterFailure[] {
  return Object.entries(op.params.shape).flatMap(([parameter, schema]) => {
    const value = given[parameter];
    const result = schema.safeParse(value);
    if (result.success) return [];
    if (value === undefined) return [{ parameter, message: missing(op, parameter), code: "missing" }];
    return [{ parameter, ...brokenRule(result.error.issues[0]) }];
  });
}

function missing({ file }: Operation, parameter: string): string {
  if (file?.parameter !== parameter) return "is required";
  return `is required; send the file as the body, with Content-Type: ${[file.mediaType, ...(file.otherTypes ?? [])].join(" or ")}`;
}

/** What a schema alone cannot say: real dates, known zones, parameters that go together. */
function ruleFailures(
  op: Operation,
  given: Values,
  malformed: readonly ParameterFailure[],
): readonly ParameterFailure[] {
  const failures = Object.entries(given).flatMap(([parameter, value]) => {
    if (value === "" || malformed.some((failure) => failure.parameter === parameter)) return [];
    const broken = ruleOf(parameter)(
      value,
      op.partial === true ? { all_day_event: "true", ...given } : given,
    );
    return broken === undefined ? [] : [{ parameter, ...broken }];
  });
  const [one, other] = op.together ?? [];
  if (one === undefined || other === undefined || (given[one] === undefined) === (given[other] === undefined))
    return failures;
  const [sent, lacking] = given[one] === undefined ? [other, one] : [one, other];
  return [
    ...failures,
    { parameter: lacking, message: `must be given together with ${sent}`, code: "missing" },
  ];
}

/** Whether a request to a write announces itself as a prefetch (rulings R1.8). */
export function isPrefetch(
  op: Operation,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  if (!isWrite(op)) return false;
  const purposes = [headers["sec-purpose"], headers.purpose, headers["x-purpose"], headers["x-moz"]].flat();
  return purposes.some((purpose) => /prefetch|preview/i.test(purpose ?? ""));
}
