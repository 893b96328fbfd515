import { type Logger, pino } from "pino";
import { version } from "../about.js";
import { type FirstStart, prepareAccounts } from "../people/first-start.js";
import { linkAddress } from "../people/links.js";
import { type Config, isProduction, readConfig, settingWarnings } from "../settings/config.js";
import { type LogOutput, openLogOutput, openStdout, printLines } from "./log-output.js";
import type { RunningServer } from "./server.js";
import { describeFailure } from "../background/failure-log.js";
import { neededFiles, openFilesAdvice, openFilesFailure } from "../db/open-files.js";

/** Runs the server until SIGTERM or SIGINT. Prints where it listens and, on the first start, how to call it. */
export async function serve(): Promise<void> {
  const config = readConfig();
  const { log, output } = openLog(config);
  for (const warning of settingWarnings()) log.warn(warning); // before a failure that it explains
  watchOpenFiles(log);
  let stopServer = (): Promise<void> => Promise.resolve();
  const stop: Stop = async (reason) => {
    await stopServer();
    log.info({ reason, uptime_s: Math.round(process.uptime()) }, "server stopped");
  };
  endOnUnexpectedErrors(log);
  stopOnSignal(stop); // before the start, which may wait: a signal without a handler does not end process 1 of a container
  const server = await start(config, log, output);
  stopServer = () => server.stop();
  logStart(config, log);
  printLines(`Listening on ${server.url}\n`, output);
}

type Stop = (reason: string) => Promise<void>;

/**
 * Logs an uncaught error and ends the process: its state is unknown, and acknowledged writes are stored. The service manager
 * starts it again, and the work that failed waits for its next attempt (docs/decisions/0016).
 */
function endOnUnexpectedErrors(log: Logger): void {
  process.on("uncaughtException", (error: unknown, origin) => {
    log.fatal({ err: describeFailure(error), origin }, "unexpected error");
    process.exit(1);
  });
}

/** Logs what a bug report needs. */
function logStart(config: Config, log: Logger): void {
  const { DATABASE_URL, PUBLIC_URL = "", TRUST_PROXY } = config;
  const database = DATABASE_URL.startsWith("sqlite:") ? "sqlite" : "postgres";
  log.info({ version, node: process.version, database, pid: process.pid }, "server started");
  if (PUBLIC_URL.startsWith("https:") && TRUST_PROXY === false)
    log.warn(
      "PUBLIC_URL is https, but TRUST_PROXY is off: all followers have the proxy's address and share its limits; set TRUST_PROXY=1",
    );
}

function openLog({ LOG_LEVEL }: Config): { readonly log: Logger; readonly output: LogOutput } {
  const output = openLogOutput(openStdout(), (lost) => log.error({ lost }, "log lines lost"));
  process.once("exit", () => output.flushSync());
  const log = pino({ level: LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime }, output);
  return { log, output };
}

/** Starts the server in this process and prints, on the first start, the token of the demo account, or how to create one. */
async function start(config: Config, log: Logger, output: LogOutput): Promise<RunningServer> {
  const clock = (): number => Math.floor(Date.now() / 1000);
  const { startServer } = await import("./server.js"); // so that it can be said why it could not be loaded
  let first: FirstStart = "nothing to do";
  const server = await startServer({
    config,
    log,
    output,
    clock,
    prepare: async (db, now) => {
      const settings = { settingToken: config.CALENDAR_TOKEN, makesDemo: !isProduction(config) };
      first = await prepareAccounts(db, settings, now);
      if (first === "token ended")
        log.warn("CALENDAR_TOKEN was revoked or has expired, so it opens nothing: set a new value");
    },
  });
  const { PUBLIC_URL = server.url } = config;
  const text = welcome(first, PUBLIC_URL);
  if (text !== undefined) printLines(text, output);
  return server;
}

function welcome(first: FirstStart, url: string): string | undefined {
  if (first === "nothing to do" || first === "token ended") return undefined;
  // Not in production: everyone who may read the log would have the token.
  if (first === "no account") return noAccount;
  return `
This is the first start, so here is a demo account. Its token, and a link with which its owner signs in once, are shown only now:

  ${first.token}
  ${linkAddress(url, first.link)}

Try the token:

  curl -H 'Authorization: Bearer ${first.token}' ${url}/api/v1/calendars/list/

`;
}

const noAccount = `
There is no account yet. To create one and its token, with the settings of this server:

  kalends account create --name "My organization"

`;

/** A terminal and npm may each pass on the same Ctrl-C, so a repeat counts as a second one only after this time. */
const repeatMs = 1_000;

function stopOnSignal(stop: Stop): void {
  let stoppingSince: number | undefined;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (stoppingSince !== undefined) {
        if (performance.now() - stoppingSince > repeatMs) process.exit(1);
        return;
      }
      stoppingSince = performance.now();
      stop(signal).then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}

/** Interval of the checks, and of the log lines while the limit is reached, in ms. */
const lookMs = 250;
const reminderMs = 60_000;

/**
 * Logs that this process is at its limit of open files. Without this log line the limit shows in many ways, or not at all: the
 * operating system closes new connections, or lets them wait, before a program sees them.
 */
function watchOpenFiles(log: Logger): void {
  let quietUntil = -Infinity;
  setInterval(() => {
    const now = performance.now();
    if (now < quietUntil) return;
    const failure = openFilesFailure();
    if (failure === undefined) return;
    quietUntil = now + reminderMs;
    log.error({ code: failure.code, needed: neededFiles }, openFilesAdvice);
  }, lookMs).unref();
}
