import { describe, expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import { callsOf } from "../../test/trash-world.js";

// A draft moves as an event does (extensions X8.4, X8.5): no one who follows a calendar learns of it.

const server = await testServer({ PUBLIC_URL: "https://cal.example" });
const calls = callsOf(await server.account());

const draft = { title: "Secret gig", start_date: "2026-08-04T13:30", published: "false" };
const drafts = async (params: Readonly<Record<string, string>>) =>
  (await calls.ok("eventsList", { published: "false", ...params })).events;

describe("a draft that moves to another calendar", () => {
  /** Two calendars, each with a cursor of its changes, its feed, and its counts of events and bytes. */
  async function pair() {
    const [from, to] = [await calls.newCalendar(), await calls.newCalendar()];
    const ids = [from.id, to.id] as const;
    const cursors = await Promise.all(
      ids.map(async (calendar_id) => (await calls.ok("eventsChanges", { calendar_id })).cursor),
    );
    const changes = () =>
      Promise.all(
        ids.map(async (calendar_id, index) => {
          const found = await calls.ok("eventsChanges", { calendar_id, since: cursors[index] });
          return found.changes.map(({ change }: { readonly change: string }) => change);
        }),
      );
    const counts = async () => {
      const rows = server.db.read("calendars").whereIn("id", ids.map(Number)).orderBy("id");
      return (await rows.select("events_total")).map(({ events_total }) => Number(events_total));
    };
    return { from: from.id, to: to.id, changes, counts };
  }

  test("keeps its id, its preview and its time of publication, and no follower learns of it", async () => {
    const { from, to, changes, counts } = await pair();
    const publish_at = "2026-08-01T09:00:00Z";
    const { event } = await calls.ok("eventsCreate", { calendar_id: from, ...draft, publish_at });
    const moved = (await calls.ok("eventsUpdate", { event_id: event.id, calendar_id: to, title: "Other" }))
      .event;
    expect(moved).toMatchObject({ id: event.id, calendar_id: to, published: false, title: "Other" });
    expect([moved.uid, moved.publish_at]).toEqual([event.uid, event.publish_at]);
    const { pathname, search } = new URL(moved.preview_url);
    expect((await server.request(pathname + search)).text).toContain("Other");
    expect([await drafts({ calendar_id: from }), (await drafts({ calendar_id: to })).length]).toEqual([
      [],
      1,
    ]);
    expect([await changes(), await counts()]).toEqual([
      [[], []],
      [0, 0],
    ]);
    await calls.ok("eventsUpdate", { event_id: event.id, published: "true" });
    expect([await changes(), await counts()]).toEqual([
      [[], ["saved"]],
      [0, 1],
    ]);
  });

  test("is published by the move, and an event becomes a draft by it: also in a batch", async () => {
    for (const batch of [false, true]) {
      const { from, to, changes, counts } = await pair();
      const move = async (event_id: string, params: Readonly<Record<string, string>>) =>
        batch
          ? expect(await calls.ok("eventsBatch", { events: event_id, ...params })).toMatchObject({
              done: true,
            })
          : calls.ok("eventsUpdate", { event_id, ...params });
      const { id } = (await calls.ok("eventsCreate", { calendar_id: from, ...draft })).event;
      await move(id, { calendar_id: to, published: "true" });
      expect([await changes(), await counts()]).toEqual([
        [[], ["saved"]],
        [0, 1],
      ]);
      await move(id, { calendar_id: from, published: "false" });
      expect([await changes(), await counts()]).toEqual([
        [[], ["deleted"]],
        [0, 0],
      ]);
      await move(id, { calendar_id: to });
      expect((await drafts({ calendar_id: to })).map((one: { id: string }) => one.id)).toEqual([id]);
      await move(id, { calendar_id: to, published: "true" });
      expect([await changes(), await counts()]).toEqual([
        [[], ["saved"]],
        [0, 1],
      ]);
    }
  });

  test("is counted where it is, and leaves its series", async () => {
    const { from, to } = await pair();
    const bytes = async (id: string): Promise<number> =>
      Number((await server.db.read("calendars").where({ id }).first("stored_bytes")).stored_bytes);
    const { id: event_id } = (await calls.ok("eventsCreate", { calendar_id: from, ...draft })).event;
    const [empty, full] = [await bytes(to), await bytes(from)];
    await calls.ok("eventsUpdate", { event_id, calendar_id: to });
    expect([full > empty, await bytes(from), await bytes(to)]).toEqual([true, empty, full]);
    const series = { calendar_id: from, ...draft, rrule: "FREQ=WEEKLY;COUNT=2" };
    const [one, two] = (await calls.ok("eventsSeriesCreate", series)).event_ids;
    await calls.ok("eventsUpdate", { event_id: one, calendar_id: to });
    await calls.ok("eventsBatch", { events: two, calendar_id: to });
    const moved = await drafts({ calendar_id: to });
    expect(moved.map((one: { series_id: string }) => one.series_id)).toEqual(["", "", ""]);
  });
});
