import { param } from "./changes.js";
import type { Faults, Planted } from "./proxy.js";

const path = "x/calendars/statistics";
const clause = "extensions.md X8.7";

/** Changes the answer with a calendar's statistics. */
const answer =
  (change: NonNullable<Planted["answer"]>): NonNullable<Planted["answer"]> =>
  (body, ask, around) => {
    if (ask.path === path && body.days !== undefined) change(body, ask, around);
  };

/** Id → fault of statistics. */
export const faults: Faults = {
  X155: {
    clause,
    foundBy: "extensions.statistics.days",
    title: "statistics lack today",
    answer: answer(({ days }) => void days.pop()),
  },
  X156: {
    clause,
    foundBy: "extensions.statistics.days",
    title: "statistics end today, whatever to says",
    ask: param([path], "to", () => undefined),
  },
  X157: {
    clause,
    foundBy: "extensions.statistics.days",
    title: "the active followers of a day are too many by one",
    answer: answer(({ days }) => days.forEach((day: { active: number }) => day.active++)),
  },
  X158: {
    clause,
    foundBy: "extensions.statistics.days",
    title: "an application is missing in statistics",
    answer: answer(({ apps }) => void delete apps.other),
  },
  X159: {
    clause,
    foundBy: "extensions.statistics.range",
    title: "a first day after the last one is accepted",
    ask: ({ path: asked, params }) => {
      const [from, to] = [params.get("from") ?? "", params.get("to") ?? ""];
      if (asked === path && from > to && to !== "") params.set("from", to);
    },
  },
};
