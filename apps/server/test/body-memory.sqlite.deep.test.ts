import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { testServer } from "./harness.js";
import { run } from "./process.js";
import { sendBytes } from "./sockets.js";
import { temporaryFolder } from "./temporary.js";

// Bodies of unknown callers: a token may be in the body, so it is read before the caller is known.

const server = await testServer();
const folder = temporaryFolder();

const form = "Host: calendars.example\r\nContent-Type: application/x-www-form-urlencoded\r\n";
const create = `POST /api/v1/calendars/create/ HTTP/1.1\r\n${form}`;
const chunked = `${create}Transfer-Encoding: chunked\r\n\r\n`;

interface Client {
  readonly socket: Socket;
  text(): string;
}

async function open(url: string): Promise<Client> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = "";
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => (text += chunk.toString()));
  await new Promise((resolve) => socket.once("connect", resolve));
  return { socket, text: () => text };
}

/** Chunks of 16 bytes each, of a body of just below 1 MiB. */
const smallChunks = `10\r\n${"a".repeat(16)}\r\n`.repeat(65_000);
const end = "8\r\n&token=x\r\n0\r\n\r\n";

/** Sends three bodies in small chunks, and returns how many requests are answered one by one before the first of them. */
async function servedDuringBodies(url: string): Promise<number> {
  const clients = await Promise.all(Array.from({ length: 3 }, () => open(url)));
  for (const { socket } of clients) socket.write(`${chunked}${smallChunks}${end}`);
  let served = 0;
  while (!clients.some(({ text }) => text() !== "")) {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    served++;
  }
  await expect
    .poll(() => clients.map(({ text }) => text().slice(0, 12)))
    .toEqual(clients.map(() => "HTTP/1.1 401"));
  for (const { socket } of clients) socket.destroy();
  return served;
}

function peakMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Starts a server as `npm start` does: a larger young generation shows garbage, not what is kept. */
async function startMeasured() {
  const { child, until, finished } = run("main.ts", [], folder, {
    PORT: "0",
    NODE_OPTIONS: "--max-semi-space-size=4",
  });
  const [, url = ""] = await until(/Listening on (\S+)/);
  expect((await fetch(`${url}/api/v1/timezones`)).status).toBe(200);
  const before = peakMegabytes(child.pid);
  return {
    url,
    expectLittleMemory: () => expect(peakMegabytes(child.pid) - before).toBeLessThan(100),
    end: async () => {
      child.kill("SIGTERM");
      expect((await finished).code).toBe(0);
    },
  };
}

describe.runIf(process.platform === "linux")("the memory of bodies", () => {
  test("in small chunks is that of their bytes, not of their chunks, and they keep no one waiting", async () => {
    const { url, expectLittleMemory, end } = await startMeasured();
    // Each body takes 21 reads of 64 KiB. Node would read each up to 32 times before it serves another connection. This process
    // may have stood still meanwhile: then it has seen less, and sends the bodies again.
    let served = 0;
    for (let tries = 0; tries < 10 && served <= 15; tries++) served = await servedDuringBodies(url);
    expect(served).toBeGreaterThan(15);
    expectLittleMemory();
    await end();
  });

  test("in chunks of one byte is that of their bytes while a token is looked up", async () => {
    const { url, expectLittleMemory, end } = await startMeasured();
    const clients = await Promise.all(Array.from({ length: 100 }, () => open(url)));
    const head = chunked.replace("Content-Type", `Authorization: Bearer ${"x".repeat(20)}\r\nContent-Type`);
    for (const { socket } of clients) socket.write(`${head}${"1\r\na\r\n".repeat(20_000)}`);
    for (const { text } of clients) await expect.poll(text).toMatch(/^HTTP\/1\.1 401 /);
    expectLittleMemory();
    for (const { socket } of clients) socket.destroy();
    await end();
  });
});

test("a body may come in a thousand chunks of one byte; one of many more is a 413", async () => {
  const few = `${chunked}8\r\nfiller=x\r\n${"1\r\na\r\n".repeat(1_000)}${end}`;
  const client = await open(server.url);
  client.socket.write(few);
  await expect.poll(client.text).toMatch(/^HTTP\/1\.1 401 /);
  client.socket.destroy();
  const many = await sendBytes(server, `${chunked}${"1\r\na\r\n".repeat(100_000)}${end}`);
  expect(many.status).toBe(413);
  // One that is whole, but dropped in part, ends its connection too: nothing more is read from that.
  const withToken = chunked.replace(
    "Content-Type",
    `Authorization: Bearer ${"x".repeat(20)}\r\nContent-Type`,
  );
  const whole = await sendBytes(server, `${withToken}${"1\r\na\r\n".repeat(2_000)}${end}`);
  expect([whole.status, whole.headers.get("connection")]).toEqual([401, "close"]);
  expect(many.body.meta.error_message).toBe(
    "The body comes in too many tiny chunks; send it in larger ones.",
  );
});

test.each(["/api/v1/calendars/create/", "/nothing", "/c/0000/follow"])(
  "a sender of chunks of one byte to %s is not read for long",
  async (path) => {
    const accepted: unknown[] = [];
    const note = (message: unknown): void => void accepted.push(message);
    subscribe("net.server.socket", note);
    const client = await open(server.url);
    const { socket } = client;
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(chunked.replace("/api/v1/calendars/create/", path));
    const piece = "1\r\na\r\n".repeat(10_000);
    const send = (): void => {
      if (!socket.destroyed) socket.write(piece, () => setImmediate(send));
    };
    send();
    await closed;
    unsubscribe("net.server.socket", note);
    expect(client.text()).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(accepted).toHaveLength(1);
    expect(accepted).toHaveProperty(
      "0.socket.bytesRead",
      expect.toSatisfy((bytes: number) => bytes < 1_000_000),
    );
  },
);

test("large bodies of unknown callers take 64 MiB at most: more get a 503, callers with a token in the head do not", async () => {
  const { token } = await server.account();
  const head = `${create}Content-Length: 1048576\r\n\r\n`;
  const clients = await Promise.all(Array.from({ length: 80 }, () => open(server.url)));
  for (const { socket } of clients) socket.write(head + "x".repeat(1_000_000));
  const steady = setInterval(() => clients.forEach(({ socket }) => socket.write("x")), 1_000); // a body may pause for 10 s
  const refused = (): readonly Client[] => clients.filter(({ text }) => text() !== "");
  await expect.poll(() => refused().length).toBeGreaterThanOrEqual(80 - 64);
  for (const { text } of refused())
    expect(text()).toMatch(/^HTTP\/1\.1 503 .*Retry-After: 1\r\n.*"overloaded"/s);
  expect(refused().length).toBeLessThan(40);

  const body = `title=x&filler=${"y".repeat(1_000_000)}`;
  const known = `${create}Authorization: Bearer ${token}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
  expect((await sendBytes(server, known + body)).status).toBe(200);
  expect(server.logText()).not.toContain('"stack"');

  clearInterval(steady);
  for (const { socket } of clients) socket.destroy();
  const inBody = `${body}&token=${token}`;
  const unknown = `${create}Connection: close\r\nContent-Length: ${inBody.length}\r\n\r\n`;
  await expect.poll(async () => (await sendBytes(server, unknown + inBody)).status).toBe(200);
});
