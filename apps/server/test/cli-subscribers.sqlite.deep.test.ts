import { describe, expect, test } from "vitest";
import { createAccount, listAccounts } from "../src/cli/accounts.js";
import { listCalendars, setSearchable } from "../src/cli/calendars.js";
import { findPerson } from "../src/cli/subscribers.js";
import * as commands from "../src/cli/subscribers.js";
import { insertSubscriber } from "../src/subscribers/queries.js";
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

const count = async (id: "listSubscribers" | "listBlockedSubscribers", calendar_id: string) =>
  (await owner.call(id, { calendar_id })).body.calendar.subscribers_count;

test("a subscriber is blocked, unblocked and deleted, and the API shows it at once", async () => {
  const calendar = await newCalendar();
  const id = await newSubscriber(calendar);
  const blocked = await ownProcess("subscriber", "block", String(id), "--json");
  expect(JSON.parse(blocked.stdout)).toEqual({
    subscriber_id: String(id),
    calendar_id: calendar,
    status: "blocked",
  });
  expect(await count("listBlockedSubscribers", calendar)).toBe(1);
  const { text } = await commands.unblockSubscriber(server.db, id, startOfTests);
  expect(text).toBe(`Subscriber ${id} of calendar ${calendar} is unblocked.`);
  expect(await count("listBlockedSubscribers", calendar)).toBe(0);
  expect((await commands.removeSubscriber(server.db, id, startOfTests)).json).toMatchObject({
    status: "deleted",
  });
  expect(await count("listSubscribers", calendar)).toBe(0);
  for (const change of [commands.blockSubscriber, commands.unblockSubscriber, commands.removeSubscriber]) {
    await expect(change(server.db, id, startOfTests)).rejects.toThrow(
      `There is no subscriber ${id}; run "subscriber list" to see those of a calendar.`,
    );
  }
});

test("a failed command exits 1 and reports why", async () => {
  expect(await kalends("subscriber", "delete", "999999")).toEqual({
    code: 1,
    stdout: "",
    stderr: 'There is no subscriber 999999; run "subscriber list" to see those of a calendar.\n',
  });
});

test("the list has all subscribers, or only the inactive or the blocked ones", async () => {
  const calendar = await newCalendar();
  const ids = [
    await newSubscriber(calendar, { country: "FR" }),
    await newSubscriber(calendar, { active: 0 }),
    await newSubscriber(calendar, { blocked: 1, active: 0, unfollowed_at: startOfTests }),
  ].map(String);
  const listed = async (only: { readonly only?: "inactive" | "blocked" }) => {
    const { json } = await commands.listSubscribers(server.db, { calendar: Number(calendar), ...only });
    return JSON.parse(JSON.stringify(json)).subscribers.map(({ id }: { readonly id: string }) => id);
  };
  const { text } = await commands.listSubscribers(server.db, { calendar: Number(calendar) });
  const lines = text.split("\n").map((line) => line.split(/ {2,}/));
  const seen = ["2026-07-02 12:00", "2026-07-02 12:00"];
  expect(lines).toEqual([
    ["ID", "NAME", "E-MAIL", "APP", "COUNTRY", "FOLLOWED (UTC)", "LAST SEEN (UTC)", "STATE"],
    [ids[0], "Ada Byron", "ada@example.com", "apple", "FR", ...seen, "active"],
    [ids[1], "Ada Byron", "ada@example.com", "apple", ...seen, "inactive"],
    [ids[2], "Ada Byron", "ada@example.com", "apple", ...seen, "unfollowed, blocked"],
  ]);
  expect(await listed({})).toEqual(ids);
  expect(await listed({ only: "inactive" })).toEqual(ids.slice(1));
  expect(await listed({ only: "blocked" })).toEqual(ids.slice(2));
});

test("text output escapes line separators, control characters and those that change the direction of text", async () => {
  const hostile = "a\u2028b\u202ec\u2066d\u200fe\u0085f\u001b[31mg\ufeff";
  const escaped = String.raw`a\u2028b\u202ec\u2066d\u200fe\u0085f\u001b[31mg\ufeff`;
  const calendar = await newCalendar("T\u202e\u2029U");
  await newSubscriber(calendar, { name: hostile, email: "b\u2069@example.com" });
  const { json, text } = await commands.listSubscribers(server.db, { calendar: Number(calendar) });
  expect(text.split("\n")).toHaveLength(2);
  expect(text).toContain(`${escaped}  b\\u2069@example.com  apple`);
  expect(JSON.stringify(json)).toContain(JSON.stringify(hostile));
  expect((await listCalendars(server.db)).text).toContain(String.raw`T\u202e\u2029U  `);
  expect((await setSearchable(server.db, Number(calendar), true, server.now)).text).toContain(
    String.raw`T\u202e\u2029U.`,
  );
  const account = await createAccount(server.db, "Park\u202eDepartment", startOfTests);
  expect(account.text).toContain(String.raw`Park\u202eDepartment`);
  expect((await listAccounts(server.db)).text).toContain(String.raw`Park\u202eDepartment`);
  expect((await listSubscribersOf("Иван 王 👩‍💻")).text).toContain("Иван 王 👩‍💻");
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

test("what is found of a person has every stored field that has a value, as text too", async () => {
  const calendar = await newCalendar();
  const place = { postal: "11201", city: "Brooklyn", state: "NY", country: "US" };
  const email = "complete@example.com";
  const picked = { email, categories: "jazz,rock", unfollowed_at: startOfTests + 3_600, active: 0 };
  const id = await newSubscriber(calendar, { ...place, ...picked });
  const sparse = await newSubscriber(calendar, { email, name: "" });
  const { text } = await findPerson(server.db, { email });
  const [first = "", second = ""] = text.split("\n\n");
  expect(first.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["Subscriber", String(id)],
    ["Calendar", calendar],
    ["Name", "Ada Byron"],
    ["E-mail", email],
    ["IP", "203.0.113.7"],
    ["Postal code", "11201"],
    ["City", "Brooklyn"],
    ["State", "NY"],
    ["Country", "US"],
    ["App", "apple"],
    ["Categories", "jazz,rock"],
    ["Followed (UTC)", "2026-07-02 12:00"],
    ["Last seen (UTC)", "2026-07-02 12:00"],
    ["Unfollowed (UTC)", "2026-07-02 13:00"],
    ["Status", "unfollowed"],
  ]);
  expect(second).toMatch(new RegExp(`^Subscriber +${sparse}$`, "m"));
  expect(second).not.toMatch(/Name|City|Categories|Unfollowed|null/);
});

test.each([
  ["list", "--json"],
  ["export", "--format", "json"],
])("subscriber %s %s escapes them too, in JSON that reads the same", async (command, ...options) => {
  const calendar = await newCalendar();
  const name = "a\u2028b\u202ec\u0085\u009b31md\ufeff";
  await newSubscriber(calendar, { name });
  const { code, stdout } = await kalends("subscriber", command, "--calendar", calendar, ...options);
  expect(code).toBe(0);
  expect(stdout).toContain(String.raw`"a\u2028b\u202ec\u0085\u009b31md\ufeff"`);
  const parsed = JSON.parse(stdout);
  expect((parsed.subscribers ?? parsed)[0].name).toBe(name);
});

async function listSubscribersOf(name: string) {
  const calendar = await newCalendar();
  await newSubscriber(calendar, { name });
  return commands.listSubscribers(server.db, { calendar: Number(calendar) });
}

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
    return calendar;
  }
  const kept = ["fetched", "fetched at once", "new", "blocked"];

  test("deletes a calendar's followers whose feed was never fetched in their first 30 days, and counts them", async () => {
    const [calendar, other] = [await flooded(), await flooded()];
    const where = { calendar: Number(calendar), days: 30 };
    const dry = await commands.pruneSubscribers(server.db, { ...where, dryRun: true }, now);
    expect(dry.json).toEqual({ subscribers: 2, dry_run: true });
    expect(await named(calendar)).toHaveLength(6);
    const { json, text } = await commands.pruneSubscribers(server.db, where, now);
    expect(json).toEqual({ subscribers: 2, dry_run: false });
    expect(text).toBe("Deleted 2 subscribers whose feed was never fetched.");
    expect(await named(calendar)).toEqual(kept);
    expect(await named(other)).toHaveLength(6);
    const row = await server.db
      .read<CalendarRow>("calendars")
      .where({ id: Number(calendar) })
      .first();
    expect(row).toMatchObject({
      followers_total: 4,
      followers_active: 3,
      followers_inactive: 0,
      followers_blocked: 1,
    });
  });

  test("of an account: all its calendars and no other account's", async () => {
    const calendar = await flooded();
    const stranger = await commands.pruneSubscribers(server.db, { account: owner.id + 1_000, days: 30 }, now);
    expect(stranger.json).toMatchObject({ subscribers: 0 });
    await commands.pruneSubscribers(server.db, { account: owner.id, days: 30 }, now);
    expect(await named(calendar)).toEqual(kept);
  });

  test("on the command line it needs --never-fetched and one of --calendar and --account", async () => {
    const calendar = await newCalendar();
    await newSubscriber(calendar, { subscribed_at: 1_700_000_000 });
    const prune = ["subscriber", "prune", "--calendar", calendar];
    expect((await kalends(...prune)).code).not.toBe(0);
    expect((await kalends("subscriber", "prune", "--never-fetched")).code).not.toBe(0);
    const dry = await kalends(...prune, "--never-fetched", "--dry-run", "--json");
    expect(JSON.parse(dry.stdout)).toEqual({ subscribers: 1, dry_run: true });
    const { stdout } = await kalends(...prune, "--never-fetched");
    expect(stdout).toBe("Deleted 1 subscriber whose feed was never fetched.\n");
  });
});

test.each(["--help", "calendar export", "subscriber export --calendar"])(
  "kalends %s ends quietly when its reader has closed the pipe",
  async (command) => {
    const id = command === "--help" ? [] : [await newCalendar()];
    const settings = { DATABASE_URL: server.databaseUrl };
    const { child, finished } = run("cli.ts", [...command.split(" "), ...id], folder, settings);
    child.stdout.destroy();
    expect(await finished).toEqual({ code: 0, stdout: "", stderr: "" });
  },
);

describe("export", () => {
  async function exported(calendar: string, format: "csv" | "json"): Promise<readonly string[]> {
    const pieces: string[] = [];
    const all = commands.exportSubscribers(server.db, { calendar: Number(calendar), format });
    for await (const piece of all) pieces.push(piece);
    return pieces;
  }

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
    const { stdout } = await ownProcess("subscriber", "export", "--calendar", calendar);
    expect(stdout).toBe((await exported(calendar, "csv")).join(""));
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

  test("JSON has the API's fields and the other stored ones, without the key's hash", async () => {
    const calendar = await newCalendar();
    for (const name of names) await newSubscriber(calendar, { name });
    const pieces = await exported(calendar, "json");
    const { body } = await owner.call("listSubscribers", { calendar_id: calendar, order_by: "id-asc" });
    expect(JSON.parse(pieces.join(""))).toEqual(
      body.subscribers.map((subscriber: object) => ({
        ...subscriber,
        last_seen_at: startOfTests,
        unfollowed_at: null,
        categories: null,
      })),
    );
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
    const pieces = await exported(calendar, "json");
    expect(pieces.length).toBeGreaterThan(2);
    const ids = JSON.parse(pieces.join("")).map(({ id }: { readonly id: string }) => Number(id));
    expect(ids).toHaveLength(1_201);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => Number(a) - Number(b)));
  });

  test("the export of a calendar without subscribers is empty", async () => {
    const calendar = await newCalendar();
    expect(parseCsv((await exported(calendar, "csv")).join(""))).toHaveLength(1);
    expect((await exported(calendar, "json")).join("")).toBe("[]\n");
  });
});

test("calendars are listed with the addresses of their pages, and made searchable one by one", async () => {
  const calendar = await newCalendar("Searched");
  await newSubscriber(calendar);
  const listed = async () => {
    const { calendars } = JSON.parse(JSON.stringify((await listCalendars(server.db)).json));
    return calendars.find(({ calendar_id }: { readonly calendar_id: string }) => calendar_id === calendar);
  };
  const want = { account_id: String(owner.id), title: "Searched", followers_active: 1, searchable: false };
  const before = await listed();
  expect(before).toMatchObject(want);
  expect((await server.request(`/c/${before.uniquekey}`)).headers.get("X-Robots-Tag")).toBe("noindex");
  expect((await ownProcess("calendar", "searchable", calendar, "on")).stdout).toBe(
    `Search engines may index the page of calendar ${calendar}, Searched.\n`,
  );
  expect(await listed()).toMatchObject({ ...want, searchable: true });
  expect((await server.request(`/c/${before.uniquekey}`)).headers.get("X-Robots-Tag")).toBeNull();
  const { json } = await setSearchable(server.db, Number(calendar), false, server.now);
  expect(json).toEqual({ calendar_id: calendar, searchable: false });
  expect((await listCalendars(server.db)).text).toMatch(
    /ID +ACCOUNT +TITLE[^]*Searched .* http:\/\/127\.0\.0\.1:8080\/c\/[0-9a-z]{12}$/m,
  );
});

test("an unknown or deleted calendar is reported", async () => {
  const deleted = Number(await newCalendar());
  await owner.call("deleteCalendar", { calendar_id: String(deleted) });
  for (const calendar of [deleted, 999_999]) {
    const message = `There is no calendar ${calendar}; run "calendar list" to see all.`;
    await expect(commands.listSubscribers(server.db, { calendar })).rejects.toThrow(message);
    await expect(commands.exportSubscribers(server.db, { calendar, format: "csv" }).next()).rejects.toThrow(
      message,
    );
    await expect(setSearchable(server.db, calendar, true, server.now)).rejects.toThrow(message);
  }
});

describe("invalid arguments are refused with a hint", () => {
  for (const args of [
    ["subscriber"],
    ["subscriber", "blok", "1"],
    ["subscriber", "block"],
    ["subscriber", "block", "0"],
    ["subscriber", "block", "1", "2"],
    ["subscriber", "list"],
    ["subscriber", "list", "--calendar", "x"],
    ["subscriber", "list", "--calendar", "1", "--only", "active"],
    ["subscriber", "export", "--calendar", "1", "--format", "xml"],
    ["subscriber", "export", "--calendar", "1", "--json"],
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
  "calendar list",
  "calendar searchable",
  "subscriber",
  "subscriber list",
  "subscriber block",
  "subscriber unblock",
  "subscriber delete",
  "subscriber export",
]) {
  test(`kalends ${command} --help prints its usage`, async () => {
    const { exitCode, out } = await parse([...command.split(" "), "--help"]);
    expect(exitCode).toBe(0);
    expect(out).toContain(`Usage: kalends ${command}`);
  });
}
