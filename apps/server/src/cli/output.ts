import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { codeOf } from "../db/error-code.js";

/** Prints a text to stdout. A reader that closed the pipe, as `head` does, is no failure: console.log ignores it. */
export function print(text: string): void {
  console.log(text.replace(/\n$/, ""));
}

/**
 * Lets a command print its result as JSON, unless that is undefined: indented on a terminal without `--json`, else in one line.
 * `given` are the arguments and the options of the command.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- commander gives any; each command says what
export function prints<Given extends readonly unknown[]>(
  of: Command,
  work: (...given: Given) => Promise<unknown>,
): void {
  of.action(async (...given: Given) => {
    const result = await work(...given);
    if (result === undefined) return;
    const isIndented = process.stdout.isTTY && !of.optsWithGlobals<{ readonly json?: boolean }>().json;
    // Escapes occur only within JSON strings, where they mean the same.
    print(printableLines(JSON.stringify(result, undefined, isIndented ? 2 : undefined)));
  });
}

/** Prints a long text piece by piece, as fast as it is read, and ends quietly when the reader closes the pipe. */
export async function printPieces(pieces: AsyncIterable<string>): Promise<undefined> {
  await pipeline(Readable.from(pieces), process.stdout, { end: false }).catch((error: unknown) => {
    if (codeOf(error) !== "EPIPE") throw error;
  });
}

/** Returns a text of several lines for a terminal: names of files may hold anything too. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/**
 * Returns user text for a terminal: control characters, line separators and those that change the direction of text are
 * written as in JavaScript, such as \u202e, because they could hide or reorder other parts of the output.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}\ufeff]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Formats Unix seconds as "YYYY-MM-DD HH:MM" in UTC. */
export function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}
