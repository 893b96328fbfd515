import { param } from "./changes.js";
import type { Faults } from "./proxy.js";

const batch = "x/events/batch";

/** Faults of many events at once (extensions X8.4). */
export const faults: Faults = {
  X120: {
    clause: "extensions.md X8.4",
    foundBy: "extensions.batch.moves",
    title: "minutes are not added to days",
    ask: ({ path, params }) =>
      void (path === batch && params.has("shift_days") && params.delete("shift_minutes")),
  },
  X121: {
    clause: "extensions.md X8.4",
    foundBy: "extensions.batch.all-or-none",
    title: "those that can be changed are changed, although others cannot",
    ask: ({ path, params }) => void (path === batch && params.set("partial", "true")),
  },
  X122: {
    clause: "extensions.md X8.4",
    foundBy: "extensions.batch.all-or-none",
    title: "partial is not looked at",
    ask: param([batch], "partial", () => undefined),
  },
  X123: {
    clause: "extensions.md X8.4",
    foundBy: "extensions.batch.all-or-none",
    title: "updated_times are not looked at",
    ask: param([batch], "events", (events) => events.replaceAll(/:\d+/g, "")),
  },
  X124: {
    clause: "extensions.md X8.4",
    foundBy: "extensions.batch.dry-run",
    title: "a dry run changes the events",
    ask: param([batch], "dry_run", () => undefined),
  },
  X125: {
    clause: "extensions.md X8.4",
    foundBy: "extensions.batch.changes",
    title: "only the first event is deleted",
    ask: ({ path, params }) => {
      if (path === batch && params.has("delete"))
        params.set("events", (params.get("events") ?? "").split(",", 1)[0] ?? "");
    },
  },
  X126: {
    clause: "extensions.md X8.4",
    foundBy: "extensions.batch.copies",
    title: "copies stay in the calendar of the event",
    ask: param(["x/events/copy"], "calendar_id", () => undefined),
  },
  X142: {
    clause: "extensions.md X8.4",
    foundBy: "extensions.batch.calendar",
    title: "an event that is updated stays in its calendar",
    ask: param(["x/events/update"], "calendar_id", () => undefined),
  },
  X143: {
    clause: "extensions.md X8.4",
    foundBy: "extensions.batch.calendar",
    title: "events of a batch stay in their calendar",
    ask: param([batch], "calendar_id", () => undefined),
  },
};
