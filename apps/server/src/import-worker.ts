import { parentPort } from "node:worker_threads";
import { answerSlices } from "./imports/slices.js";

// A thread that reads calendar files, one after the other (imports/preparing.ts).

const port = parentPort;
if (port === null) throw new Error("The server starts this thread by itself.");
port.on("message", answerSlices((answer) => port.postMessage(answer)));
