import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { createUses, type Uses } from "../accounts/uses.js";
import { createApp, createOperations } from "./app.js";
import { Worker } from "../background/worker.js";
import { applySettings } from "./apply-settings.js";
import { flushQueues, jobQueues } from "./jobs.js";
import type { Config } from "../settings/config.js";
import { type Database, openDatabase } from "../db/open-database.js";
import { migrate } from "../db/migrate.js";
import { sayingIfItWaits } from "../db/waiting.js";
import { createFeeds } from "../public/feed.js";
import { openFeedSecret } from "../public/feed-validators.js";
import { createUpcoming } from "../public/upcoming.js";
import { type Lines, queryLog, requestLog } from "../http/access-log.js";
import { prepareClosing } from "../http/closing.js";
import { connectionLimit } from "../http/listener.js";
import { describeFailure } from "../background/failure-log.js";
import { createHttpServer, listen, urlOf } from "../http/listener.js";
import { requestClasses } from "../http/request-classes.js";
import type { Metrics } from "../metrics/metrics.js";
import { watchReadiness } from "./readiness.js";
import { createPollCounter, type PollCounter } from "../followers/poll-counter.js";
import { createFetchRecorder, type FetchRecorder } from "../followers/fetch-recorder.js";
import { type FindLocation, openLocations } from "../followers/locations.js";
import { sendingOf } from "../webhooks/attempt.js";
import { userAgentOf } from "../files/fetch.js";
import { syncQueue } from "../files/sync-run.js";
import { webhookQueue } from "../webhooks/sender.js";
import { onAnnouncement } from "../webhooks/wake.js";
import { startMail } from "./mail.js";
import type { Services } from "../services.js";

export interface RunningServer {
  /** Its address, such as http://127.0.0.1:8080. */
  readonly url: string;
  readonly db: Database;
  /** Closes the listener, lets requests in flight finish, then closes the database. Resolves within 10 s. */
  stop(): Promise<void>;
}

interface ServerOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Output of the log, to which request lines are written directly; default stdout. */
  readonly output?: Lines;
  readonly clock: () => number;
  /** Whether it runs the jobs that only one process of a machine needs to run; default true. */
  readonly runsJobs?: boolean;
  /** Prepares the database for its first requests. The server listens meanwhile, so that its URL is known, but is not ready. */
  readonly prepare?: (db: Database, now: number) => Promise<void>;
}

/** Time limit of the whole stop, in ms: longer than that of requests in flight (closing.ts). */
const stopLimitMs = 8_500;

/** Opens and migrates the database and listens. @throws Error when the database or the port cannot be had. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, log } = options;
  const findLocation = await openLocations(config.GEOIP_DATABASE);
  const metrics = await openMetricsOf(config);
  const open = () => openDatabase(config.DATABASE_URL, metrics?.database, queryLog(log, config.SLOW_MS));
  const db = await sayingIfItWaits((what) => log.warn(what), open);
  try {
    return await startOn({ db, findLocation, metrics }, options);
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function openMetricsOf(config: Config): Promise<Metrics | undefined> {
  const { METRICS_TOKEN: token } = config;
  if (token === undefined) return undefined;
  const { openMetrics } = await import("../metrics/metrics.js"); // not in the memory of a server without it
  return openMetrics(token, config);
}

interface Opened {
  readonly db: Database;
  readonly findLocation: FindLocation;
  readonly metrics: Metrics | undefined;
}

/** Starts the schema, the listener, the first data and the jobs, in this order. Stops the listener and the jobs, then the database. */
async function startOn(
  opened: Opened,
  { config, log, output = process.stdout, clock, runsJobs = true, prepare }: ServerOptions,
): Promise<RunningServer> {
  const { db, metrics } = opened;
  let state: "starting" | "ready" | "stopping" = "starting";
  const isUp = watchReadiness(db, log);
  const isReady = async (): Promise<boolean> => state === "ready" && (await isUp());

  await updateSchema(db, clock, log);
  const inBackground = openBackground(opened);
  const { fetches, polls, uses } = inBackground;
  const secret = await openFeedSecret(db);
  const http = createHttp({ ...opened, config, clock, log, output, isReady, fetches, polls, uses, secret });
  const { connections, closing } = http;
  const { server } = connections;
  metrics?.add({ db, isUp, connections, runsJobs, clock });
  await listen(server, config.PORT, config.HOST);
  applySettings(config);
  await prepare?.(db, clock()).catch(async (error: unknown) => {
    await closing.stop();
    throw error;
  });
  state = "ready";
  await isUp(); // logs a failure, even if no one requests /readyz
  const background = startBackground({ ...inBackground, secret }, { config, log, clock, runsJobs });

  const end = async (): Promise<void> => {
    state = "stopping";
    await Promise.all([closing.stop(), background.stop()]);
    await flushLast([fetches, polls, uses.tokens, uses.sessions], log);
    await db.close();
  };
  let ended: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    ended ??= withinLimit(end(), log);
    return ended;
  };
  return { url: urlOf(server, config.HOST), db, stop };
}

interface InBackground extends Pick<Opened, "db" | "metrics"> {
  readonly fetches: FetchRecorder;
  readonly polls: PollCounter;
  readonly uses: { readonly tokens: Uses; readonly sessions: Uses };
}

function openBackground(opened: Opened): InBackground {
  const { db, metrics } = opened;
  const uses = { tokens: createUses(db, "tokens"), sessions: createUses(db, "sessions") };
  return { db, metrics, fetches: createFetchRecorder(db), polls: createPollCounter(db), uses };
}

/** Time limit of webhook attempts in flight when the server stops, in ms. */
const attemptMs = 3_000;

function startBackground(
  { db, metrics, fetches, polls, uses, secret }: InBackground & { readonly secret: string },
  { config, log, clock, runsJobs = true }: ServerOptions,
): { stop(): Promise<void> } {
  const [stopping, ending] = [new AbortController(), new AbortController()];
  const isStopping = (): boolean => stopping.signal.aborted;
  const purged = metrics && { keys: metrics.keys.purged, deliveries: metrics.webhooks.purged };
  const context = { db, config, clock, log, purged, sending: sendingOf(config), isStopping };
  const syncs = syncQueue({ ...context, userAgent: userAgentOf(config), signal: stopping.signal });
  const shared = [...jobQueues(context, isStopping), syncs];
  const queues = [...flushQueues(fetches, polls, uses), ...(runsJobs ? shared : [])];
  const observe = metrics?.webhooks.observe;
  const webhooks = new Worker(webhookQueue({ ...context, observe, signal: ending.signal }), log);
  const workers = [webhooks, ...queues.map((queue) => new Worker(queue, log))];
  const mail = startMail({ ...context, secret, observe: metrics?.observeMail });
  const stopListening = onAnnouncement(() => webhooks.wake());
  return {
    stop: async () => {
      stopping.abort();
      stopListening();
      const late = setTimeout(() => ending.abort(), attemptMs);
      await Promise.all([mail, ...workers].map((worker) => worker.stop()));
      clearTimeout(late);
    },
  };
}

async function updateSchema(db: Database, clock: () => number, log: Logger): Promise<void> {
  const applied = await sayingIfItWaits(
    (what) => log.warn(what),
    (begun) => migrate(db, clock(), begun),
    db.blocker,
  );
  if (applied.length === 0) return;
  log.info({ migrations: applied }, "migrated");
}

interface HttpContext extends Opened, InBackground, Services {
  readonly output: Lines;
  readonly config: Config;
  readonly isReady: () => Promise<boolean>;
  /** Secret of the feeds' ETags. */
  readonly secret: string;
}

/** Creates the HTTP server. Feeds and lists of next events come first, without Express. */
function createHttp(context: HttpContext) {
  const { config, clock, log, output, fetches, polls, secret, metrics } = context;
  const { PUBLIC_URL: publicUrl, FEED_REFRESH_MINUTES: refreshMinutes } = config;
  const settings = { publicUrl, refreshMinutes };
  const shared = {
    db: context.db,
    clock,
    settings,
    compresses: config.FEED_GZIP === "on",
    log,
  };
  const feeds = createFeeds({ ...shared, secret, fetches, polls, cacheCounts: metrics?.caches.feeds });
  const upcoming = createUpcoming({ ...shared, cacheCounts: metrics?.caches.upcoming });
  const app = createApp({ ...context, db: shared.db, operations: createOperations(context) });
  const logRequest = requestLog(log, output, config.SLOW_MS, metrics?.observeRequest);
  const maxConnections = connectionLimit(config.MAX_CONNECTIONS, log);
  const connections = createHttpServer({ classes: requestClasses(app), maxConnections, log }, (req, res) => {
    logRequest(res);
    // Once the server stops, each response announces that the connection will close. So does one to a GET with a chunked body,
    // which no one reads: it might never end.
    if (closing.hasBegun() || (req.method !== "POST" && "transfer-encoding" in req.headers))
      res.setHeader("Connection", "close");
    if (!feeds(req, res) && !upcoming(req, res)) app(req, res);
  });
  const closing = prepareClosing(connections);
  return { connections, closing };
}

/** Writes the last fetches and uses of tokens. A failure does not prevent the stop: later ones are recorded again. */
async function flushLast(recorders: readonly Pick<FetchRecorder, "flush">[], log: Logger): Promise<void> {
  for (const recorder of recorders) {
    await recorder
      .flush()
      .catch((error: unknown) =>
        log.warn({ err: describeFailure(error) }, "polls or uses of tokens not written"),
      );
  }
}

/** Resolves at the end of the stop, or at the time limit: the process must exit in any case. */
async function withinLimit(ending: Promise<void>, log: Logger): Promise<void> {
  const limit = new AbortController();
  const late = delay(stopLimitMs, "late", { signal: limit.signal, ref: false });
  const first = await Promise.race([ending, late]);
  limit.abort();
  if (first === "late") log.warn({ after_ms: stopLimitMs }, "stopped with requests or writes still waiting");
}
