import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { argumentsOf, run } from "./process.js";
import { canMount, mountSmall, unmount } from "./small-disk.js";
import { temporaryFolder } from "./temporary.js";

// What an operator reads when the machine is why nothing starts.

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

test("a limit of open files that is too low is named", async () => {
  const limits = Array.from({ length: 24 }, (_, index) => 20 + index); // how many Node itself needs differs
  for (const limit of limits)
    if ((await outputUnder(limit)).includes("The limit of open files is reached: raise it")) return;
  expect.fail("no limit was named");
}); // 24 servers, one after the other

/** Returns what a server prints that may open so many files, until it ends or listens. */
async function outputUnder(limit: number): Promise<string> {
  // Without what ends it with the test: it reads stdin.
  const command = [process.execPath, ...argumentsOf("main.ts").slice(2)].map((part) => `'${part}'`).join(" ");
  const child = spawn("sh", ["-c", `ulimit -n ${limit}; exec ${command}`], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("Listening on")) child.kill("SIGKILL");
    });
  await once(child, "close");
  return text;
}

test.runIf(canMount())("a full disk is named by a server that starts, and by a backup", async () => {
  const small = join(folder, "small");
  mkdirSync(small);
  mountSmall(small, "1m");
  try {
    expect(() => writeFileSync(join(small, "filler"), Buffer.alloc(2_000_000))).toThrow("ENOSPC");
    const DATABASE_URL = `sqlite:${small}/x.sqlite`;
    const server = await run("main.ts", [], folder, { PORT: "0", DATABASE_URL }).finished;
    expect([server.code, server.stderr]).toEqual([1, expect.stringContaining("The disk is full")]);
    await run("cli.ts", ["account", "create", "--name", "x"], folder).finished;
    const backup = await run("cli.ts", ["backup", join(small, "backup.sqlite")], folder).finished;
    expect([backup.code, backup.stderr]).toEqual([1, expect.stringContaining("There is no space left for")]);
  } finally {
    unmount(small);
  }
});

test.each([
  ["main.ts"],
  ["cli.ts", "migrate"],
  ["cli.ts", "account", "list"],
  ["cli.ts", "doctor"],
  ["cli.ts", "backup", "copy.sqlite"],
  ["cli.ts", "restore", "."],
])("a folder where a database must be is named as one: %s %s %s", async (entry, ...args) => {
  const settings = { PORT: "0", DATABASE_URL: `sqlite:${folder}` };
  const { code, stdout, stderr } = await run(entry, args, folder, settings).finished;
  const name = args[0] === "restore" ? "." : folder;
  const sentence = `${name} is a folder: name a file in it, such as`;
  expect([code, `${stdout}${stderr}`]).toEqual([1, expect.stringContaining(sentence)]);
});

test("errors of settings name a file that is there", async () => {
  const { stderr } = await run("main.ts", [], folder, { PORT: "x" }).finished;
  const [, file = ""] = /See (.+)\.\n$/.exec(stderr) ?? [];
  expect(readFileSync(file, "utf8")).toContain("PORT=8080");
});

describe("a HOST on which the server cannot listen is named, and not the database", () => {
  const hosts = ["192.0.2.1", "a".repeat(64), "fe80::1"]; // of another machine, a name too long for the DNS, without a zone
  test.each(hosts)("%s", async (HOST) => {
    const { code, stderr } = await run("main.ts", [], folder, { PORT: "0", HOST }).finished;
    expect(code).toBe(1);
    expect(stderr).toContain("set HOST to an address of this machine");
    expect(stderr).not.toMatch(/DATABASE_URL|PostgreSQL|database/);
  });
});
