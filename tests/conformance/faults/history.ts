import { param, refusal } from "./changes.js";
import { withoutHeader } from "./extensions.js";
import type { Faults } from "./proxy.js";

const history = "x/history/list";
const revert = "x/events/revert";

/** Faults of the history (extensions X9.4). */
export const faults: Faults = {
  X160: {
    clause: "extensions.md X9.4",
    foundBy: "extensions.history.list",
    title: "the history has the oldest first",
    answer: (body, { path }) => void (path === history && (body.history = body.history?.toReversed())),
  },
  X161: {
    clause: "extensions.md X9.4",
    foundBy: "extensions.history.list",
    title: "what was before and after are swapped",
    answer: (body, { path }) => {
      if (path !== history) return;
      for (const { changes } of body.history ?? [])
        for (const change of changes) [change.before, change.after] = [change.after, change.before];
    },
  },
  X162: {
    clause: "extensions.md X9.4",
    foundBy: "extensions.history.list",
    title: "no token has written anything",
    answer: (body, { path }) => {
      if (path === history) for (const { by } of body.history ?? []) by.kind = "service";
    },
  },
  X163: {
    clause: "extensions.md X9.4",
    foundBy: "extensions.history.list",
    title: "the history of an event is that of all",
    ask: param([history], "event_id", () => undefined),
  },
  X164: {
    clause: "extensions.md X9.4",
    foundBy: "extensions.history.revert",
    title: "a reverted event has its old sequence",
    answer: (body, { path }) =>
      void (path === revert && body.event !== undefined && body.event.updated_times--),
  },
  X165: {
    clause: "extensions.md X9.4",
    foundBy: "extensions.history.match",
    alsoClauses: ["extensions.md X2.2"],
    title: "a revert heeds no If-Match",
    ask: withoutHeader("if-match", revert),
  },
  X166: {
    clause: "extensions.md X9.4",
    foundBy: "extensions.history.revert",
    title: "a reverted event has another title",
    answer: (body, { path }) =>
      void (path === revert && body.event !== undefined && (body.event.title = "another")),
  },
  X167: {
    clause: "extensions.md X9.4",
    foundBy: "extensions.history.refused",
    title: "a refused write is in the history",
    instead: async (ask, { pass, memory }) => {
      const answered = await pass(ask);
      if (ask.path === "x/events/update" && answered.status === 412) memory.set("refused", true);
      if (ask.path !== history || answered.status !== 200 || !memory.has("refused")) return answered;
      const body = JSON.parse(answered.body);
      return { ...answered, body: JSON.stringify({ ...body, history: [body.history[0], ...body.history] }) };
    },
  },
  X168: {
    clause: "extensions.md X9.4",
    foundBy: "extensions.history.gone",
    title: "a deleted event has no history to go back in",
    instead: async (ask, { pass }) => {
      const answered = await pass(ask);
      return ask.path === revert && answered.status === 400 ? refusal(404, "event_not_found") : answered;
    },
  },
};
