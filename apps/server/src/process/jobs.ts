import { mostStatisticsDays } from "@kalends/spec";
import type { Uses } from "../accounts/uses.js";
import { type Job, ownJob, sharedJob } from "../background/jobs.js";
import type { Queue } from "../background/worker.js";
import { nextToPurge, purgeDeletedCalendars } from "../events/calendar-purge-job.js";
import { forgetDeletedEvents } from "../events/forget.js";
import { isDraftDue, publishDueDrafts } from "../events/publish-job.js";
import { createNewsJob } from "../events/news-job.js";
import { applyZoneData } from "../events/rezone.js";
import { purgePictures } from "../calendars/picture-purge-job.js";
import { createGrowthPruning, pruneHistory } from "../calendars/prune-job.js";
import { type PurgedKeys, purgeKeys } from "../http/idempotency-queries.js";
import { extendSeries, isSeriesDue } from "../events/series-extend.js";
import type { Services } from "../services.js";
import { forgetEnded } from "../people/session-purge-job.js";
import type { Config } from "../settings/config.js";
import type { PollCounter } from "../followers/poll-counter.js";
import { purgeDays } from "../followers/statistics-queries.js";
import type { FetchRecorder } from "../followers/fetch-recorder.js";
import { sweepInactive } from "../followers/life-job.js";
import { dayIndex } from "../time/formats.js";
import { expireTrash, isPurgeRequested, purgeRequested } from "../events/trash-purge-job.js";
import { purgeDeliveries, type PurgedDeliveries, purgeMail } from "../webhooks/purge-job.js";

/** Returns the jobs of every process: they write which feeds it has served, and which tokens and sessions were used. */
export function flushQueues(
  fetches: FetchRecorder,
  polls: PollCounter,
  uses: { readonly tokens: Uses; readonly sessions: Uses },
): readonly Queue[] {
  return [
    every(5_000, "fetches", () => fetches.flush()),
    every(30_000, "polls", () => polls.flush()),
    every(5_000, "token uses", () => uses.tokens.flush()),
    every(5_000, "session uses", () => uses.sessions.flush()),
  ].map(ownJob);
}

interface JobContext extends Services {
  readonly config: Config;
  /** Counters of removed rows. */
  readonly purged?: { readonly keys: PurgedKeys; readonly deliveries: PurgedDeliveries } | undefined;
}

const every = (everyMs: number, name: string, run: Job["run"], isDue?: Job["isDue"]): Job => ({
  name,
  everyMs,
  run,
  ...(isDue && { isDue }),
});

/** Returns the jobs that the servers share. */
export function jobQueues(context: JobContext, isStopping: () => boolean): readonly Queue[] {
  return sharedJobs(context).map((job) => sharedJob(job, context, isStopping));
}

export function sharedJobs(context: JobContext): readonly Job[] {
  return [...dueJobs(context), ...purges(context), ...mailJobs(context), zoneDataJob(context)];
}

/** Short jobs with short intervals, which write nothing while there is no work. */
function dueJobs({ db, clock, log }: JobContext): readonly Job[] {
  return [
    every(
      10_000,
      "purge",
      (isStopping) => purgeDeletedCalendars(db, isStopping),
      async () => (await nextToPurge(db.read, 0)) !== undefined,
    ),
    every(
      10_000,
      "purged trash",
      (isStopping) => purgeRequested(db, isStopping),
      () => isPurgeRequested(db.read),
    ),
    every(
      10_000,
      "drafts",
      (isStopping) => publishDueDrafts(db, clock, { log, isStopping }),
      () => isDraftDue(db, clock()),
    ),
    every(
      60_000,
      "series",
      (isStopping) => extendSeries({ db, now: clock() }, isStopping),
      () => isSeriesDue(db.read, clock()),
    ),
  ];
}

function purges({ db, config, clock, purged }: JobContext): readonly Job[] {
  return [
    every(60_000, "idempotency keys", (isStopping) =>
      purgeKeys(db, clock(), isStopping, purged && { purged: purged.keys }),
    ),
    every(60_000, "grown histories", createGrowthPruning(db, clock)),
    every(300_000, "webhook deliveries", (isStopping) =>
      purgeDeliveries(db, { now: clock(), ...keeping(config) }, isStopping, purged?.deliveries),
    ),
    every(600_000, "deleted events", (isStopping) => forgetDeletedEvents(db, clock(), isStopping)),
    every(600_000, "inactive", (isStopping) =>
      sweepInactive(db, clock(), config.INACTIVE_AFTER_DAYS, isStopping),
    ),
    // Without SMTP_URL too: what is stored of the time before must go.
    every(600_000, "mail", (isStopping) => purgeMail(db, clock(), isStopping)),
    every(600_000, "trash", (isStopping) => expireTrash(db, clock(), isStopping)),
    every(600_000, "history", (isStopping) => pruneHistory(db, clock(), isStopping)),
    every(3_600_000, "pictures", (isStopping) => purgePictures(db, clock(), isStopping)),
    every(3_600_000, "statistics", (isStopping) =>
      purgeDays(db, dayIndex(clock()) - mostStatisticsDays, isStopping),
    ),
    { ...every(3_600_000, "sign-ins", () => forgetEnded(db, clock())), atStart: true },
  ];
}

function mailJobs({ db, config, clock }: JobContext): readonly Job[] {
  if (config.SMTP_URL === undefined) return [];
  const news = createNewsJob(db, clock);
  return [{ ...every(5_000, "news", news.run, news.isDue), atStart: true }];
}

function keeping({ WEBHOOK_KEEP_DAYS: days, WEBHOOK_KEEP_DELIVERIES: most }: Config) {
  return { days, most };
}

/** Runs once for each start, since servers of two versions would move the events back and forth. */
function zoneDataJob({ db, clock, log }: JobContext): Job {
  let isDone = false;
  const run: Job["run"] = async (isStopping) => {
    const rescheduled = await applyZoneData(db, clock(), isStopping);
    isDone = !isStopping();
    if (rescheduled !== undefined) log.info({ rescheduled }, "zone data applied");
  };
  const isDue = () => Promise.resolve(!isDone);
  return { name: "zones", everyMs: 60_000, atStart: true, isDue, run };
}
