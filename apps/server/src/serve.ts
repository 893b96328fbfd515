import { pino } from "pino";
import { prepareAccounts } from "./accounts/first-start.js";
import { readConfig } from "./config.js";
import { startServer } from "./server.js";

/** Runs the server until SIGTERM or SIGINT. Prints where it listens and, on the first start, the token of the demo account. */
export async function serve(): Promise<void> {
  const config = readConfig();
  const clock = (): number => Math.floor(Date.now() / 1000);
  const log = pino({ level: config.LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime });
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

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1); // a second signal does not wait
      stopping = true;
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
