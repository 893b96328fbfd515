import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packClient, type PackedClient } from "./packed.js";
import { packageFolder, run } from "./program.js";

let packed: PackedClient;
let folder: string;

beforeAll(() => {
  packed = packClient();
  ({ folder } = packed);
}, 120_000);
afterAll(() => packed[Symbol.dispose]());

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
    const advice =
      "Share code between functions. If all of it is needed, raise the limit, here and in the title, and say in the pull request why.";
    expect(size, advice).toBeLessThanOrEqual(5000);
    expect(everything, advice).toBeLessThanOrEqual(5900); // the helpers, which a bundler drops when they are not used
  });

  test("of a helper alone has no client in it", async () => {
    expect(await gzipped('export { toDate, isTrue } from "./index.js";')).toBeLessThan(200);
    for (const helper of ["formatStartDate", "eventTimes", "toEventFields"])
      expect(await gzipped(`export { ${helper} } from "./index.js";`)).toBeLessThan(700);
  });
});

describe("the package", () => {
  test("holds the README, the license, the code and its types, and nothing else", () => {
    const names = execFileSync("tar", ["-tzf", packed.tarball], { encoding: "utf8" })
      .trim()
      .split("\n")
      .sort();
    const others = names.filter((name) => !/^package\/dist\/([a-z]+\/)*[a-z-]+(\.js|\.d\.ts)$/.test(name));
    const folders = ["package/", "package/dist/cjs/"]; // the second one's package.json says "commonjs"
    const manifests = folders.map((name) => `${name}package.json`);
    expect(others).toEqual(
      ["package/CHANGELOG.md", "package/LICENSE", "package/README.md", ...manifests].sort(),
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
    expect(await run("publint/src/cli.js", [packed.tarball, "--strict"])).toBe("");
  }, 60_000);

  test("is right for are-the-types-wrong, with moduleResolution node10 and require() too", async () => {
    const args = [packed.tarball, "--profile", "strict", "--no-color"];
    expect(await run("@arethetypeswrong/cli/dist/index.js", args)).toBe("");
  }, 60_000);

  test("has a fake of the service for tests, which plain Node imports and requires", () => {
    const call = `createFakeServer().fetch("https://kalends.test/api/v1/timezones").then(({ status }) => console.log(status))`;
    for (const code of [
      `import("@kalends/client/testing").then(({ createFakeServer }) => ${call});`,
      `const { createFakeServer } = require("@kalends/client/testing"); ${call};`,
    ]) {
      const printed = execFileSync("node", ["-e", code], { cwd: packed.project, encoding: "utf8" });
      expect(printed.trim()).toBe("200");
    }
  });
});
