import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listedEvents } from "./change-readers.js";
import { client } from "./clients.js";
import { createTestDatabase, type TestDatabase } from "./databases.js";
import { freePort } from "./free-port.js";
import { testAccount } from "./harness.js";
import { unexplained, watchOwnPauses } from "./own-pauses.js";
import { run, type Running } from "./process.js";
import { proxyPrograms, type RunningProxy } from "./proxy-programs.js";
import { temporaryFolder } from "./temporary.js";

// Two servers on one machine, restarted one after the other under load (docs/self-hosting.md, "Several servers on one machine").
const patient = { timeout: 120_000, interval: 50 };
const token = "0123456789abcdef";

let folder = "";
let database: TestDatabase;
const running = new Set<Running>();
beforeEach(async () => {
  folder = temporaryFolder();
  database = await createTestDatabase("migrated");
});
afterEach(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all([...running].map(({ finished }) => finished));
  running.clear();
  await database.remove();
});

type Settings = Readonly<Record<string, string>>;

async function start(settings: Settings): Promise<Running> {
  const own = { DATABASE_URL: database.url, CALENDAR_TOKEN: token, RATE_LIMIT: "0", LOG_LEVEL: "error" };
  const server = run("main.ts", [], folder, { ...own, ...settings });
  running.add(server);
  await server.until(/^Listening on/m);
  return server;
}

async function end(server: Running): Promise<void> {
  server.child.kill("SIGTERM");
  expect((await server.finished).code).toBe(0);
  running.delete(server);
}

/** Restarts both servers, one after the other, while clients write and read. Returns what failed. */
async function restartUnderLoad(
  url: string,
  servers: readonly Settings[],
  list: RunningProxy["list"],
): Promise<readonly unknown[]> {
  const { call } = testAccount(url, 0, token);
  const { id, uniquekey } = (await call("createCalendar", { title: "Rolling" })).body.calendar;
  const headers = { Authorization: `Bearer ${token}` };
  const failures: unknown[] = [];
  const acknowledged: string[] = [];
  const pauses = watchOwnPauses();
  const state = { isOver: false };
  const load = async (lane: number): Promise<void> => {
    const by = client(url, "kept", headers);
    for (let step = 0; !state.isOver; step++) {
      const title = `${lane}-${step}`;
      const form = `calendar_id=${id}&title=${title}&start_date=07/04/2027 13:30`;
      const sent =
        step % 2 === 0
          ? by.send("/api/v1/calendars/events/create/", { form })
          : by.send(`/c/${uniquekey}/rolling.ics`);
      await sent.then(
        ({ status, text }) => {
          if (status !== 200) failures.push(`${status} ${text.slice(0, 200)}`);
          else if (step % 2 === 0) acknowledged.push(title);
        },
        (error: unknown) => failures.push(error instanceof Error && "code" in error ? error.code : error),
      );
      await pause(2);
    }
    by.close();
  };
  const everyone = Promise.all(Array.from({ length: 6 }, (_, lane) => load(lane)));
  for (const [index, server] of [...running].entries()) {
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length, patient).toBeGreaterThan(before + 100);
    const settings = servers[index] ?? {};
    await list?.(`127.0.0.1:${settings.PORT}`, false);
    await end(server);
    await start(settings);
    await list?.(`127.0.0.1:${settings.PORT}`, true);
  }
  const before = acknowledged.length;
  await expect.poll(() => acknowledged.length, patient).toBeGreaterThan(before + 100);
  state.isOver = true;
  await everyone;
  pauses.end();
  const listed = await listedEvents(testAccount(url, 0, token), id);
  const titles = new Set([...listed.values()].map((event) => JSON.parse(JSON.stringify(event)).title));
  expect(acknowledged.filter((title) => !titles.has(title))).toEqual([]);
  return unexplained(failures, pauses);
}

for (const program of proxyPrograms)
  test.skipIf(!program.isInstalled)(`behind ${program.name} no request fails`, async () => {
    const ports = [String(await freePort()), String(await freePort())];
    const servers = ports.map((PORT) => ({ PORT, TRUST_PROXY: "1" }));
    for (const settings of servers) await start(settings);
    const proxy = await program.start(ports.map((port) => `127.0.0.1:${port}`));
    expect(await restartUnderLoad(proxy.url, servers, proxy.list)).toEqual([]);
    await proxy.stop();
  });
