import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { findSetAside } from "../src/db/set-aside.js";
import { insertSync, listSyncs } from "../src/syncs/queries.js";
import { calendarFile, vevent } from "./calendar-files.js";
import { runHere } from "./command.js";
import { startTestServer, testServer } from "./harness.js";
import { run, type Running } from "./process.js";
import { seriesOf } from "./series-world.js";
import { temporaryFolder } from "./temporary.js";

// What a process ends with three times in a row is set aside, and its neighbours are done; doctor names it, and it can be taken up again.

const folder = temporaryFolder();
const settings = (): Readonly<Record<string, string>> => ({
  DATABASE_URL: server.databaseUrl,
  WEBHOOK_ALLOW_PRIVATE: "on",
});

const server = await testServer({}, { clock: () => Math.floor(Date.now() / 1000), runsJobs: false });
const owner = await server.account();
let last: Running | undefined;
async function endProcess(): Promise<void> {
  last?.child.kill("SIGKILL");
  await last?.finished;
}
afterEach(endProcess);

/** Starts a process whose clock is two days ahead of the one before: what that has claimed has ended, and everything is due. */
function startProcess(deadlySeries = 0): Running {
  last = run(
    "../test/killed-background.ts",
    [server.databaseUrl, String(172_800 * ++started), String(deadlySeries)],
    folder,
  );
  return last;
}
let started = 0;

/** The text of doctor about what was set aside. */
async function doctor(): Promise<string> {
  const { stdout } = await runHere(["doctor", "--json"], settings());
  const { checks }: { readonly checks: readonly { readonly check: string; readonly detail: string }[] } =
    JSON.parse(stdout);
  return checks.find(({ check }) => check === "set aside")?.detail ?? "";
}

/** A server that starts now is ready and answers. */
async function expectStart(): Promise<void> {
  const another = await startTestServer(settings());
  for (const path of ["/healthz", "/readyz"]) expect((await another.request(path)).status).toBe(200);
  await another.stop();
}

test("a sync: it is set aside, others are run, and the operator runs it again", async () => {
  const fetched = { deadly: 0, good: 0 };
  let process: Running | undefined;
  const source = createServer((req, res) => {
    const name = req.url === "/deadly" ? "deadly" : "good";
    fetched[name]++;
    if (name === "deadly" && process !== undefined) process.child.kill("SIGKILL");
    else res.end(calendarFile(vevent(`SUMMARY:${name}`)));
  });
  await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = source.address();
  const port = typeof address === "object" ? address?.port : 0;
  const ids: Record<string, number> = {};
  for (const name of ["deadly", "good"]) {
    const { body } = await owner.call("createCalendar", { title: name, timezone: "UTC" });
    const common = { account_id: owner.id, every_seconds: 3_600, next_at: 0, created_at: 1 };
    const sync = {
      ...common,
      calendar_id: Number(body.calendar.id),
      url: `http://127.0.0.1:${port}/${name}`,
      host: name,
    };
    ids[name] = (await server.db.transaction((trx) => insertSync(trx, sync))).id;
  }
  const rowOf = async (name: string) => (await listSyncs(server.db.read)).find(({ id }) => id === ids[name]);
  for (const time of [1, 2, 3]) {
    process = startProcess();
    await process.finished;
    expect(fetched.deadly).toBe(time);
    process = undefined;
  }
  const before = fetched.good;
  startProcess();
  await expect
    .poll(async () => (await rowOf("deadly"))?.error, { timeout: 120_000 })
    .toContain("3 times in a row");
  await expect.poll(() => fetched.good, { timeout: 120_000 }).toBeGreaterThan(before);
  await expect
    .poll(async () => rowOf("good"), { timeout: 120_000 })
    .toMatchObject({ error: "", claim: "", unfinished_starts: 0 });
  expect(fetched.deadly).toBe(3);
  expect(await doctor()).toContain(`sync ${ids.deadly} (kalends call runSync --sync_id ${ids.deadly})`);
  await endProcess();
  await expectStart();
  expect((await runHere(["call", "runSync", "--sync_id", String(ids.deadly)], settings())).code).toBe(0);
  startProcess();
  await expect
    .poll(async () => rowOf("deadly"), { timeout: 120_000 })
    .toMatchObject({ error: "", unfinished_starts: 0, claim: "" });
  expect(fetched.deadly).toBe(4);
  expect((await findSetAside(server.db.read, 10)).syncs).toEqual([]);
  source.closeAllConnections();
  source.close();
});

test("a series: it is set aside, others are extended, and a save of its owner takes it up again", async () => {
  const { create, update } = seriesOf(owner);
  const [deadly, good] = [await create({ rrule: "FREQ=WEEKLY" }), await create({ rrule: "FREQ=WEEKLY" })];
  const rowOf = async ({ first }: typeof deadly) => {
    const event = await server.db
      .read("events")
      .where({ id: Number(first) })
      .first("series_id");
    return server.db.read("series").where({ id: event.series_id }).first();
  };
  const { id } = await rowOf(deadly);
  const madeBy = async () => [(await rowOf(deadly)).made_until, (await rowOf(good)).made_until];
  const [made, others] = await madeBy();
  for (let time = 1; time <= 3; time++) await startProcess(id).finished;
  startProcess(id);
  await expect
    .poll(async () => (await findSetAside(server.db.read, 10)).series, { timeout: 120_000 })
    .toEqual([id]);
  await expect.poll(async () => (await madeBy())[1], { timeout: 120_000 }).toBeGreaterThan(others);
  expect((await madeBy())[0]).toBe(made);
  expect(await doctor()).toContain(`series ${id} (`);
  await endProcess();
  await expectStart();
  expect((await update(deadly.first, "all", { title: "Taken up" })).status).toBe(200);
  expect((await findSetAside(server.db.read, 10)).series).toEqual([]);
  startProcess();
  await expect.poll(async () => (await madeBy())[0], { timeout: 120_000 }).toBeGreaterThan(made);
});
