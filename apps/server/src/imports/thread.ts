import { parentPort } from "node:worker_threads";
import { answerSlices, type SliceRequest } from "./slices.js";

// A thread that reads calendar files, one after the other (imports/run-thread.ts).

const port = parentPort;
if (port === null) throw new Error("The server starts this thread by itself.");
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const answer = answerSlices((made) => port.postMessage(made));
port.on("message", (request: SliceRequest) => void answer(request)); // a rejection ends the thread, and its import alone
