import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import type { Logger } from "pino";
import { createApp } from "./app.js";
import { purgeDeletedCalendars } from "./calendars/purge.js";
import type { Config } from "./config.js";
import { type Database, openDatabase } from "./db/connect.js";
import { migrate } from "./db/migrate.js";
import { followZoneData } from "./events/moves.js";
import { createFeeds } from "./follow/feed.js";
import { maxBodyBytes } from "./http/body.js";
import { requestLog } from "./http/log.js";
import { answerParserErrors } from "./http/parser-errors.js";
import { describeFailure } from "./http/respond-error.js";
import { type Job, startJobs } from "./jobs.js";
import { sweepInactive } from "./subscribers/life.js";
import { openPlaces } from "./subscribers/places.js";
import { createPollBook } from "./subscribers/polls.js";

export interface RunningServer {
  /** Where it listens, such as http://127.0.0.1:8080. */
  readonly url: string;
  readonly db: Database;
  /** Closes the listener, lets requests in flight finish, then closes the database. Resolves within 10 s. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly config: Config;
  readonly log: Logger;
  /** The time in Unix seconds. */
  readonly clock: () => number;
}

/** How long requests in flight may take once the server stops, and a request on its way may still arrive, in ms. */
const stopLimitMs = 8_000;
const idleLimitMs = 500;
const readyLimitMs = 500;

/** Request heads of 64 KiB pass (rulings R1.6); Node counts a little more than the bytes of the head. */
const maxHeadBytes = 65 * 1024;

/** Opens and migrates the database and listens. @throws Error when the database or the port cannot be had. */
export async function startServer({ config, log, clock }: ServerOptions): Promise<RunningServer> {
  const findPlace = await openPlaces(config.GEOIP_DATABASE);
  const db = await openDatabase(config.DATABASE_URL);
  try {
    const applied = await migrate(db, clock());
    if (applied.length > 0) {
      log.info({ migrations: applied }, "migrated");
      await followZoneData(db, clock());
    }
    let stopping = false;
    const isReady = async (): Promise<boolean> => !stopping && (await answersInTime(db));
    const polls = createPollBook(db);
    const feeds = createFeeds({
      db,
      clock,
      settings: { publicUrl: config.PUBLIC_URL, refreshMinutes: config.FEED_REFRESH_MINUTES },
      compresses: config.FEED_GZIP === "on",
      polls,
      log,
    });
    const app = createApp({ db, config, clock, log, findPlace, isReady });
    const logRequest = requestLog(log);
    const server = createHttpServer((req, res) => {
      logRequest(req, res);
      if (!feeds(req, res)) app(req, res);
    }, log);
    const inFlight = trackResponses(server, () => stopping);
    await listen(server, config);
    const stopJobs = startJobs(
      [
        { name: "purge", everyMs: 60_000, run: (isStopping) => purgeDeletedCalendars(db, isStopping) },
        { name: "polls", everyMs: 5_000, run: () => polls.flush() },
        {
          name: "inactive",
          everyMs: 60_000,
          run: (isStopping) => sweepInactive(db, clock(), config.INACTIVE_AFTER_DAYS, isStopping),
        },
        { name: "zones", everyMs: 60_000, atStart: true, run: zoneDataJob(db, clock, log) },
      ],
      log,
    );
    return {
      url: urlOf(server, config.HOST),
      db,
      stop: async () => {
        stopping = true;
        await closeGracefully(server, inFlight);
        await stopJobs();
        // Lost fetches are told again by the next ones: no reason not to stop.
        await polls
          .flush()
          .catch((error: unknown) => log.warn({ err: describeFailure(error) }, "polls not written"));
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Once for each start, since servers of two versions would move the events to and fro. */
function zoneDataJob(db: Database, clock: () => number, log: Logger): Job["run"] {
  let done = false;
  return async (isStopping) => {
    if (done) return;
    const moved = await followZoneData(db, clock(), isStopping);
    done = true;
    if (moved !== undefined) log.info({ moved }, "zone data followed");
  };
}

function createHttpServer(app: RequestListener, log: Logger): Server {
  const server = createServer(
    {
      maxHeaderSize: maxHeadBytes,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 65_000,
      requireHostHeader: false, // checked in guards.ts, which answers with a body
    },
    app,
  );
  // An unknown Expect is ignored instead of a 417 without a body.
  server.on("checkExpectation", (req, res) => server.emit("request", req, res));
  server.on("checkContinue", (req, res) => {
    // A body that is too large is refused before it is asked for.
    if (!(Number(req.headers["content-length"]) > maxBodyBytes)) res.writeContinue();
    server.emit("request", req, res);
  });
  answerParserErrors(server, log);
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

/** The responses being made. Once the server stops, each tells its client that the connection will close. */
function trackResponses(server: Server, isStopping: () => boolean): ReadonlySet<ServerResponse> {
  const inFlight = new Set<ServerResponse>();
  server.prependListener("request", (_req, res: ServerResponse) => {
    inFlight.add(res);
    res.once("close", () => inFlight.delete(res));
    if (isStopping()) res.setHeader("Connection", "close");
  });
  return inFlight;
}

/**
 * The listener closes first, then what is in flight finishes. `server.close()` would also cut connections whose next request
 * is on its way, and would never end while a client keeps one busy.
 */
async function closeGracefully(server: Server, inFlight: ReadonlySet<ServerResponse>): Promise<void> {
  for (const res of inFlight) if (!res.headersSent) res.setHeader("Connection", "close");
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  const started = performance.now();
  const timer = setInterval(() => {
    // A connection that has sent half a head has no request yet, and a silent one never will: only answers are waited for.
    if (inFlight.size === 0 || performance.now() - started > stopLimitMs) server.closeAllConnections();
  }, idleLimitMs);
  await closed;
  clearInterval(timer);
}
