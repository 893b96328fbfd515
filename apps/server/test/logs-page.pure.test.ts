import { expect, test } from "vitest";
import { waitsForDatabase } from "../src/db/waiting.js";
import { misspelledSettings } from "../src/settings/config.js";
import { openFilesAdvice } from "../src/db/open-files.js";
import { readPage } from "./pages.js";
import { sources } from "./sources.js";

// docs/logs.md has each line that the server logs. The messages come from the sources: the last argument of each call of a log.

/** `log.warn(`, `pool.log.error(`, `log[level](`, and calls that log the message that they are given. */
const calls = /\blog(?:\.(?:debug|info|warn|error|fatal)|\[level\])\(|\b(?:noteFailure|fail)\((?!error: )/g;

/** Where a message is not a literal: the texts that it may have. A call that is new fails the test until it is here. */
const composed: Readonly<Record<string, readonly string[]>> = {
  "background/failures.ts message": ["background work failed, will be retried"],
  "background/failure-log.ts message": [
    "internal_error",
    "oidc_unavailable",
    "overloaded",
    "storage_full",
    "storage_unavailable",
  ],
  "process/lifecycle.ts openFilesAdvice": [openFilesAdvice],
  "process/lifecycle.ts warning": misspelledSettings(["PORT", "LOG_LEVEL"], { log_level: "info" }),
  "process/server.ts what": [waitsForDatabase, `${waitsForDatabase}, process 7`],
  "files/sync-run.ts hiddenMessage": ["events of a sync deleted: its file says that they are private"],
};

interface Message {
  readonly file: string;
  /** The argument: a literal, or what the source calls it. */
  readonly text: string;
  readonly isLiteral: boolean;
}

function messagesOf(file: string, text: string): readonly Message[] {
  return [...text.matchAll(calls)].flatMap((call) => {
    const last = lastArgument(text.slice(call.index + call[0].length));
    const [, literal] = /^"([^"]*)"$/.exec(last) ?? [];
    if (literal !== undefined) return { file, text: literal, isLiteral: true };
    return call[0].startsWith("log") ? { file, text: last, isLiteral: false } : [];
  });
}

/** Returns the last argument of a call, whose source begins after its parenthesis. */
function lastArgument(source: string): string {
  let depth = 0;
  let begin = 0;
  let last = "";
  for (const { 0: part, index } of source.matchAll(/"[^"]*"|`[^`]*`|[()[\]{},]/g)) {
    if (/^[([{]$/.test(part)) depth++;
    const ends = depth === 0 && /^[),]$/.test(part);
    if (ends) {
      const argument = source.slice(begin, index).trim();
      if (argument !== "") last = argument;
      begin = index + 1;
    }
    if (ends && part === ")") return last;
    if (/^[)\]}]$/.test(part)) depth--;
  }
  return last;
}

const prefix = "apps/server/src/";
const messages = sources("src")
  .filter(({ path }) => path.startsWith(prefix) && !/\.test\.ts$|\/cli\//.test(path))
  .flatMap(({ path, text }) => messagesOf(path.slice(prefix.length), text));

/** Each documented message: in a sentence as `"msg":"…"`, or in the first column of a table; "…" stands for any text. */
const page = readPage("docs/logs.md");
const [, lines = ""] = page.split("## Other lines");
const documented = [
  ...[...page.matchAll(/`"msg":"([^"]+)"`/g)].map(([, msg = ""]) => msg),
  ...[...lines.matchAll(/^\| (`[^|]*`) *\|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, msg = ""]) => (msg === "msg" ? [] : msg)),
  ),
];
const patternOf = (entry: string): RegExp =>
  new RegExp(
    `^${entry
      .split("…")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
  );

const logged = [
  ...new Set(
    messages.flatMap(({ file, text, isLiteral }) => (isLiteral ? text : (composed[`${file} ${text}`] ?? []))),
  ),
];

test("the sources have calls of a log, and each message is a literal or named here", () => {
  expect(messages.length).toBeGreaterThan(30);
  const unknown = messages.filter(
    ({ isLiteral, file, text }) => !isLiteral && composed[`${file} ${text}`] === undefined,
  );
  expect(unknown).toEqual([]);
  const used = new Set(messages.map(({ file, text }) => `${file} ${text}`));
  expect(Object.keys(composed).filter((key) => !used.has(key))).toEqual([]);
});

test("docs/logs.md has every message", () => {
  const patterns = documented.map(patternOf);
  expect(logged.filter((text) => !patterns.some((pattern) => pattern.test(text)))).toEqual([]);
});

test("docs/logs.md has no message that nothing logs", () => {
  expect(documented.filter((entry) => !logged.some((text) => patternOf(entry).test(text)))).toEqual([]);
});
