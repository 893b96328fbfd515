import { setTimeout as delay } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import { coalesce } from "../db/coalesce.js";
import { storedBytes } from "../calendars/queries.js";
import { findSetAside, type SetAside } from "../db/set-aside.js";
import { countWebhooks, type WebhookCounts } from "../webhooks/queries.js";
import { type AppFollowers, followerCounter } from "./subscriber-counts.js";
import { showSetAside } from "./background.js";
import { showGauge, showGauges } from "./shown.js";
import { showWebhooks } from "./webhooks.js";
import type { Services } from "../services.js";

/** What was set aside is counted up to here, of each kind. */
const mostSetAside = 1_000;

/** How long a scrape waits for what is read from the database, in ms. */
const patienceMs = 1_000;

/** What is read from the database for a scrape. What could not be read is undefined. */
interface Reading {
  readonly isUp: boolean;
  readonly followers?: readonly AppFollowers[] | undefined;
  readonly webhooks?: WebhookCounts | undefined;
  /** Bytes that each account stores. */
  readonly stored?: readonly number[] | undefined;
  readonly setAside?: SetAside | undefined;
}

export interface Sources extends Pick<Services, "db" | "clock"> {
  readonly isUp: () => Promise<boolean>;
  /** Whether followers and messages of webhooks are counted: by one process of a machine. */
  readonly counts: boolean;
}

/** Adds what must be read from the database. While it cannot be reached, only that is shown. */
export function showDatabase(registers: Registry[], { db, isUp, counts, clock }: Sources): void {
  const count = counts ? followerCounter(db) : () => Promise.resolve(undefined);
  // The gauges of one scrape share a reading.
  const { get: read } = coalesce(async (): Promise<Reading> => {
    if (!(await isUp())) return { isUp: false };
    const [followers, webhooks, stored, setAside] = await Promise.all([
      inTime(count()),
      counts ? inTime(countWebhooks(db)) : undefined,
      counts ? inTime(storedBytes(db.read).then((found) => [...found.values()])) : undefined,
      counts ? inTime(findSetAside(db.read, mostSetAside)) : undefined,
    ]);
    return { isUp: true, followers, webhooks, stored, setAside };
  });
  const up = {
    name: "kalends_database_up",
    help: "Whether the database answered this scrape and takes writes: 1 or 0.",
  };
  showGauge(registers, up, async () => ((await read()).isUp ? 1 : 0));
  if (counts) showFollowers(registers, read);
  if (counts) showStored(registers, read);
  if (counts) showWebhooks(registers, async () => (await read()).webhooks, clock);
  if (counts) showSetAside(registers, async () => (await read()).setAside);
}

function showFollowers(registers: Registry[], read: () => Promise<Reading>): void {
  void new Gauge({
    name: "kalends_followers",
    help: "Followers of all calendars by calendar app and state; active ones fetch their feed. Counted every 60 seconds at most.",
    labelNames: ["app", "state"],
    registers,
    async collect() {
      const { followers } = await read();
      this.reset();
      for (const { app, active, inactive } of followers ?? []) {
        this.set({ app, state: "active" }, active);
        this.set({ app, state: "inactive" }, inactive);
      }
    },
  });
}

/** Of all accounts and of the largest: a series for each account would be without a bound. `kalends account list` shows each. */
function showStored(registers: Registry[], read: () => Promise<Reading>): void {
  const metric = {
    name: "kalends_stored_bytes",
    help: "Bytes that accounts store in calendars and events: all together, and the largest.",
    label: "accounts",
  };
  showGauges(registers, metric, async () => {
    const { stored } = await read();
    if (stored === undefined) return {};
    return {
      all: stored.reduce((sum, bytes) => sum + bytes, 0),
      largest: stored.reduce((most, bytes) => Math.max(most, bytes), 0),
    };
  });
}

/** Returns what the work comes to; undefined when it fails or takes too long. */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  const limit = new AbortController();
  const late = delay(patienceMs, undefined, { signal: limit.signal }).catch(() => undefined);
  const first = await Promise.race([work.catch(() => undefined), late]);
  limit.abort();
  return first;
}
