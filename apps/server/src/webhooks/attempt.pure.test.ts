import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type NameServer, startNameServer } from "../../test/name-server.js";
import { createResolve, guardedLookup, refusalOf } from "./ssrf-guard.js";
import { send, type Sending } from "./attempt.js";

const message = { payload: '{"a":"\u{1F389}"}', headers: { "webhook-id": "msg_1" } };

const answers = new Map<string, readonly string[]>();
let names: NameServer;
/** Counts connections and never answers. */
let silent: { readonly port: number; connections: number; readonly close: () => void };
beforeAll(async () => {
  names = await startNameServer((name) => answers.get(name) ?? []);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    silent.connections++;
    open.add(socket.on("error", () => undefined));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  silent = { port: portOf(server), connections: 0, close };
});
afterAll(async () => {
  silent.close();
  await names.close();
});

function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function sending(choice: Partial<Sending> = {}): Sending {
  return { timeoutMs: 20_000, allowsPrivate: false, resolve: createResolve([names.address]), ...choice };
}

/** Sends to a receiver on 127.0.0.1, which is allowed, and closes it. */
async function sendTo(answer: RequestListener, choice: Partial<Sending> = {}, host = "127.0.0.1") {
  const receiver: Server = createHttpServer(answer);
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://${host}:${portOf(receiver)}/hook?a=1`;
  const outcome = await send(url, message, sending({ allowsPrivate: true, ...choice }));
  receiver.closeAllConnections();
  receiver.close();
  return outcome;
}

test("a URL is refused that is not https, holds a password or names an address that is not public in any notation", () => {
  const refused =
    "hello http://example.com ftp://example.com https://user@example.com https://:pass@example.com https://example.com/#a " +
    "https://127.0.0.1 https://2130706433 https://0x7f.1 https://0177.0.0.1 https://127.1 https://127.0.0.1. https://0 " +
    "https://169.254.169.254/latest https://[::1] https://[::ffff:127.0.0.1] https://[::ffff:a9fe:a9fe] https://[fe80::1] " +
    "https://①②⑦.0.0.1 https://[64:ff9b::a9fe:a9fe]";
  for (const url of refused.split(" "))
    expect([url, refusalOf(url, false)]).toEqual([url, expect.stringMatching(/^must /)]);
  expect(refusalOf(`https://example.com/${"a".repeat(2_048)}`, false)).toMatch(/at most 2048/);
  for (const url of ["https://example.com", "https://example.com:8443/a?b=c", "https://8.8.8.8/"])
    expect(refusalOf(url, false)).toBeUndefined();
  for (const url of ["http://127.0.0.1:1/", "http://receiver/", "https://[::1]/"])
    expect(refusalOf(url, true)).toBeUndefined();
  expect(refusalOf("http://user@127.0.0.1/", true)).toMatch(/no user name/);
});

describe("a name is refused, without a connection, that resolves to", () => {
  const cases = [
    ["loopback.example", ["127.0.0.1"]],
    ["metadata.example", ["169.254.169.254"]],
    ["loopback6.example", ["::1"]],
    ["mapped.example", ["::ffff:127.0.0.1"]],
    ["private.example", ["10.0.0.1"]],
    ["unspecified.example", ["0.0.0.0"]],
    ["both.example", ["93.184.216.34", "127.0.0.1"]],
    ["dotted.example.", ["127.0.0.1"]],
    ["compatible.example", ["::7f00:1"]],
    ["isatap.example", ["2606:4700::200:5efe:a00:1"]],
  ] as const;
  for (const [name, addresses] of cases) {
    test(addresses.join(" and "), async () => {
      answers.set(name.replace(/\.$/, ""), addresses);
      const before = silent.connections;
      const outcome = await send(`https://${name}:${silent.port}/`, message, sending());
      expect(outcome).toMatchObject({
        isSuccess: false,
        status: null,
        error: "The host name has an address that is not public.",
      });
      expect(silent.connections).toBe(before);
    });
  }

  test("localhost, and no address at all", async () => {
    for (const name of ["localhost", "a.localhost", "LOCALHOST."])
      expect((await send(`https://${name}:${silent.port}/`, message, sending())).error).toMatch(
        /that is not public/,
      );
    expect((await send("https://nothing.example/", message, sending())).error).toBe(
      "The host name has no address.",
    );
    expect(silent.connections).toBe(0);
  });
});

test("a name is resolved once, and the connection goes to the addresses that were checked: a change in between has no effect", async () => {
  const changing = [["93.184.216.34"], ["127.0.0.1"]] as const;
  let asked = 0;
  const resolve = () => {
    const [address = ""] = changing[asked++] ?? [];
    return Promise.resolve([{ address, family: 4 }]);
  };
  const connectsTo = (all: boolean) =>
    new Promise((resolved, reject) => {
      guardedLookup(resolve, false)("a.example", { all }, (error, address) =>
        error === null ? resolved(address) : reject(error),
      );
    });
  expect(await connectsTo(true)).toEqual([{ address: "93.184.216.34", family: 4 }]);
  expect(asked).toBe(1);
  await expect(connectsTo(false)).rejects.toThrow("not public");

  // The same with a real connection: the name has another address once it was resolved.
  let [address, resolved] = ["127.0.0.1", 0];
  const flipping = await startNameServer(() => [address]);
  const resolveName = createResolve([flipping.address]);
  const resolveOnce: Sending["resolve"] = async (name) => {
    const found = await resolveName(name);
    resolved++;
    address = "192.0.2.1";
    return found;
  };
  const outcome = await sendTo((_req, res) => res.end(), { resolve: resolveOnce }, "flips.example");
  await flipping.close();
  expect(outcome).toMatchObject({ isSuccess: true });
  expect(resolved).toBe(1);
  expect(new Set(flipping.questions)).toEqual(new Set(["A flips.example", "AAAA flips.example"]));
});

test("any 2xx is a success, and a redirect, 4xx or 5xx a failure that says so", async () => {
  for (const status of [200, 201, 204, 299]) {
    const outcome = await sendTo((_req, res) => res.writeHead(status).end());
    expect(outcome).toMatchObject({ isSuccess: true, status, error: null });
  }
  const before = silent.connections;
  const redirected = await sendTo((_req, res) =>
    res.writeHead(307, { Location: `http://127.0.0.1:${silent.port}/` }).end(),
  );
  expect(redirected).toMatchObject({
    isSuccess: false,
    status: 307,
    error: expect.stringContaining("not followed"),
  });
  expect(silent.connections).toBe(before);
  expect(await sendTo((_req, res) => res.writeHead(410).end("gone"))).toMatchObject({
    isSuccess: false,
    status: 410,
  });
});

test("the request is a POST with the payload byte for byte and its headers, on a connection of its own", async () => {
  const got: unknown[] = [];
  await sendTo((req, res) => {
    const { method, url, headers } = req;
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.once("end", () => {
      got.push([method, url, headers["webhook-id"], headers["content-type"], headers.connection]);
      got.push(Buffer.concat(chunks).toString());
      res.end();
    });
  });
  expect(got).toEqual([["POST", "/hook?a=1", "msg_1", "application/json", "close"], message.payload]);
});

test("a receiver that does not answer, or slowly, is given up when the time is over; an endless body is not read", async () => {
  const ended: unknown[] = [];
  const late = async (timeoutMs: number) =>
    ended.push(
      await send(`http://127.0.0.1:${silent.port}/`, message, sending({ allowsPrivate: true, timeoutMs })),
    );
  await Promise.all([late(1_000), late(200)]);
  const failure = (ms: number) => ({ isSuccess: false, status: null, error: `No response within ${ms} ms.` });
  expect(ended).toMatchObject([failure(200), failure(1_000)]);

  const dribbling = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write("HTTP/1.1 200 OK\r\nX-A: ");
    const timer = setInterval(() => socket.write("a"), 20);
    socket.once("close", () => clearInterval(timer));
  }).listen(0, "127.0.0.1");
  await once(dribbling, "listening");
  const slow = await send(
    `http://127.0.0.1:${portOf(dribbling)}/`,
    message,
    sending({ allowsPrivate: true, timeoutMs: 200 }),
  );
  dribbling.close();
  expect(slow).toMatchObject({ isSuccess: false, error: "No response within 200 ms." });

  let written = 0;
  const endless = await sendTo((_req, res) => {
    res.writeHead(200);
    const more = (): void => {
      while (!res.destroyed && written < 1e9) {
        written += 65_536;
        if (!res.write(Buffer.alloc(65_536))) return;
      }
    };
    res.on("drain", more);
    more();
  });
  expect(endless).toMatchObject({ isSuccess: true, status: 200 });
  expect(written).toBeLessThan(64 * 1024 * 1024);
});

test("a connection that fails, is closed or changes its protocol is a failure with its cause", async () => {
  const closing = await sendTo((req) => req.socket.destroy());
  expect(closing).toMatchObject({
    isSuccess: false,
    status: null,
    error: "The connection failed: ECONNRESET.",
  });
  const upgraded = await sendTo((req) => {
    req.socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n");
  });
  expect(upgraded).toMatchObject({ isSuccess: false, status: null });
  const large = await sendTo((_req, res) => res.writeHead(200, { "X-A": "a".repeat(40_000) }).end());
  expect(large).toMatchObject({ isSuccess: false, error: "The connection failed: HPE_HEADER_OVERFLOW." });
  // No program listens on port 1; one that was free a moment ago may be taken.
  const refused = await send("http://127.0.0.1:1/", message, sending({ allowsPrivate: true }));
  expect(refused.error).toBe("The connection failed: ECONNREFUSED.");
});
