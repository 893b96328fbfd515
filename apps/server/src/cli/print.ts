import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Prints a text to stdout. A reader that closed the pipe, as `head` does, is no failure: console.log ignores it. */
export function print(text: string): void {
  console.log(text.replace(/\n$/, ""));
}

/** Prints a long text piece by piece, as fast as it is read, and ends quietly when the reader closes the pipe. */
export async function printPieces(pieces: AsyncIterable<string>): Promise<undefined> {
  await pipeline(Readable.from(pieces), process.stdout, { end: false }).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  });
}

/** A number with its noun, such as "1 account" or "2 accounts". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
