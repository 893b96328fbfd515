// What a webhook costs creates and saves: bench:webhooks. Prints requests/s and CPU for the jobs J3 and J4 without and with a
// webhook, whose receiver runs on this machine: it takes processor time that the figures of a receiver elsewhere would not lack.
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { benchToken } from "./data.js";
import { jobs } from "./jobs.js";
import { load } from "./load.js";
import { median, ready } from "./rounds.js";
import { startKalends } from "./servers.js";
import { dataFolder, sqliteStore, type Store } from "./stores.js";

const warmUpSeconds = 2;
let received = 0;
const receiver = createServer((request, response) => {
  received++;
  request.resume().once("end", () => response.writeHead(204).end());
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const address = receiver.address();
if (address === null || typeof address === "string") throw new Error("the receiver has no port");
const webhookUrl = `http://127.0.0.1:${address.port}/`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "5" },
    data: { type: "string", default: dataFolder },
  },
});

interface Speed {
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly messagesPerSecond: number;
}

async function addWebhook(server: string): Promise<void> {
  const { status } = await fetch(`${server}/api/kalends/v1/webhooks/create`, {
    method: "POST",
    headers: { Authorization: `Bearer ${benchToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ url: webhookUrl }),
  });
  if (status !== 200) throw new Error(`the webhook was not created: ${status}`);
}

/** One round on a fresh copy of the data and a fresh server. */
async function measure(store: Store, id: string, withWebhook: boolean): Promise<Speed> {
  const job = jobs.find((each) => each.id === id);
  if (job === undefined) throw new Error(`there is no job ${id}`);
  const copy = await store.copy("kalends", job.size);
  const server = await startKalends(copy.url, undefined, { WEBHOOK_ALLOW_PRIVATE: "on" });
  try {
    if (withWebhook) await addWebhook(server.url);
    const { requests } = await ready(job, "kalends", server.url);
    await load(server.url, requests, warmUpSeconds);
    const [before, receivedBefore] = [server.cpuMicros(), received];
    const result = await load(server.url, requests, Number(values.seconds));
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
    const cpuMicros = (server.cpuMicros() - before) / result.requests;
    const messagesPerSecond = (received - receivedBefore) / Number(values.seconds);
    return { perSecond: result.requestsPerSecond, cpuMicros, messagesPerSecond };
  } finally {
    await server.stop();
    await copy.remove();
  }
}

const store = sqliteStore(values.data);
for (const id of ["J3", "J4"]) {
  const without: Speed[] = [];
  const having: Speed[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    without.push(await measure(store, id, false));
    having.push(await measure(store, id, true));
  }
  const speed = (of: readonly Speed[]): number => median(of.map(({ perSecond }) => perSecond));
  const cpu = (of: readonly Speed[]): number => median(of.map(({ cpuMicros }) => cpuMicros));
  const messages = median(having.map(({ messagesPerSecond }) => messagesPerSecond));
  console.log(
    `${id}: without ${speed(without).toFixed(0)}/s, ${cpu(without).toFixed(0)} us; with a webhook ${speed(having).toFixed(0)}/s, ` +
      `${cpu(having).toFixed(0)} us, ${messages.toFixed(0)} messages/s; ratio ${(speed(having) / speed(without)).toFixed(2)}, of CPU ${(cpu(without) / cpu(having)).toFixed(2)}`,
  );
}
receiver.close();
