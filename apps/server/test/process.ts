import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Resolves when stdout has matched. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  readonly finished: Promise<Finished>;
}

/** Runs a source file of the server as a process of its own, in `folder`, with only these settings. */
export function run(
  file: string,
  args: readonly string[],
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Running {
  const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
  const loader = import.meta.resolve("tsx");
  const child = spawn(
    process.execPath,
    ["--import", loader, "--conditions", "@kalends/source", path, ...args],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...settings },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
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
