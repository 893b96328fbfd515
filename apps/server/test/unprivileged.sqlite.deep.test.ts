import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startFailure } from "../src/process/start-failure.js";
import { argumentsOf, nodeByModes } from "./process.js";
import { applySchema } from "./schema.js";
import { temporaryFolder } from "./temporary.js";

// What a user without rights on the files of the service reads, and leaves behind.

const [program, ...first] = nodeByModes;

/** Runs the CLI without what ends it with the test, which reads stdin. */
function kalends(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(
    program,
    [...first, ...argumentsOf("cli.ts").slice(2), ...args],
    { cwd: "/", env: { PATH: process.env.PATH, ...settings }, encoding: "utf8" },
  );
  return { code: status, output: `${stdout}${stderr}` };
}

let folder = "";
let file = "";
let DATABASE_URL = "";
beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, "kalends.sqlite");
  DATABASE_URL = `sqlite:${file}`;
  await applySchema(DATABASE_URL);
});
afterEach(() => {
  chmodSync(folder, 0o700);
});

test("doctor on a file that may only be read fails, and leaves no file behind", () => {
  chmodSync(file, 0o444);
  chmodSync(folder, 0o777);
  const { code, output } = kalends(["doctor"], { DATABASE_URL });
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(
      /"check":"file","status":"failed","detail":"This user may not write to [^"]*sqlite/,
    ),
  ]);
  expect(readdirSync(folder)).toEqual(["kalends.sqlite"]);
});

test("doctor in a folder that may only be read names the folder", () => {
  chmodSync(file, 0o666);
  chmodSync(folder, 0o555);
  const { code, output } = kalends(["doctor"], { DATABASE_URL });
  expect([code, output]).toEqual([1, expect.stringContaining(`This user may not write to ${folder}: `)]);
});

test("doctor on a GEOIP_DATABASE that may not be read says so", () => {
  chmodSync(file, 0o666);
  chmodSync(folder, 0o777);
  const GEOIP_DATABASE = join(folder, "locations.mmdb");
  writeFileSync(GEOIP_DATABASE, "x", { mode: 0 });
  const { code, output } = kalends(["doctor"], { DATABASE_URL, GEOIP_DATABASE });
  expect([code, output]).toEqual([1, expect.stringContaining("may not be read by this user")]);
});

describe("a folder that may not be searched", () => {
  const commands = [
    ["account", "list"],
    ["doctor"],
    ["backup", "/nowhere/backup.sqlite"],
    ["move", "--from", "FROM", "--to", "sqlite:/nowhere/target.sqlite"],
  ];
  test.each(commands)("is what %s %s names, not a missing file", (...args) => {
    chmodSync(folder, 0o600);
    const given = args.map((arg) => (arg === "FROM" ? DATABASE_URL : arg));
    const { code, output } = kalends(given, { DATABASE_URL });
    expect(code).toBe(1);
    expect(output).toContain(`This user may not search a folder on the way to ${file}`);
    expect(output).not.toContain("does not exist");
  });

  test("is what a backup into it names", () => {
    chmodSync(folder, 0o755);
    chmodSync(file, 0o644);
    const hidden = join(folder, "hidden");
    mkdirSync(join(hidden, "backups"), { recursive: true });
    chmodSync(hidden, 0o600);
    const { output } = kalends(["backup", join(hidden, "backups", "x.sqlite")], { DATABASE_URL });
    chmodSync(hidden, 0o700);
    expect(output).toContain(`This user may not search a folder on the way to ${join(hidden, "backups")}`);
  });
});

test("a refused file that is not the database does not blame the database", () => {
  const message = "EACCES: permission denied, open '/srv/exports/x.csv'";
  const refused = Object.assign(new Error(message), { code: "EACCES", syscall: "open" });
  expect(startFailure(refused)).toBe(
    `${message}\nThis user may not use that file or folder: change its owner or mode, or run as another user.`,
  );
});
