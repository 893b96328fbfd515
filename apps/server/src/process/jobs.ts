import { mostStatisticsDays } from "@kalends/spec";
import type { Logger } from "pino";
import type { RunItem } from "../background/units.js";
import type { Uses } from "../accounts/uses.js";
import { purgeDeletedCalendars } from "../calendars/purge-job.js";
import type { Config } from "../settings/config.js";
import type { Database } from "../db/open-database.js";
import { createLostClaims } from "../db/set-aside.js";
import { forgetDeletedEvents } from "../events/forget.js";
import { publishDueDrafts } from "../events/publish-job.js";
import { applyZoneData } from "../events/rezone.js";
import { type PurgedKeys, purgeKeys } from "../idempotency/queries.js";
import type { Job } from "../background/scheduler.js";
import { createGrowthPruning, pruneHistory } from "../history-entries/prune-job.js";
import { extendSeries } from "../series/extend.js";
import { forgetEnded } from "../sessions/purge-job.js";
import type { PollCounter } from "../statistics/poll-counter.js";
import { purgeDays } from "../statistics/queries.js";
import type { FetchRecorder } from "../subscribers/fetch-recorder.js";
import { sweepInactive } from "../subscribers/life-job.js";
import { dayIndex } from "../time/formats.js";
import { mostAtOnce, runDueSyncs, type SyncContext } from "../syncs/run.js";
import { expireTrash, purgeRequested } from "../trash/purge-job.js";
import { purgeDeliveries, type PurgedDeliveries } from "../webhooks/purge-job.js";
import { sendingOf } from "../webhooks/attempt.js";
import type { Services } from "../services.js";

/** Returns the jobs that every process of a machine runs: they write which feeds it has served, and which tokens and sessions were used. */
export function flushJobs(
  fetches: FetchRecorder,
  polls: PollCounter,
  uses: { readonly tokens: Uses; readonly sessions: Uses },
): readonly Job[] {
  return [
    every(5_000, "fetches", () => fetches.flush()),
    every(30_000, "polls", () => polls.flush()),
    every(5_000, "token uses", () => uses.tokens.flush()),
    every(5_000, "session uses", () => uses.sessions.flush()),
  ];
}

interface JobContext extends Services {
  readonly config: Config;
  /** Where it is counted what was removed. */
  readonly purged?: { readonly keys: PurgedKeys; readonly deliveries: PurgedDeliveries } | undefined;
  /** Ends what a stop cannot wait for. */
  readonly signal: AbortSignal;
  /** Runs each item of a job apart. */
  readonly runItem: RunItem;
}

const every = (everyMs: number, name: string, run: Job["run"]): Job => ({ name, everyMs, run });

/** Returns the jobs that one process of a machine is enough for. */
export function machineJobs(context: JobContext): readonly Job[] {
  const { db, config, clock, log, purged, signal, runItem } = context;
  return [
    ...hiddenJobs(context),
    every(30_000, "idempotency keys", (isStopping) =>
      purgeKeys(db, clock(), isStopping, { runItem, ...(purged && { purged: purged.keys }) }),
    ),
    every(60_000, "deleted events", (isStopping) => forgetDeletedEvents(db, clock(), isStopping)),
    every(60_000, "inactive", (isStopping) =>
      sweepInactive(db, clock(), config.INACTIVE_AFTER_DAYS, isStopping),
    ),
    every(300_000, "webhook deliveries", (isStopping) =>
      purgeDeliveries(db, { now: clock(), ...keeping(config) }, isStopping, purged?.deliveries, runItem),
    ),
    every(60_000, "series", (isStopping) => extendSeries({ db, log, now: clock() }, isStopping)),
    ...syncJobs({ db, log, clock, sending: sendingOf(config), signal, lost: createLostClaims() }),
    zoneDataJob(db, clock, runItem, log),
  ];
}

/** What was purged goes within seconds, and drafts are published within a minute; the history, the statistics and the ways in keep to their bounds. */
function hiddenJobs({ db, clock, log, runItem }: JobContext): readonly Job[] {
  return [
    every(10_000, "purge", (isStopping) => purgeDeletedCalendars(db, isStopping, runItem)),
    every(10_000, "purged trash", (isStopping) => purgeRequested(db, isStopping, runItem)),
    every(10_000, "drafts", (isStopping) => publishDueDrafts(db, clock, { log, isStopping, runItem })),
    every(60_000, "trash", (isStopping) => expireTrash(db, clock(), isStopping, runItem)),
    every(600_000, "history", (isStopping) => pruneHistory(db, clock(), isStopping, { runItem })),
    every(10_000, "grown histories", createGrowthPruning(db, clock, { runItem })),
    every(3_600_000, "statistics", (isStopping) =>
      purgeDays(db, dayIndex(clock()) - mostStatisticsDays, isStopping),
    ),
    { ...every(3_600_000, "sign-ins", () => forgetEnded(db, clock())), atStart: true },
  ];
}

/** A slow host keeps one of these jobs, and the syncs of other accounts have the others. */
function syncJobs(context: SyncContext): readonly Job[] {
  const run: Job["run"] = (isStopping) => runDueSyncs(context, isStopping);
  return Array.from({ length: mostAtOnce }, (_, index) => every(15_000, `calendar syncs ${index + 1}`, run));
}

function keeping({ WEBHOOK_KEEP_DAYS: days, WEBHOOK_KEEP_DELIVERIES: most }: Config) {
  return { days, most };
}

/** How long after calendars that failed they are tried again, in seconds: all are read again. */
const zonePauseSeconds = 600;

/** Once for each start, since servers of two versions would move the events to and fro. */
function zoneDataJob(db: Database, clock: () => number, runApart: RunItem, log: Logger): Job {
  let [isDone, notBefore] = [false, 0];
  const run: Job["run"] = async (isStopping) => {
    if (isDone || clock() < notBefore) return;
    let areAllDone = true;
    const runItem: RunItem = async (...item) => {
      const isItemDone = await runApart(...item);
      areAllDone &&= isItemDone;
      return isItemDone;
    };
    const rescheduled = await applyZoneData(db, clock(), isStopping, runItem);
    isDone = areAllDone;
    notBefore = clock() + zonePauseSeconds;
    if (rescheduled !== undefined) log.info({ rescheduled }, "zone data applied");
  };
  return { name: "zones", everyMs: 60_000, atStart: true, run };
}
