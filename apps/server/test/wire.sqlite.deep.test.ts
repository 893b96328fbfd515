import { afterEach, describe, expect, test } from "vitest";
import { exchange } from "./calls.js";
import { testServer } from "./harness.js";
import { type RawAnswer, sendAfterContinue, sendBeforeReading, sendBytes } from "./sockets.js";

// What the server answers to bytes on its socket, well formed or not: always the envelope, and it always lives on.

const server = await testServer();
const owner = await server.account();
const { token } = owner;

afterEach(async () => {
  const answer = await exchange(server, `/api/v1/calendars/list/?token=${token}`);
  expect(answer.status).toBe(200);
});

const host = "Host: calendars.example\r\n";
const close = "Connection: close\r\n";
const create = `POST /api/v1/calendars/create/?token=${token} HTTP/1.1\r\n${host}${close}`;
const form = "Content-Type: application/x-www-form-urlencoded\r\n";

/** Sends a head that nothing follows. */
const sendHead = (line: string, headers = host): Promise<RawAnswer> =>
  sendBytes(server, `${line}\r\n${headers}${close}\r\n`);

function expectError(answer: RawAnswer, status: number, errorType: string): void {
  expect([answer.status, answer.body?.meta.error_type]).toStrictEqual([status, errorType]);
  expect(String(answer.body.meta.code)).toBe(String(status));
  expect(answer.body.meta.request_id).toBe(answer.headers.get("x-request-id"));
  expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(answer.text)));
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("connection")).toBe("close");
}

const read = "GET /api/v1/timezones HTTP/1.1";
const malformed = {
  "a line that is no request": "GARBAGE\r\n\r\n",
  "a TLS hello": Buffer.from("16030100c4010000c00303", "hex"),
  "the preface of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "an unknown version": `GET / HTTP/9.9\r\n${host}\r\n`,
  "a NUL in the target": `GET /api/v1/timezones?a=\0 HTTP/1.1\r\n${host}\r\n`,
  "a NUL in a header": `${read}\r\n${host}X-A: a\0b\r\n\r\n`,
  "bytes past ASCII in the target": Buffer.from(
    `GET /api/v1/timezones?a=\xc3\xa9 HTTP/1.1\r\n${host}\r\n`,
    "latin1",
  ),
  "a header without a colon": `${read}\r\n${host}nonsense\r\n\r\n`,
  "a blank before the colon": `${read}\r\n${host}X-A : b\r\n\r\n`,
  "Content-Length and Transfer-Encoding together": `${create}${form}Content-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  "two lengths": `${create}${form}Content-Length: 7\r\nContent-Length: 8\r\n\r\ntitle=x`,
  "a negative length": `${create}${form}Content-Length: -7\r\n\r\ntitle=x`,
  "a chunk without a size": `${create}${form}Transfer-Encoding: chunked\r\n\r\nzz\r\ntitle=x\r\n0\r\n\r\n`,
  "no Host": `${read}\r\n${close}\r\n`,
  "an empty Host": `${read}\r\nHost:\r\n${close}\r\n`,
  "a Host that is none": `${read}\r\nHost: a/b?c@d\r\n${close}\r\n`,
  "two Hosts": `${read}\r\n${host}Host: other.example\r\n${close}\r\n`,
};

test.each(Object.entries(malformed))("%s is a 400 malformed_request", async (_title, bytes) => {
  expectError(await sendBytes(server, bytes), 400, "malformed_request");
});

describe("the target", () => {
  test.each([
    "/api",
    "/api/",
    "/api/v1",
    "/api/v1/",
    "/api/v2/calendars/list/",
    "/favicon.png",
    "/calendars/list/",
    "*",

    "/API/v1/calendars/list/",
    "/api/V1/timezones",
    "/api/v1/Calendars/list/",
    "//api/v1/calendars/list/",

    "/api/v1//calendars/list/",
    "/api/v1/calendars/list//",
    "/api/v1/timezones//",
    "/api/v1/calendars/list/x",

    "/api/v1/calendars/list/../create/",
    "/api/v1/calendars/list%2F",
    "/api/v1/calendars/list/%00",
    "/%zz",
    "/api/v1/%FF",
  ])("%s is a 404 in the envelope, whatever the method", async (path) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      expectError(await sendHead(`${method} ${path}?token=${token}&title=x HTTP/1.1`), 404, "path_unknown");
    }
  });

  test.each(["/api/kalends/v1/events/save/", "/api/v1/events/list/"])(
    "%s: the 404 names both documents, since each prefix lacks operations that the other has",
    async (path) => {
      const { text } = await sendHead(`GET ${path}?token=${token} HTTP/1.1`);
      for (const document of ["/openapi.json", "/openapi-kalends.json"])
        expect(text).toContain(` ${document}`);
    },
  );

  test("may be in absolute form", async () => {
    expect((await sendHead("GET http://calendars.example/api/v1/timezones HTTP/1.1")).status).toBe(200);
  });

  test.each(["a=%", "a=%zz", "a=%FF", "a=%C3%28", "%E2%82=1"])(
    "with the query %j is a 400",
    async (query) => {
      const line = `GET /api/v1/calendars/create/?title=x&token=${token}&${query} HTTP/1.1\r\n${host}${close}\r\n`;
      expectError(await sendBytes(server, line), 400, "encoding_invalid");
    },
  );

  test("of a wrong query on the time zone list has an integer code too", async () => {
    const answer = await sendHead("GET /api/v1/timezones?a=%zz HTTP/1.1");
    expect([answer.status, answer.body.meta.code]).toStrictEqual([400, 400]);
  });

  test("of CONNECT is a 405 with Allow", async () => {
    const answer = await sendHead("CONNECT calendars.example:443 HTTP/1.1");
    expectError(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  test("is answered to HTTP/1.0 without a Host, and to an Upgrade that is not known", async () => {
    expect((await sendHead("GET /api/v1/timezones HTTP/1.0", "")).status).toBe(200);
    expect(
      (await sendBytes(server, `${read}\r\n${host}Connection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`))
        .status,
    ).toBe(200);
  });
});

describe("the size of the head", () => {
  const headOf = (bytes: number, location: "target" | "header"): string => {
    const parts = [
      `GET /api/v1/calendars/list/?token=${token}&x=`,
      ` HTTP/1.1\r\n${host}${close}X-Filler: `,
      "\r\n\r\n",
    ];
    const filler = "x".repeat(bytes - parts.join("").length);
    return location === "target"
      ? parts.join("").replace("&x=", `&x=${filler}`)
      : parts.join("").replace("X-Filler: ", `X-Filler: ${filler}`);
  };

  test.each(["target", "header"] as const)("65,536 bytes pass, most of them in the %s", async (location) => {
    const head = headOf(65_536, location);
    expect(head).toHaveLength(65_536);
    expect((await sendBytes(server, head)).status).toBe(200);
  });

  test.each(["target", "header"] as const)("80 KiB, most of them in the %s, are a 431", async (location) => {
    expectError(await sendBytes(server, headOf(80 * 1024, location)), 431, "head_too_large");
  });
});

describe("the size of the body", () => {
  const mebibyte = 1024 * 1024;
  const bodyOf = (bytes: number): string =>
    `title=big&filler=${"x".repeat(bytes - "title=big&filler=".length)}`;
  const sendBody = (body: string) =>
    sendBytes(server, `${create}${form}Content-Length: ${body.length}\r\n\r\n`, body);
  const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const sendChunked = (body: string) =>
    sendBytes(server, `${create}${form}Transfer-Encoding: chunked\r\n\r\n`, chunked(body));

  test("1 MiB passes", async () => {
    expect((await sendBody(bodyOf(mebibyte))).status).toBe(200);
    expect((await sendChunked(bodyOf(mebibyte))).status).toBe(200);
  });

  test("one byte more is a 413", async () => {
    expectError(await sendBody(bodyOf(mebibyte + 1)), 413, "body_too_large");
  });

  test("one byte more in chunks is a 413", async () => {
    expectError(await sendChunked(bodyOf(mebibyte + 1)), 413, "body_too_large");
  });

  test("an announced body that is too large is a 413 at once, before it is sent", async () => {
    const head = `${create}${form}Content-Length: 99999999999\r\n\r\n`;
    expectError(await sendBytes(server, head), 413, "body_too_large");
  });

  test("what is refused reaches a sender who reads only once all is sent", async () => {
    const length = `Content-Length: ${mebibyte + 1}\r\n\r\n`;
    const halves = [mebibyte / 2 + 1, mebibyte / 2].map((bytes) => "x".repeat(bytes));
    const answer = await sendBeforeReading(server, `${create}${form}${length}`, ...halves);
    expectError(answer, 413, "body_too_large");
    const page = `POST /c/0000/follow HTTP/1.1\r\n${host}${close}${form}${length}`;
    expect((await sendBeforeReading(server, page, ...halves)).status).toBe(400);
    const unknown = `POST /nothing HTTP/1.1\r\n${host}${close}${form}${length}`;
    expectError(await sendBeforeReading(server, unknown, ...halves), 404, "path_unknown");
  });

  test("a body on a GET is not looked at", async () => {
    const head = `GET /api/v1/calendars/list/?token=${token} HTTP/1.1\r\n${host}${close}${form}Content-Length: 6\r\n\r\n`;
    expect((await sendBytes(server, head, "page=0")).status).toBe(200);
  });

  test("nor is one in chunks, which might never end: its answer closes the connection", async () => {
    const head = `GET /api/v1/timezones HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`;
    const answer = await sendBytes(server, head, "1\r\na\r\n");
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
  });
});

test("Expect: 100-continue is answered before the body is sent", async () => {
  const head = `${create}${form}Content-Length: 7\r\nExpect: 100-continue\r\n\r\n`;
  const [interim, answer] = await sendAfterContinue(server, head, "title=x");
  expect(interim).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  expect(answer.status).toBe(200);
});

test("Expect: 100-continue with a body that is too large is a 413 without 100 Continue", async () => {
  const head = `${create}${form}Content-Length: 9999999\r\nExpect: 100-continue\r\n\r\n`;
  expectError(await sendBytes(server, head), 413, "body_too_large");
});

test("an unknown Expect is ignored", async () => {
  const answer = await sendBytes(
    server,
    `${create}${form}Content-Length: 7\r\nExpect: a-miracle\r\n\r\ntitle=x`,
  );
  expect(answer.status).toBe(200);
});

test("requests sent together on one connection are answered in their order", async () => {
  const one = (path: string) => `GET ${path} HTTP/1.1\r\n${host}\r\n`;
  const last = `GET /c HTTP/1.1\r\n${host}${close}\r\n`;
  const answer = await sendBytes(server, one("/api/v1/calendars/list/") + one("/b") + last);
  expect([...answer.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toStrictEqual([
    "404",
    "404",
  ]);
  expect(answer.status).toBe(401);
});

test("a request sees what those before it on the connection have written", async () => {
  const one = (path: string) => `GET ${path} HTTP/1.1\r\n${host}`;
  const titles = Array.from({ length: 20 }, (_, index) => `turn-${index}`);
  const writes = titles.map(
    (title) => `${one(`/api/v1/calendars/create/?token=${token}&title=${title}`)}\r\n`,
  );
  const list = `${one(`/api/v1/calendars/list/?token=${token}`)}${close}\r\n`;
  const { text } = await sendBytes(server, writes.join("") + list);
  const { calendars } = JSON.parse(text.slice(text.lastIndexOf("\r\n\r\n") + 4));
  const found = calendars.map(({ title }: { readonly title: string }) => title).slice(0, 20);
  expect(found).toEqual(titles.toReversed());
});

test("a head that does not end is a 408 after ten seconds", async () => {
  expectError(await sendBytes(server, `${read}\r\n${host}X-Slow: `), 408, "request_timeout");
});
