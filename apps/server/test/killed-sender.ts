// Sends the webhooks of a database until it is killed.
import { pino } from "pino";
import { openDatabase } from "../src/db/connect.js";
import { createResolve } from "../src/webhooks/addresses.js";
import { startSender } from "../src/webhooks/sender.js";

const [url = "", timeoutMs] = process.argv.slice(2);
startSender({
  db: await openDatabase(url),
  log: pino({ level: "warn" }),
  clock: () => Math.floor(Date.now() / 1000),
  sending: { timeoutMs: Number(timeoutMs), allowsPrivate: true, resolve: createResolve() },
});
setInterval(() => undefined, 60_000);
