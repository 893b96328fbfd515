import { pino } from "pino";
import { prepareAccounts } from "./accounts/first-start.js";
import { readConfig } from "./config.js";
import { startServer } from "./server.js";

/** Runs the server until SIGTERM or SIGINT. Prints where it listens and, on the first start, the token of the demo account. */
export async function serve(): Promise<void> {
  const config = readConfig();
  const clock = (): number => Math.floor(Date.now() / 1000);
  // A write for each line would cost a poll as much as its answer; what waits is written each second, and at the end.
  const output = pino.destination({ sync: false, minLength: 4096, periodicFlush: 1000 });
  const log = pino({ level: config.LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime }, output);
  process.once("exit", () => output.flushSync());
  const server = await startServer({ config, log, clock });
  const token = await prepareAccounts(server.db, config.CALENDAR_TOKEN, clock());
  if (token !== undefined) console.log(welcome(config.PUBLIC_URL ?? server.url, token));
  stopOnSignal(() => server.stop());
  console.log(`Listening on ${server.url}`);
}

function welcome(url: string, token: string): string {
  return `
This is the first start, so here is a demo account. Its token is shown only now:

  ${token}

Try it:

  curl -H 'Authorization: Bearer ${token}' ${url}/api/v1/calendars/list/
`;
}

/** A terminal and npm may each pass on the same Ctrl-C, so a repeat counts as a second one only after this time. */
const repeatMs = 1_000;

function stopOnSignal(stop: () => Promise<void>): void {
  let stoppingSince: number | undefined;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (stoppingSince !== undefined) {
        if (performance.now() - stoppingSince > repeatMs) process.exit(1);
        return;
      }
      stoppingSince = performance.now();
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
