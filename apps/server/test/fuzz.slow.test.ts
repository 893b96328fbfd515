import { body, type Operation, operationIds, operations } from "@kalends/spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CalendarRow, EventRow, SubscriberRow } from "../src/db/rows.js";
import { blamed, codeOf, exchange, freshItems, freshSeries, hasDeclaredType, type Values } from "./calls.js";
import { withoutUse } from "./database-content.js";
import { faultsOf, onPostgres } from "./databases.js";
import { type Answer, testServer, withMail } from "./harness.js";
import { canary, foreignId, type HostileRequest, hostileRequest, ownId, requestTo } from "./hostile.js";

// Whatever is sent, the answer is the envelope, never a failure of ours, and never what was sent. fast-check prints the seed
// and the smallest request of a failure.

const server = await testServer({ ...withMail, WEBHOOKS_PER_ACCOUNT: "1000", PAGE_SIZE: "5" });
const owner = await server.account();
const reader = await server.account({ scope: "read" });
const victim = await server.account();

/** An event of a series besides, for the operations that take no other, and what is in the trash. */
type OwnItems = Values & { readonly repeated: string };

let madeItems = 0;

async function newItems(): Promise<OwnItems> {
  const [items, deleted] = [await freshItems(server, owner), await freshItems(server, owner)];
  const [repeated, gone] = [
    await freshSeries(owner, items.calendar_id),
    await freshSeries(owner, items.calendar_id),
  ];
  const seriesOf = async (event_id: string): Promise<string> =>
    (await owner.call("eventsDetails", { event_id })).body.event.series_id;
  const [series_id, goneSeries] = [await seriesOf(repeated), await seriesOf(gone)];
  const { calendar_id = "" } = items;
  // Some calendars have what a merge needs, others what a rename needs.
  const categories = madeItems++ % 2 === 0 ? "Concerts,Für Kinder" : "Music,Children";
  await owner.call("eventsCreate", { calendar_id, ...someEvent, categories });
  const { event } = (await owner.call("eventsCreate", { calendar_id, ...someEvent })).body;
  await owner.call("eventsSeriesDelete", { event_id: gone, scope: "all" });
  await owner.call("deleteEvent", { event_id: event.id });
  await owner.call("deleteCalendar", { calendar_id: deleted.calendar_id ?? "" });
  const inTrash = { calendar_id: deleted.calendar_id ?? "", event_id: event.id, series_id: goneSeries };
  return { ...items, repeated, series_id, ...prefixed(inTrash) };
}

const someEvent = { title: "x", start_date: "2026-07-04T13:30" };

const prefixed = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`trashed_${name}`, value]));

/** Calendars with one event and one subscriber each; a deleted one is created again. */
const ownItems: OwnItems[] = [];
for (let n = 0; n < 10; n++) ownItems.push(await newItems());
const foreignItems = await freshItems(server, victim);
const tokens = {
  good: owner.token,
  read: reader.token,
  unknown: `kal_${canary.padEnd(44, "0")}`,
  malformed: `${canary}'--`,
  none: "",
};

function withIds({ id, n }: HostileRequest, name: string, value: string): string {
  const items = ownItems[n % ownItems.length];
  const isRepeated = name === "event_id" && (id === "eventsSeriesUpdate" || id === "eventsSeriesDelete");
  const isInTrash = operations[id].tag === "Trash";
  const own =
    (isInTrash ? items?.[`trashed_${name}`] : undefined) ?? items?.[isRepeated ? "repeated" : name] ?? "1";
  return value.replaceAll(ownId, own).replaceAll(foreignId, foreignItems[name] ?? "1");
}

type Sent = readonly [name: string, value: string];

/** encodeURIComponent throws on a lone surrogate: as bytes it is what UTF-8 forbids. */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
}

function form(pairs: readonly Sent[]): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
}

function bodyOf({ bodyKind }: HostileRequest, pairs: readonly Sent[]): string {
  if (bodyKind === "form") return form(pairs);
  if (bodyKind === "multipart") return multipart(pairs);
  return bodyKind === "json" ? JSON.stringify(Object.fromEntries(pairs)) : `{"${canary}":${form(pairs)}`;
}

/** Names and values as they are: quotes, line breaks and boundaries in them break the body. */
function multipart(pairs: readonly Sent[]): string {
  const parts = pairs.map(
    ([name, value]) => `--fuzz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--fuzz--\r\n`;
}

const typeOf = {
  form: "application/x-www-form-urlencoded",
  json: "application/json",
  multipart: "multipart/form-data; boundary=fuzz",
  junk: "application/json",
} as const;

function send(request: HostileRequest): Promise<Answer> {
  const { method, path, token, tokenLocation, contentType, junk } = request;
  const takesBody = method === "POST";
  const sent = request.pairs.map(({ name, value, location }) => ({
    name,
    value: withIds(request, name, value),
    location: takesBody ? location : "query",
  }));
  const pairsIn = (where: string): Sent[] =>
    sent
      .filter(({ location }) => location === where)
      // Headers are limited to 64 KiB; longer texts are sent in the body.
      .map(({ name, value }): Sent =>
        where === "query" ? [name.slice(0, 500), value.slice(0, 500)] : [name, value],
      );
  const [query, inBody] = [pairsIn("query"), pairsIn("body")];
  const location = tokenLocation === "body" && !takesBody ? "query" : tokenLocation;
  if (token !== "none" && location.startsWith("query")) query.push(["token", tokens[token]]);
  if (token !== "none" && location === "body") inBody.push(["token", tokens[token]]);
  const authorization =
    token !== "none" && location.endsWith("bearer") ? { Authorization: `Bearer ${tokens[token]}` } : {};
  const type = contentType || typeOf[request.bodyKind];
  const headers = { ...authorization, ...(takesBody ? { "Content-Type": type } : {}), ...request.headers };
  const target = `${path}?${form(query)}${junk}`;
  return exchange(
    server,
    target,
    takesBody ? { method, headers, body: bodyOf(request, inBody) } : { method, headers },
  );
}

const internals =
  /SQLITE|node_modules|\bat \/|\bat (?:async )?[\w.]+ \(|select |insert into|\.ts:\d|\.js:\d|TypeError|RangeError|knex/i;

function expectSound({ id, method }: HostileRequest, answer: Answer): void {
  const op: Operation = operations[id];
  const { status, text, headers } = answer;
  expect(status).toBeLessThan(500);
  expect(headers.get("X-Request-Id")).toMatch(/^[0-9a-f]{32}$/);
  expect(headers.get("Set-Cookie")).toBeNull();
  if (method === "HEAD" || status === 304) {
    expect(text).toBe("");
    return;
  }
  if (status === 200) expect(hasDeclaredType(op, answer)).toBe(true);
  else expect(headers.get("Content-Type")).toBe("application/json");
  if (status === 200 && op.fileAnswer !== undefined) return;
  const { meta } = answer.body;
  // The path may be another than the operation's: an error then has a string code (rulings R2.1).
  expect(status === 404 || status === 400 ? Number(meta.code) : meta.code).toBe(
    status === 404 || status === 400 ? status : codeOf(op, status),
  );
  if (status === 200) {
    expect(body(op).parse(answer.body)).toStrictEqual(answer.body);
    return;
  }
  expect(text).not.toMatch(internals);
  expect(text).not.toContain(canary);
  expect(meta.request_id).toBe(headers.get("X-Request-Id"));
  if (meta.error_type.startsWith("parameter_")) {
    expect(blamed(answer)).not.toStrictEqual([]);
    for (const name of blamed(answer)) expect([...Object.keys(op.params.shape), "token"]).toContain(name);
  }
}

/** Creates new items for those that the request may have deleted, and categories for those that have another name. */
async function renew({ id, n }: HostileRequest): Promise<void> {
  if (/^(delete|remove|restore|purge|rename|merge)/.test(id))
    ownItems[n % ownItems.length] = await newItems();
}

/** The same requests in each run, since a failure by chance helps no one; others on each database, or with another seed. */
const seed = Number(process.env.KALENDS_FUZZ_SEED ?? (onPostgres ? 2 : 3));
const runs = Number(process.env.KALENDS_FUZZ_RUNS ?? 1_500);

/** How often each status was met, which operations succeeded, and which kinds of bodies. */
const statuses = new Map<number, number>();
const succeeded = new Set<string>();
const read = new Set<string>();

async function tryOne(request: HostileRequest): Promise<void> {
  const answer = await send(request);
  if (answer.status === 200 && request.method === "POST") read.add(request.bodyKind);
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  expectSound(request, answer);
  if (answer.status === 200) succeeded.add(request.id);
  if (answer.status === 200) await renew(request);
}

test(`${runs} hostile requests get sound answers`, async () => {
  const before = await rowsOfVictim();
  await fc.assert(fc.asyncProperty(hostileRequest, tryOne), { seed, numRuns: runs });
  // What had no luck yet is sent more often.
  for (const id of operationIds.filter((id) => !succeeded.has(id)))
    for (const request of fc.sample(requestTo(id), { seed, numRuns: 2_000 })) {
      if (succeeded.has(id)) break;
      await tryOne(request);
    }
  expect(await rowsOfVictim()).toBe(before);
});

test("enough of them went through, in every operation, and every kind of refusal was met", () => {
  expect([...succeeded].toSorted()).toStrictEqual([...operationIds].toSorted());
  expect(statuses.get(200) ?? 0).toBeGreaterThan(runs / 10);
  for (const kind of ["form", "json", "multipart"]) expect(read).toContain(kind);
  const rare = [400, 401, 403, 404, 405, 415].filter((status) => (statuses.get(status) ?? 0) < 5);
  expect(rare).toStrictEqual([]);
});

test("afterwards the counters of every calendar are what its rows say, and the file is sound", async () => {
  const [calendars, events, subscribers] = await server.db.snapshot(
    async (read) =>
      [
        await read<CalendarRow>("calendars").whereNull("deleted_at").select("*"),
        await read<EventRow>("published_events").select("*"),
        await read<SubscriberRow>("subscribers").select("*"),
      ] as const,
  );
  expect(calendars.length).toBeGreaterThan(10);
  for (const { id, events_total, followers_total } of calendars) {
    const [counted, followed] = [events, subscribers].map(
      (rows) => rows.filter(({ calendar_id }) => calendar_id === id).length,
    );
    expect([id, events_total, followers_total]).toStrictEqual([id, counted, followed]);
  }
  expect(await faultsOf(server.db)).toStrictEqual([]);
});

test("the log holds one line for each request, and nothing of what was sent", () => {
  const log = server.logText();
  expect(log).not.toContain(canary);
  for (const { token } of [owner, reader, victim]) expect(log).not.toContain(token);
  expect(log).not.toContain("internal_error");
});

async function rowsOfVictim(): Promise<string> {
  const where = { account_id: victim.id };
  const rows = ["tokens", "calendars", "events", "subscribers"].map((table) =>
    server.db.read<Record<string, unknown>>(table).where(where).orderBy("id").select("*"),
  );
  return JSON.stringify((await Promise.all(rows)).flat().map(withoutUse));
}
