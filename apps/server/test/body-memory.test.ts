import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startTestServer } from "./harness.js";
import { run } from "./process.js";
import { sendBytes } from "./sockets.js";

// Bodies of callers that nobody knows: a token may be in the body, so it is read before the caller is known.

const server = await startTestServer();
const folder = mkdtempSync(join(tmpdir(), "kalends-body-memory-"));
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const form = "Host: calendars.example\r\nContent-Type: application/x-www-form-urlencoded\r\n";
const create = `POST /api/v1/calendars/create/ HTTP/1.1\r\n${form}`;

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

/** Sends three bodies in chunks of one byte, and returns how many requests are answered one by one before the first of them. */
async function servedDuringBodies(url: string): Promise<number> {
  const clients = await Promise.all(Array.from({ length: 3 }, () => open(url)));
  const body = `${"1\r\na\r\n".repeat(250_000)}8\r\n&token=x\r\n0\r\n\r\n`;
  for (const { socket } of clients) socket.write(`${create}Transfer-Encoding: chunked\r\n\r\n${body}`);
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

test.runIf(process.platform === "linux")(
  "a body that comes in chunks of one byte takes the memory of its bytes, not of its chunks, and keeps no one waiting",
  async () => {
    // As `npm start` runs it: a larger young generation shows garbage, not what is kept.
    const NODE_OPTIONS = "--max-semi-space-size=4";
    const process = run("main.ts", [], folder, { PORT: "0", NODE_OPTIONS });
    const [, url = ""] = await process.until(/Listening on (\S+)/);
    const peakMegabytes = (): number => {
      const status = readFileSync(`/proc/${process.child.pid}/status`, "utf8");
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    };
    expect((await fetch(`${url}/api/v1/timezones`)).status).toBe(200);
    const before = peakMegabytes();
    // Each body takes 23 reads of 64 KiB. Node would read each up to 32 times before it serves another connection. This process
    // may have stood still meanwhile: then it has seen less, and sends the bodies again.
    let served = 0;
    for (let tries = 0; tries < 10 && served <= 15; tries++) served = await servedDuringBodies(url);
    expect(served).toBeGreaterThan(15);
    expect(peakMegabytes() - before).toBeLessThan(100);
    process.child.kill("SIGTERM");
    expect((await process.finished).code).toBe(0);
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
