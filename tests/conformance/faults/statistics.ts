import { param } from "./changes.js";
import type { Planted } from "./proxy.js";

const path = "x/calendars/statistics";
const clause = "extensions.md X8.7";

/** Changes the answer with a calendar's statistics. */
const answer =
  (change: NonNullable<Planted["answer"]>): NonNullable<Planted["answer"]> =>
  (body, ask, around) => {
    if (ask.path === path && body.days !== undefined) change(body, ask, around);
  };

/** Id → fault of statistics. */
export const statisticsFaults = {
  X155: { clause, title: "statistics lack today", answer: answer(({ days }) => void days.pop()) },
  X156: {
    clause,
    title: "statistics end today, whatever to says",
    ask: param([path], "to", () => undefined),
  },
  X157: {
    clause,
    title: "the active followers of a day are too many by one",
    answer: answer(({ days }) => days.forEach((day: { active: number }) => day.active++)),
  },
  X158: {
    clause,
    title: "an application is missing in statistics",
    answer: answer(({ apps }) => void delete apps.other),
  },
  X159: {
    clause,
    title: "a first day after the last one is accepted",
    ask: ({ path: asked, params }) => {
      const [from, to] = [params.get("from") ?? "", params.get("to") ?? ""];
      if (asked === path && from > to && to !== "") params.set("from", to);
    },
  },
} as const satisfies Readonly<Record<string, Planted>>;
