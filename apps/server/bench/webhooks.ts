// What a webhook costs creates and saves: bench:webhooks. A server without a webhook and one with it run side by side and get the
// jobs J3 and J4 in turn, since the speed of a machine changes within seconds. The one that waits is suspended: it would send what
// it has stored. The receiver runs on this machine: it takes processor time that the figures of a receiver elsewhere would not lack.
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { benchToken } from "./data.js";
import { jobs } from "./jobs.js";
import { load } from "./load.js";
import { median, ready } from "./rounds.js";
import { startKalends } from "./servers.js";
import { dataFolder, sqliteStore, type Store } from "./stores.js";

const warmUpSeconds = 5;
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
    rounds: { type: "string", default: "12" },
    seconds: { type: "string", default: "4" },
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

/** A server, warmed up on a copy of the data, that can be loaded for a round at a time. */
async function start(store: Store, id: string, withWebhook: boolean) {
  const job = jobs.find((each) => each.id === id);
  if (job === undefined) throw new Error(`there is no job ${id}`);
  const copy = await store.copy("kalends", job.size);
  const server = await startKalends(copy.url, undefined, { WEBHOOK_ALLOW_PRIVATE: "on" });
  if (withWebhook) await addWebhook(server.url);
  const { requests } = await ready(job, "kalends", server.url);
  await load(server.url, requests, warmUpSeconds);
  server.suspend();
  return {
    round: async (): Promise<Speed> => {
      server.resume();
      const [before, receivedBefore] = [server.cpuMicros(), received];
      const result = await load(server.url, requests, Number(values.seconds));
      server.suspend();
      if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
      const cpuMicros = (server.cpuMicros() - before) / result.requests;
      const messagesPerSecond = (received - receivedBefore) / Number(values.seconds);
      return { perSecond: result.requestsPerSecond, cpuMicros, messagesPerSecond };
    },
    stop: async (): Promise<void> => {
      await server.stop();
      await copy.remove();
    },
  };
}

const store = sqliteStore(values.data);
for (const id of ["J3", "J4"]) {
  const without = await start(store, id, false);
  const having = await start(store, id, true);
  const pairs: (readonly [Speed, Speed])[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const first = round % 2 === 0 ? await without.round() : undefined;
    const second = await having.round();
    pairs.push([first ?? (await without.round()), second]);
  }
  await without.stop();
  await having.stop();
  const of = (figure: (pair: readonly [Speed, Speed]) => number): number => median(pairs.map(figure));
  console.log(
    `${id}: without ${of(([one]) => one.perSecond).toFixed(0)}/s, ${of(([one]) => one.cpuMicros).toFixed(0)} us; ` +
      `with a webhook ${of(([, two]) => two.perSecond).toFixed(0)}/s, ${of(([, two]) => two.cpuMicros).toFixed(0)} us, ` +
      `${of(([, two]) => two.messagesPerSecond).toFixed(0)} messages/s; ratio of a round ` +
      `${of(([one, two]) => two.perSecond / one.perSecond).toFixed(2)}, of CPU ${of(([one, two]) => one.cpuMicros / two.cpuMicros).toFixed(2)}`,
  );
}
receiver.close();
