import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "../../apps/server/test/free-port.js";
import { packageFolder } from "./project.js";

export interface Prism {
  readonly url: string;
  /** Lines of its log so far that are more than information. */
  complaints(): readonly string[];
  stop(): Promise<void>;
}

const startTimeoutMs = 55_000;

/** Starts Prism on a free port: `mock` and a document, or `proxy`, a document and the server behind it. */
export async function startPrism(args: readonly string[]): Promise<Prism> {
  const port = await freePort();
  const program = join(packageFolder, "node_modules/.bin/prism");
  // The server takes 64 KiB of request head; Node's own limit is 16 KiB.
  const env = { ...process.env, NODE_OPTIONS: "--max-http-header-size=131072", NO_COLOR: "1" };
  const options = ["--port", String(port), "--verboseLevel", "warn"];
  // Without detached the shell script in between would be ended instead of Prism.
  const child = spawn(program, [...args, ...options], { env, detached: true });
  const log: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => log.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => log.push(text));
  const stop = () => end(child);
  try {
    await listening(child, port);
  } catch (error) {
    await stop();
    throw new Error(`Prism does not start: ${log.join("")}`, { cause: error });
  }
  return {
    url: `http://127.0.0.1:${port}`,
    complaints: () =>
      log
        .join("")
        .split("\n")
        .filter((line) => /warn|error|fatal|violation/i.test(line)),
    stop,
  };
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (const deadline = performance.now() + startTimeoutMs; performance.now() < deadline;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("it has ended");
    if (await accepts(port)) return;
    await setTimeout(50);
  }
  throw new Error("it does not listen");
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", end(true)).once("error", end(false));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  process.kill(-child.pid, "SIGTERM");
  await exit;
}
