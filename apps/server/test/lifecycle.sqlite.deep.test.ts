import { connect } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { version } from "../src/about.js";
import { request, startTestServer } from "./harness.js";
import { unexplained, watchOwnPauses } from "./own-pauses.js";
import { run } from "./process.js";
import { temporaryFolder } from "./temporary.js";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

/** The lines of the log, parsed. */
function linesOf(stdout: string): readonly Record<string, unknown>[] {
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
}

const listening = /Listening on (http:\/\/127\.0\.0\.1:[0-9]+)/;

describe("the first start", () => {
  test("makes a demo account and prints its token and a curl line that works", async () => {
    const server = run("main.ts", [], folder, { PORT: "0" });
    const [, url = ""] = await server.until(listening);
    const [, token = "", curlUrl = ""] = await server.until(
      /curl -H 'Authorization: Bearer (kal_[0-9A-Za-z]{49})' (\S+)/,
    );
    expect(curlUrl).toBe(`${url}/api/v1/calendars/list/`);
    const [, link = ""] = await server.until(/\/console\/join#([\w-]{43})/);
    const ofConsole = { "Kalends-Console": "1", "Content-Type": "application/json", Origin: url };
    const body = JSON.stringify({ link });
    const opened = await request(`${url}/console/api/session/open/`, {
      method: "POST",
      headers: ofConsole,
      body,
    });
    expect(opened.body).toMatchObject({ person: { name: "Owner" }, role: "owner" });
    const answer = await request(curlUrl, { headers: { Authorization: `Bearer ${token}` } });
    expect(answer.body).toEqual({ meta: { code: "200" }, calendars: [], paging: { previous: "", next: "" } });
    server.child.kill("SIGTERM");
    const { code, stdout } = await server.finished;
    expect(code).toBe(0);
    const lines = linesOf(stdout);
    expect(JSON.stringify(lines)).not.toContain(token);
    expect(lines.filter(({ msg }) => String(msg).startsWith("server"))).toMatchObject([
      { msg: "server started", version, node: process.version, database: "sqlite" },
      { msg: "server stopped", reason: "SIGTERM", uptime_s: expect.any(Number) },
    ]);
    expect(stdout).not.toContain("TRUST_PROXY");
  });

  test("the second start shows no token, and CALENDAR_TOKEN names one that works", async () => {
    const first = run("main.ts", [], folder, { PORT: "0" });
    await first.until(listening);
    first.child.kill("SIGINT");
    expect((await first.finished).code).toBe(0);
    const token = "a-token-of-ours_0123456789";
    const PUBLIC_URL = "https://calendars.example.com";
    const settings = { PORT: "0", CALENDAR_TOKEN: token, PUBLIC_URL, SLOW_MS: "0" }; // no warning of a busy machine
    const second = run("main.ts", [], folder, settings);
    const [, url = ""] = await second.until(listening);
    expect((await request(`${url}/api/v1/calendars/list/?token=${token}`)).status).toBe(200);
    second.child.kill("SIGTERM");
    const { stdout } = await second.finished;
    for (const text of ["kal_", token, "account create"]) expect(stdout).not.toContain(text);
    const warnings = linesOf(stdout).filter(({ level }) => level === 40);
    expect(warnings.map(({ msg }) => msg)).toEqual([expect.stringContaining("TRUST_PROXY is off")]);
  });

  test("a CALENDAR_TOKEN that was replaced is reported when it is set again", async () => {
    const start = async (CALENDAR_TOKEN: string): Promise<string> => {
      const server = run("main.ts", [], folder, { PORT: "0", CALENDAR_TOKEN });
      await server.until(listening);
      server.child.kill("SIGTERM");
      return (await server.finished).stdout;
    };
    const [one, two] = ["a-token-of-ours_01234", "a-token-of-ours_56789"];
    for (const token of [one, two]) expect(await start(token)).not.toContain("revoked");
    const lines = linesOf(await start(one)).filter(({ msg }) => String(msg).includes("CALENDAR_TOKEN"));
    expect(lines).toMatchObject([{ level: 40, msg: expect.stringContaining("revoked or has expired") }]);
  });

  test("an invalid setting is reported by name, with exit code 1", async () => {
    const { code, stderr } = await run("main.ts", [], folder, { PORT: "http" }).finished;
    expect(code).toBe(1);
    expect(stderr).toContain("PORT must be a whole number from 0 to 65535");
  });

  test("a misspelled setting is logged before the failure that it explains", async () => {
    const settings = { PORT: "0", HOST: "192.0.2.1", DATABASE_URl: "postgres://me:secret@localhost/kalends" };
    const { code, stdout } = await run("main.ts", [], folder, settings).finished;
    expect(code).toBe(1);
    expect(linesOf(stdout)[0]).toMatchObject({
      level: 40,
      msg: expect.stringMatching(/^DATABASE_URl .* DATABASE_URL\?$/),
    });
    expect(stdout).not.toContain("secret");
  });

  test("a port in use is reported with what to do", async () => {
    const server = await startTestServer();
    const { code, stderr } = await run("main.ts", [], folder, { PORT: new URL(server.url).port }).finished;
    expect(code).toBe(1);
    expect(stderr).toContain("set PORT to another one");
    await server.stop();
  });
});

describe("a graceful stop", () => {
  test("under load breaks no request: each is answered or refused at the door", async () => {
    const server = run("main.ts", [], folder, {
      PORT: "0",
      CALENDAR_TOKEN: "0123456789abcdef",
      LOG_LEVEL: "error",
    });
    const [, url = ""] = await server.until(listening);
    const outcomes = { answered: 0, refused: 0, broken: [] as string[] };
    const pauses = watchOwnPauses();
    const client = async (): Promise<void> => {
      for (let count = 0; count < 2_000; count++) {
        try {
          const { status } = await request(`${url}/api/v1/calendars/create/?token=0123456789abcdef&title=x`);
          if (status === 200) outcomes.answered++;
          else outcomes.broken.push(String(status));
          if (outcomes.answered === 200) server.child.kill("SIGTERM");
        } catch (error) {
          const cause: unknown = error instanceof Error ? error.cause : error;
          // Refused by ECONNREFUSED, or by ECONNRESET where the listener closed meanwhile: nothing was sent yet.
          if (!(cause instanceof Error && "syscall" in cause && cause.syscall === "connect"))
            outcomes.broken.push(
              cause instanceof Error && "code" in cause ? String(cause.code) : String(error),
            );
          outcomes.refused++;
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
    expect((await server.finished).code).toBe(0);
    pauses.end();
    expect(unexplained(outcomes.broken, pauses)).toEqual([]);
    expect(outcomes.refused).toBe(16);
    expect(outcomes.answered).toBeGreaterThanOrEqual(200);
  });

  test("answers requests on connections that the process had no time to accept", async () => {
    const server = await startTestServer();
    const { port, hostname } = new URL(server.url);
    const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname));
    const answers = sockets.map((socket) => {
      socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
      return socket.toArray().then((chunks) => chunks.join(""), String);
    });
    await new Promise((resolve) => process.nextTick(resolve)); // they wait in the system since this tick
    await server.stop();
    for (const answer of await Promise.all(answers)) expect(answer).toContain("200 OK");
  });

  test("answers a request that arrived while the process was held up", async () => {
    const server = await startTestServer();
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const head = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    socket.write(head);
    await expect.poll(() => text).toContain("200 OK");
    const stopped = server.stop();
    socket.write(head); // goes to the system at once
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800); // longer than an idle connection is kept
    await closed;
    await stopped;
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  test("ends within ten seconds though one client is silent and another sent half a request", async () => {
    const server = run("main.ts", [], folder, { PORT: "0" });
    const [, url = ""] = await server.until(listening);
    const { port, hostname } = new URL(url);
    const sockets = [connect(Number(port), hostname), connect(Number(port), hostname)];
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
    sockets[1]?.write("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Half");
    for (const socket of sockets) socket.on("error", () => undefined);
    const started = performance.now();
    server.child.kill("SIGTERM");
    expect((await server.finished).code).toBe(0);
    expect(performance.now() - started).toBeLessThan(10_000);
    for (const socket of sockets) socket.destroy();
  });
});
