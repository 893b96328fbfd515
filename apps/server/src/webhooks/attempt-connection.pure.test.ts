import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { afterAll, expect, test } from "vitest";
import { createResolve } from "./ssrf-guard.js";
import { openConnection, type Outcome, send } from "./attempt.js";

// Several messages on one connection. A receiver may close it whenever it is idle, also while the next message is on its way.

const closing: (() => void)[] = [];
afterAll(() => closing.forEach((close) => close()));

/** Starts a receiver, and counts its connections. */
async function startReceiver(answer: RequestListener) {
  const receiver = createServer(answer).listen(0, "127.0.0.1");
  const opened = { connections: 0 };
  receiver.on("connection", () => opened.connections++);
  await once(receiver, "listening");
  closing.push(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const address = receiver.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`, opened };
}

/** Sends that many messages, one after the other. */
async function sendAll(url: string, count: number): Promise<readonly Outcome[]> {
  const connection = openConnection(url);
  const outcomes: Outcome[] = [];
  for (let index = 0; index < count; index++) {
    const message = { payload: `{"a":${index}}`, headers: { "webhook-id": `msg_${index}` } };
    const sending = { timeoutMs: 20_000, allowsPrivate: true, resolve: createResolve() };
    outcomes.push(await send(url, message, sending, { connection }));
  }
  connection.destroy();
  return outcomes;
}

const statuses = (outcomes: readonly Outcome[]) => outcomes.map(({ status }) => status);

test("five messages need one connection", async () => {
  const { url, opened } = await startReceiver((req, res) => {
    req.resume().once("end", () => res.end("a body that is read"));
  });
  expect(statuses(await sendAll(url, 5))).toEqual([200, 200, 200, 200, 200]);
  expect(opened.connections).toBe(1);
});

test("each has a connection of its own where the receiver closes them, or says more than is read", async () => {
  const polite = await startReceiver((req, res) => {
    res.setHeader("Connection", "close");
    req.resume().once("end", () => res.end());
  });
  expect(statuses(await sendAll(polite.url, 3))).toEqual([200, 200, 200]);
  expect(polite.opened.connections).toBe(3);
  const talkative = await startReceiver((req, res) => {
    req.resume().once("end", () => res.end("a".repeat(1_000_000)));
  });
  expect(statuses(await sendAll(talkative.url, 3))).toEqual([200, 200, 200]);
  expect(talkative.opened.connections).toBe(3);
});

test("a message that meets a closed connection is sent on a new one; one that a new connection does not take has failed", async () => {
  const ids: unknown[] = [];
  let mostOfNew = 1;
  const ofConnection = new WeakMap<object, number>();
  const { url, opened } = await startReceiver((req, res) => {
    const requests = (ofConnection.get(req.socket) ?? 0) + 1;
    ofConnection.set(req.socket, requests);
    ids.push(req.headers["webhook-id"]);
    if (requests > mostOfNew) req.socket.resetAndDestroy();
    else req.resume().once("end", () => res.end());
  });
  expect(statuses(await sendAll(url, 3))).toEqual([200, 200, 200]);
  expect(ids).toEqual(["msg_0", "msg_1", "msg_1", "msg_2", "msg_2"]);
  expect(opened.connections).toBe(3);

  mostOfNew = 0;
  ids.length = 0;
  const [failed] = await sendAll(url, 1);
  expect(failed).toMatchObject({ isSuccess: false, error: "The connection failed: ECONNRESET." });
  expect(ids).toEqual(["msg_0"]);
});

test("a message whose response has begun is not sent again when the connection breaks", async () => {
  const ids: unknown[] = [];
  const { url } = await startReceiver((req, res) => {
    ids.push(req.headers["webhook-id"]);
    req.resume().once("end", () => {
      if (ids.length !== 2) return res.end();
      res.writeHead(200, { "Content-Length": 20 }).write("half of it");
      return setTimeout(() => req.socket.resetAndDestroy(), 100); // once its head was read
    });
  });
  expect(statuses(await sendAll(url, 3))).toEqual([200, 200, 200]);
  expect(ids).toEqual(["msg_0", "msg_1", "msg_2"]);
});

test("a receiver that sends interim responses without end has failed", async () => {
  const flood = "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1_000);
  const { url } = await startReceiver((req) => {
    const write = (): void => void req.socket.write(flood, (error) => error ?? setImmediate(write));
    write();
  });
  const [outcome] = await sendAll(url, 1);
  expect(outcome?.error).toBe("There were more than 16 interim responses.");

  let hints = 16;
  const polite = await startReceiver((req, res) => {
    for (; hints > 0; hints--) res.writeProcessing();
    req.resume().once("end", () => res.end());
  });
  expect(statuses(await sendAll(polite.url, 1))).toEqual([200]);
});
