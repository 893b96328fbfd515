import { eachEvent } from "./changes.js";
import type { Faults } from "./proxy.js";

/** Faults of series that are read and tried (extensions X8.2). */
export const faults: Faults = {
  X90: {
    clause: "extensions.md X8.2",
    foundBy: "extensions.series.details",
    title: "a series does not say which dates were deleted",
    answer: (body, { path }) => {
      if (path === "x/events/series/details" && body.deleted_dates !== undefined) body.deleted_dates = [];
    },
  },
  X91: {
    clause: "extensions.md X8.2",
    foundBy: "extensions.series.details",
    title: "an event that was changed by itself is none",
    answer: (body, { path }) => {
      if (path === "x/events/series/details" && body.series !== undefined) body.changed_event_ids = [];
    },
  },
  X92: {
    clause: "extensions.md X8.2",
    foundBy: "extensions.series.preview",
    title: "a preview shows times that the clock skips",
    answer: (body, { path }) => {
      if (path !== "x/events/series/preview" || body.dates === undefined) return;
      const skipped = new Map(
        body.notes.map((note: { becomes: string; date: string }) => [note.becomes, note.date]),
      );
      body.dates = body.dates.map((date: string) => skipped.get(date) ?? date);
    },
  },
  X93: {
    clause: "extensions.md X8.2",
    foundBy: "extensions.series.dry-run",
    title: "a dry run writes",
    instead: async (ask, { pass }) => {
      const answered = await pass(ask);
      if (ask.params.get("dry_run") !== "true" || !ask.path.startsWith("x/events/series/")) return answered;
      ask.params.delete("dry_run");
      await pass(ask);
      return answered;
    },
  },
  X94: {
    clause: "extensions.md X8.2",
    foundBy: "extensions.series.dry-run",
    title: "a dry run counts the events that stay as changed",
    answer: (body) => {
      if (body.dry_run?.kept > 0)
        [body.dry_run.changed, body.dry_run.kept] = [body.dry_run.changed + body.dry_run.kept, 0];
    },
  },
  X95: {
    clause: "extensions.md X8.2",
    foundBy: "extensions.series.of-event",
    title: "the first event of a series that is made of it gets another UID",
    answer: eachEvent((event) => {
      if (event.series_id !== "") event.uid = `other-${event.uid}`;
    }),
  },
};
