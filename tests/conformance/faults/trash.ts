import { json, param, refusal } from "./changes.js";
import type { Faults } from "./proxy.js";

const changes = "x/events/changes";
const trash = "x/trash/list";
const restoreEvent = "x/events/restore";

/** Faults of the trash (extensions X8.3). */
export const faults: Faults = {
  X110: {
    clause: "extensions.md X8.3",
    foundBy: "extensions.trash.event",
    title: "a restored event is the one that was deleted, with its old sequence",
    answer: (body, { path }) =>
      void (path === restoreEvent && body.event !== undefined && body.event.updated_times--),
  },
  X111: {
    clause: "extensions.md X8.3",
    foundBy: "extensions.trash.list",
    title: "the trash has the oldest first",
    answer: (body, { path }) => void (path === trash && (body.trash = body.trash?.toReversed())),
  },
  X112: {
    clause: "extensions.md X8.3",
    foundBy: "extensions.trash.purge",
    title: "a purge leaves everything in the trash",
    instead: async (ask, { pass }) =>
      ask.path === "x/trash/purge" && ask.method === "POST" && ask.params.has("token")
        ? json({ meta: { code: "200" }, trash: { status: "purged" } })
        : pass(ask),
  },
  X113: {
    clause: "extensions.md X8.3",
    foundBy: "extensions.trash.list",
    title: "the trash of a calendar has that of all",
    ask: param([trash], "calendar_id", () => undefined),
  },
  X114: {
    clause: "extensions.md X8.3",
    foundBy: "extensions.trash.calendar",
    title: "a restored calendar has another key",
    answer: (body, { path }) =>
      void (
        path === "x/calendars/restore" &&
        body.calendar !== undefined &&
        (body.calendar.uniquekey = "another")
      ),
  },
  X115: {
    clause: "extensions.md X8.3",
    foundBy: "extensions.trash.refused",
    title: "an event of a deleted calendar cannot be found",
    instead: async (ask, { pass }) => {
      const answered = await pass(ask);
      return ask.path === restoreEvent && answered.status === 409
        ? refusal(404, "event_not_found")
        : answered;
    },
  },
  X116: {
    clause: "extensions.md X8.3",
    foundBy: "extensions.trash.changes",
    alsoClauses: ["extensions.md X2.5"],
    title: "a restored event is no change",
    answer: (body, { path }, { memory }) => {
      if (path === restoreEvent && body.event !== undefined) memory.set(body.event.id, true);
      if (path === changes)
        body.changes = body.changes?.filter(({ event_id }: { event_id: string }) => !memory.has(event_id));
    },
  },
  X117: {
    clause: "extensions.md X8.3",
    foundBy: "extensions.trash.series",
    title: "of a series one event is restored",
    answer: (body, { path }) =>
      void (
        path === "x/events/series/restore" &&
        body.event_ids !== undefined &&
        (body.event_ids = body.event_ids.slice(0, 1))
      ),
  },
};
