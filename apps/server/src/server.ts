import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { createApp } from "./app.js";
import { purgeDeletedCalendars } from "./calendars/purge.js";
import type { Config } from "./config.js";
import { type Database, openDatabase, type ReplicaOptions } from "./db/connect.js";
import { migrate } from "./db/migrate.js";
import { applyZoneData } from "./events/rezone.js";
import { createFeeds } from "./follow/feed.js";
import { requestClasses } from "./http/request-classes.js";
import { maxBodyBytes } from "./http/body.js";
import { prepareClosing } from "./http/closing.js";
import type { Connections } from "./http/connection.js";
import { connectionLimit } from "./http/connection-limit.js";
import { stallMs, watchConnections } from "./http/connections.js";
import { requestLog } from "./http/access-log.js";
import { answerParserErrors } from "./http/parser-errors.js";
import { takeTurns } from "./http/pipelining.js";
import { describeFailure } from "./http/failure-log.js";
import { type Job, startJobs } from "./jobs.js";
import { sweepInactive } from "./subscribers/life.js";
import { createFetchRecorder } from "./subscribers/fetch-recorder.js";
import { openLocations } from "./subscribers/locations.js";

export interface RunningServer {
  /** Where it listens, such as http://127.0.0.1:8080. */
  readonly url: string;
  readonly db: Database;
  /** Resolves when the server must be stopped, since its database was lost; undefined where that cannot happen. */
  readonly lost: Promise<Error> | undefined;
  /** Closes the listener, lets requests in flight finish, then closes the database. Resolves within 10 s. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly config: Config;
  readonly log: Logger;
  /** The time in Unix seconds. */
  readonly clock: () => number;
  /** Whether it does the work that one process of a machine is enough for; default true. */
  readonly runsJobs?: boolean;
  /** Prepares the database for its first requests: the server listens meanwhile, so that its URL is known, but is not ready. */
  readonly prepare?: (db: Database, now: number) => Promise<void>;
}

/** How long the database may take to show that it is there, in ms. */
const readyLimitMs = 500;

/** How long all steps of a stop may take together, in ms: some more than requests in flight may (closing.ts). */
const stopLimitMs = 8_500;

/** Request heads of 64 KiB pass (rulings R1.6); Node counts a little more than the bytes of the head. */
const maxHeadBytes = 65 * 1024;

/** Opens and migrates the database and listens. @throws Error when the database or the port cannot be had. */
export async function startServer({
  config,
  log,
  clock,
  runsJobs = true,
  prepare = () => Promise.resolve(),
}: ServerOptions): Promise<RunningServer> {
  const findLocation = await openLocations(config.GEOIP_DATABASE);
  const db = await openDatabase(config.DATABASE_URL, replicaOf(config, log));
  void db.damaged?.then((error) => {
    log.fatal({ err: describeFailure(error) }, "database damaged: writes are refused, restore a backup");
  });
  try {
    const applied = await migrate(db, clock());
    if (applied.length > 0) {
      log.info({ migrations: applied }, "migrated");
      await applyZoneData(db, clock());
    }
    let isPrepared = false;
    let stopping = false;
    const isReady = async (): Promise<boolean> => isPrepared && !stopping && (await answersInTime(db));
    const fetches = createFetchRecorder(db);
    const feeds = createFeeds({
      db,
      clock,
      settings: { publicUrl: config.PUBLIC_URL, refreshMinutes: config.FEED_REFRESH_MINUTES },
      compresses: config.FEED_GZIP === "on",
      fetches,
      log,
    });
    const app = createApp({ db, config, clock, log, findLocation, isReady });
    const inFlight = new Set<ServerResponse>();
    const logRequest = requestLog(log, inFlight);
    const maxConnections = connectionLimit(config.MAX_CONNECTIONS, log);
    const server = createHttpServer({ classes: requestClasses(app), maxConnections, log }, (req, res) => {
      logRequest(res);
      // Once the server stops, each answer tells its client that the connection will close.
      if (closing.hasBegun()) res.setHeader("Connection", "close");
      if (!feeds(req, res)) app(req, res);
    });
    const closing = prepareClosing(server, inFlight);
    await listen(server, config);
    await prepare(db, clock()).catch(async (error: unknown) => {
      await closing.stop();
      throw error;
    });
    isPrepared = true;
    const backgroundJobs: readonly Job[] = [
      { name: "purge", everyMs: 60_000, run: (isStopping) => purgeDeletedCalendars(db, isStopping) },
      {
        name: "inactive",
        everyMs: 60_000,
        run: (isStopping) => sweepInactive(db, clock(), config.INACTIVE_AFTER_DAYS, isStopping),
      },
      { name: "zones", everyMs: 60_000, atStart: true, run: zoneDataJob(db, clock, log) },
    ];
    const flushFetches: Job = { name: "fetches", everyMs: 5_000, run: () => fetches.flush() };
    const stopJobs = startJobs(runsJobs ? [flushFetches, ...backgroundJobs] : [flushFetches], log);
    let ended: Promise<void> | undefined;
    const end = async (): Promise<void> => {
      await Promise.all([closing.stop(), stopJobs()]);
      // Lost fetches are told again by the next ones: no reason not to stop.
      await fetches
        .flush()
        .catch((error: unknown) => log.warn({ err: describeFailure(error) }, "polls not written"));
      await db.close();
    };
    return {
      url: urlOf(server, config.HOST),
      db,
      lost: db.lost,
      stop: () => {
        stopping = true;
        ended ??= withinLimit(end(), log);
        return ended;
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Resolves with the end of the server, or without it at the limit: the process must end, whatever still waits. */
async function withinLimit(ending: Promise<void>, log: Logger): Promise<void> {
  const limit = new AbortController();
  const late = delay(stopLimitMs, "late", { signal: limit.signal, ref: false });
  const first = await Promise.race([ending, late]);
  limit.abort();
  if (first === "late") log.warn({ after_ms: stopLimitMs }, "stopped with requests or writes still waiting");
}

/** The replica to read from. The log is told when it is not read for longer than a second, and when it is again. */
function replicaOf({ DATABASE_REPLICA_URL: url }: Config, log: Logger): ReplicaOptions | undefined {
  if (url === undefined) return undefined;
  const onChange: ReplicaOptions["onChange"] = (failure) => {
    if (failure === undefined) log.info("the replica is read again");
    else log.warn({ reason: failure.reason, code: failure.code }, "the replica is not read");
  };
  return { url, onChange };
}

/** Once for each start, since servers of two versions would move the events to and fro. */
function zoneDataJob(db: Database, clock: () => number, log: Logger): Job["run"] {
  let done = false;
  return async (isStopping) => {
    if (done) return;
    const rescheduled = await applyZoneData(db, clock(), isStopping);
    done = true;
    if (rescheduled !== undefined) log.info({ rescheduled }, "zone data applied");
  };
}

interface HttpOptions {
  readonly classes: ReturnType<typeof requestClasses>;
  readonly maxConnections: number;
  readonly log: Logger;
}

function createHttpServer({ classes, maxConnections, log }: HttpOptions, listener: RequestListener): Server {
  const connections: Connections = { open: new Map(), waiting: 0 };
  const server = createServer(
    {
      ...classes,
      maxHeaderSize: maxHeadBytes,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 65_000,
      requireHostHeader: false, // checked in guards.ts, which answers with a body
    },
    takeTurns(connections, listener),
  );
  server.timeout = stallMs;
  // An unknown Expect is ignored instead of a 417 without a body.
  server.on("checkExpectation", (req, res) => server.emit("request", req, res));
  server.on("checkContinue", (req, res) => {
    // A body that is too large is refused before it is asked for.
    if (!(Number(req.headers["content-length"]) > maxBodyBytes) && req.socket.writable) res.writeContinue();
    server.emit("request", req, res);
  });
  watchConnections(server, connections, { limit: maxConnections, log });
  answerParserErrors(server, connections, log);
  return server;
}

function listen(server: Server, { HOST, PORT }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(PORT, HOST, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function answersInTime(db: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), readyLimitMs);
  });
  const answered = db.ping().then(
    () => true,
    () => false,
  );
  const ready = await Promise.race([answered, late]);
  clearTimeout(timer);
  return ready;
}
