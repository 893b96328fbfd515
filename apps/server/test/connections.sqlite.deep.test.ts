import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { startTestServer, testServer, type TestServer } from "./harness.js";
import { argumentsOf, run } from "./process.js";
import { runningTime } from "./running-time.js";
import { sendBytes } from "./sockets.js";
import { temporaryFolder } from "./temporary.js";

// Connections that stay open, break or are too many: they end, and other clients are served meanwhile.

const server = await testServer();
const folder = temporaryFolder();

/** A hostile client: it closes its side only when the test does. */
interface Client {
  readonly socket: Socket;
  text(): string;
  /** Whether the server has sent its last byte. */
  readonly ended: Promise<void>;
  readonly closed: Promise<void>;
}

async function open({ url }: Pick<TestServer, "url">): Promise<Client> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = "";
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  const ended = new Promise<void>((resolve) => {
    socket.once("end", resolve).once("close", resolve);
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
  });
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  return { socket, text: () => text, ended, closed };
}

/** Resolves when the server's end of the connection is gone: then a byte gets a reset, which a later write reports. */
async function isGone(client: Client): Promise<void> {
  await client.ended;
  await delay(lingerMs); // unseen by the client
  for (let writes = 0; !client.socket.closed; writes++) {
    if (writes === 5) throw new Error(`The connection is still open after ${client.text()}`);
    client.socket.write("x");
    await Promise.race([client.closed, delay(100)]);
  }
}

/** For so long a connection may outlast its last byte. */
const lingerMs = 2_000;

const host = "Host: calendars.example\r\n";
const form = "Content-Type: application/x-www-form-urlencoded\r\n";
const create = `POST /api/v1/calendars/create/ HTTP/1.1\r\n${host}${form}`;
const incomplete = {
  nothing: "",
  "half a head": `GET /api/v1/timezones HTTP/1.1\r\n${host}X-Half`,
  "half a body": `${create}Content-Length: 100\r\n\r\ntitle=`,
  "half a chunk": `${create}Transfer-Encoding: chunked\r\n\r\n64\r\ntitle=`,
};

test.concurrent("400 connections that stop sending are gone within 40 seconds, and others are served", async () => {
  const started = runningTime();
  const clients = await Promise.all(
    Object.values(incomplete).flatMap((bytes) =>
      Array.from({ length: 100 }, async () => {
        const client = await open(server);
        client.socket.write(bytes);
        return client;
      }),
    ),
  );
  const state = { over: false, served: 0 };
  const serving = (async () => {
    while (!state.over || state.served < 100) {
      expect((await server.request("/api/v1/timezones")).status).toBe(200);
      state.served++;
      if (state.served > 100) await delay(50); // the first are sent while all connections are open
    }
  })();
  const gone = Promise.all(clients.map(isGone)).finally(() => (state.over = true));
  await Promise.all([gone, serving]);
  expect(runningTime() - started).toBeLessThan(40_000);
  for (const client of clients) expect(client.text()).toMatch(/^HTTP\/1\.1 408 .*"request_timeout"/s);
});

test.concurrent("half a body behind an answered GET is gone within 50 seconds", async () => {
  const started = runningTime();
  const client = await open(server);
  client.socket.write(`GET /api/v1/timezones HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\nhalf`);
  await isGone(client);
  expect(runningTime() - started).toBeLessThan(50_000);
  expect(client.text()).toMatch(/^HTTP\/1\.1 200 /);
});

test.concurrent("a body that arrives slowly but steadily is accepted after 20 seconds", async () => {
  const { token } = await server.account();
  const body = "title=slow";
  const client = await open(server);
  const head = `${create}Authorization: Bearer ${token}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
  client.socket.write(head);
  const letters = [...body];
  const timer = setInterval(() => client.socket.write(letters.shift() ?? ""), 2_000);
  await client.ended;
  clearInterval(timer);
  client.socket.destroy();
  expect(client.text()).toMatch(/^HTTP\/1\.1 200 /);
});

test.concurrent.each([
  ["a malformed request", "GARBAGE\r\n\r\n", 400],
  ["CONNECT", `CONNECT calendars.example:443 HTTP/1.1\r\n${host}\r\n`, 405],
  ["a head that is too large", `GET / HTTP/1.1\r\nX-Filler: ${"x".repeat(80 * 1024)}`, 431],
] as const)("the connection of %s is gone within 4 seconds", async (_title, bytes, status) => {
  const client = await open(server);
  const started = runningTime();
  client.socket.write(bytes);
  await isGone(client);
  expect(runningTime() - started).toBeLessThan(4_000);
  expect(client.text()).toContain(`HTTP/1.1 ${status} `);
});

test.concurrent("a client that closes its side of the connection behind its requests gets the answers", async () => {
  const { token } = await server.account();
  const post = `${create}Authorization: Bearer ${token}\r\nContent-Length: 7\r\n\r\ntitle=x`;
  const get = `GET /api/v1/timezones HTTP/1.1\r\n${host}\r\n`;
  for (const requests of [[get], [post], [post, get, get]]) {
    const client = await open(server);
    client.socket.end(requests.join(""));
    await client.closed;
    expect(client.text().match(/HTTP\/1\.1 200 OK\r\n/g)).toHaveLength(requests.length);
  }
});

test.concurrent("a connection that is reset, whatever it has sent, does not end the process", async () => {
  const process = run("main.ts", [], folder, { PORT: "0" });
  const [, url = ""] = await process.until(/Listening on (\S+)/);
  const starts = [
    `CONNECT x:1 HTTP/1.1\r\n\r\n`,
    `CONNECT x:1 HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf`,
    `GET /api/v1/timezones HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    "GARBAGE\r\n\r\n",
    `GET /api/v1/timezones HTTP/1.1\r\n${host}\r\n`.repeat(50),
    ...Object.values(incomplete),
  ];
  for (const bytes of starts) {
    for (const waitMs of [0, 0, 20]) {
      const { socket, closed } = await open({ url });
      socket.write(bytes);
      await delay(waitMs);
      socket.resetAndDestroy();
      await closed;
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  }
  process.child.kill("SIGTERM");
  const { code, stderr } = await process.finished;
  expect([code, stderr]).toEqual([0, ""]);
});

test.concurrent("a connection above MAX_CONNECTIONS is closed until another one ends, and the log says so", async ({
  expect,
}) => {
  const small = await startTestServer({ MAX_CONNECTIONS: "20" });
  const clients = await Promise.all(Array.from({ length: 20 }, () => open(small)));
  const flood = await Promise.all(Array.from({ length: 200 }, () => open(small)));
  await Promise.all(flood.map(isGone));
  clients[0]?.socket.destroy();
  await expect
    .poll(
      async () =>
        (await sendBytes(small, `GET /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)).status,
    )
    .toBe(200);
  await expect.poll(() => small.logText()).toContain('"connections refused: see MAX_CONNECTIONS"');
  for (const { socket } of clients) socket.destroy();
  await small.stop();
});

test.runIf(process.platform === "linux")(
  "silent connections leave 64 open files free, and the next one is closed",
  async () => {
    // 256 open files: 128 of them for connections.
    const command = [process.execPath, ...argumentsOf("main.ts")].map((part) => `'${part}'`).join(" ");
    const child = spawn("sh", ["-c", `ulimit -n 256; exec ${command}`], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        PORT: "0",
        CALENDAR_TOKEN: "0123456789abcdef",
        LOG_LEVEL: "error",
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const url = await new Promise<string>((resolve, reject) => {
      let text = "";
      child.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        const [, found] = /Listening on (\S+)\n/.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      });
      void ended.then((code) => reject(new Error(`exit ${String(code)}`)));
    });
    const write = `${url}/api/v1/calendars/create/?token=0123456789abcdef&title=x`;
    const kept = await open({ url }); // one that was there before
    const clients = await Promise.all(Array.from({ length: 300 }, () => open({ url })));
    const status = async (path: string) => (await fetch(path).catch(() => undefined))?.status;
    const sendOnKept = (path: string) => kept.socket.write(`GET ${path} HTTP/1.1\r\n${host}\r\n`);
    const statusOfNext = (): Promise<number | undefined> => {
      sendOnKept("/healthz"); // it would be ended after 10 seconds without a request
      return status(`${url}/healthz`);
    };
    await expect.poll(statusOfNext).toBeUndefined();
    expect(readdirSync(`/proc/${child.pid}/fd`).length).toBeLessThan(256 - 64);
    sendOnKept(new URL(write).pathname + new URL(write).search);
    await expect.poll(() => kept.text()).toMatch(/^HTTP\/1\.1 200 .*"calendar":/s);
    for (const { socket } of [kept, ...clients]) socket.destroy();
    await expect.poll(() => status(write)).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  },
);
