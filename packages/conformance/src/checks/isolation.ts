import { equal, expect } from "../engine/assert.js";
import { profile } from "../engine/check.js";
import { idOf, idsOf, list, only, text } from "../engine/json.js";
import { fixture, type Kit, someStart } from "../engine/kit.js";
import type { OperationName } from "../engine/operations.js";
import { listedCalendar } from "./calendar-save-kit.js";

const { required, recommended } = profile("isolation");
const needs = { other: true };

/** A calendar of the first account with one event. */
const mine = fixture(async (kit) => {
  const calendar = await kit.calendar({ description: "mine" });
  return { calendar, event: await kit.event(calendar, { location: "mine" }) };
});

/** The other account is refused, and neither calendar nor event change. */
async function cannot(
  kit: Kit,
  operation: OperationName,
  params: (ids: { calendar_id: string; event_id: string }) => Readonly<Record<string, string>>,
): Promise<void> {
  const { calendar, event } = await mine(kit);
  const before = [await listedCalendar(kit, calendar), await kit.events(calendar)];
  const ids = { calendar_id: idOf(calendar), event_id: idOf(event) };
  await kit.refused(operation, params(ids), { as: "other" });
  equal(
    [await listedCalendar(kit, calendar), await kit.events(calendar)],
    before,
    "calendar and events after a refused call",
  );
}

export const isolationChecks = [
  required(
    "isolation.calendars.list",
    "5.2 account",
    "An account lists its own calendars only",
    async (kit) => {
      const { calendar } = await mine(kit);
      equal(
        await kit.calendars(text(calendar, "title"), { as: "other" }),
        [],
        "the first account's calendar in the other's list",
      );
      const name = kit.name();
      const theirs = await kit.calendar({ title: name }, { as: "other" });
      equal(
        idsOf(await kit.calendars(name, { as: "other" })),
        [idOf(theirs)],
        "the other account's own calendar",
      );
      equal(await kit.calendars(name), [], "the other account's calendar in the first's list");
    },
    needs,
  ),
  required(
    "isolation.calendars.save",
    "5.2 account",
    "An account cannot save another's calendar",
    (kit) =>
      cannot(kit, "saveCalendar", ({ calendar_id }) => ({
        calendar_id,
        title: kit.name("stolen"),
        timezone: "Asia/Tokyo",
      })),
    needs,
  ),
  required(
    "isolation.calendars.delete",
    "5.2 account",
    "An account cannot delete another's calendar",
    (kit) => cannot(kit, "deleteCalendar", ({ calendar_id }) => ({ calendar_id })),
    needs,
  ),
  required(
    "isolation.events.list",
    "5.2 account",
    "An account cannot list the events of another's calendar",
    (kit) => cannot(kit, "listEvents", ({ calendar_id }) => ({ calendar_id })),
    needs,
  ),
  required(
    "isolation.events.create",
    "5.2 account",
    "An account cannot create events in another's calendar",
    (kit) =>
      cannot(kit, "createEvent", ({ calendar_id }) => ({
        calendar_id,
        title: "stolen",
        start_date: someStart,
      })),
    needs,
  ),
  required(
    "isolation.events.save",
    "5.2 account",
    "An account cannot save another's event",
    (kit) =>
      cannot(kit, "saveEvent", ({ event_id }) => ({ event_id, title: "stolen", start_date: someStart })),
    needs,
  ),
  required(
    "isolation.events.delete",
    "5.2 account",
    "An account cannot delete another's event",
    (kit) => cannot(kit, "deleteEvent", ({ event_id }) => ({ event_id })),
    needs,
  ),
  required(
    "isolation.subscribers.list",
    "5.2 account",
    "An account cannot list the subscribers of another's calendar",
    async (kit) => {
      for (const operation of [
        "listSubscribers",
        "listInactiveSubscribers",
        "listBlockedSubscribers",
      ] as const)
        await cannot(kit, operation, ({ calendar_id }) => ({ calendar_id }));
    },
    needs,
  ),
  required(
    "isolation.subscribers.details",
    "5.2 account",
    "An account cannot read the subscribers of another's calendar",
    async (kit) => {
      const { body } = await kit.ok("listSubscribers", { calendar_id: kit.followed });
      const [first] = idsOf(list(body, "subscribers"));
      expect(first !== undefined, "subscribers: expected one at least.");
      await kit.refused(
        "getSubscriber",
        { calendar_id: kit.followed, subscriber_id: first },
        { as: "other" },
      );
    },
    { other: true, subscribers: true, writes: false },
  ),
  recommended(
    "isolation.same-answer",
    "R2.3",
    "Another's calendar and an absent one answer the same",
    async (kit) => {
      const { calendar } = await mine(kit);
      const gone = idOf(await kit.calendar());
      await kit.ok("deleteCalendar", { calendar_id: gone });
      const foreign = await kit.refused("listEvents", { calendar_id: idOf(calendar) }, { as: "other" });
      const absent = await kit.refused("listEvents", { calendar_id: gone }, { as: "other" });
      const without = (bodyText: string): string => bodyText.replace(/"request_id":"[^"]*"/, "");
      equal(
        [foreign.status, without(foreign.text)],
        [404, without(absent.text)],
        "answer to another's calendar",
      );
      equal(absent.status, 404, "status of an absent calendar");
    },
    needs,
  ),
  recommended(
    "isolation.events.same-answer",
    "R2.3",
    "Another's event and an absent one answer the same",
    async (kit) => {
      const calendar = await kit.calendar();
      const event = await kit.event(calendar);
      const gone = idOf(await kit.event(calendar));
      await kit.ok("deleteEvent", { event_id: gone });
      const [foreign, absent] = [
        await kit.refused("deleteEvent", { event_id: idOf(event) }, { as: "other" }),
        await kit.refused("deleteEvent", { event_id: gone }, { as: "other" }),
      ];
      equal([foreign.status, absent.status], [404, 404], "statuses");
      equal(
        idOf(
          only(
            (await kit.events(calendar)).filter((item) => idOf(item) === idOf(event)),
            "events",
          ),
        ),
        idOf(event),
        "the event",
      );
    },
    needs,
  ),
];
