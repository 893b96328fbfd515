import { param } from "./changes.js";
import type { Faults, Planted } from "./proxy.js";

const calendar = "x/calendars/export";
const clause = "extensions.md X8.6";

/** Changes the text of an exported file. */
const file =
  (at: string, change: (text: string) => string): NonNullable<Planted["send"]> =>
  (answered, { path }) =>
    path === at && answered.status === 200 ? { ...answered, body: change(answered.body) } : answered;

/** Id → fault of exported files. */
export const faults: Faults = {
  X150: {
    clause,
    foundBy: "extensions.exports.csv",
    title: "a formula stands in a CSV file as it was sent",
    send: file(calendar, (text) => text.replaceAll("'=", "=")),
  },
  X151: {
    clause,
    foundBy: "extensions.exports.ics",
    title: "an exported file has no name",
    send: (answered) => {
      const { "content-disposition": _name, ...headers } = answered.headers;
      return { ...answered, headers };
    },
  },
  X152: {
    clause,
    foundBy: "extensions.exports.csv",
    title: "format is not looked at",
    ask: param([calendar], "format", () => undefined),
  },
  X153: {
    clause,
    foundBy: "extensions.exports.ics",
    title: "exported events have other UIDs",
    send: file(calendar, (text) => text.replaceAll("UID:", "UID:other-")),
  },
  X154: {
    clause,
    foundBy: "extensions.exports.subscribers",
    title: "a file of subscribers leaves the last one out",
    send: file("x/subscribers/export", (text) => text.replace(/[^\n]*\n$/, "")),
  },
};
