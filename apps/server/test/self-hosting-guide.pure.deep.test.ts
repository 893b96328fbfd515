import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installation } from "./guide/installation.js";
import { newMachine } from "./guide/machine.js";
import { operation, upgrades } from "./guide/operation.js";
import type { Guide } from "./guide/steps.js";
import { blocksOf, brokenLinks, readPage, repository } from "./pages.js";
import { temporaryFolder } from "./temporary.js";

// Runs docs/self-hosting.md from top to bottom, as an administrator would. Every block for a shell is run literally; paths and
// addresses are those of a temporary folder. Programs that need root, systemd or a network are stand-ins that record their calls
// (guide/stand-ins.sh): apt-get, certbot, docker, nginx, PostgreSQL's tools, useradd, git and downloads do nothing else; systemctl
// runs what the installed unit says, and `pnpm deploy` copies the build that is there. Other tests run the real ones: nginx in
// proxies.sqlite.deep.test.ts, the deployment in deep/server/deploy.deep.test.ts, and systemd reads the units below.

let guide: Guide;
beforeAll(async () => {
  guide = { machine: await newMachine(), token: "", feed: "" };
});
afterAll(() => guide.machine.remove());

// The page is for Debian, whose tools have options that others lack.
describe.skipIf(process.platform !== "linux")("docs/self-hosting.md", () => {
  const steps = [...installation, ...operation, ...upgrades];
  const blocks = blocksOf(readPage("docs/self-hosting.md"));
  const forShell = blocks.filter(({ language }) => language === "sh");

  test("has a step here for every block of a shell, and its other blocks are quotes of files", () => {
    expect(steps.map(({ heading }) => heading)).toEqual(forShell.map(({ heading }) => heading));
    const quotes = readPage("docs/self-hosting.md").match(/^From \[examples\/.*\n\n```/gm) ?? []; // self-hosting.pure.deep.test.ts
    const others = blocks.length - forShell.length;
    expect(others).toBe(quotes.length + 1); // of kalends.conf there are two parts
  });

  test.each(steps.map((step, index) => ({ ...step, block: forShell[index]?.text ?? "" })))(
    "$heading: $shows",
    async ({ block, before, check }) => {
      await before?.(guide);
      const output = await guide.machine.run(block);
      await check(guide, output, guide.machine.calls());
    },
  );

  test("links lead to files and headings of the repository", () => {
    expect(brokenLinks("docs/self-hosting.md")).toEqual([]);
  });
});

describe.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)("the units", () => {
  test("systemd has nothing to say against them", () => {
    const units = readdirSync(`${repository}/examples/systemd`).map(
      (name) => `${repository}/examples/systemd/${name}`,
    );
    const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", ...units], { encoding: "utf8" });
    expect(stdout + stderr).toBe("");
  });
});

describe.skipIf(process.platform !== "linux")("the unit of the backup", () => {
  const folder = temporaryFolder();
  const backups = join(folder, "backups");
  mkdirSync(backups);

  /** Runs its commands as systemd does, with `pgDump` as the script pg_dump. Returns the status and the names of the backups. */
  function runUnit(url: string, pgDump: string): readonly [number | null, readonly string[]] {
    writeFileSync(join(folder, "pg_dump"), `#!/bin/sh\n${pgDump}\n`, { mode: 0o755 });
    const unit = readPage("examples/systemd/kalends-backup.service").replaceAll("\\\n", " ");
    const commands = [...unit.matchAll(/^ExecStart=(.*)$/gm)].map(([, command = ""]) => command);
    const script = commands
      .join("\n")
      .replace(/\$\$/g, "$")
      .replace(/%%/g, "%")
      .replaceAll("/var/lib/kalends-backups", backups)
      .replaceAll("/opt/kalends/current", join(repository, "apps/server"));
    const env = { PATH: `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`, DATABASE_URL: url };
    const { status } = spawnSync("sh", ["-ec", script], { env, cwd: folder });
    return [status, readdirSync(backups)];
  }

  test("on SQLite kalends makes a backup", () => {
    const url = `sqlite:${folder}/kalends.sqlite`;
    const cli = join(repository, "apps/server/dist/cli.js");
    spawnSync(process.execPath, [cli, "migrate"], { env: { DATABASE_URL: url } });
    expect(runUnit(url, "exit 1")).toEqual([0, [expect.stringMatching(/^\d{4}-\d\d-\d\dT\d{6}\.sqlite$/)]]);
    rmSync(backups, { recursive: true });
    mkdirSync(backups);
  });

  test("on PostgreSQL pg_dump does, what fails gets no name of a backup, and backups older than two weeks go", () => {
    const url = "postgres:///kalends?host=/run/postgresql";
    for (const name of ["old.dump", "notes.txt"]) {
      writeFileSync(join(backups, name), "");
      utimesSync(join(backups, name), 0, 0);
    }
    const write = `for a; do case $a in --file=*) echo "$*" >"\${a#--file=}";; esac; done`;
    expect(runUnit(url, `${write}; exit 1`)).toEqual([
      1,
      [expect.stringMatching(/\.part$/), "notes.txt", "old.dump"],
    ]);
    const [status, names] = runUnit(url, write);
    const dumps = names.filter((name) => name.endsWith(".dump"));
    expect(names).toContain("notes.txt"); // no backup
    expect([status, dumps]).toEqual([0, [expect.stringMatching(/^\d{4}-\d\d-\d\dT\d{6}\.dump$/)]]);
    expect(readFileSync(join(backups, dumps[0] ?? ""), "utf8")).toMatch(/^--format=custom .* postgres:\S+$/m);
    rmSync(backups, { recursive: true });
    mkdirSync(backups);
  });

  test("no program gets a password among its arguments, which every user can see", () => {
    const said = join(folder, "arguments");
    for (const url of [
      "postgres://kalends:canary@db.example.com/kalends",
      "postgresql://kalends:canary@db.example.com/kalends",
      "postgres://db.example.com/kalends?user=kalends&password=canary",
      "postgres:///kalends?password=canary",
    ]) {
      expect(runUnit(url, `echo "$*" >>${said}`), url).toEqual([1, []]);
      expect(existsSync(said)).toBe(false);
    }
  });

  test("is hardened as the server is, and reports a failure", () => {
    const [server = "", backup = ""] = ["kalends", "kalends-backup"].map((name) =>
      readPage(`examples/systemd/${name}.service`),
    );
    const hardening = server.match(/^(No|Cap|Amb|Prot|Priv|Restr|Lock|RemoveIPC|SystemCall)\w*=.*$/gm) ?? [];
    expect(hardening.length).toBeGreaterThan(20);
    expect(hardening.filter((line) => !backup.split("\n").includes(line))).toEqual([]);
    expect(backup).toMatch(/^OnFailure=kalends-failed@%n\.service$/m);
  });
});
