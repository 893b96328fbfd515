import { setTimeout as delay } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import { coalesce } from "../db/limiter.js";
import { storedBytes } from "../calendars/queries.js";
import { countWebhooks, type WebhookCounts } from "../webhooks/queries.js";
import { type AppFollowers, followerCounter } from "./subscriber-counts.js";
import { showGauge } from "./shown.js";
import type { Services } from "../services.js";

/** How long a scrape waits for the database, in ms. */
const patienceMs = 1_000;

/** Values from the database for a scrape; undefined where a query failed. */
interface Reading {
  readonly isUp: boolean;
  readonly followers?: readonly AppFollowers[] | undefined;
  readonly webhooks?: WebhookCounts | undefined;
  /** Bytes that each account stores. */
  readonly stored?: readonly number[] | undefined;
}

export interface Sources extends Pick<Services, "db" | "clock"> {
  readonly isUp: () => Promise<boolean>;
  /** Whether this process counts followers and webhook messages: one process of a machine does. */
  readonly counts: boolean;
}

/** Adds the metrics that are read from the database. While it is unreachable, only that is shown. */
export function showDatabase(register: Registry, { db, isUp, counts, clock }: Sources): void {
  const count = counts ? followerCounter(db) : () => Promise.resolve(undefined);
  const read = coalesce(async (): Promise<Reading> => {
    if (!(await isUp())) return { isUp: false };
    const [followers, webhooks, stored] = await Promise.all([
      inTime(count()),
      counts ? inTime(countWebhooks(db)) : undefined,
      counts ? inTime(storedBytes(db.read).then((found) => [...found.values()])) : undefined,
    ]);
    return { isUp: true, followers, webhooks, stored };
  });
  const up = {
    name: "kalends_database_up",
    help: "Whether the database answered this scrape and takes writes: 1 or 0.",
  };
  showGauge(register, up, async () => ((await read()).isUp ? 1 : 0));
  if (counts) {
    showFollowers(register, read);
    showStored(register, read);
    showWebhooks(register, read, clock);
  }
}

function showFollowers(register: Registry, read: () => Promise<Reading>): void {
  void new Gauge({
    name: "kalends_followers",
    help: "Followers of all calendars by calendar app and state; active ones fetch their feed. Counted every 60 seconds at most.",
    labelNames: ["app", "state"],
    registers: [register],
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

/**
 * Shows all accounts together and the largest one: time series for each account would be unbounded. `kalends account list`
 * shows each.
 */
function showStored(register: Registry, read: () => Promise<Reading>): void {
  const metric = {
    name: "kalends_stored_bytes",
    help: "Bytes that accounts store in calendars and events: all together, and the largest.",
    label: "accounts",
  };
  showGauge(register, metric, async () => {
    const { stored } = await read();
    return (
      stored && {
        all: stored.reduce((sum, bytes) => sum + bytes, 0),
        largest: stored.reduce((most, bytes) => Math.max(most, bytes), 0),
      }
    );
  });
}

function showWebhooks(register: Registry, read: () => Promise<Reading>, clock: () => number): void {
  const show = (name: string, help: string, valueOf: (counts: WebhookCounts) => number): void =>
    showGauge(register, { name, help }, async () => {
      const { webhooks } = await read();
      return webhooks && valueOf(webhooks);
    });
  show("kalends_webhooks_enabled", "Webhooks of all accounts that messages are sent to.", (of) => of.enabled);
  show("kalends_webhooks_disabled", "Webhooks of all accounts that were disabled.", (of) => of.disabled);
  show(
    "kalends_webhook_pending",
    "Messages that wait to be sent to enabled webhooks, now or again; counted up to 100,000.",
    (of) => of.count,
  );
  show(
    "kalends_webhook_oldest_pending_seconds",
    "Age of the oldest message that waits to be sent to an enabled webhook; 0 when none does.",
    ({ oldest }) => (oldest === null ? 0 : Math.max(0, clock() - oldest)),
  );
}

/** Returns the result of the work; undefined when it fails or takes too long. */
function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work.catch(() => undefined), delay(patienceMs, undefined, { ref: false })]);
}
