import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when stdout has matched. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  readonly finished: Promise<Finished>;
}

/**
 * The program and the first arguments that start Node with the rights of the files' modes alone. Root keeps its name, so that it can read
 * these sources wherever they are, and loses the capabilities for which no mode counts.
 */
export const nodeByModes: readonly [program: string, ...args: string[]] =
  process.getuid?.() === 0
    ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", process.execPath]
    : [process.execPath];

/** Runs a file of the server's sources, such as main.ts, as a process of its own, in `folder`, with only these settings. */
export function run(
  file: string,
  args: readonly string[],
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Running {
  const child = spawn(process.execPath, [...argumentsOf(file), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...settings },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const out = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (out.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (out.stderr += chunk.toString()));
  const finished = new Promise<Finished>((resolve) => {
    child.once("close", (code) => resolve({ code, ...out }));
  });
  return {
    child,
    finished,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(out.stdout);
          if (match !== null) resolve(match);
        };
        child.stdout.on("data", look);
        look();
        void finished.then(({ code, stderr }) =>
          reject(new Error(`exit ${code} before ${String(pattern)}: ${stderr}`)),
        );
      }),
  };
}

/** Returns Node's arguments that run a file of the server's sources in a process that ends with the test's. */
export function argumentsOf(file: string): readonly string[] {
  return ["--import", endsWithTest, ...program(file)];
}

const endsWithTest = new URL("ends-with-test.mjs", import.meta.url).href;

/** A file of the sources, with what Node needs to run it; built, where the build is fresh, it starts in half the time. After "--" Node has no options. */
function program(file: string): readonly string[] {
  // turbo builds before it tests.
  if (process.env.KALENDS_BUILT !== undefined && !file.startsWith("../")) {
    return ["--", fileURLToPath(new URL(`../dist/${file.replace(/ts$/, "js")}`, import.meta.url))];
  }
  const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
  return ["--import", import.meta.resolve("tsx"), "--conditions", "@kalends/source", "--", path];
}
