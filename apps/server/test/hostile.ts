import { isWrite, type Operation, type OperationId, operationIds, operations } from "@kalends/spec";
import fc from "fast-check";
import { isNeeded } from "./calls.js";

// Requests for fuzzing, made from the operations of the spec: right ones, nearly right ones and hostile ones.

/** Stands in every text that is certainly wrong; no answer and no log line may show it. */
export const canary = "zqCANARYqz";

export interface Pair {
  readonly name: string;
  readonly value: string;
  readonly location: "query" | "body";
}

export interface HostileRequest {
  readonly id: OperationId;
  /** Which of the own items the ids are of. */
  readonly n: number;
  readonly method: string;
  readonly path: string;
  readonly pairs: readonly Pair[];
  /** Put behind the query as it is. */
  readonly junk: string;
  readonly bodyKind: "form" | "json" | "multipart" | "junk";
  readonly contentType: string;
  readonly token: "good" | "read" | "unknown" | "malformed" | "none";
  readonly tokenLocation: "bearer" | "query" | "body" | "query and bearer";
  readonly headers: Readonly<Record<string, string>>;
}

/** Stand for an id that is known only when the request is sent: of the n-th items, or of another account's. */
export const ownId = "own-id";
export const foreignId = "foreign-id";

const ids = fc.oneof(
  { weight: 9, arbitrary: fc.constant(ownId) },
  { weight: 1, arbitrary: fc.constantFrom(foreignId, "9007199254740991", "77777") },
);

/** Right values of the parameters, beside those of the spec's examples. */
const right: Readonly<Record<string, fc.Arbitrary<string>>> = {
  calendar_id: ids,
  event_id: ids,
  series_id: ids,
  token_id: ids,
  sync_id: ids,
  subscriber_id: ids,
  webhook_id: ids,
  delivery_id: ids,
  message_id: ids,
  entry_id: ids,
  person_id: fc.constantFrom("1", "77777"),
  url: fc.constantFrom(
    "https://hooks.example/",
    "https://hooks.example:8443/a?b=c",
    "https://[2001:db8::1]/",
  ),
  types: fc.constantFrom("event.created", "calendar.deleted,subscriber.blocked"),
  with_person: fc.constantFrom("true", "false"),
  status: fc.constantFrom("confirmed", "tentative", "cancelled"),
  custom_data: fc.constantFrom("{}", '{"hall":"2b","seats":[1,{"a":null}]}', '{"toString":1,"🎉":"\\u0000"}'),
  custom_data_key: fc.constantFrom("hall", "__proto__", "🎉"),
  custom_data_value: fc.constantFrom("2b", "1"),
  all: fc.constant("true"),
  page: fc.constantFrom("1", "2", "3", "999999", "9007199254740991"),
  order_by: fc.constantFrom("date-desc", "id-asc", "id-desc"),
  month: fc.constantFrom("01", "07", "12"),
  year: fc.constantFrom("0000", "1900", "2026", "9999"),
  upcoming: fc.constantFrom(
    "now",
    "2026-07-04 10:00:00",
    "04-07-2026",
    "1900/01/01 12:00am",
    "12/31/9999 11:59pm",
  ),
  timezone: fc.constantFrom(
    "UTC",
    "Asia/Kolkata",
    "US/Pacific",
    "Australia/Lord_Howe",
    "Europe/Dublin",
    "Pacific/Apia",
  ),
  palette_id: fc.constantFrom("1", "2", "10"),
  color_id: fc.constantFrom("1", "9", "20"),
  reminder: fc.constantFrom("0", "5", "40320"),
  start_date: fc.constantFrom(
    "07/04/2026 10:00",
    "03/08/2026 02:30",
    "01/01/1900 00:00",
    "12/31/9999 23:59",
    "11/01/2026 01:30 AM",
  ),
  end_date: fc.constantFrom(
    "07/04/2026 11:00",
    "12/31/9999 23:59",
    "01/01/1900 00:00 am",
    "07/04/2026 13:00 PM",
  ),
  all_day_event: fc.constantFrom("true", "FALSE", "1", "0"),
  categories: fc.constantFrom("Concerts", "Concerts,Für Kinder"),
  category: fc.constantFrom("Music", "Children"),
  events: fc.constantFrom(ownId, `${ownId}:0`),
  rrule: fc.constantFrom("FREQ=WEEKLY;COUNT=3", "FREQ=MONTHLY;INTERVAL=6;BYDAY=-1FR", "FREQ=YEARLY;COUNT=2"),
  rdate: fc.constantFrom("2026-12-21T13:30", "2027-01-01,2027-03-28 02:30"),
  exdate: fc.constantFrom("2026-07-11T10:00", "2027-01-01"),
  scope: fc.constantFrom("this", "following", "all"),
  organizer_email: fc.constantFrom("a@example.com", "ü@例え.jp", "o'neil+x@example.com"),
};

/** Hostile, yet a text like others where text is taken. */
const strange = fc.constantFrom(
  ...[
    "<script>alert(1)</script>",
    "'; drop table events; --",
    "1' or '1'='1",
    "${7*7}{{7*7}}",
    "%s%n%x",
    "..\\..\\..\\etc\\passwd",
  ],
  ...[
    "\u202e\u2066abc\u2069",
    "a\u0301\u0301\u0301\u0301",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "שלום עולם",
    "\ufeff\u200b\u00a0",
    "\u2028\u2029",
    "ﷺ".repeat(80),
    "\ufffe\uffff",
  ],
  ...[
    "null",
    "undefined",
    "NaN",
    "true",
    "[object Object]",
    "__proto__",
    "0",
    "-0",
    "1e309",
    "0x7f",
    "９",
    "٣",
    "\t",
    " ",
    "\\n\\r\\n",
    '"',
    "\\",
  ],
);

/** Invalid or too long everywhere; the canary shows whether a response echoes it. */
const wrong = fc.oneof(
  fc
    .constantFrom("\0", "\r\nSet-Cookie: a=b", "\u001b[2J", "\u007f", "\u0085", "\n", "\u0001".repeat(50))
    .map((text) => `${canary}${text}`),
  fc.string({ unit: "binary", maxLength: 40 }).map((text) => `${canary}${text}`),
  fc.constantFrom(256, 70_000).map((length) => canary + "x".repeat(length)),
);

/** One small step beside a right value. */
function mutated(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const steps = fc.constantFrom<(text: string, at: number) => string>(
    (text, at) => text.slice(0, at) + text.slice(at + 1),
    (text, at) => text.slice(0, at) + text.slice(at, at + 1) + text.slice(at),
    (text, at) => `${text.slice(0, at)}9${text.slice(at + 1)}`,
    (text, at) => `${text.slice(0, at)} ${text.slice(at)}`,
    (text) => text.toUpperCase(),
    (text) => `0${text}`,
    (text) => `+${text}`,
    (text) => `-${text}`,
    (text) => `${text}.0`,
    (text) => `${text}\u0000`,
    (text) => text.replaceAll("/", "-"),
    (text) => text.repeat(20),
  );
  return fc.tuple(value, steps, fc.nat(20)).map(([text, step, at]) => step(text, at % (text.length + 1)));
}

const location = fc.constantFrom<Pair["location"]>("query", "query", "body");

/** None, one or more pairs of a parameter. */
function pairsOf(id: OperationId, name: string): fc.Arbitrary<readonly Pair[]> {
  const op: Operation = operations[id];
  const example = fc.constant(op.example.request[name] ?? "5");
  const value = right[name] ?? example;
  const pair = (values: fc.Arbitrary<string>, key = name) =>
    fc.record({ name: fc.constant(key), value: values, location });
  const one = (values: fc.Arbitrary<string>, key = name) => pair(values, key).map((only) => [only]);
  const mandatory = isNeeded(id, name) || !op.params.shape[name]?.safeParse(undefined).success;
  return fc.oneof(
    { weight: mandatory ? 95 : 30, arbitrary: one(value) },
    { weight: mandatory ? 1 : 70, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: one(mutated(value)) },
    { weight: 2, arbitrary: one(fc.oneof(strange, wrong)) },
    { weight: 2, arbitrary: one(fc.constant("")) },
    { weight: 1, arbitrary: fc.array(pair(value), { minLength: 2, maxLength: 3 }) },
    { weight: 1, arbitrary: one(value, `${name}[]`) },
  );
}

const unknownPairs = fc.oneof(
  { weight: 6, arbitrary: fc.constant<readonly Pair[]>([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({
        name: fc.oneof(
          fc.constantFrom("__proto__", "constructor", "toString", "x", "token2", "", "a.b[c]", canary),
          wrong,
        ),
        value: fc.oneof(strange, wrong),
        location,
      }),
      { maxLength: 3 },
    ),
  },
);

const rarely = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(usual, ...others) },
  );

/** A request of one operation. */
export function requestTo(id: OperationId): fc.Arbitrary<HostileRequest> {
  const op: Operation = operations[id];
  const known = fc.tuple(...Object.keys(op.params.shape).map((name) => pairsOf(id, name)));
  return fc.record({
    id: fc.constant(id),
    n: fc.nat(100),
    method: isWrite(op)
      ? fc.constantFrom(
          "POST",
          "POST",
          "POST",
          op.methods.length === 1 ? "POST" : "GET",
          "GET",
          "HEAD",
          "PUT",
        )
      : fc.constantFrom("GET", "GET", "GET", "HEAD", "POST"),
    path: rarely(
      op.path,
      op.path.replace(/\/$/, ""),
      `${op.path}${canary}`,
      op.path.toUpperCase(),
      `/${op.path}`,
      `${op.path}%00`,
    ),
    pairs: fc.tuple(known, unknownPairs).map(([pairs, others]) => [...pairs.flat(), ...others]),
    junk: rarely(
      "",
      "&",
      "&%zz=1",
      `&${canary}=%`,
      "&a=%FF",
      "&=&&==",
      "&a=%ED%A0%80",
      `&${"p=1&".repeat(2000)}`,
    ),
    bodyKind: fc.constantFrom<HostileRequest["bodyKind"][]>(
      ...(["form", "form", "json", "json", "multipart", "multipart", "junk"] as const),
    ),
    contentType: rarely(
      "",
      "text/plain",
      "application/json; charset=latin1",
      "multipart/form-data; boundary=x",
      `x/${canary}`,
    ),
    token: rarely<HostileRequest["token"]>("good", "read", "unknown", "malformed", "none"),
    tokenLocation: rarely<HostileRequest["tokenLocation"]>("bearer", "query", "body", "query and bearer"),
    headers: rarely<Readonly<Record<string, string>>>(
      {},
      ...[
        { "Sec-Purpose": "prefetch" },
        { "If-None-Match": '*, "x"' },
        { Accept: "text/html" },
        { Origin: "https://evil.example" },
      ],
      ...[
        { "Content-Encoding": "gzip" },
        { Cookie: `a=${canary}` },
        { "X-Forwarded-For": "::1" },
        { Range: "bytes=0-1" },
        { Host: canary },
      ],
    ),
  });
}

/** An operation of many parameters is sent more often: fewer of its requests are right. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  ...operationIds.map((id) => ({
    weight: 2 + Object.keys(operations[id].params.shape).length,
    arbitrary: requestTo(id),
  })),
);
