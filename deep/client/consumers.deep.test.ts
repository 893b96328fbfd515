import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packClient, type PackedClient } from "../../packages/client/test/packed.js";
import { compiler, packageFolder, run, tools } from "../../packages/client/test/program.js";
import {
  json,
  startScriptedServer,
  type ScriptedServer,
} from "../../packages/client/test/scripted-server.js";

// What programs of others do with the packed package: compile against it, import it, require it.
const execute = promisify(execFile);
let packed: PackedClient;
let server: ScriptedServer;

beforeAll(async () => {
  packed = packClient();
  const data = [{ label: "Etc/UTC", offset: "00:00" }];
  server = await startScriptedServer(json(200, { meta: { code: 200 }, data }));
});
afterAll(async () => {
  packed[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

describe("the types compile strictly", () => {
  const es = ["--module", "esnext", "--moduleResolution", "bundler"];
  const node = ["--lib", "es2023", "--types", "node"];
  const typescript = { program: compiler, options: ["--ignoreConfig", "--singleThreaded"] };
  const typescript5 = { program: "typescript/bin/tsc", options: [] };
  const oldestTypescript = { program: `${tools}/typescript-oldest/bin/tsc`, options: [] };
  test.each([
    ["an ES module in Node without DOM", "mts", typescript, [...node, "--module", "nodenext"]],
    ["CommonJS in Node without DOM", "cts", typescript, [...node, "--module", "node16"]],
    [
      "CommonJS with moduleResolution node10",
      "ts",
      typescript5, // the last one that knows it
      [...node, "--module", "commonjs", "--moduleResolution", "node10"],
    ],
    ["a browser without Node", "mts", typescript, ["--lib", "es2023,dom,dom.iterable", ...es]],
    [
      "an ES module in Node with the oldest TypeScript",
      "mts",
      oldestTypescript,
      [...node, "--module", "nodenext"],
    ],
    ["CommonJS in Node with the oldest TypeScript", "cts", oldestTypescript, [...node, "--module", "node16"]],
    [
      "a browser with the oldest TypeScript",
      "mts",
      oldestTypescript,
      ["--lib", "es2023,dom,dom.iterable", ...es],
    ],
  ])("for %s", async (_title, extension, compiler, options) => {
    const file = join(packed.project, `use.${extension}`);
    writeFileSync(file, use);
    // Only the declarations that come with the compiler are taken as they are: those of the package are checked.
    const strict = [
      "--strict",
      "--skipDefaultLibCheck",
      "--target",
      "es2022",
      "--noEmit",
      "--exactOptionalPropertyTypes",
    ];
    const typeRoots = ["--typeRoots", join(packed.project, "node_modules/@types")];
    const args = [...strict, "--noUncheckedIndexedAccess", ...typeRoots, ...options, file];
    expect(await run(compiler.program, [...compiler.options, ...args])).toBe("");
  });
});

test("the README names the oldest TypeScript that is tried", () => {
  const manifest = readFileSync(
    join(packageFolder, "node_modules", tools, "typescript-oldest/package.json"),
    "utf8",
  );
  const { version } = JSON.parse(manifest);
  const named = /TypeScript (\d+\.\d+) and later/.exec(
    readFileSync(join(packageFolder, "README.md"), "utf8"),
  );
  expect(named?.[1]).toBe(String(version).split(".", 2).join("."));
});

const required = `const { createCalendarClient, CalendarApiError } = require("@kalends/client");`;
const imported = `import { createCalendarClient, CalendarApiError } from "@kalends/client";`;
const program = `
async function main() {
  const client = createCalendarClient({ baseUrl: process.env.BASE_URL, token: "token" });
  const [zone] = await client.timezones.list();
  const error = await client.calendars.create({ title: "a", timezone: zone.label }).catch((error) => error);
  console.log(zone.label, error instanceof CalendarApiError, error.kind);
}
main();`;

/** Runs a program in a project that has the package. */
async function printed(command: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, BASE_URL: server.url };
  const { stdout } = await execute(command, args, { cwd: packed.project, env });
  return stdout.trim();
}

const { engines } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
const oldest = `node@${String(engines.node).replace(">=", "")}.0.0`;
/** Downloads it, so only where several versions of Node are tried. */
const triesOldest = process.env["KALENDS_OLDEST_NODE"] === "on";
const withoutOldest = triesOldest ? "" : " (skipped: set KALENDS_OLDEST_NODE=on)";
const nodes = [
  { title: "this Node", command: process.execPath, args: [], isMissing: false },
  {
    title: `the oldest that "engines" names, ${oldest}${withoutOldest}`,
    command: "npx",
    args: ["--yes", "--package", oldest, "node"],
    isMissing: !triesOldest,
  },
] as const;

describe.each(nodes)("on $title", ({ command, args, isMissing }) => {
  test.skipIf(isMissing).each([
    ["imported", "mjs", imported],
    ["required", "cjs", required],
  ])("the package can be %s, and works", async (_title, extension, loading) => {
    const file = join(packed.project, `program.${extension}`);
    writeFileSync(file, loading + program);
    expect(await printed(command, [...args, file])).toBe("Etc/UTC true parse");
  });
});

test("Jest 29 runs a CommonJS test of it, without transforms", async () => {
  writeFileSync(join(packed.project, "package.json"), JSON.stringify({ jest: { transform: {} } }));
  writeFileSync(
    join(packed.project, "zones.test.js"),
    `${required}
test("lists the zones", async () => {
  const zones = await createCalendarClient({ baseUrl: process.env.BASE_URL }).timezones.list();
  expect(zones).toEqual([{ label: "Etc/UTC", offset: "00:00" }]);
  expect(typeof CalendarApiError).toBe("function");
});`,
  );
  const manifest = JSON.parse(
    readFileSync(join(packageFolder, "node_modules", tools, "jest/package.json"), "utf8"),
  );
  expect(manifest.version).toMatch(/^29\./);
  const jest = join(packageFolder, "node_modules", tools, "jest/bin/jest.js");
  const report = JSON.parse(await printed(process.execPath, [jest, "--json", "--silent"]));
  expect(report).toMatchObject({ numPassedTests: 1, numFailedTests: 0, success: true });
});

const use = `
import { createCalendarClient, CalendarApiError, type Calendar } from "@kalends/client";
import { createExtensionsClient, verifyWebhook } from "@kalends/client/extensions";
const client = createCalendarClient({ baseUrl: "https://example.com", token: async () => "t" });
export async function read(): Promise<number> {
  for await (const calendar of client.calendars.list()) calendar satisfies Calendar;
  const { data } = await client.raw.GET("/api/v1/timezones");
  data?.data satisfies { label: string }[] | undefined;
  for await (const { changes } of createExtensionsClient({ baseUrl: "https://example.com" }).events.follow("1"))
    for (const change of changes) if (change.change === "saved") change.event.title satisfies string;
  const message = await verifyWebhook("", {}, process.env["WEBHOOK_SECRET"]);
  if (message.type === "event.created") message.data.event.title satisfies string;
  return (await client.timezones.list()).length;
}
declare const process: { env: Record<string, string | undefined> };
export const status = (error: unknown): number | undefined => error instanceof CalendarApiError ? error.status : undefined;
`;
