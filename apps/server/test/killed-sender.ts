// Sends the webhooks of a database until it is killed. Its clock is ahead by some seconds.
import { pino } from "pino";
import { openDatabase } from "../src/db/open-database.js";
import { createResolve } from "../src/webhooks/ssrf-guard.js";
import { startSender } from "../src/webhooks/sender.js";

const [url = "", aheadSeconds] = process.argv.slice(2);
startSender({
  db: await openDatabase(url),
  log: pino({ level: "warn" }),
  clock: () => Math.floor(Date.now() / 1000) + Number(aheadSeconds),
  sending: { timeoutMs: 20_000, allowsPrivate: true, resolve: createResolve() },
});
setInterval(() => undefined, 60_000);
