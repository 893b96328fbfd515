import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect } from "node:http2";
import { run } from "@kalends/conformance";
import { operations } from "@kalends/spec";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pathsOf } from "../src/http/paths.js";
import { readConfig } from "../src/settings/config.js";
import { type RunningServer, startServer } from "../src/process/server.js";
import { freePort } from "./free-port.js";
import { calendarFile, importFile, vevent } from "./calendar-files.js";
import { request, startTestServer, type TestAccount, type TestServer } from "./harness.js";
import { ownPage, signIn } from "./people.js";
import { noisy } from "./pictures.js";
import { proxyPrograms, type RunningProxy } from "./proxy-programs.js";

/** The requests that a server in these tests received. */
interface Upstream {
  readonly address: string;
  readonly requests: readonly IncomingMessage[];
  stop(): void;
}

/** Starts a server that accepts every request, then dies or responds; its health check passes. */
function startUpstream(way: "answers" | "dies", atPort = 0): Promise<Upstream> {
  const requests: IncomingMessage[] = [];
  const server = createServer({ maxHeaderSize: 80 * 1024 }, (req, res) => {
    if (/^\/(?:readyz|healthz)$/.test(req.url ?? "")) res.end("ok");
    else {
      requests.push(req);
      if (way === "dies") req.socket.destroy();
      else req.resume().once("end", () => res.end("ok"));
    }
  });
  return new Promise((resolve) => {
    server.listen(atPort, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const stop = (): void => server.close().closeAllConnections();
      resolve({ address: `127.0.0.1:${port}`, requests, stop });
    });
  });
}

const token = "kal_0123456789abcdefghij0123456789abcdefghij012345678";
const key = "AbCdEfGhIjKlMnOpQrStUv";

for (const program of proxyPrograms) {
  // Counted as skipped where the program is not installed.
  describe.skipIf(!program.isInstalled)(`behind ${program.name}, as in examples/${program.name}`, () => {
    describe("two servers on one database", () => {
      let first: TestServer;
      let second: RunningServer;
      let proxy: RunningProxy;
      let account: TestAccount;
      const linesOfSecond: string[] = [];
      let clock: NodeJS.Timeout | undefined;
      const setClock = (): void => {
        first.now = Math.floor(Date.now() / 1_000);
      };
      beforeAll(async () => {
        const settings = { TRUST_PROXY: "1", METRICS_TOKEN: "metrics".repeat(5) };
        first = await startTestServer(settings);
        const config = readConfig({ PORT: "0", DATABASE_URL: first.databaseUrl, ...settings });
        const output = { write: (line: string) => void linesOfSecond.push(line) };
        second = await startServer({ config, log: pino({}, output), output, clock: () => first.now });
        proxy = await program.start([new URL(first.url).host, new URL(second.url).host]);
        account = await first.account();
        setClock();
        clock = setInterval(setClock, 50);
      });
      afterAll(async () => {
        clearInterval(clock);
        await proxy.stop();
        await second.stop();
        await first.stop();
      });

      test("show their metrics to no one from outside", async () => {
        for (const path of ["/metrics", "/metrics/"])
          expect((await request(`${proxy.url}${path}`)).status, path).toBe(404);
      });

      test("conform to the contract, both of them", async () => {
        const options = {
          baseUrl: proxy.url,
          token: account.token,
          otherToken: (await first.account()).token,
        };
        // nginx refuses TRACE itself, without Allow.
        const skip = ["http.other-methods"];
        const report = await run({ ...options, only: ["http.*"], skip });
        const failed = report.results.filter(({ status }) => status === "failed");
        expect(failed.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
        expect(report.verdict).toBe("conforms");
        const answered = [first.logText(), linesOfSecond.join("")].map(
          (lines) => lines.match(/"msg":"request"/g)?.length ?? 0,
        );
        expect(Math.min(...answered)).toBeGreaterThan(0.2 * Math.max(...answered));
      });

      test("a follower's key and a token are in no log, and the path of a request is", async () => {
        const { body } = await account.get("createCalendar", { title: "Followed" });
        const followed = await fetch(`${proxy.url}/c/${body.calendar.uniquekey}/follow`, {
          method: "POST",
          body: new URLSearchParams({ app: "apple" }),
          redirect: "manual",
        });
        const address = followed.headers.get("Location") ?? "";
        const [, followerKey = ""] = /\/f\/([\w-]{22})/.exec(address) ?? [];
        expect(followerKey).not.toBe("");
        const get = async (path: string) =>
          (await request(`${proxy.url}${path}`, { headers: { Referer: address } })).status;
        expect(await get(`/f/${followerKey}`)).toBe(200);
        expect(await get(`/api/v1/calendars/list/?token=${account.token}`)).toBe(200);
        expect(await get(`//api/?token=${account.token}&x=/f/${followerKey}`)).toBe(404);
        expect(await get(`/x/f/${followerKey}/f/${followerKey}`)).toBe(404);
        for (const kind of ["confirm", "stop"]) expect(await get(`/m/${kind}/17-${followerKey}`)).toBe(404);
        await expect.poll(() => proxy.log()).toContain(`/x/f/${followerKey.slice(0, 6)}`);
        await expect.poll(() => proxy.log()).toContain("/api/v1/calendars/list/");
        expect(proxy.log()).not.toContain(followerKey.slice(0, 7));
        expect(proxy.log()).not.toContain(account.token.slice(0, 8));
      });

      test("a body that is too large is refused by Kalends, and takes no server out", async () => {
        const large = { method: "POST", body: new URLSearchParams({ token: "x".repeat(1024 * 1024 + 1) }) };
        const url = `${proxy.url}/api/v1/calendars/create/`;
        for (let count = 0; count < 4; count++) {
          const { status, body } = await request(url, large);
          expect({ status, body }).toMatchObject({ status: 413, body: { meta: { code: "413" } } });
        }
        expect((await request(url)).status).toBe(401);
        expect((await request(url)).status).toBe(401);
      });

      test("a calendar file of more than 1 MiB passes", async () => {
        const { body } = await account.get("createCalendar", { title: "Imported" });
        const padding = `X-PADDING:${"x".repeat(9_000_000)}`;
        const file = calendarFile(vevent(), padding);
        const proxied = {
          request: (path: string, init?: RequestInit) => request(`${proxy.url}${path}`, init),
        };
        const answer = await importFile(proxied, account, body.calendar.id, file);
        expect(answer.body.import).toMatchObject({ created: 1 });
      });

      test("the console sends a calendar file and a picture of more than 1 MiB", async () => {
        const { body } = await account.get("createCalendar", { title: "Of the console" });
        const { cookie } = await signIn(first, account.id);
        const send = (path: string, type: string, file: string | Uint8Array<ArrayBuffer>) =>
          request(`${proxy.url}/console/api/${path}`, {
            method: "POST",
            headers: { ...ownPage, Cookie: cookie, "Content-Type": type },
            body: file,
          });
        const file = calendarFile(vevent(), `X-PADDING:${"x".repeat(9_000_000)}`);
        const imported = await send(
          `calendars/import/?calendar_id=${body.calendar.id}`,
          "text/calendar",
          file,
        );
        expect(imported.body.import, imported.text).toMatchObject({ created: 1 });
        const photo = await noisy(1_000, 1_000).png().toBuffer();
        expect(photo.length).toBeGreaterThan(1_500_000);
        const stored = await send("pictures/create/", "image/png", new Uint8Array(photo));
        expect(stored.status, stored.text).toBe(200);
      });

      test("a feed is compressed once, and is not sent again to who has it", async () => {
        const { body } = await account.get("createCalendar", { title: "Compressed" });
        const page = await request(`${proxy.url}/c/${body.calendar.uniquekey}`);
        const [path = ""] = /\/c\/\w+\/[\w-]+\.ics/.exec(page.text) ?? [];
        const feed = await request(`${proxy.url}${path}`);
        expect(feed.headers.get("Content-Encoding")).toBe("gzip");
        expect(feed.text).toMatch(/^BEGIN:VCALENDAR/);
        const headers = { "If-None-Match": feed.headers.get("ETag") ?? "" };
        expect((await request(`${proxy.url}${path}`, { headers })).status).toBe(304);
      });
    });

    describe("of two servers that take a request and die", () => {
      let servers: readonly Upstream[];
      let proxy: RunningProxy;
      beforeEach(async () => {
        servers = [await startUpstream("dies"), await startUpstream("dies")];
        proxy = await program.start(servers.map(({ address }) => address));
      });
      afterEach(async () => {
        await proxy.stop();
        for (const server of servers) server.stop();
      });

      const { createCalendar, createEvent, saveEvent, deleteCalendar, listEvents } = operations;
      const older = new Set([createCalendar, createEvent].flatMap((op) => pathsOf(op).slice(1)));
      test.each<readonly [title: string, method: string, path: string, times: string]>([
        ["a write by GET", "GET", createCalendar.path, "once"],
        ["a write by POST", "POST", saveEvent.path, "once"],
        ["a write without the slash", "GET", deleteCalendar.path.slice(0, -1), "once"],
        ...[...older].map((path) => ["a write of an older client", "GET", path, "once"] as const),
        ["a follow form", "POST", "/c/x/follow", "once"],
        ["a list", "GET", listEvents.path, "to both"],
        ["a feed", "GET", `/f/${key}/x.ics`, "to both"],
      ])("%s (%s %s) is sent %s, and no log identifies the client", async (_title, method, path, times) => {
        const { status } = await request(`${proxy.url}${path}?token=${token}`, { method });
        expect(status).toBe(502);
        const sent = servers.map(({ requests }) => requests.length);
        if (times === "once") expect(sent.toSorted()).toEqual([0, 1]);
        else expect(Math.min(...sent)).toBeGreaterThan(0);
        await expect.poll(() => proxy.log()).toContain("502");
        expect(proxy.log()).not.toContain(token.slice(0, 8));
        expect(proxy.log()).not.toContain(key.slice(0, 7));
      });
    });

    test.runIf(program.name === "nginx")("one server is tried again at once after it was away", async () => {
      const before = await startUpstream("answers", await freePort());
      const proxy = await program.start([before.address]);
      before.stop();
      expect((await request(`${proxy.url}/api/v1/calendars/list/`)).status).toBe(502);
      const server = await startUpstream("answers", Number(before.address.split(":")[1]));
      expect((await request(`${proxy.url}/api/v1/calendars/list/`)).status).toBe(200);
      server.stop();
      await proxy.stop();
    });

    describe("of two servers, one of which is away", () => {
      let server: Upstream;
      let proxy: RunningProxy;
      beforeAll(async () => {
        server = await startUpstream("answers");
        proxy = await program.start([`127.0.0.1:${await freePort()}`, server.address]);
      });
      afterAll(async () => {
        await proxy.stop();
        server.stop();
      });

      test("the other one answers everything", async () => {
        for (let count = 0; count < 6; count++)
          expect((await request(`${proxy.url}/api/v1/calendars/list/`)).status).toBe(200);
        expect(server.requests).toHaveLength(6);
      });

      test("proxy headers from a client are not trusted", async () => {
        const forged = { "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "evil.example", Via: "x" };
        await request(`${proxy.url}/forged`, { headers: { ...forged, "X-Forwarded-Proto": "gopher" } });
        expect(server.requests.at(-1)?.headers).toMatchObject({
          "x-forwarded-for": "127.0.0.1",
          "x-forwarded-host": expect.stringMatching(/^127\.0\.0\.1/),
          "x-forwarded-proto": "http",
          host: expect.stringMatching(/^127\.0\.0\.1/),
        });
      });

      test("bodies of 1 MiB and heads of 64 KiB pass, and much larger heads do not", async () => {
        const post = (bytes: number) =>
          request(`${proxy.url}/x`, { method: "POST", body: "x".repeat(bytes) });
        const get = (bytes: number) => request(`${proxy.url}/?${"x".repeat(bytes)}`);
        expect((await post(1024 * 1024)).status).toBe(200);
        expect((await get(63 * 1024)).status).toBe(200);
        expect((await get(120 * 1024)).status).toBeGreaterThanOrEqual(414);
      });

      test("TLS and HTTP/2 work, and the server gets the scheme", async () => {
        if (proxy.tls === undefined) return; // Caddy's own certificates come from outside
        const session = connect(proxy.tls.url, { ca: proxy.tls.certificate });
        const stream = session.request({ ":path": "/over-tls" });
        const [status] = await once(stream, "response").then(([headers]) => [headers[":status"]]);
        session.close();
        expect(status).toBe(200);
        expect(server.requests.at(-1)).toMatchObject({
          url: "/over-tls",
          headers: expect.objectContaining({ "x-forwarded-proto": "https" }),
        });
      });
    });
  });
}
