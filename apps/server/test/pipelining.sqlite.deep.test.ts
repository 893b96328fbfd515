import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { startTestServer, testServer } from "./harness.js";
import { sendBytes } from "./sockets.js";

// Requests sent on a connection before the earlier ones are answered: they wait, and bound memory.

const server = await testServer();
const { token } = await server.account();

const host = "Host: calendars.example\r\n";
const get = (path: string, headers = ""): string => `GET ${path} HTTP/1.1\r\n${host}${headers}\r\n`;
const statuses = (text: string): readonly string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = ""]) => status);

/** Sends requests and reads nothing. */
async function sendUnread(url: string, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) }).pause();
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write(bytes);
  return socket;
}

test("a request sees what those before it on the connection have written", async () => {
  const writes = Array.from({ length: 20 }, (_, index) =>
    get(`/api/v1/calendars/create/?token=${token}&title=turn-${index}`),
  );
  const list = get(`/api/v1/calendars/list/?token=${token}`, "Connection: close\r\n");
  const { text } = await sendBytes(server, writes.join("") + list);
  const last = text.slice(text.lastIndexOf("\r\n\r\n") + 4);
  const { calendars } = JSON.parse(last);
  expect(calendars.map(({ title }: { readonly title: string }) => title)).toEqual(
    Array.from({ length: 20 }, (_, index) => `turn-${19 - index}`),
  );
});

test("10,000 requests at once are all answered to a client that reads", async () => {
  const requests = get("/healthz").repeat(9_999) + get("/healthz", "Connection: close\r\n");
  const { status, text } = await sendBytes(server, requests);
  expect([status, statuses(text).length]).toEqual([200, 9_999]);
});

test("bodies of requests that wait arrive whole", async () => {
  const body = `title=${"x".repeat(200)}&filler=${"y".repeat(300_000)}`;
  const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`;
  const post = (headers: string) =>
    `POST /api/v1/calendars/create/?token=${token} HTTP/1.1\r\n${host}${form}${headers}\r\n${body}`;
  const { status, text } = await sendBytes(server, post("") + post("") + post("Connection: close\r\n"));
  expect([status, ...statuses(text)].map(String)).toEqual(["200", "200", "200"]);
});

test("what is malformed is answered after the requests before it", async () => {
  const { status, text } = await sendBytes(server, `${get("/healthz")}${get("/readyz")}GARBAGE\r\n\r\n`);
  expect([status, ...statuses(text)].map(String)).toEqual(["200", "200", "400"]);
  expect(text).toContain('"malformed_request"');
});

test("a client that reads nothing starts few requests and is cut off", async () => {
  const own = await startTestServer();
  const handled = (): number => own.logText().split('"msg":"request"').length - 1;
  const socket = await sendUnread(own.url, get("/api/v1/timezones").repeat(20_000));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const started = performance.now();
  await expect.poll(handled, { timeout: 120_000 }).toBeGreaterThan(0);
  expect((await own.request("/api/v1/timezones")).status).toBe(200);
  // Its next write, or the bytes that it has not read, show that the server has closed.
  const timer = setInterval(() => socket.write("x"), 1_000);
  await closed;
  clearInterval(timer);
  expect(performance.now() - started).toBeLessThan(45_000);
  expect(handled()).toBeLessThan(2_000); // what the buffers of the system hold
  await own.stop();
});
