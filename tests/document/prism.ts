import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { packageFolder } from "./project.js";

export interface Prism {
  readonly url: string;
  /** Lines of its log so far that are more than information. */
  complaints(): readonly string[];
  stop(): Promise<void>;
}

const startTimeoutMs = 30_000;

/** Starts Prism on a free port: `mock` and a document, or `proxy`, a document and the server behind it. */
export async function startPrism(args: readonly string[]): Promise<Prism> {
  const port = await freePort();
  const program = join(packageFolder, "node_modules/.bin/prism");
  // The server takes 64 KiB of request head; Node's own limit is 16 KiB.
  const env = { ...process.env, NODE_OPTIONS: "--max-http-header-size=131072", NO_COLOR: "1" };
  // Without detached the shell script in between would be ended instead of Prism.
  const child = spawn(program, [...args, "--port", String(port)], { env, detached: true });
  const log: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => log.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => log.push(text));
  const stop = () => end(child);
  try {
    await listening(child, log);
  } catch (error) {
    await stop();
    throw error;
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

function listening(child: ChildProcess, log: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`Prism does not start: ${log.join("")}`));
    const timer = setTimeout(fail, startTimeoutMs);
    child.once("exit", fail);
    child.stdout?.on("data", () => {
      if (!log.join("").includes("Prism is listening")) return;
      clearTimeout(timer);
      child.off("exit", fail);
      resolve();
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  process.kill(-child.pid, "SIGTERM");
  await exit;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
