import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Database, Db } from "../../src/db/database.js";
import { paths } from "../../src/follow/public-paths.js";
import { subscribe } from "../../src/subscribers/subscribe.js";
import { insertSync } from "../../src/syncs/queries.js";
import { calendarFile, vevent } from "../calendar-files.js";
import { newAccount, type TestAccount, testAccount } from "../harness.js";
import { council } from "../series-world.js";
import { addEndpoint, everyType } from "../webhook-world.js";

// An account whose background work never rests: receivers and sources of every kind, series, followers, and what is to be purged.

type Reply = (req: IncomingMessage, res: ServerResponse, body: string) => void;

let seen = 0;
/** How receivers and sources answer, by their path. */
const replies: Readonly<Record<string, Reply>> = {
  good: (_req, res) => res.writeHead(204).end(),
  failing: (_req, res) => res.writeHead(500).end("no"),
  gone: (_req, res) => res.writeHead(410).end(),
  closing: (_req, res) => res.destroy(),
  interim: (_req, res) => {
    for (let count = 0; count < 20; count++) res.writeProcessing();
    res.writeHead(204).end();
  },
  large: (_req, res) => res.writeHead(200).end("a".repeat(100_000)),
  breaking: (_req, res) => {
    res.writeHead(200, { "Content-Length": 10 }).write("a");
    setTimeout(() => res.destroy(), 20);
  },
  trickling: (_req, res) => {
    res.writeHead(200).write("a");
    setTimeout(() => res.write("a"), 100);
  },
  hanging: (_req, res) => void setTimeout(() => res.destroy(), 1_500),
  reused: (_req, res) => res.writeHead(204, { "Keep-Alive": "timeout=1" }).end(() => res.socket?.destroy()),
  upgrading: (req) =>
    req.socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
  file: (_req, res) => {
    const count = ++seen;
    const events = Array.from({ length: 3 }, (_, index) =>
      vevent(`UID:${index}`, `SUMMARY:${count} ${index}`),
    );
    const vanishing = vevent(`UID:gone ${count}`, "DTSTART:20351231T100000Z", "RRULE:FREQ=DAILY;COUNT=2");
    res.writeHead(200, { ETag: `"${count}"` }).end(calendarFile(...events, vanishing));
  },
  many: (_req, res) => {
    // More than is staged at a time, all of it changed; seldom, since it takes a while.
    const [count, title] = ++seen % 4 === 0 ? [220, seen] : [1, 0];
    const events = Array.from({ length: count }, (_, index) =>
      vevent(`UID:many ${index}`, `SUMMARY:${title}`, "CATEGORIES:A,B"),
    );
    res.writeHead(200).end(calendarFile(...events));
  },
  nothing: (_req, res) => res.writeHead(200).end("no calendar"),
  redirecting: (_req, res) => res.writeHead(302, { Location: "file" }).end(),
  unchanged: (req, res) =>
    req.headers["if-none-match"] === undefined
      ? res.writeHead(200, { ETag: '"1"' }).end(calendarFile(vevent()))
      : res.writeHead(304).end(),
};

/** Starts a server on all addresses of this machine that answers by the path. */
export async function startReplies(): Promise<{ readonly port: number; readonly stop: () => void }> {
  const server: Server = createServer((req, res) => {
    let body = "";
    req.on("data", (chunk: Buffer) => (body += chunk.toString()));
    req.once("end", () => replies[req.url?.slice(1) ?? ""]?.(req, res, body));
    req.on("error", () => undefined);
    res.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { port, stop };
}

const hooks = [
  "good",
  "failing",
  "gone",
  "closing",
  "interim",
  "large",
  "breaking",
  "trickling",
  "hanging",
  "reused",
  "upgrading",
];
const start_date = "12/31/2030 20:00";
const sources = [
  "file",
  "many",
  "nothing",
  "redirecting",
  "unchanged",
  "failing",
  "upgrading",
  "breaking",
  "closing",
];
const person = { name: "", email: "", ip: "", postal: null, city: null, state: null, country: null };

/** The account at work. */
export interface BusyWorld {
  /** Makes everything due, and does what an owner does. Nothing of it has to succeed. */
  readonly stir: (round: number) => Promise<void>;
}

/** Makes the accounts of a busy owner. @param url of the server */
export async function makeBusyWorld(db: Database, url: string, port: number): Promise<BusyWorld> {
  const now = Math.floor(Date.now() / 1000);
  const owners: TestAccount[] = [];
  for (let count = 0; count < 3; count++) {
    const { id, token } = await newAccount(db, { createdAt: now });
    owners.push(testAccount(url, id, token));
  }
  const ownerIds = owners.map(({ id }) => id);
  const [owner, other, third] = owners;
  if (owner === undefined || other === undefined || third === undefined) throw new Error("no owners");
  const calendarOf = async (account: TestAccount): Promise<string> =>
    (await account.call("createCalendar", { title: "x", timezone: "Europe/Berlin" })).body.calendar.id;
  const calendars = [await calendarOf(owner), await calendarOf(owner)];
  for (const name of hooks)
    await addEndpoint(db, owner.id, {
      url: `http://127.0.0.1:${port}/${name}`,
      types: everyType,
      with_person: 1,
    });
  for (const host of ["localhost", "nothing.invalid"])
    await addEndpoint(db, other.id, { url: `http://${host}:${port}/good`, types: everyType });
  for (const name of sources)
    await db.transaction(async (trx) => {
      const source = { url: `http://127.0.0.1:${port}/${name}`, host: name, every_seconds: 900, next_at: 0 };
      const calendar_id = Number(calendars[0]);
      return insertSync(trx, { ...source, account_id: owner.id, calendar_id, created_at: now });
    });
  const synced = await calendarOf(other);
  await db.transaction((trx) =>
    insertSync(trx, {
      url: `http://localhost:${port}/file`,
      host: "localhost",
      every_seconds: 900,
      next_at: 0,
      account_id: other.id,
      calendar_id: Number(synced),
      created_at: now,
    }),
  );
  const [calendar_id = ""] = calendars;
  for (let count = 0; count < 3; count++)
    await owner.call("createSeries", {
      calendar_id,
      ...council,
      rrule: "FREQ=WEEKLY",
      custom_data: '{"a":"b"}',
      categories: "A",
    });
  await owner.call("createEvent", { calendar_id, title: "rescheduled", start_date });
  const keys: string[] = [];
  for (let count = 0; count < 3; count++)
    keys.push((await subscribe(db, Number(calendar_id), { ...person, calendar_type: "apple" }, now)) ?? "");
  const leave = async (): Promise<void> => {
    await addEndpoint(db, owner.id, { url: `http://127.0.0.1:${port}/leaving`, types: everyType });
  };
  const syncDeleted = async (id: string): Promise<void> => {
    const source = { url: `http://127.0.0.1:${port}/file`, host: `deleted ${id}`, every_seconds: 900 };
    const sync = { ...source, next_at: 0, account_id: other.id, calendar_id: Number(id), created_at: now };
    await db.transaction((trx) => insertSync(trx, sync));
  };
  return {
    stir: async (round) => {
      await db.transaction((trx) => makeDue(trx, round));
      await db.transaction((trx) => leaveBehind(trx, round, ownerIds));
      if (round % 8 === 0) await leave();
      await useService(url, { owner, other, calendar_id, keys, round, syncDeleted });
    },
  };
}

/** Leaves zone data to be applied: a start computes the times again of an event whose instant is wrong. */
export async function prepareStart(db: Database): Promise<void> {
  await db.transaction(async (trx) => {
    await trx("properties").where({ name: "tzdata_version" }).update({ value: "old" });
    await trx("events").where({ title: "rescheduled" }).update({ start_at: 4_000_000_000 });
  });
}

interface Stirred {
  readonly owner: TestAccount;
  readonly other: TestAccount;
  readonly calendar_id: string;
  readonly keys: readonly string[];
  readonly round: number;
  /** Makes a sync of a calendar. */
  readonly syncDeleted: (calendar_id: string) => Promise<void>;
}

/** Makes everything due, as time does. */
async function makeDue(trx: Db, round: number): Promise<void> {
  await trx("calendar_syncs").where({ claim: "" }).update({ next_at: 0, unfinished_starts: 0 });
  await trx("series")
    .whereNotNull("next_at")
    .where({ claimed_until: 0 })
    .update({ next_at: 1, unfinished_starts: 0 });
  // Some weeks are made again, whatever was made before.
  await trx("series")
    .whereNotNull("next_at")
    .update({ made_until: trx.raw("start_local + 86400 * 300") });
  await trx("tokens").update({ last_used_at: null });
  await trx("subscribers")
    .where({ active: 1 })
    .update({ last_seen_at: round % 2 === 0 ? 1_000 : 4_000_000_000, type_confirmed: 0 });
  await trx("webhook_endpoints").where({ state: "disabled" }).update({ state: "enabled" });
  await endPauses(trx);
  if (round % 3 === 0)
    await trx("webhook_deliveries")
      .where({ sender: "" })
      .whereNot({ state: "pending" })
      .update({ created_at: 1 });
  await trx("deleted_events").update({ deleted_at: 1 });
  await trx("idempotency_keys").update({ created_at: 1 });
  await trx("webhook_endpoints")
    .where("url", "like", "%/leaving")
    .update({ state: "deleted", disabled_at: 1 });
}

/** Makes messages due whose attempts have failed. */
export async function endPauses(trx: Db): Promise<void> {
  await trx("webhook_deliveries")
    .where({ state: "pending", sender: "" })
    .where("next_at", ">", 0)
    .update({ next_at: 1 });
}

/**
 * Leaves behind what processes leave that end: claims that have expired, of the third end in a row too, and staged rows. Of the busy
 * accounts alone: what has ended three processes is set aside, and a neighbour's message must come.
 */
async function leaveBehind(trx: Db, round: number, ownerIds: readonly number[]): Promise<void> {
  const unfinished_starts = round % 2 === 0 ? 0 : 2;
  const some = (table: string, of: object) =>
    trx(table).whereIn(
      "id",
      trx(table)
        .where(of)
        .orderBy("id", round % 4 < 2 ? "asc" : "desc")
        .limit(1)
        .select("id"),
    );
  await some("calendar_syncs", { claim: "", failures: 0 }).update({
    claim: `gone ${round}`,
    claimed_until: 1,
    unfinished_starts,
  });
  await some("series", { claimed_until: 0, next_at: 1 }).update({ claimed_until: 1, unfinished_starts });
  await some("webhook_deliveries", { state: "pending", sender: "" })
    .whereIn("endpoint_id", trx("webhook_endpoints").whereIn("account_id", ownerIds).select("id"))
    .update({ sender: `gone ${round}`, next_at: 1, unfinished_starts });
  await trx("staged_imports").insert({ expires_at: 1 });
  const value = { calendar_id: 1, event_id: 1, kind: "value", name: "x", value_hash: "x" };
  await trx("staged_values")
    .insert({ import_id: 1_000_000 + round, place: 0, ...value })
    .onConflict()
    .ignore();
}

/** Does what an owner, a program and a follower do. */
async function useService(
  url: string,
  { owner, other, calendar_id, keys, round, syncDeleted }: Stirred,
): Promise<void> {
  const agent = {
    "User-Agent": round % 2 === 0 ? "iOS/16.5 (20F66) dataaccessd/1.0" : "Microsoft.Exchange/15.0",
  };
  for (const key of keys) await fetch(`${url}${paths.feed(key, { calendarname: "x" })}`, { headers: agent });
  await fetch(`${url}/readyz`);
  await owner.call("listCalendars");
  const title = `${round}`;
  // Some while a file is being imported into that calendar.
  const custom_data = JSON.stringify({ round });
  for (let count = 0; count < 3; count++)
    await owner.call("createEvent", { calendar_id, title, start_date, custom_data, categories: "A" });
  const { body } = await owner.call("createEvent", { calendar_id, title, start_date });
  await owner.call("deleteEvent", { event_id: String(body?.event?.id) });
  await other.call("createCalendar", { title: "y" });
  const purged = String((await owner.call("createCalendar", { title: "z" })).body?.calendar?.id);
  await owner.call("createEvent", { calendar_id: purged, title: "z", start_date });
  await owner.call("deleteCalendar", { calendar_id: purged });
  if (purged !== "undefined") await syncDeleted(purged);
}
