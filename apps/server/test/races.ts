import type { ContractId } from "@kalends/spec";
import { purgeDeletedCalendars } from "../src/events/calendar-purge-job.js";
import type { Database } from "../src/db/open-database.js";
import { expireTrash } from "../src/events/trash-purge-job.js";
import type { Answer, TestAccount } from "./harness.js";

// Races through several servers on one database, with one account on each server. Responses are the reference for all counts.

/** The result of a race. */
export interface Outcome {
  /** Number of responses by status. */
  readonly responses: Readonly<Record<number, number>>;
  /** Violated invariants; empty when all hold. */
  readonly faults: readonly string[];
}

/** An account on one of the servers. */
export type Racer = Pick<TestAccount, "call">;

type Params = Readonly<Record<string, string>>;

/** Removes what was deleted for good. */
async function purgeTrash(db: Database): Promise<void> {
  await expireTrash(db, Number.MAX_SAFE_INTEGER);
  await purgeDeletedCalendars(db);
}

const start = { title: "x", start_date: "07/04/2026 10:00" } as const;

/** Returns a caller that uses the servers alternately, counts the responses, and sends again what was refused as "overloaded". */
function createCaller(accounts: readonly Racer[]) {
  const responses: Record<number, number> = {};
  let next = 0;
  return {
    responses,
    call: async (operation: ContractId, params: Params): Promise<Answer> => {
      const account = accounts[next++ % accounts.length];
      if (account === undefined) throw new Error("a race needs a server");
      for (;;) {
        const answer = await account.call(operation, params);
        responses[answer.status] = (responses[answer.status] ?? 0) + 1;
        if (answer.body.meta.error_type !== "overloaded") return answer;
      }
    },
  };
}

type Call = ReturnType<typeof createCaller>["call"];

/** Runs `work` for 0, 1, 2, … below `count`, by `workers` at once. */
async function share(count: number, workers: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

async function newCalendar(call: Call): Promise<string> {
  return (await call("createCalendar", { title: "x" })).body.calendar.id;
}

/**
 * Saves some events repeatedly. Every acknowledged save must return a different `updated_times`, and no update may be lost: the
 * values of each event are 1, 2, 3, …
 */
export async function raceSaves(
  accounts: readonly Racer[],
  { events, saves, clients }: { readonly events: number; readonly saves: number; readonly clients: number },
): Promise<Outcome> {
  const { call, responses } = createCaller(accounts);
  const calendar_id = await newCalendar(call);
  const ids: string[] = [];
  for (let n = 0; n < events; n++)
    ids.push((await call("createEvent", { calendar_id, ...start })).body.event.id);
  const counts = new Map<string, number[]>(ids.map((id) => [id, []]));
  await share(saves, clients, async (n) => {
    const event_id = String(ids[Math.floor(n / accounts.length) % events]); // both servers save the same event
    const answer = await call("saveEvent", { event_id, ...start, title: `Save ${n}` });
    if (answer.status === 200)
      counts.get(answer.body.event.id)?.push(Number(answer.body.event.updated_times));
  });
  const faults = [...counts].flatMap(([id, returned]) => {
    const sorted = returned.toSorted((a, b) => a - b);
    return sorted.every((count, index) => count === index + 1) ? [] : [`event ${id}: ${sorted.join(" ")}`];
  });
  return { responses, faults: [...faults, ...unexpected(responses, [200])] };
}

/** Deletes calendars while other servers create events in them. */
export async function raceDeletes(
  accounts: readonly Racer[],
  db: Database,
  { races, creates, clients }: { readonly races: number; readonly creates: number; readonly clients: number },
): Promise<Outcome> {
  const { call, responses } = createCaller(accounts);
  const faults: string[] = [];
  await share(races, clients, async (n) => {
    const calendar_id = await newCalendar(call);
    const create = (): Promise<Answer> => call("createEvent", { calendar_id, ...start });
    const before = Array.from({ length: n % creates }, create);
    const deletion = call("deleteCalendar", { calendar_id });
    const made = await Promise.all([...before, ...Array.from({ length: creates - (n % creates) }, create)]);
    if ((await deletion).status !== 200) faults.push(`calendar ${calendar_id} was not deleted`);
    if ((await create()).status !== 404) faults.push(`calendar ${calendar_id} took an event once deleted`);
    const row = await db
      .read("calendars")
      .where({ id: Number(calendar_id) })
      .first("events_total");
    const acknowledged = made.filter(({ status }) => status === 200).length;
    if (row?.events_total !== acknowledged) {
      faults.push(
        `calendar ${calendar_id} counts ${row?.events_total} events, ${acknowledged} were acknowledged`,
      );
    }
  });
  await purgeTrash(db);
  const rest = db
    .read("events")
    .leftJoin("calendars", "calendars.id", "events.calendar_id")
    .whereRaw("(calendars.id is null or calendars.deleted_at is not null)");
  const [orphans] = await rest.count({ count: "*" });
  if (Number(orphans?.count) > 0) faults.push(`${orphans?.count} events without a calendar`);
  return { responses, faults: [...faults, ...unexpected(responses, [200, 404])] };
}

/** Runs all writes on the same few calendars and events concurrently; the counters must be correct at the end. */
export async function raceEverything(
  accounts: readonly Racer[],
  db: Database,
  { steps, clients }: { readonly steps: number; readonly clients: number },
): Promise<Outcome> {
  const { call, responses } = createCaller(accounts);
  const calendars: string[] = [];
  const events: string[] = [];
  const among = (ids: readonly string[], n: number): string => ids[n % Math.min(ids.length, 12)] ?? "1";
  const keep = (ids: string[], id: unknown): void => {
    if (typeof id === "string") ids.unshift(id);
  };
  for (let n = 0; n < 4; n++) keep(calendars, await newCalendar(call));
  const operations: readonly ((n: number) => Promise<unknown>)[] = [
    (n) =>
      call("createEvent", { calendar_id: among(calendars, n), ...start }).then((a) =>
        keep(events, a.body.event?.id),
      ),
    (n) =>
      call("createEvent", { calendar_id: among(calendars, n), ...start }).then((a) =>
        keep(events, a.body.event?.id),
      ),
    (n) => call("saveEvent", { event_id: among(events, n), ...start }),
    (n) => call("saveEvent", { event_id: among(events, n * 5), ...start, timezone: "Europe/Paris" }),
    (n) => call("deleteEvent", { event_id: among(events, n * 7) }),
    (n) => call("saveCalendar", { calendar_id: among(calendars, n), title: `Save ${n}` }),
    (n) => call("listEvents", { calendar_id: among(calendars, n) }),
    () => call("createCalendar", { title: "x" }).then((a) => keep(calendars, a.body.calendar?.id)),
    (n) => (n % 5 === 0 ? call("deleteCalendar", { calendar_id: among(calendars, n) }) : Promise.resolve()),
    () => purgeTrash(db),
  ];
  await share(steps, clients, async (n) => {
    await operations[(n * 7) % operations.length]?.(n);
  });
  const wrong = await db.read("calendars").whereNull("deleted_at").whereRaw(miscounted).select("id");
  const faults = wrong.map(({ id }) => `calendar ${id} is miscounted`);
  return { responses, faults: [...faults, ...unexpected(responses, [200, 404])] };
}

const miscounted = `(events_total <> (select count(*) from published_events where calendar_id = calendars.id)
  or events_total <> (select coalesce(sum(events), 0) from event_counts where calendar_id = calendars.id))`;

/** A response of 503 is a request that was sent again. */
function unexpected(responses: Outcome["responses"], expected: readonly number[]): readonly string[] {
  return Object.entries(responses).flatMap(([status, count]) =>
    [...expected, 503].includes(Number(status)) ? [] : [`${count} responses with ${status}`],
  );
}
