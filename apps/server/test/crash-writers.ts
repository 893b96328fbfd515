import type { Knex } from "knex";
import { listedJson } from "../src/events/listed-json.js";
import type { DeletedEventRow, StoredEventRow } from "../src/db/rows.js";
import { type Answer, testAccount } from "./harness.js";

// Clients that write until the server crashes, and what the database must hold afterwards. Everything has a unique name that
// begins with the lane's, so the state of a lane is the sorted list of its names.

/** One request of a lane. */
interface Step {
  readonly adds: readonly string[];
  readonly removes: readonly string[];
  /** What `position` returned when the 200 came; Infinity while it has not come. */
  acknowledgedAt: number;
}

/** The requests that one client sent, each after the response to the one before. */
export interface Lane {
  readonly name: string;
  readonly steps: readonly Step[];
}

export interface Writers {
  readonly lanes: readonly Lane[];
  /** How many requests were answered with 200. */
  acknowledged(): number;
  /** Resolves when every lane has met a failure, or after `stop`. Returns the statuses of the failures, 0 for none. */
  readonly ended: Promise<readonly number[]>;
  stop(): void;
}

/** Starts `count` lanes of writes against a server. `position` dates each acknowledgement; without it all are at 0. */
export function startWriters(options: {
  readonly url: string;
  readonly token: string;
  readonly prefix: string;
  readonly count: number;
  readonly position?: () => number;
}): Writers {
  const { url, token, prefix, count, position = () => 0 } = options;
  const state = { over: false, acknowledged: 0 };
  const lanes = Array.from({ length: count }, (_, index) => ({
    name: `${prefix}-${index}`,
    steps: new Array<Step>(),
  }));
  const run = async ({ name, steps }: (typeof lanes)[number]): Promise<number> => {
    const next = createSteps(name, url, token);
    while (!state.over) {
      const { adds = [], removes = [], send } = next();
      const step = { adds, removes, acknowledgedAt: Infinity };
      steps.push(step);
      const status = await send().catch(() => 0);
      if (status !== 200) return status;
      step.acknowledgedAt = position();
      state.acknowledged++;
    }
    return 200;
  };
  return {
    lanes,
    acknowledged: () => state.acknowledged,
    ended: Promise.all(lanes.map(run)),
    stop: () => (state.over = true),
  };
}

interface Plan {
  readonly adds?: readonly string[];
  readonly removes?: readonly string[];
  readonly send: () => Promise<number>;
}

/** Returns a function that plans one request after the other: most are creates, all operations that write come in turn. */
function createSteps(lane: string, url: string, token: string): () => Plan {
  const { call } = testAccount(url, 0, token);
  const start = { start_date: "07/04/2026 10:00" };
  const calendars: {
    name: string;
    id: string;
    key: string;
    events: string[];
    deleted: string[];
    followers: string[];
  }[] = [];
  const ids = new Map<string, string>();
  let last = 0;
  const newName = (): string => `${lane} ${++last}`;
  const statusOf = async (answer: Promise<Answer>, read: (answer: Answer) => void): Promise<number> => {
    const done = await answer;
    if (done.status === 200) read(done);
    return done.status;
  };
  const createCalendar = (): Plan => {
    const name = newName();
    const keep = ({ body: { calendar } }: Answer): void =>
      void calendars.push({
        name,
        id: calendar.id,
        key: calendar.uniquekey,
        events: [],
        deleted: [],
        followers: [],
      });
    return { adds: [name], send: () => statusOf(call("createCalendar", { title: name }), keep) };
  };
  return () => {
    const calendar = calendars.at(-1);
    const event = calendar?.events[0];
    if (calendar === undefined) return createCalendar();
    const { id: calendar_id, key, events, deleted, followers } = calendar;
    const name = newName();
    const turn = last % 40;
    if (turn === 10) return createCalendar();
    if (turn === 30 && calendars.length > 1) {
      calendars.pop();
      const send = (): Promise<number> => statusOf(call("deleteCalendar", { calendar_id }), () => undefined);
      return { removes: [calendar.name, ...events, ...followers], send };
    }
    if (turn % 10 === 7) {
      const [old, send] = [calendar.name, () => call("saveCalendar", { calendar_id, title: name })];
      return { adds: [name], removes: [old], send: () => statusOf(send(), () => (calendar.name = name)) };
    }
    if (turn % 10 === 5) {
      followers.push(name);
      return { adds: [name], send: () => follow(`${url}/c/${key}/follow`, name) };
    }
    const [restored] = deleted;
    if (restored !== undefined && turn % 10 === 9) {
      const send = (): Promise<Answer> => call("eventsRestore", { event_id: ids.get(restored) ?? "" });
      const keep = (): void => void events.push(...deleted.splice(0, 1));
      return { adds: [restored], send: () => statusOf(send(), keep) };
    }
    if (event !== undefined && turn % 3 === 0) {
      const params = { event_id: ids.get(event) ?? "" };
      const isSave = turn % 2 === 0;
      const keep = (): void => {
        events.splice(0, 1, ...(isSave ? [name] : []));
        if (!isSave) deleted.push(event);
        ids.set(name, params.event_id);
      };
      const send = (): Promise<Answer> =>
        isSave ? call("saveEvent", { ...params, ...start, title: name }) : call("deleteEvent", params);
      return { adds: isSave ? [name] : [], removes: [event], send: () => statusOf(send(), keep) };
    }
    const keep = ({ body }: Answer): void => {
      events.push(name);
      ids.set(name, String(body.event.id));
    };
    const send = (): Promise<Answer> => call("createEvent", { calendar_id, ...start, title: name });
    return { adds: [name], send: () => statusOf(send(), keep) };
  };
}

async function follow(url: string, name: string): Promise<number> {
  const body = new URLSearchParams({ app: "google", name, email: "" });
  const response = await fetch(url, { method: "POST", body, redirect: "manual" });
  await response.arrayBuffer();
  return response.status === 303 ? 200 : response.status;
}

/**
 * Compares what the lanes were told with what the database holds: every acknowledged write is there, at most the one that was
 * not acknowledged too, and counters and list items are those of the rows.
 * @param at only what was acknowledged up to this position counts
 */
export async function faultsAfterCrash(db: Knex, lanes: readonly Lane[], at = 0): Promise<readonly string[]> {
  const stored = new Map(lanes.map(({ name }) => [name, new Array<string>()]));
  for (const { name } of await storedNames(db)) stored.get(name.replace(/ .*/, ""))?.push(name);
  const all = await db<StoredEventRow>("events").select("*");
  const untrue = all.filter((row) => row.json !== listedJson(row));
  const trashed = all.filter(({ state }) => state === "trashed").map(({ id }) => id);
  const deleted = await db<DeletedEventRow>("deleted_events").pluck("id");
  const lost = deleted.filter((id) => !trashed.includes(id));
  const wrong: readonly { id: number }[] = await db("calendars")
    .whereNull("deleted_at")
    .whereRaw(miscounted)
    .select("id");
  return [
    ...lanes.flatMap((lane) => faultsOfLane(lane, stored.get(lane.name) ?? [], at)),
    ...untrue.map(({ id }) => `the list item of event ${id} is not that of its row`),
    ...lost.map((id) => `the deleted event ${id} is not in the trash`),
    ...wrong.map(({ id }) => `the counters of calendar ${id} are not those of its rows`),
  ];
}

function faultsOfLane({ name, steps }: Lane, stored: readonly string[], at: number): readonly string[] {
  const told = new Set<string>();
  const apply = ({ adds, removes }: Step): void => {
    for (const each of removes) told.delete(each);
    for (const each of adds) told.add(each);
  };
  const open = steps.findIndex(({ acknowledgedAt }) => acknowledgedAt > at);
  for (const step of open < 0 ? steps : steps.slice(0, open)) apply(step);
  const before = [...told];
  const inFlight = open < 0 ? undefined : steps[open];
  if (inFlight !== undefined) apply(inFlight);
  const found = sorted(stored);
  if ([before, [...told]].some((names) => sorted(names) === found)) return [];
  const lost = before.filter((each) => !stored.includes(each) && !inFlight?.removes.includes(each));
  return [`${name}: lost ${JSON.stringify(lost)}, found ${found}, told ${sorted(before)}`];
}

function sorted(names: readonly string[]): string {
  return names.toSorted().join();
}

function storedNames(db: Knex): Promise<readonly { readonly name: string }[]> {
  const of = (table: string, column: string): string =>
    `select t.${column} as name from ${table} t join calendars c on c.id = t.calendar_id where c.deleted_at is null`;
  const query = db.raw(
    `select title as name from calendars where deleted_at is null union all ${of("published_events", "title")} union all ${of("subscribers", "name")}`,
  );
  return query.then((result) => ("rows" in result ? result.rows : result));
}

const count = (table: string, condition = "1 = 1"): string =>
  `(select count(*) from ${table} where calendar_id = calendars.id and ${condition})`;

const miscounted = `(events_total <> ${count("published_events")}
  or events_total <> (select coalesce(sum(events), 0) from event_counts where calendar_id = calendars.id)
  or followers_total <> ${count("subscribers")}
  or followers_active <> ${count("subscribers", "active = 1 and blocked = 0")}
  or followers_inactive <> ${count("subscribers", "active = 0")}
  or followers_blocked <> ${count("subscribers", "blocked = 1")})`;
