import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Database } from "../../src/db/connect.js";
import { paths } from "../../src/follow/addresses.js";
import { follow as startFollowing } from "../../src/subscribers/follow.js";
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
    const vanishing = vevent(`UID:gone ${count}`, "RRULE:FREQ=DAILY;COUNT=2");
    res.writeHead(200, { ETag: `"${count}"` }).end(calendarFile(...events, vanishing));
  },
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
const sources = ["file", "redirecting", "unchanged", "failing", "upgrading", "breaking", "closing"];
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
  await owner.call("createSeries", { calendar_id, ...council, rrule: "FREQ=WEEKLY" });
  const keys: string[] = [];
  for (let count = 0; count < 3; count++)
    keys.push(
      (await startFollowing(db, Number(calendar_id), { ...person, calendar_type: "apple" }, now)) ?? "",
    );
  return { stir: (round) => stir(db, url, { owner, other, calendar_id, keys, round }) };
}

interface Stirred {
  readonly owner: TestAccount;
  readonly other: TestAccount;
  readonly calendar_id: string;
  readonly keys: readonly string[];
  readonly round: number;
}

async function stir(
  db: Database,
  url: string,
  { owner, other, calendar_id, keys, round }: Stirred,
): Promise<void> {
  await db.transaction(async (trx) => {
    await trx("calendar_syncs").where({ claim: "" }).update({ next_at: 0, unfinished_starts: 0 });
    await trx("series").whereNotNull("next_at").where({ claimed_until: 0 }).update({ next_at: 1 });
    // Some weeks are made again, whatever was made before.
    await trx("series")
      .whereNotNull("next_at")
      .update({ made_until: trx.raw("start_local + 86400 * 300") });
    await trx("tokens").update({ last_used_at: null });
    await trx("subscribers")
      .where({ active: 1 })
      .update({ last_seen_at: round % 2 === 0 ? 1_000 : 4_000_000_000 });
    await trx("webhook_endpoints").where({ state: "disabled" }).update({ state: "enabled" });
    await trx("webhook_deliveries")
      .where({ state: "pending", sender: "" })
      .where("next_at", ">", 0)
      .update({ next_at: 1 });
    if (round % 3 === 0)
      await trx("webhook_deliveries")
        .where({ sender: "" })
        .whereNot({ state: "pending" })
        .update({ created_at: 1 });
    await trx("deleted_events").update({ deleted_at: 1 });
    await trx("idempotency_keys").update({ created_at: 1 });
    await trx("webhook_endpoints").where({ state: "deleted" }).update({ disabled_at: 1 });
  });
  const agent = {
    "User-Agent": round % 2 === 0 ? "iOS/16.5 (20F66) dataaccessd/1.0" : "Microsoft.Exchange/15.0",
  };
  for (const key of keys) await fetch(`${url}${paths.feed(key, { calendarname: "x" })}`, { headers: agent });
  const { body } = await owner.call("createEvent", { calendar_id, title: `${round}`, start_date });
  await owner.call("deleteEvent", { event_id: String(body?.event?.id) });
  await other.call("createCalendar", { title: "y" });
  const purged = (await owner.call("createCalendar", { title: "z" })).body?.calendar?.id;
  await owner.call("createEvent", { calendar_id: String(purged), title: "z", start_date });
  await owner.call("deleteCalendar", { calendar_id: String(purged) });
}
