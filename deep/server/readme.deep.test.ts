import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readStages, textsOf } from "./dockerfile.js";
import { startTestServer, type TestAccount, type TestServer } from "../../apps/server/test/harness.js";
import {
  blocksOf,
  brokenLinks,
  commandsOf,
  linksOf,
  readPage,
  repository,
} from "../../apps/server/test/pages.js";
import { run } from "../../apps/server/test/process.js";

const shown = "http://127.0.0.1:8080";
const standIn = fileURLToPath(new URL("../../apps/server/test/jq.mjs", import.meta.url));
const hasJq = spawnSync("jq", ["--version"]).status === 0;

let server: TestServer;
let account: TestAccount;
let folder = "";

async function start(): Promise<void> {
  server = await startTestServer();
  account = await server.account();
  folder = mkdtempSync(join(tmpdir(), "kalends-readme-"));
}
async function stop(): Promise<void> {
  await server.stop();
  rmSync(folder, { recursive: true });
}

/** What differs from run to run: the port, keys, times and request ids. */
function steady(text: string): string {
  return text
    .replaceAll(server.url, shown)
    .replace(/"(uniquekey|request_id)":"\w+"/g, '"$1":""')
    .replace(/"(date_(?:create|modified))":\d+/g, '"$1":0')
    .replace(/\/c\/\w{12}\b/g, "/c/{key}")
    .trimEnd();
}

/** Runs a command as a reader does who has set the variables of the page. Returns what it prints. Its files are in `folder`. */
function shell(command: string, variables: readonly string[]): Promise<string> {
  const jq = hasJq ? [] : [`jq() { "${process.execPath}" "${standIn}" "$@"; }`];
  const page = [...variables, command]
    .join("\n")
    .replaceAll(shown, server.url)
    .replaceAll("/tmp/", `${folder}/`);
  const script = [...jq, page].join("\n").replace("kal_...", account.token);
  const env = { PATH: process.env.PATH, TOKEN: account.token };
  return new Promise((resolve, reject) => {
    execFile("bash", ["--norc", "-c", script], { cwd: folder, env }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(new Error(error.message)),
    );
  });
}

describe.each([{ page: "README.md" }, { page: "docs/from-addevent.md" }, { page: "docs/extensions.md" }])(
  "the commands of $page print what it shows",
  ({ page }) => {
    beforeAll(start);
    afterAll(stop);
    const tour = blocksOf(readPage(page))
      .filter(({ language }) => language === "console")
      .flatMap(commandsOf);
    const variables = tour.map(({ command }) => command).filter((command) => command.startsWith("export "));

    test("each command of the page is run", () => {
      expect(tour.length).toBeGreaterThan(1);
      expect(tour).toHaveLength(readPage(page).match(/^ *\$ /gm)?.length ?? 0);
    });

    test.each(tour)("$command", async ({ command, output }) => {
      expect(steady(await shell(command, variables))).toBe(steady(output));
    });

    test.runIf(page === "README.md")(
      "the last one prints the follow page, which shows what was saved",
      async () => {
        const address = await shell(tour.at(-1)?.command ?? "", variables);
        const followPage = await server.request(`${new URL(address).pathname}?month=2027-07`);
        expect(followPage.text).toContain("Opening night");
        expect(followPage.text).toContain("20:00");
      },
    );
  },
);

describe("README.md", () => {
  beforeAll(start);
  afterAll(stop);
  const page = readPage("README.md");
  const blocks = blocksOf(page).filter(({ language }) => language !== "console");
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readPage("package.json"),
  );

  test("every block is run by a test below, or in the tour", () => {
    const [first, docker, commandLine, ...others] = blocks.map(({ language, text }) => [
      language,
      text.split(" ")[0],
    ]);
    expect(first).toEqual(["sh", "npm"]);
    expect(docker).toEqual(["sh", "docker"]);
    expect(commandLine).toEqual(["sh", "./kalends"]);
    expect(others).toEqual([]);
  });

  // Not run here: the one serves until it is stopped, the other runs this test.
  test("the first two commands run the server and the tests", () => {
    const commands = (blocks[0]?.text ?? "").match(/^[^#\n]*[^# \n]/gm);
    expect(commands).toEqual(["npm start", "npm test"]);
    const launcher = /^node (scripts\/run\.mjs) (start|test)$/;
    expect([scripts.start, scripts.test]).toEqual([
      expect.stringMatching(launcher),
      expect.stringMatching(launcher),
    ]);
    expect(existsSync(join(repository, "scripts/run.mjs"))).toBe(true);
  });

  // Where tests run there is no Docker: deep/server/deploy.deep.test.ts runs the steps of the image.
  test("the Docker commands build the image, publish its port, keep its data, and make an account and a person", async () => {
    const record = join(folder, "docker-calls");
    const docker = join(folder, "docker");
    writeFileSync(docker, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${record}'\n`);
    chmodSync(docker, 0o755);
    const env = { PATH: `${folder}:${process.env.PATH}` };
    execFileSync("bash", ["-ec", blocks[1]?.text ?? ""], { cwd: repository, env });
    const [build, started, executed, added, ...others] = readFileSync(record, "utf8").trimEnd().split("\n");
    expect(others).toEqual([]);
    const [, file = "", tag = ""] = /^build --file (\S+) --tag (\S+) \.$/.exec(build ?? "") ?? [];
    const [, image] = readStages(readPage(file));
    if (image === undefined) throw new Error("The Dockerfile has two stages.");
    const port = textsOf(image, "EXPOSE")[0];
    const [data] = JSON.parse(textsOf(image, "VOLUME")[0] ?? "[]");
    expect(started?.split(" ")).toEqual([
      ...["run", "--detach", "--name", "kalends"],
      ...[`--volume=kalends:${data}`, `--publish=127.0.0.1:8080:${port}`, tag],
    ]);
    const [, name = ""] = /^exec kalends kalends account create --name (.+)$/.exec(executed ?? "") ?? [];
    const { code, stdout } = await kalends("account", "create", "--name", name);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\bkal_\w+/)]);
    const person = await kalends(...(added?.split(" ").slice(3) ?? []));
    expect([person.code, person.stdout]).toEqual([0, expect.stringContaining("/console/join#")]);
  });

  test("the commands of the command line work while the server runs", async () => {
    expect(existsSync(join(repository, "kalends"))).toBe(true);
    for (const line of (blocks[2]?.text ?? "").trimEnd().split("\n")) {
      const [, ...args] = [...line.replace(/ +#.*/, "").matchAll(/"([^"]*)"|\S+/g)].map(
        ([word, quoted]) => quoted ?? word,
      );
      const { code, stderr } = await kalends(...args);
      expect([line, code, stderr]).toEqual([line, 0, ""]);
    }
  });

  test("commands inside sentences are scripts, or programs of the packages", () => {
    const commands = [...page.matchAll(/`((?:npm|node) [^`]+)`/g)].map(([, command = ""]) => command);
    expect(commands.length).toBeGreaterThan(3);
    const unknown = commands.filter((command) => {
      const [, script = "", file] = /^npm (?:run )?(\S+)|^node (\S+)/.exec(command) ?? [];
      if (file === undefined) return scripts[script] === undefined && script !== "install";
      const [, folderOf = "", program = ""] = /^(packages\/\w+)\/(\S+)$/.exec(file) ?? [];
      return !Object.values<string>(JSON.parse(readPage(`${folderOf}/package.json`)).bin).some((bin) =>
        bin.endsWith(program),
      );
    });
    expect(unknown).toEqual([]);
  });

  test("links lead to files and headings of the repository, and to pages of the running server", async () => {
    expect(brokenLinks("README.md")).toEqual([]);
    const addresses = linksOf(page).filter((link) => link.startsWith(shown));
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of addresses) {
      const { status } = await server.request(address.slice(shown.length));
      expect([address, status]).toEqual([address, 200]);
    }
    const elsewhere = linksOf(page).filter((link) => /^https?:/.test(link) && !link.startsWith(shown));
    expect(elsewhere).toEqual(["https://jqlang.org"]); // not fetched: tests need no internet
  });

  const kalends = (...args: readonly string[]) =>
    run("cli.ts", args, folder, { DATABASE_URL: server.databaseUrl }).finished;
});

describe.skipIf(!hasJq)("the stand-in for jq", () => {
  test.each([
    ["-c", ".event | {id, title, none}"],
    ["-c", ".events[] | {id}"],
    ["-r", '.events[] | "a/" + .id'],
    ["-r", ".event"],
  ])("prints what jq prints: %s %s", (option, filter) => {
    const input = JSON.stringify({ event: { id: 1, title: "é" }, events: [{ id: "1" }, { id: "2" }] });
    const print = (program: string) => execFileSync(program, [option, filter], { input, encoding: "utf8" });
    expect(print(standIn)).toBe(print("jq"));
  });
});
