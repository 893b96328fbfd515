import { describe, expect, test } from "vitest";
import { pruneSubscribers } from "../src/cli/subscribers.js";
import { insertSubscriber } from "../src/followers/subscriber-queries.js";
import type { CalendarRow, SubscriberRow } from "../src/db/rows.js";
import { parse, runHere } from "./command.js";
import { parseCsv } from "./csv.js";
import { startOfTests, testServer } from "./harness.js";
import { run } from "./process.js";
import { temporaryFolder } from "./temporary.js";

// The commands about subscribers and calendars, on the database of a running server.

const server = await testServer();
const folder = temporaryFolder();
const owner = await server.account();

/** Runs a command in a process of its own: where the server must notice the change, or for how it writes to stdout. */
const ownProcess = (...args: readonly string[]) =>
  run("cli.ts", args, folder, { DATABASE_URL: server.databaseUrl }).finished;
const kalends = (...args: readonly string[]) => runHere(args, { DATABASE_URL: server.databaseUrl });

async function newCalendar(title = "Concerts"): Promise<string> {
  return (await owner.call("createCalendar", { title, timezone: "America/New_York" })).body.calendar.id;
}

async function newSubscriber(calendar_id: string, choice: Partial<SubscriberRow> = {}): Promise<number> {
  const nowhere = { ip: "203.0.113.7", postal: null, city: null, state: null, country: null };
  const { id } = await server.db.transaction((trx) =>
    insertSubscriber(trx, {
      name: "Ada Byron",
      email: "ada@example.com",
      calendar_type: "apple",
      active: 1,
      blocked: 0,
      subscribed_at: startOfTests,
      ...nowhere,
      ...choice,
      account_id: owner.id,
      calendar_id: Number(calendar_id),
    }),
  );
  return id;
}

const json = async (...args: readonly string[]) => JSON.parse((await kalends(...args)).stdout);

const count = async (id: "listSubscribers" | "listBlockedSubscribers", calendar_id: string) =>
  (await owner.call(id, { calendar_id })).body.calendar.subscribers_count;

test("a subscriber is blocked, unblocked and deleted, and the API shows it at once (rulings R5.3)", async () => {
  const calendar = await newCalendar();
  const id = String(await newSubscriber(calendar));
  const blocked = await ownProcess("call", "subscribersBlock", "--subscriber_id", id);
  expect(JSON.parse(blocked.stdout).subscriber).toMatchObject({ id, calendar_id: calendar, blocked: true });
  expect(await count("listBlockedSubscribers", calendar)).toBe(1);
  const { subscriber } = await json("call", "subscribersUnblock", "--subscriber_id", id);
  expect(subscriber).toMatchObject({ id, blocked: false });
  expect(await count("listBlockedSubscribers", calendar)).toBe(0);
  expect(await json("subscriber", "delete", id)).toEqual({
    subscriber_id: id,
    calendar_id: calendar,
    status: "deleted",
  });
  expect(await count("listSubscribers", calendar)).toBe(0);
  const gone = { code: 1, stdout: "", stderr: `There is no subscriber ${id}.\n` };
  expect(await kalends("subscriber", "delete", id)).toEqual(gone);
  for (const change of ["subscribersBlock", "subscribersUnblock"])
    expect(await kalends("call", change, "--subscriber_id", id)).toEqual(gone);
});

test("what is stored of an address is printed, with the language and the consent to news", async () => {
  const calendar_id = await newCalendar();
  const email = "consent@example.com";
  await newSubscriber(calendar_id, { email, language: "fr", news: 2, news_asked_at: startOfTests });
  await newSubscriber(calendar_id, { email });
  expect((await json("subscriber", "find", "--email", email)).subscribers).toMatchObject([
    { calendar_id, email, language: "fr", news: "confirmed", news_asked_at: startOfTests },
    { calendar_id, email, language: "", news: "no", news_asked_at: 0 },
  ]);
});

test("output escapes line separators, control characters and those that change the direction of text, and reads the same", async () => {
  const name = "a\u2028b\u202ec\u2066d\u200fe\u0085\u009b31mf\u001b[31mg\ufeff";
  const escaped = String.raw`a\u2028b\u202ec\u2066d\u200fe\u0085\u009b31mf\u001b[31mg\ufeff`;
  const calendar = await newCalendar();
  for (const each of [name, "Иван 王 👩‍💻"]) await newSubscriber(calendar, { name: each });
  const { stdout } = await kalends(
    "call",
    "subscribersList",
    "--calendar_id",
    calendar,
    "--order_by",
    "id-asc",
  );
  expect(stdout).toContain(`"${escaped}"`);
  expect(stdout).toContain("Иван 王 👩‍💻");
  expect(JSON.parse(stdout).subscribers[0].name).toBe(name);
});

test.each([["restore", "no\u001b[31m file"], ["\u001b[31m"], ["calendar", "export", "\u001b[31m"]])(
  "names of files and arguments are escaped where an error repeats them",
  async (...args) => {
    const { code, stderr } = await runHere(args, { DATABASE_URL: server.databaseUrl });
    expect(code).toBeGreaterThan(0);
    expect(stderr).not.toContain("\u001b");
    expect(stderr).toContain(String.raw`\u001b[31m`);
  },
);

test("what is found of a person has every stored field", async () => {
  const calendar_id = await newCalendar();
  const place = { postal: "11201", city: "Brooklyn", state: "NY", country: "US" };
  const email = "complete@example.com";
  const picked = { email, categories: "jazz,rock", unfollowed_at: startOfTests + 3_600, active: 0 };
  const id = await newSubscriber(calendar_id, { ...place, ...picked });
  const sparse = await newSubscriber(calendar_id, { email, name: "" });
  const { subscribers } = await json("subscriber", "find", "--email", email);
  expect(subscribers).toMatchObject([
    {
      id: String(id),
      calendar_id,
      name: "Ada Byron",
      ip: "203.0.113.7",
      ...place,
      calendar_type: "apple",
      unixtime_stamp: startOfTests,
      last_seen_at: startOfTests,
      ...picked,
      active: "false",
      blocked: "false",
    },
    { id: String(sparse), name: "", categories: null, unfollowed_at: null },
  ]);
});

describe("prune --never-fetched", () => {
  const day = 86_400;
  const now = startOfTests + 31 * day;
  const named = (calendar: string) =>
    server.db
      .read<SubscriberRow>("subscribers")
      .where({ calendar_id: Number(calendar) })
      .orderBy("id")
      .pluck("name");

  async function flooded(): Promise<string> {
    const calendar = await newCalendar();
    await newSubscriber(calendar, { name: "old" });
    await newSubscriber(calendar, { name: "old and inactive", active: 0 });
    await newSubscriber(calendar, { name: "fetched", last_seen_at: startOfTests + 1_000 });
    await newSubscriber(calendar, { name: "fetched at once", type_confirmed: 1 });
    await newSubscriber(calendar, { name: "new", subscribed_at: startOfTests + 2 * day });
    await newSubscriber(calendar, { name: "blocked", blocked: 1 });
    await newSubscriber(calendar, { name: "told by e-mail", news: 2 });
    return calendar;
  }
  const kept = ["fetched", "fetched at once", "new", "blocked", "told by e-mail"];

  test("deletes a calendar's followers whose feed was never fetched in their first 30 days, and counts them", async () => {
    const [calendar, other] = [await flooded(), await flooded()];
    const where = { calendar: Number(calendar), days: 30 };
    const dry = await pruneSubscribers(server.db, { ...where, dryRun: true }, now);
    expect(dry).toEqual({ subscribers: 2, dry_run: true });
    expect(await named(calendar)).toHaveLength(7);
    expect(await pruneSubscribers(server.db, where, now)).toEqual({ subscribers: 2, dry_run: false });
    expect(await named(calendar)).toEqual(kept);
    expect(await named(other)).toHaveLength(7);
    const row = await server.db
      .read<CalendarRow>("calendars")
      .where({ id: Number(calendar) })
      .first();
    expect(row).toMatchObject({
      followers_total: 5,
      followers_active: 4,
      followers_inactive: 0,
      followers_blocked: 1,
    });
  });

  test("of an account: all its calendars and no other account's", async () => {
    const calendar = await flooded();
    const stranger = await pruneSubscribers(
      server.db,
      { account: (await server.account()).id, days: 30 },
      now,
    );
    expect(stranger).toMatchObject({ subscribers: 0 });
    await pruneSubscribers(server.db, { account: owner.id, days: 30 }, now);
    expect(await named(calendar)).toEqual(kept);
  });

  test("on the command line it needs --never-fetched and one of --calendar and --account", async () => {
    const calendar = await newCalendar();
    await newSubscriber(calendar, { subscribed_at: 1_700_000_000 });
    const prune = ["subscriber", "prune", "--calendar", calendar];
    expect((await kalends(...prune)).code).not.toBe(0);
    expect((await kalends("subscriber", "prune", "--never-fetched")).code).toBe(2);
    const dry = await json(...prune, "--never-fetched", "--dry-run");
    expect(dry).toEqual({ subscribers: 1, dry_run: true });
    expect(await json(...prune, "--never-fetched")).toEqual({ subscribers: 1, dry_run: false });
  });
});

test.each(["--help", "calendar export", "call subscribersExport --calendar_id"])(
  "kalends %s ends quietly when its reader has closed the pipe",
  async (command) => {
    const id = command === "--help" ? [] : [await newCalendar()];
    const settings = { DATABASE_URL: server.databaseUrl };
    const { child, finished } = run("cli.ts", [...command.split(" "), ...id], folder, settings);
    child.stdout.destroy();
    expect(await finished).toEqual({ code: 0, stdout: "", stderr: "" });
  },
);

describe("kalends call subscribersExport", () => {
  const names = [
    'Ada "Byron", of Ockham',
    '=HYPERLINK("http://evil.example")',
    "+1",
    "-1+1|cmd",
    "@SUM(A1)",
    " =1+1",
    "＝1+1",
    "\t=1",
    "Été 🎻",
    "a=b",
  ];

  test("CSV has one row for each subscriber, every cell quoted, and no formulas", async () => {
    const calendar = await newCalendar();
    for (const name of names) await newSubscriber(calendar, { name, city: "Paris" });
    const { stdout } = await ownProcess("call", "subscribersExport", "--calendar_id", calendar);
    const [head, ...rows] = parseCsv(stdout);
    expect(head?.slice(0, 3)).toEqual(["id", "name", "email"]);
    expect(rows.map((row) => row[1])).toEqual(
      names.map((name) => (/^[^A-Za-zÉ]/.test(name) ? `'${name}` : name)),
    );
    for (const row of rows) expect(row).toHaveLength(15);
    expect(rows[0]?.slice(2)).toEqual([
      "ada@example.com",
      "203.0.113.7",
      "",
      "Paris",
      "",
      "",
      "apple",
      "true",
      "false",
      "",
      "2026-07-02T12:00:00Z",
      "2026-07-02T12:00:00Z",
      "",
    ]);
  });

  test("1,201 subscribers are written in several chunks, none missing and none twice", async () => {
    const calendar = await newCalendar();
    const first = await newSubscriber(calendar);
    const { id: _id, ...fields } = (await server.db
      .read<SubscriberRow>("subscribers")
      .where({ id: first })
      .first()) ?? {
      id: 0,
    };
    for (let batch = 0; batch < 12; batch++) {
      await server.db.transaction((trx) =>
        trx("subscribers").insert(Array.from({ length: 100 }, () => fields)),
      );
    }
    const { stdout } = await kalends("call", "subscribersExport", "--calendar_id", calendar);
    const [, ...rows] = parseCsv(stdout);
    const ids = rows.map(([id]) => Number(id));
    expect(ids).toHaveLength(1_201);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  });

  test("the export of a calendar without subscribers is empty", async () => {
    const calendar = await newCalendar();
    const { stdout } = await kalends("call", "subscribersExport", "--calendar_id", calendar);
    expect(parseCsv(stdout)).toHaveLength(1);
  });
});

test("calendars are made searchable one by one", async () => {
  const calendar = await newCalendar("Searched");
  const { uniquekey } = (await owner.call("calendarsDetails", { calendar_id: calendar })).body.calendar;
  const robots = async () => (await server.request(`/c/${uniquekey}`)).headers.get("X-Robots-Tag");
  expect(await robots()).toBe("noindex");
  const { stdout } = await ownProcess("calendar", "searchable", calendar, "on");
  expect(JSON.parse(stdout)).toEqual({ calendar_id: calendar, searchable: true });
  expect(await robots()).toBeNull();
  expect(await json("calendar", "searchable", calendar, "off")).toMatchObject({ searchable: false });
});

test("an unknown or deleted calendar is reported", async () => {
  const deleted = await newCalendar();
  await owner.call("deleteCalendar", { calendar_id: deleted });
  for (const calendar of [deleted, "999999"])
    for (const args of [
      ["calendar", "searchable", calendar, "on"],
      ["calendar", "export", calendar],
      ["call", "subscribersExport", "--calendar_id", calendar],
    ])
      expect(await kalends(...args)).toEqual({
        code: 1,
        stdout: "",
        stderr: `There is no calendar ${calendar}.\n`,
      });
});

describe("invalid arguments are refused with a hint", () => {
  for (const args of [
    ["subscriber"],
    ["subscriber", "delet", "1"],
    ["subscriber", "delete", "0"],
    ["subscriber", "delete", "1", "2"],
    ["subscriber", "find"],
    ["calendar", "export", "1", "--format", "xml"],
    ["calendar", "searchable", "1"],
    ["calendar", "searchable", "1", "maybe"],
  ]) {
    test(`kalends ${args.join(" ")}`, async () => {
      const { exitCode, out, err } = await parse(args);
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
      expect(err).toContain("--help");
    });
  }
});

for (const command of [
  "calendar",
  "calendar import",
  "calendar export",
  "calendar searchable",
  "subscriber",
  "subscriber find",
  "subscriber prune",
  "subscriber delete",
]) {
  test(`kalends ${command} --help prints its usage`, async () => {
    const { exitCode, out } = await parse([...command.split(" "), "--help"]);
    expect(exitCode).toBe(0);
    expect(out).toContain(`Usage: kalends ${command}`);
  });
}
