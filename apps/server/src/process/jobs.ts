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
import { fillSearchRows } from "../events/search-job.js";
import { type PurgedKeys, purgeKeys } from "../idempotency/queries.js";
import { removeDeadImports } from "../imports/staging-queries.js";
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
    { name: "fetches", everyMs: 5_000, run: () => fetches.flush() },
    { name: "polls", everyMs: 30_000, run: () => polls.flush() },
    { name: "token uses", everyMs: 5_000, run: () => uses.tokens.flush() },
    { name: "session uses", everyMs: 5_000, run: () => uses.sessions.flush() },
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

/** Returns the jobs that one process of a machine is enough for. */
export function machineJobs({ db, config, clock, log, purged, signal, runItem }: JobContext): readonly Job[] {
  return [
    ...hiddenJobs({ db, clock, log, runItem }),
    {
      name: "idempotency keys",
      everyMs: 30_000,
      run: (isStopping) =>
        purgeKeys(db, clock(), isStopping, { runItem, ...(purged && { purged: purged.keys }) }),
    },
    {
      name: "deleted events",
      everyMs: 60_000,
      run: (isStopping) => forgetDeletedEvents(db, clock(), isStopping),
    },
    {
      name: "inactive",
      everyMs: 60_000,
      run: (isStopping) => sweepInactive(db, clock(), config.INACTIVE_AFTER_DAYS, isStopping),
    },
    {
      name: "webhook deliveries",
      everyMs: 300_000,
      run: (isStopping) =>
        purgeDeliveries(db, { now: clock(), ...keeping(config) }, isStopping, purged?.deliveries, runItem),
    },
    {
      name: "staged imports",
      everyMs: 60_000,
      run: (isStopping) => removeDeadImports(db, clock(), isStopping),
    },
    {
      name: "series",
      everyMs: 60_000,
      run: (isStopping) => extendSeries({ db, log, now: clock() }, isStopping),
    },
    { name: "search", everyMs: 60_000, run: (isStopping) => fillSearchRows(db, isStopping) },
    ...syncJobs({ db, log, clock, sending: sendingOf(config), signal, lost: createLostClaims() }),
    zoneDataJob(db, clock, runItem, log),
  ];
}

/** What was purged goes within seconds, and drafts are published within a minute; the history, the statistics and the ways in keep to their bounds. */
function hiddenJobs({
  db,
  clock,
  log,
  runItem,
}: Pick<JobContext, keyof Services | "runItem">): readonly Job[] {
  return [
    { name: "purge", everyMs: 10_000, run: (isStopping) => purgeDeletedCalendars(db, isStopping, runItem) },
    { name: "purged trash", everyMs: 10_000, run: (isStopping) => purgeRequested(db, isStopping, runItem) },
    {
      name: "drafts",
      everyMs: 10_000,
      run: (isStopping) => publishDueDrafts(db, clock, { log, isStopping, runItem }),
    },
    { name: "trash", everyMs: 60_000, run: (isStopping) => expireTrash(db, clock(), isStopping, runItem) },
    {
      name: "history",
      everyMs: 600_000,
      run: (isStopping) => pruneHistory(db, clock(), isStopping, { runItem }),
    },
    { name: "grown histories", everyMs: 10_000, run: createGrowthPruning(db, clock, { runItem }) },
    {
      name: "statistics",
      everyMs: 3_600_000,
      run: (isStopping) => purgeDays(db, dayIndex(clock()) - mostStatisticsDays, isStopping),
    },
    { name: "sign-ins", everyMs: 3_600_000, atStart: true, run: () => forgetEnded(db, clock()) },
  ];
}

/** A slow host keeps one of these jobs, and the syncs of other accounts have the others. */
function syncJobs(context: SyncContext): readonly Job[] {
  return Array.from({ length: mostAtOnce }, (_, index) => ({
    name: `calendar syncs ${index + 1}`,
    everyMs: 15_000,
    run: (isStopping) => runDueSyncs(context, isStopping),
  }));
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
