// A neighbour account, as a process of its own, so that the work of an attack does not delay what it measures. It polls
// /healthz, creates events, reads its list, feed and page, and receives its webhook. The parent sends "start" and "stop".
import { createServer, Agent, request } from "node:http";

const [url = "", token = "", calendarId = "", feed = "", page = "", readId = "", hasWebhook = ""] =
  process.argv.slice(2);
const authorization = { Authorization: `Bearer ${token}` };

/** What was measured since the last "start": times in ms, and how many requests were not answered as they should be. */
let times = emptied();
/** When each event was created whose message has not arrived yet, by its title. */
const awaited = new Map();
/** When the request of each kind was sent that is not answered yet. */
const open = new Map();
let count = 0;

function emptied() {
  return { health: [], write: [], list: [], feed: [], page: [], webhook: [], refused: {} };
}

/** Sends a request on a connection of its own kind, and notes how long the whole answer took. */
function sender(kind, send) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return () =>
    new Promise((resolve) => {
      const began = performance.now();
      const into = times;
      open.set(kind, began);
      const end = (status) => {
        open.delete(kind);
        into[kind].push(performance.now() - began);
        if (status !== 200) into.refused[`${kind} ${status}`] = (into.refused[`${kind} ${status}`] ?? 0) + 1;
        resolve(status);
      };
      const { path, method = "GET", headers = {}, body } = send();
      const req = request(url + path, { method, headers, agent, timeout: 60_000 }, (res) => {
        res.resume();
        res.once("end", () => end(res.statusCode));
        res.once("error", () => end("broken"));
      });
      req.once("timeout", () => req.destroy(new Error("timeout")));
      req.once("error", () => end("failed"));
      req.end(body);
    });
}

const health = sender("health", () => ({ path: "/healthz" }));
const list = sender("list", () => ({
  path: `/api/kalends/v1/events/list/?calendar_id=${readId}`,
  headers: authorization,
}));
const read = {
  list,
  feed: sender("feed", () => ({ path: feed })),
  page: sender("page", () => ({ path: page })),
};
const write = sender("write", () => {
  const title = `neighbour ${count++}`;
  if (hasWebhook === "true") awaited.set(title, performance.now());
  const body = new URLSearchParams({ calendar_id: calendarId, title, start_date: "2030-07-04T10:00" });
  return {
    path: "/api/kalends/v1/events/create/",
    method: "POST",
    headers: { ...authorization, "Content-Type": "application/x-www-form-urlencoded" },
    body: body.toString(),
  };
});

const receiver = createServer((req, res) => {
  const chunks = [];
  req.on("data", (chunk) => chunks.push(chunk));
  req.once("end", () => {
    res.writeHead(204).end();
    const title = JSON.parse(Buffer.concat(chunks).toString()).data?.event?.title;
    const began = awaited.get(title);
    if (began === undefined) return;
    awaited.delete(title);
    times.webhook.push(performance.now() - began);
  });
});

const state = { isRunning: false };

/** Repeats a request, with a pause after each answer. */
async function repeat(send, pauseMs) {
  while (state.isRunning) {
    await send();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function start() {
  times = emptied();
  awaited.clear();
  state.isRunning = true;
  void repeat(health, 20);
  void repeat(write, 150); // so many messages that a busy process can send them: what waits, waits for others
  for (const send of Object.values(read)) void repeat(send, 50);
}

/** What still waits has waited as long as until now. */
function stop() {
  state.isRunning = false;
  const now = performance.now();
  const { refused, webhook, ...rest } = times;
  const late = [...awaited.values()].map((began) => now - began);
  const all = { ...rest, webhook: [...webhook, ...late] };
  for (const [kind, began] of open) all[kind].push(now - began);
  const summary = Object.fromEntries(Object.entries(all).map(([kind, values]) => [kind, summarized(values)]));
  process.send({ ...summary, refused });
}

function summarized(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const round = (value = 0) => Math.round(value * 10) / 10;
  return {
    count: sorted.length,
    median: round(sorted[Math.floor(sorted.length / 2)]),
    worst: round(sorted.at(-1)),
  };
}

receiver.listen(0, "127.0.0.1", () => process.send({ port: receiver.address().port }));
process.on("message", (message) => (message === "start" ? start() : stop()));
process.once("disconnect", () => process.exit());
