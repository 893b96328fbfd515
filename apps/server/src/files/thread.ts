import { parentPort } from "node:worker_threads";
import type { Prepared } from "./instances.js";
import { type Answer, type FileText, prepare, slicesOf } from "./prepare.js";
import { FileRefused } from "./reader.js";

// A thread that reads calendar files, one after the other, and returns each slice by slice (files/run-thread.ts).

const port = parentPort;
if (port === null) throw new Error("The server starts this thread by itself.");

let slices: Iterator<Prepared> | undefined;

function answerTo(request: FileText | "next"): Answer {
  if (request === "next") {
    const next = slices?.next();
    return next?.done === false ? { slice: next.value } : { isDone: true };
  }
  slices = undefined; // the file before need not stay in memory beside this one
  try {
    const prepared = prepare(request.text, request);
    slices = slicesOf(prepared);
    const { instances, skipped } = prepared;
    return { events: instances.length, uids: [...new Set([...instances, ...skipped].map(({ uid }) => uid))] };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return { refused: error.message };
  }
}

// An error ends the thread, and its import alone.
port.on("message", (request: FileText | "next") => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage(answerTo(request));
});
