import { param } from "./changes.js";
import type { Faults } from "./proxy.js";

const [list, batch, copy] = ["x/events/list", "x/events/batch", "x/events/copy"] as const;
const writes = ["x/events/create", "x/events/update"];

/** Faults of drafts (extensions X8.5). */
export const faults: Faults = {
  X130: {
    clause: "extensions.md X8.5",
    foundBy: "extensions.drafts.hidden",
    title: "the list of events has drafts too where they are not asked for",
    ask: ({ path, params }) =>
      void (path === list && !params.has("published") && params.set("published", "false")),
  },
  X131: {
    clause: "extensions.md X8.5",
    foundBy: "extensions.drafts.preview",
    title: "an event that is published stays a draft",
    ask: param(writes, "published", (value) => (value === "true" ? undefined : value)),
  },
  X132: {
    clause: "extensions.md X8.5",
    foundBy: "extensions.drafts.find",
    title: "the words that drafts are looked for by are not looked at",
    ask: ({ path, params }) => void (path === list && params.has("published") && params.delete("q")),
  },
  X133: {
    clause: "extensions.md X8.5",
    foundBy: "extensions.drafts.time",
    title: "publish_at is not kept",
    ask: param(writes, "publish_at", () => undefined),
  },
  X134: {
    clause: "extensions.md X8.5",
    foundBy: "extensions.drafts.many",
    title: "a batch does not publish",
    ask: ({ path, params }) =>
      void (path === batch && params.get("published") === "true" && params.set("published", "false")),
  },
  X135: {
    clause: "extensions.md X8.5",
    foundBy: "extensions.drafts.many",
    title: "copies of a draft are published",
    ask: ({ path, params }) =>
      void (path === copy && !params.has("published") && params.set("published", "true")),
  },
  X136: {
    clause: "extensions.md X8.5",
    foundBy: "extensions.drafts.preview",
    title: "what is published has a preview too",
    answer: (body) => {
      if (body.event?.published === true) body.event.preview_url = "https://cal.example/c/k/e/1?draft=1";
    },
  },
  X137: {
    clause: "extensions.md X8.5",
    foundBy: "extensions.drafts.unpublish",
    title: "an event that becomes a draft has another UID",
    answer: (body, { params }) => {
      if (params.get("published") === "false" && params.has("event_id") && body.event !== undefined)
        body.event.uid = "other";
    },
  },
  X144: {
    clause: "extensions.md X8.5",
    foundBy: "extensions.drafts.series",
    title: "a series is published although it is to be drafts",
    ask: param(["x/events/series/create"], "published", () => undefined),
  },
  X138: {
    clause: "extensions.md X8.5",
    foundBy: "extensions.drafts.trash",
    title: "a deleted draft is restored as an event that is published",
    answer: (body, { path }) => {
      if (path === "x/events/restore" && body.event !== undefined) body.event.published = true;
    },
  },
  X139: {
    clause: "extensions.md X8.5",
    foundBy: "extensions.drafts.hidden",
    title: "a draft counts as an event",
    answer: (body, { path }) => {
      if (path === "x/calendars/details" && body.calendar?.events_total === 0) body.calendar.events_total = 1;
    },
  },
};
