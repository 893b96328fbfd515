import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageFolder, run } from "./program.js";

/** What `npm pack` holds, unpacked, with its dependencies beside it. */
let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "kalends-client-"));
  const { packageManager } = JSON.parse(readFileSync(join(packageFolder, "../../package.json"), "utf8"));
  // pnpm, for it alone resolves catalog: and publishConfig. It builds first.
  execFileSync("npx", ["--yes", packageManager, "pack", "--pack-destination", folder], {
    cwd: packageFolder,
    stdio: "pipe",
  });
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

test("src/schema.d.ts is what the OpenAPI document gives", async () => {
  const printed = join(folder, "schema.d.ts");
  const { scripts } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  const [tool, ...args] = String(scripts.emit).split(" ");
  expect([tool, args]).toEqual(["openapi-typescript", expect.arrayContaining(["src/schema.d.ts"])]);
  const generate = args.with(args.indexOf("src/schema.d.ts"), printed);
  expect(await run("openapi-typescript/bin/cli.js", generate)).toBe("");
  const isFresh =
    readFileSync(printed, "utf8") === readFileSync(join(packageFolder, "src/schema.d.ts"), "utf8");
  expect(isFresh, "src/schema.d.ts is stale: run npm run emit").toBe(true);
});

test("types refuse what is not in the document, and nothing else: tsc has no complaint", async () => {
  expect(await run("typescript/bin/tsc", ["-p", "tsconfig.types.json"])).toBe("");
}, 120_000);

describe("the bundle with openapi-fetch", () => {
  const gzipped = async (contents: string): Promise<number> => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: join(folder, "package/dist") },
      nodePaths: [join(packageFolder, "node_modules")],
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      write: false,
    });
    return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
  };

  test("of the client and its errors has at most 5 kB", async () => {
    const size = await gzipped('export { createCalendarClient, CalendarApiError } from "./index.js";');
    const everything = await gzipped('export * from "./index.js";');
    process.stdout.write(`client and errors: ${size} B gzip; with all helpers: ${everything} B\n`);
    expect(size).toBeLessThanOrEqual(5000);
    expect(everything).toBeLessThanOrEqual(5250); // the date helpers, which a bundler drops when they are not used
  });

  test("of a helper alone has no client in it", async () => {
    expect(await gzipped('export { toDate, isTrue } from "./index.js";')).toBeLessThan(200);
  });
});

describe("the package", () => {
  test("holds the README, the license, the code and its types, and nothing else", () => {
    const names = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n").sort();
    const others = names.filter((name) => !/^package\/dist\/(testing\/)?[a-z-]+(\.js|\.d\.ts)$/.test(name));
    expect(others).toEqual(
      ["CHANGELOG.md", "LICENSE", "README.md", "package.json"].map((name) => `package/${name}`),
    );
    const manifest = JSON.parse(readFileSync(join(folder, "package/package.json"), "utf8"));
    expect(manifest.dependencies).toEqual({ "openapi-fetch": expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    expect(JSON.stringify(manifest.exports)).not.toContain("src");
  });

  test("has no any in its types, and openapi-fetch in raw alone", () => {
    const dist = join(folder, "package/dist");
    const types = readdirSync(dist).filter((name) => name.endsWith(".d.ts"));
    expect(types.length).toBeGreaterThan(10);
    const found = types.flatMap((name) => {
      const source = ts.createSourceFile(
        name,
        readFileSync(join(dist, name), "utf8"),
        ts.ScriptTarget.ES2022,
      );
      const visit = (node: ts.Node): readonly string[] => [
        ...(node.kind === ts.SyntaxKind.AnyKeyword ? [`${name}: any`] : []),
        ...(ts.isStringLiteral(node) && node.text === "openapi-fetch" ? [`${name}: openapi-fetch`] : []),
        ...node.getChildren(source).flatMap(visit),
      ];
      return visit(source);
    });
    expect(found).toEqual(["raw.d.ts: openapi-fetch"]);
  });

  test("is right for publint", async () => {
    expect(await run("publint/src/cli.js", [tarball, "--strict"])).toBe("");
  }, 60_000);

  test("is right for are-the-types-wrong", async () => {
    const args = [tarball, "--profile", "esm-only", "--no-color"];
    expect(await run("@arethetypeswrong/cli/dist/index.js", args)).toBe("");
  }, 60_000);

  test.each([
    ["Node without DOM", ["--lib", "es2023", "--types", "node", "--module", "nodenext"]],
    [
      "a browser without Node",
      ["--lib", "es2023,dom,dom.iterable", "--module", "esnext", "--moduleResolution", "bundler"],
    ],
  ])(
    "has types that compile strictly for %s",
    async (_title, options) => {
      const project = join(folder, "project");
      link(join(folder, "package"), join(project, "node_modules/@kalends/client"));
      link(join(packageFolder, "node_modules/@types/node"), join(project, "node_modules/@types/node"));
      link(
        join(packageFolder, "node_modules/openapi-fetch"),
        join(folder, "package/node_modules/openapi-fetch"),
      );
      const file = join(project, "use.mts");
      writeFileSync(file, use);
      const strict = [
        "--strict",
        "--target",
        "es2022",
        "--noEmit",
        "--exactOptionalPropertyTypes",
        "--noUncheckedIndexedAccess",
      ];
      const typeRoots = ["--typeRoots", join(project, "node_modules/@types")];
      expect(await run("typescript/bin/tsc", [...strict, ...typeRoots, ...options, file])).toBe("");
    },
    60_000,
  );

  test("is imported by plain Node, and required where Node can", () => {
    const code = 'import("@kalends/client").then(({ toDate }) => console.log(toDate(0).toISOString()));';
    const printed = execFileSync("node", ["-e", code], { cwd: join(folder, "project"), encoding: "utf8" });
    expect(printed.trim()).toBe("1970-01-01T00:00:00.000Z");
  });

  test("has a fake of the service for tests, which plain Node imports", () => {
    const code = `import("@kalends/client/testing").then(async ({ createFakeServer }) => {
      const { status } = await createFakeServer().fetch("https://kalends.test/api/v1/timezones");
      console.log(status);
    });`;
    const printed = execFileSync("node", ["-e", code], { cwd: join(folder, "project"), encoding: "utf8" });
    expect(printed.trim()).toBe("200");
  });
});

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) symlinkSync(target, path);
}

const use = `
import { createCalendarClient, CalendarApiError, type Calendar } from "@kalends/client";
import { createFakeServer } from "@kalends/client/testing";
createFakeServer({ faults: [{ kind: "lost" }] }).fetch satisfies typeof fetch;
const client = createCalendarClient({ baseUrl: "https://example.com", token: async () => "t" });
for await (const calendar of client.calendars.list()) calendar satisfies Calendar;
const { data } = await client.raw.GET("/api/v1/timezones");
data?.data satisfies { label: string }[] | undefined;
export const status = (error: unknown): number | undefined => error instanceof CalendarApiError ? error.status : undefined;
`;
