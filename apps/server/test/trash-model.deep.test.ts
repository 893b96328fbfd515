import { afterAll, expect, test, vi } from "vitest";
import { purgeDeletedCalendars } from "../src/events/calendar-purge-job.js";
import { purgeRequested } from "../src/events/trash-purge-job.js";
import { startTestServer, type TestAccount } from "./harness.js";
import { randomFrom } from "./random.js";
import { addEndpoint, deliveriesOf, everyType } from "./webhook-world.js";

// Random sequences of create, save, delete, restore and purge, of events and of their calendar, against a model. After each step
// those who follow are asked what they know: the reader of the feed, that of the changes, and the receiver of webhooks
// (extensions X8.3).

const sequences = Number(process.env.KALENDS_TRASH_SEQUENCES ?? 60);
const stepsOfSequence = 10;
vi.setConfig({ testTimeout: 60_000 + sequences * 2_000 });

const server = await startTestServer();
afterAll(async () => {
  vi.resetConfig();
  await server.stop();
});

interface Known {
  readonly title: string;
  readonly sequence: number;
}
type Copy = Map<string, Known>;

interface Modelled extends Known {
  readonly state: "live" | "deleted" | "purged";
}

/** What there should be. */
interface Model {
  calendar: "live" | "deleted" | "purged";
  readonly events: Map<string, Modelled>;
}

const liveOf = ({ events }: Model): Copy =>
  new Map(
    [...events]
      .filter(([, { state }]) => state === "live")
      .map(([id, { title, sequence }]) => [id, { title, sequence }]),
  );

const sorted = (copy: Copy) => [...copy].toSorted(([one], [other]) => Number(one) - Number(other));

/** Reads the feed with the entity tag of what it has. */
function feedReader(uniquekey: string) {
  let tag = "";
  let copy: Copy = new Map();
  return async (model: Model): Promise<void> => {
    const { status, headers, text } = await server.request(`/c/${uniquekey}/x.ics`, {
      headers: tag === "" ? {} : { "If-None-Match": tag },
    });
    if (model.calendar !== "live") {
      expect(status).toBe(410);
      return;
    }
    if (status !== 304) {
      expect(status).toBe(200);
      tag = headers.get("ETag") ?? "";
      copy = new Map(
        text
          .split("BEGIN:VEVENT")
          .slice(1)
          .map((entry) => {
            const [, title = ""] = /^SUMMARY:(\S+)/m.exec(entry) ?? [];
            const [, sequence = ""] = /^SEQUENCE:(\d+)/m.exec(entry) ?? [];
            return [title.split("-")[0] ?? "", { title, sequence: Number(sequence) }];
          }),
      );
    }
    const byName = ([, known]: readonly [string, Known]) => `${known.title} ${known.sequence}`;
    expect([...copy].map(byName).toSorted()).toEqual([...liveOf(model)].map(byName).toSorted());
  };
}

/** Goes on from the cursor that it was given last. */
function changesReader(owner: TestAccount, calendar_id: string) {
  let since: string | undefined;
  const copy: Copy = new Map();
  return async (model: Model): Promise<void> => {
    const answer = await owner.call("eventsChanges", { calendar_id, ...(since && { since }) });
    expect(answer.status).toBe(model.calendar === "live" ? 200 : 404);
    if (answer.status !== 200) return;
    since = answer.body.cursor;
    for (const { event_id, change, event } of answer.body.changes) {
      if (change === "deleted") copy.delete(event_id);
      else copy.set(event_id, { title: event.title, sequence: event.updated_times });
    }
    expect(sorted(copy)).toEqual(sorted(liveOf(model)));
  };
}

/** Does what each message says; a calendar that comes again is read again. */
function receiver(owner: TestAccount, calendar_id: string, endpointId: number) {
  let last = 0;
  const copy: Copy = new Map();
  return async (model: Model): Promise<void> => {
    const all = await deliveriesOf(server.db, endpointId);
    for (const { id, type, payload } of all.filter((one) => one.id > last)) {
      last = id;
      const { event } = JSON.parse(payload).data;
      if (type === "event.deleted") copy.delete(event.id);
      else if (type === "calendar.deleted") copy.clear();
      else if (type === "calendar.created") {
        const { body } = await owner.call("eventsList", { calendar_id });
        for (const found of body.events ?? [])
          copy.set(found.id, { title: found.title, sequence: found.updated_times });
      } else if (event !== undefined)
        copy.set(event.id, { title: event.title, sequence: event.updated_times });
    }
    if (model.calendar === "live") expect(sorted(copy)).toEqual(sorted(liveOf(model)));
  };
}

/** One step: calls the server, and does the same to the model where the server should do it. */
function stepsOf(owner: TestAccount, calendar_id: string, model: Model, random: () => number) {
  let named = 0;
  const one = (...states: readonly string[]): string => {
    const ids = [...model.events].filter(([, { state }]) => states.includes(state)).map(([id]) => id);
    return ids[Math.floor(random() * ids.length)] ?? "9007199254740991";
  };
  const any = () => one("live", "deleted", "purged");
  const change = async (
    operation: Parameters<TestAccount["call"]>[0],
    event_id: string,
    needs: Modelled["state"],
    to: (event: Modelled) => Modelled,
    more: Readonly<Record<string, string>> = {},
  ) => {
    const { status } = await owner.call(operation, { event_id, ...more });
    const before = model.events.get(event_id);
    const isPossible = before?.state === needs && model.calendar === "live";
    if (isPossible) expect([operation, status]).toEqual([operation, 200]);
    else expect([operation, [404, 409].includes(status)]).toEqual([operation, true]);
    if (isPossible) model.events.set(event_id, to(before));
  };
  const saved = (event: Modelled): Modelled => ({ ...event, sequence: event.sequence + 1 });
  const newTitle = () => `t${++named}`;
  return [
    async () => {
      const title = newTitle();
      const { status, body } = await owner.call("eventsCreate", {
        calendar_id,
        title,
        start_date: "2026-08-04T10:00",
      });
      expect(status).toBe(model.calendar === "live" ? 200 : 404);
      if (status === 200) model.events.set(body.event.id, { title, sequence: 0, state: "live" });
    },
    () => {
      const title = newTitle();
      return change("eventsUpdate", any(), "live", (event) => ({ ...saved(event), title }), { title });
    },
    () => change("deleteEvent", one("live"), "live", (event) => ({ ...event, state: "deleted" })),
    () => change("eventsDelete", one("live"), "live", (event) => ({ ...event, state: "deleted" })),
    () => change("eventsRestore", one("deleted"), "deleted", (event) => ({ ...saved(event), state: "live" })),
    () => change("eventsRestore", any(), "deleted", (event) => ({ ...saved(event), state: "live" })),
    async () => {
      const event_id = one("deleted");
      const { status } = await owner.call("trashPurge", { event_id });
      const event = model.events.get(event_id);
      const isPossible = event !== undefined && model.calendar !== "purged";
      expect(status).toBe(isPossible ? 200 : 404);
      if (isPossible) model.events.set(event_id, { ...event, state: "purged" });
    },
    async () => {
      if (random() < 0.7) return;
      const { status } = await owner.call("deleteCalendar", { calendar_id });
      expect(status).toBe(model.calendar === "live" ? 200 : 404);
      if (status === 200) model.calendar = "deleted";
    },
    async () => {
      const { status } = await owner.call("calendarsRestore", { calendar_id });
      expect(status).toBe(model.calendar === "deleted" ? 200 : 404);
      if (status === 200) model.calendar = "live";
    },
    async () => {
      if (random() < 0.7) return;
      const { status } = await owner.call("trashPurge", { calendar_id });
      expect(status).toBe(model.calendar === "purged" ? 404 : 200);
      if (model.calendar === "deleted") model.calendar = "purged";
      for (const [id, event] of model.events)
        if (event.state === "deleted") model.events.set(id, { ...event, state: "purged" });
    },
    () => purgeRequested(server.db),
    () => purgeDeletedCalendars(server.db),
  ];
}

test(`${sequences} random sequences: none who follows misses a step, and the trash has what the model has`, async () => {
  const random = randomFrom(Number(process.env.KALENDS_SEED ?? 83));
  for (let sequence = 0; sequence < sequences; sequence++) {
    const owner = await server.account();
    const endpoint = await addEndpoint(server.db, owner.id, { types: everyType });
    const { id, uniquekey } = (await owner.call("createCalendar", { title: "x", timezone: "UTC" })).body
      .calendar;
    const model: Model = { calendar: "live", events: new Map() };
    const steps = stepsOf(owner, id, model, random);
    const readers = [feedReader(uniquekey), changesReader(owner, id), receiver(owner, id, endpoint.id)];
    await steps[0]?.();
    for (let step = 0; step < stepsOfSequence; step++) {
      await steps[Math.floor(random() * steps.length)]?.();
      for (const read of readers) await read(model);
    }
    const { body } = await owner.call("trashList");
    const expected = [
      ...(model.calendar === "deleted" ? [`calendar ${id}`] : []),
      ...[...model.events]
        .filter(([, { state }]) => state === "deleted" && model.calendar !== "purged")
        .map(([event]) => `event ${event}`),
    ];
    const shown = body.trash.map((item: { kind: string; id: string }) => `${item.kind} ${item.id}`);
    expect(shown.toSorted()).toEqual(expected.toSorted());
  }
});
