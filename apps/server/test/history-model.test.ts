import { afterAll, expect, test, vi } from "vitest";
import { runOperation } from "../src/cli/run-operation.js";
import { calendarFile, importFile, vevent } from "./calendar-files.js";
import { startTestServer, type TestAccount } from "./harness.js";
import { signIn } from "./people.js";
import { randomFrom } from "./random.js";
import { startSource } from "./sync-world.js";
import { callsOf } from "./trash-world.js";

// Random sequences of writes by every way in, against a model (extensions X9.4): each write of an event adds one entry with its author
// and what it has changed, and at the end an event is made what it was after each of its entries.

const sequences = Number(process.env.KALENDS_HISTORY_SEQUENCES ?? 4);
const stepsOfSequence = 10;
vi.setConfig({ testTimeout: 60_000 + sequences * 2_000 });

const server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on", PAGE_SIZE: "100" });
const source = await startSource(server);
afterAll(async () => {
  vi.resetConfig();
  await source.stop();
  await server.stop();
});

type Fields = Readonly<Record<string, string>>;

/** The fields of an event as parameters. */
function fieldsOf(event: Readonly<Record<string, unknown>>): Fields {
  const { title, description, location, organizer, organizer_email, timezone, color_id, reminder } = event;
  const { status, start_date, end_date, publish_at, calendar_id, all_day_event, published } = event;
  const texts = { title, description, location, organizer, organizer_email, timezone, color_id, reminder };
  const others = { status, start_date, end_date, publish_at, calendar_id, all_day_event, published };
  const { categories, custom_data } = event;
  const written = { categories: [categories].flat().join(","), custom_data: JSON.stringify(custom_data) };
  return Object.fromEntries(
    Object.entries({ ...texts, ...others, ...written }).map(([name, value]) => [name, String(value)]),
  );
}

/** What an entry should have for a change from one state to another. */
function differences(before: Fields, after: Fields): readonly (readonly string[])[] {
  const names = Object.keys(after).filter((name) => before[name] !== after[name]);
  return names.map((name) => [name, before[name] ?? "", after[name] ?? ""]).toSorted();
}

interface Modelled {
  /** What it was after each of its entries, by the ids of these. */
  readonly states: Map<string, Fields>;
  isDeleted: boolean;
}

const pickFrom = (random: () => number) => {
  return <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
};

async function world(owner: TestAccount, random: () => number) {
  const { ok, newCalendar } = callsOf(owner);
  const pick = pickFrom(random);
  const [here, there] = [(await newCalendar()).id, (await newCalendar()).id];
  const person = await signIn(server, owner.id);
  const sync = await source.newSync(owner.id, here);
  const events = new Map<string, Modelled>();
  const some = (isDeleted = false) =>
    pick([...events].filter(([, event]) => event.isDeleted === isDeleted).map(([id]) => id)) ??
    "9007199254740991";
  let texts = 0;
  const text = () => pick(["", `t${++texts}`, "é".repeat(1_200) + String(++texts)]) ?? "";
  const start = () => `2027-0${1 + Math.floor(random() * 9)}-11T1${Math.floor(random() * 10)}:30`;
  const change = (): Fields =>
    pick<Fields>([
      { title: `t${++texts}`, description: text() },
      { start_date: start(), end_date: "", all_day_event: pick(["true", "false"]) ?? "" },
      {
        status: pick(["cancelled", "confirmed", "tentative"]) ?? "",
        categories: pick(["", "Jazz", "Jazz,Blues"]) ?? "",
      },
      {
        custom_data: pick(["", '{"a":1}']) ?? "",
        reminder: pick(["", "30"]) ?? "",
        color_id: pick(["", "3"]) ?? "",
      },
      { published: pick(["true", "false"]) ?? "" },
      { published: "false", publish_at: `2027-0${1 + Math.floor(random() * 9)}-01T10:00:00Z` },
      { timezone: pick(["Asia/Tokyo", "America/New_York"]) ?? "", location: text() },
    ]) ?? {};
  const file = () =>
    ["a", "b"].map((uid) =>
      vevent(`UID:${uid}`, `SUMMARY:${text().slice(0, 9) || "x"}`, "DTSTART:20270801T100000Z"),
    );
  const both = () => [...new Set([some(), some()])].join(",");
  const write = (name: "createEvent" | "saveEvent", params: Fields) =>
    owner.get(name, { title: `t${++texts}`, start_date: "07/04/2027 10:00", ...params });
  const ways: readonly (readonly [author: string, way: () => Promise<unknown>])[] = [
    ["token", () => write("createEvent", { calendar_id: here, description: text() })],
    ["token", () => write("saveEvent", { event_id: some(), location: text() })],
    [
      "token",
      () => owner.call("eventsCreate", { calendar_id: here, title: "x", start_date: start(), ...change() }),
    ],
    ["token", () => owner.call("eventsUpdate", { event_id: some(), ...change() })],
    [
      "token",
      () => owner.call("eventsUpdate", { event_id: some(), calendar_id: pick([here, there]) ?? here }),
    ],
    ["person", () => person.call("eventsUpdate", { event_id: some(), ...change() })],
    ["token", () => owner.call("eventsBatch", { events: both(), shift_days: "1", partial: "true" })],
    ["token", () => owner.call("eventsCopy", { event_id: some(), start_dates: start() })],
    ["token", () => owner.call("eventsDelete", { event_id: some() })],
    ["token", () => owner.call("eventsRestore", { event_id: some(true) })],
    ["token", () => importFile(server, owner, there, calendarFile(...file()))],
    ["sync", () => source.sync(sync, ...file().slice(0, pick([1, 2])))],
    [
      "person",
      () => person.call("categoriesRename", { calendar_id: here, category: "Jazz", name: `Soul${++texts}` }),
    ],
    [
      "command_line",
      () =>
        runOperation(server.db, "eventsUpdate", {
          account: owner.id,
          values: { event_id: some(), ...change() },
          now: server.now,
        }).catch(() => undefined),
    ],
  ];
  return { ok, owner, events, pick, ways };
}

type World = Awaited<ReturnType<typeof world>>;

let seen = 0;

/** Compares the entries that a write has added with what it has made of the events. */
async function check({ ok, owner, events }: World, author: string): Promise<void> {
  const { history }: { history: readonly Entry[] } = await ok("historyList", {});
  const added = history.filter(({ id, event_id }) => Number(id) > seen && event_id !== "").toReversed();
  seen = Math.max(seen, ...history.map(({ id }) => Number(id)));
  expect(new Set(added.map(({ event_id }) => event_id)).size).toBe(added.length); // one for each event
  const changed = new Set<string>();
  for (const { id, event_id, by, action, changes } of added) {
    const event = events.get(event_id) ?? { states: new Map<string, Fields>(), isDeleted: false };
    const before = [...event.states.values()].at(-1);
    const answer = await owner.call("eventsDetails", { event_id });
    expect([by.kind, answer.status]).toEqual([author, action === "deleted" ? 404 : 200]);
    // A draft that is deleted is not published by itself any more.
    const after = answer.status === 200 ? fieldsOf(answer.body.event) : { ...before, publish_at: "" };
    const shown = changes.map((one) => [one.field, one.before, one.after]).toSorted();
    const expected = before === undefined ? [] : differences(before, after);
    const long = new Set(
      expected.filter((row) => row.some(({ length }) => length > 1_000)).map(([name]) => name),
    );
    const short = (rows: readonly (readonly string[])[]) => rows.filter(([name]) => !long.has(name));
    expect(shown.map(([field]) => field)).toEqual(expected.map(([field]) => field));
    expect(short(shown)).toEqual(short(expected));
    events.set(event_id, { states: event.states.set(id, after), isDeleted: action === "deleted" });
    changed.add(event_id);
  }
  for (const [event_id, { states, isDeleted }] of events) {
    if (changed.has(event_id) || isDeleted) continue;
    expect(fieldsOf((await ok("eventsDetails", { event_id })).event)).toEqual([...states.values()].at(-1));
  }
}

interface Entry {
  readonly id: string;
  readonly event_id: string;
  readonly action: string;
  readonly by: { readonly kind: string };
  readonly changes: readonly { readonly field: string; readonly before: string; readonly after: string }[];
}

/** Makes an event what it was after some of its entries. */
async function revertAll({ ok, events, pick }: World): Promise<void> {
  for (const [event_id, { states, isDeleted }] of events) {
    const then = isDeleted ? undefined : pick([...states]);
    if (then === undefined) continue;
    const [entry_id, { calendar_id: _calendar, ...fields }] = then;
    const { event } = await ok("eventsRevert", { event_id, entry_id });
    expect(fieldsOf(event)).toMatchObject(fields);
  }
}

test(`each of ${sequences} sequences of writes leaves the history that the model has`, async () => {
  const random = randomFrom(Number(process.env.KALENDS_SEED ?? 94));
  for (let sequence = 0; sequence < sequences; sequence++) {
    const made = await world(await server.account(), random);
    for (let step = 0; step < stepsOfSequence; step++) {
      const [author, way] = made.pick(made.ways) ?? ["", () => Promise.resolve()];
      await way();
      await check(made, author);
    }
    await revertAll(made);
  }
});
