import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { sourceUrl, version } from "../about.js";
import { readConfig } from "../settings/config.js";
import { createResolve } from "../webhooks/ssrf-guard.js";
import { fetchFile, userAgentOf } from "./fetch.js";

// What servers answer that send a file otherwise than they were asked to.

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Starts a server. Returns its address without a path. */
async function serve(reply: RequestListener): Promise<string> {
  const server = createServer(reply).listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

const fetching = {
  sending: { allowsPrivate: true, resolve: createResolve() },
  userAgent: "Mozilla/5.0 (compatible)",
  signal: new AbortController().signal,
};

async function fetched(url: string, credentials = ""): Promise<string> {
  const file = await fetchFile({ url, credentials }, undefined, fetching).catch(String);
  return typeof file === "string" ? file : (file?.bytes.toString() ?? "");
}

const answering = (encoding: string, body: Uint8Array) =>
  serve((_req, res) => res.writeHead(200, { "Content-Encoding": encoding }).end(body));

const text = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".repeat(1_000);

test.each([
  ["gzip", gzipSync(text)],
  ["GZIP", gzipSync(text)],
  ["x-gzip", gzipSync(text)],
  ["br", brotliCompressSync(text)],
  ["deflate", deflateSync(text)],
  ["deflate", deflateRawSync(text)],
  ["identity", Buffer.from(text)],
])("a file that comes as %s, though it was not asked for, is read", async (encoding, body) => {
  expect(await fetched(await answering(encoding, body))).toBe(text);
});

test.each(["gzip", "br", "deflate"])("a damaged or cut file in %s is refused", async (encoding) => {
  const compress = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }[encoding] ?? gzipSync;
  const refused = "Error: The response is compressed and damaged.";
  expect(await fetched(await answering(encoding, Buffer.from("BEGIN:VCALENDAR")))).toBe(refused);
  expect(await fetched(await answering(encoding, compress(text).subarray(0, 20)))).toBe(refused);
});

test.each(["gzip", "br", "deflate"])(
  "an empty response in %s is an empty file or damaged, at once",
  async (encoding) => {
    expect(await fetched(await answering(encoding, Buffer.of()))).toMatch(/^$|damaged/);
  },
);

test("another compression is refused by its kind", async () => {
  expect(await fetched(await answering("zstd", Buffer.from("x")))).toBe(
    "Error: The response is compressed in another way than gzip, deflate or br.",
  );
});

test("a bomb is refused at the limit of a file, and so are bytes that come to nothing", async () => {
  const [bomb, nothing] = [gzipSync(Buffer.alloc(50_000_000)), gzipSync("")];
  let sent = 0;
  const url = await serve((req, res) => {
    res.writeHead(200, { "Content-Encoding": "gzip" });
    if (req.url === "/bomb") res.end(bomb);
    else {
      const many = Buffer.concat(Array.from({ length: 10_000 }, () => nothing));
      const send = (): void => {
        while (!res.destroyed && res.write(many)) sent += many.length;
        sent += many.length;
      };
      res.on("drain", send);
      send();
    }
  });
  expect(await fetched(`${url}/bomb`)).toBe("Error: The file is larger than 10 MB.");
  expect(await fetched(`${url}/nothing`)).toBe("Error: The file is larger than 10 MB.");
  expect(sent).toBeLessThan(30_000_000);
});

test("a password goes to the host that it was given for alone, as Basic (RFC 7617)", async () => {
  const seen: (string | undefined)[] = [];
  const other = await serve((req, res) => {
    seen.push(`other ${req.headers.authorization}`);
    res.end();
  });
  const url = await serve((req, res) => {
    seen.push(`${req.url} ${req.headers.authorization}`);
    if (req.url === "/there") res.writeHead(302, { Location: `${other}/x.ics` }).end();
    else if (req.url === "/here") res.writeHead(302, { Location: "/x.ics" }).end();
    else res.end("file");
  });
  const basic = `Basic ${Buffer.from("änna:p:w").toString("base64")}`;
  expect(await fetched(`${url}/here`, "änna:p:w")).toBe("file");
  await fetched(`${url}/there`, "änna:p:w");
  await fetched(`${url}/x.ics`);
  expect(seen).toStrictEqual([
    `/here ${basic}`,
    `/x.ics ${basic}`,
    `/there ${basic}`,
    "other undefined",
    "/x.ics undefined",
  ]);
});

test("a fetch names itself as its setting says", async () => {
  const url = await serve((req, res) => res.end(req.headers["user-agent"]));
  expect(await fetched(url)).toBe("Mozilla/5.0 (compatible)");
  const named = (settings: Readonly<Record<string, string>>) => userAgentOf(readConfig(settings));
  expect(named({})).toBe(`Mozilla/5.0 (compatible; Kalends/${version}; +${sourceUrl})`);
  expect(named({ PUBLIC_URL: "https://cal.example/town" })).toBe(
    `Mozilla/5.0 (compatible; Kalends/${version}; +https://cal.example/town)`,
  );
  expect(named({ SYNC_USER_AGENT: "Outlook" })).toBe("Outlook");
  expect(() => named({ SYNC_USER_AGENT: "a\nb" })).toThrow("SYNC_USER_AGENT must be at most 255 ASCII");
});
