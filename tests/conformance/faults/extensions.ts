import { eachEvent, json } from "./changes.js";
import type { Faults } from "./proxy.js";

/** Faults of the extensions: one in each kind of answer that their checks judge. */
export const faults: Faults = {
  X1: {
    clause: "docs/extensions.md#x1.2",
    foundBy: "extensions.eventsDetails",
    title: "an instant of the extensions is a number",
    answer: eachEvent((event) => (event.start_at = 1_783_186_200)),
  },
  X2: {
    clause: "docs/extensions.md#x1.2",
    foundBy: "extensions.eventsUpdate",
    title: "a write of the extensions needs no token",
    instead: async (ask, { pass, token }) => {
      if (ask.path === "x/events/update" && !ask.params.has("token")) ask.params.set("token", token);
      return pass(ask);
    },
  },
  X3: {
    clause: "docs/extensions.md#x1.2",
    foundBy: "extensions.trashList",
    title: "a list of the extensions is empty where there is no such calendar",
    instead: async (ask, { pass }) => {
      const answered = await pass(ask);
      if (ask.path !== "x/trash/list" || answered.status !== 404) return answered;
      return json({ meta: { code: "200" }, trash: [], paging: { previous: "", next: "" } });
    },
  },
};
