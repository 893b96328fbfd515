import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { TestServer } from "./harness.js";

/** What came over a connection until the server closed it. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The parsed body; undefined when it is none of JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies whose shape they assert
  readonly body: any;
}

function open(server: TestServer): Socket {
  const { hostname, port } = new URL(server.url);
  return connect({ host: hostname, port: Number(port) });
}

/** Sends the bytes as they are and reads until the server closes. A write that fails is no failure: the answer counts. */
export function sendBytes(server: TestServer, ...parts: readonly (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = open(server);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(parse(Buffer.concat(chunks).toString())));
    for (const part of parts) socket.write(part);
  });
}

/** Waits 100 ms, and for 10 turns of the event loop, in which the server of this process reads what has come. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await delay(10);
}

/** Sends the bytes and, once the server has had time to read them, resets the connection. */
export async function resetAfter(server: TestServer, bytes: string): Promise<void> {
  const socket = open(server);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => undefined);
  socket.write(bytes);
  await settle();
  socket.resetAndDestroy();
  await closed;
}

/** Sends the head, and the body only a while later; looks at the answer when all is sent. */
export async function sendBeforeReading(
  server: TestServer,
  head: string,
  ...parts: readonly string[]
): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  const socket = open(server).pause();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => undefined);
  socket.write(head);
  for (const part of parts) {
    await settle(); // long enough for an answer to the head
    socket.write(part);
  }
  await settle();
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.resume();
  await closed;
  return parse(Buffer.concat(chunks).toString());
}

/** Sends the head, waits for the first bytes of an answer, and only then sends the body. */
export function sendAfterContinue(
  server: TestServer,
  head: string,
  body: string,
): Promise<readonly [interim: string, RawAnswer]> {
  return new Promise((resolve, reject) => {
    let interim: string | undefined;
    const chunks: Buffer[] = [];
    const socket = open(server);
    socket.on("data", (chunk) => {
      if (interim === undefined) {
        interim = chunk.toString();
        socket.write(body);
      } else chunks.push(chunk);
    });
    socket.on("error", reject);
    socket.on("close", () => resolve([interim ?? "", parse(Buffer.concat(chunks).toString())]));
    socket.write(head);
  });
}

function parse(answer: string): RawAnswer {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const text = rest.join("\r\n\r\n");
  const headers = new Map(
    lines.map((line): readonly [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const isJson = headers.get("content-type") === "application/json";
  // Bytes past the first answer, on a connection that had several, are left to the test.
  const body: unknown = isJson
    ? JSON.parse(text.slice(0, Number(headers.get("content-length"))) || "null")
    : undefined;
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? 0), headers, text, body };
}
