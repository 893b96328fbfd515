import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createCalendarClient } from "@kalends/client";
import { describe, expect, test } from "vitest";
import { startTestServer } from "../src/process/testing.js";
import { temporaryFolder } from "./temporary.js";

// The export @kalends/server/testing, as programs of others use it (docs/testing.md).

const script = new URL("../scripts/testing-types.mjs", import.meta.url).href;
const { writeTestingTypes }: { writeTestingTypes: (folder: string) => void } = await import(script);
const execute = promisify(execFile);
const folder = temporaryFolder();
const serverFolder = fileURLToPath(new URL("..", import.meta.url));

const params = { title: "Trips", timezone: "Asia/Tokyo" };

describe("a test server", () => {
  test("has an empty account, and a token that may only read", async () => {
    await using server = await startTestServer();
    const { baseUrl, token, readToken } = server;
    const client = createCalendarClient({ baseUrl, token });
    expect(await client.calendars.list().toArray()).toEqual([]);
    const { id } = await client.calendars.create(params);
    const reader = createCalendarClient({ baseUrl, token: readToken });
    expect((await reader.calendars.find(id))?.title).toBe("Trips");
    await expect(reader.calendars.delete(id)).rejects.toMatchObject({ status: 403 });
  });

  test("has other accounts, whose data the first does not see", async () => {
    await using server = await startTestServer();
    const [one, other] = [await server.account(), await server.account()];
    const [first, second] = [one, other].map(({ token }) =>
      createCalendarClient({ baseUrl: server.baseUrl, token }),
    );
    const made = await first?.calendars.create(params);
    expect(await second?.calendars.list().toArray()).toEqual([]);
    expect((await first?.calendars.list().toArray())?.map(({ id }) => id)).toEqual([made?.id]);
  });

  test("has the clock and the settings that were given, and not those of the environment", async () => {
    const clock = (): Date => new Date("2031-02-03T04:05:06Z");
    await using server = await startTestServer({ clock, settings: { PAGE_SIZE: "1" } });
    const client = createCalendarClient({ baseUrl: server.baseUrl, token: server.token });
    for (const title of ["One", "Two"])
      expect((await client.calendars.create({ ...params, title })).date_create).toBe(
        clock().getTime() / 1000,
      );
    const pages: number[] = [];
    for await (const { items } of client.calendars.list().pages()) pages.push(items.length);
    expect(pages).toEqual([1, 1]);
  });

  test("has the subscribers that were added, and none of a calendar that is not there", async () => {
    await using server = await startTestServer();
    const client = createCalendarClient({ baseUrl: server.baseUrl, token: server.token });
    const { id: calendar_id } = await client.calendars.create(params);
    const since = new Date("2026-01-02T03:04:05Z");
    const ada = { calendar_id, name: "Ada", active: false, since };
    const [id] = await server.addSubscribers([ada, { calendar_id }]);
    const listed = await client.subscribers.listInactive({ calendar_id }).toArray();
    expect(listed).toMatchObject([
      { id, name: "Ada", postal: "null", country: "ZZ", calendar_type: "ical", unixtime_stamp: 1767323045 },
    ]);
    expect((await client.calendars.find(calendar_id))?.followers_total).toBe("2");
    const wrong = [{ calendar_id }, { calendar_id: "999" }];
    await expect(server.addSubscribers(wrong)).rejects.toThrow(RangeError);
    expect((await client.calendars.find(calendar_id))?.followers_total).toBe("2");
  });

  test("is one of several in a process: another one that is closed takes nothing from it", async () => {
    const [one, other] = await Promise.all([startTestServer(), startTestServer()]);
    const [first, second] = [one, other].map(({ baseUrl, token }) =>
      createCalendarClient({ baseUrl, token }),
    );
    await first?.calendars.create(params);
    await one.close();
    await one.close(); // again changes nothing
    await expect(fetch(`${one.baseUrl}/healthz`)).rejects.toThrow("fetch failed");
    expect(await second?.calendars.list().toArray()).toEqual([]);
    await other.close();
  });

  test("rejects a wrong setting by its name", async () => {
    await expect(startTestServer({ settings: { PAGE_SIZE: "none" } })).rejects.toThrow("PAGE_SIZE");
  });
});

test("a process that has closed its servers ends by itself, with no handler, folder or text left", async () => {
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const program = `
    import { startTestServer } from ${JSON.stringify(join(serverFolder, "src/process/testing.ts"))};
    const handlers = () => process.eventNames().map((name) => String(name) + process.listenerCount(name)).toSorted().join();
    const before = handlers();
    for (let round = 0; round < 2; round++) {
      const { baseUrl, token, close } = await startTestServer();
      const send = (path, params) => fetch(baseUrl + path, {
        method: "POST", headers: { Authorization: "Bearer " + token }, body: new URLSearchParams(params),
      }).then((response) => response.json());
      const { calendar } = await send("/api/v1/calendars/create/", { title: "Trips", timezone: "Asia/Tokyo" });
      await send("/api/kalends/v1/webhooks/create/", { url: "https://hooks.invalid/" });
      const ics = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:a", "DTSTART:20260704T100000Z", "SUMMARY:a", "END:VEVENT", "END:VCALENDAR", ""];
      const imported = await send("/api/kalends/v1/calendars/import/", { calendar_id: calendar.id, ics: ics.join("\\r\\n") });
      if (imported.import.created !== 1) throw new Error(JSON.stringify(imported));
      await close();
    }
    if (handlers() !== before) throw new Error(before + " → " + handlers());`;
  const file = join(folder, "program.mts");
  writeFileSync(file, program);
  const env = { ...process.env, TMPDIR: temporary, PAGE_SIZE: "none" };
  const args = ["--conditions", "@kalends/source", "--import", import.meta.resolve("tsx"), file];
  const { stdout, stderr } = await execute(process.execPath, args, { env, timeout: 60_000 });
  expect([stdout, stderr]).toEqual(["", ""]);
  expect(readdirSync(temporary).filter((name) => name.startsWith("kalends"))).toEqual([]);
});

test("its types compile strictly in a project without the server's sources", async () => {
  writeTestingTypes(folder);
  const use = `
    import { startTestServer, type TestServer } from "./testing.js";
    const server: TestServer = await startTestServer({ clock: () => new Date(0), settings: { PAGE_SIZE: "3" } });
    (await server.account()).readToken satisfies string;
    (await server.addSubscribers([{ calendar_id: "1", blocked: true }])) satisfies readonly string[];
    // @ts-expect-error: no such option
    await startTestServer({ pageSize: 3 });
    await server[Symbol.asyncDispose]();`;
  writeFileSync(join(folder, "use.mts"), use);
  const compiler = join(serverFolder, "node_modules/typescript/bin/tsc");
  const options = ["--ignoreConfig", "--strict", "--noEmit", "--target", "es2023", "--module", "nodenext"];
  const libraries = ["--lib", "es2023,esnext.disposable,dom", "--types", "", "--exactOptionalPropertyTypes"];
  await execute(process.execPath, [compiler, ...options, ...libraries, "use.mts"], { cwd: folder });
});
