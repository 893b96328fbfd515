import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { isExtension, operations } from "@kalends/spec";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packClient, type PackedClient } from "./packed.js";
import { packageFolder, run, tools } from "./program.js";

let packed: PackedClient;
let folder: string;

beforeAll(() => {
  packed = packClient();
  ({ folder } = packed);
});
afterAll(() => packed[Symbol.dispose]());

describe("the bundle with openapi-fetch", () => {
  const bundled = async (contents: string) => {
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: join(folder, "package/dist") },
      nodePaths: [join(packageFolder, "node_modules")],
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      metafile: true,
      write: false,
    });
    const [{ contents: code, text } = { contents: new Uint8Array(), text: "" }] = outputFiles;
    return { size: gzipSync(code, { level: 9 }).length, text, modules: Object.keys(metafile.inputs) };
  };
  const gzipped = async (contents: string): Promise<number> => (await bundled(contents)).size;

  // 300 bytes of it refuse unknown options, keys and ifMatch that cannot be sent, and name the key in errors.
  test("of the client and its errors has at most 5.6 kB", async () => {
    const size = await gzipped('export { createCalendarClient, CalendarApiError } from "./index.js";');
    const everything = await gzipped('export * from "./index.js";');
    process.stdout.write(`client and errors: ${size} B gzip; with all helpers: ${everything} B\n`);
    const advice =
      "Share code between functions. If all of it is needed, raise the limit, here and in the title, and say in the pull request why.";
    expect(size, advice).toBeLessThanOrEqual(5600);
    expect(everything, advice).toBeLessThanOrEqual(6350); // the helpers, which a bundler drops when they are not used
  });

  test("has nothing of the extensions in it, whoever imports it (extensions X1.1)", async () => {
    const { text, modules } = await bundled('export * from "./index.js";');
    expect(modules.filter((name) => name.includes("extensions"))).toEqual([]);
    expect(text).not.toMatch(/api\/kalends|custom_data|webhook/i);
  });

  test("of the extensions has at most 136 bytes for each operation alone, and 370 more with the client", async () => {
    const extensions = 'export { createExtensionsClient } from "./extensions/index.js";';
    const { size, text } = await bundled(extensions);
    expect(text).toContain("api/kalends");
    const both = await gzipped(`${extensions} export { createCalendarClient } from "./index.js";`);
    process.stdout.write(`extensions: ${size} B gzip; with the client: ${both} B\n`);
    expect(text, "who only calls the API does not receive webhooks").not.toContain("webhook-signature");
    const most = 136 * Object.values(operations).filter(isExtension).length;
    expect(size).toBeLessThanOrEqual(most);
    expect(both).toBeLessThanOrEqual(most + 370);
  });

  test("of a helper alone has no client in it", async () => {
    expect(await gzipped('export { verifyWebhook } from "./extensions/index.js";')).toBeLessThan(1200);
    expect(await gzipped('export { toDate, isTrue } from "./index.js";')).toBeLessThan(200);
    for (const helper of ["formatStartDate", "eventTimes"])
      expect(await gzipped(`export { ${helper} } from "./index.js";`)).toBeLessThan(700);
    // It needs what eventTimes has: both refuse a time that exists twice.
    expect(await gzipped('export { toEventFields } from "./index.js";')).toBeLessThan(800);
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
    expect(others).toEqual(["package/LICENSE", "package/README.md", ...manifests].sort());
    const manifest = JSON.parse(readFileSync(join(folder, "package/package.json"), "utf8"));
    expect(manifest.dependencies).toEqual({ "openapi-fetch": expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    expect(JSON.stringify(manifest.exports)).not.toContain("src");
  });

  test("has no any in its types, and openapi-fetch in raw alone", () => {
    const dist = join(folder, "package/dist");
    const types = ["", "extensions/"].flatMap((below) =>
      readdirSync(join(dist, below)).flatMap((name) => (name.endsWith(".d.ts") ? [`${below}${name}`] : [])),
    );
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
    expect(found).toEqual(["raw.d.ts: openapi-fetch", "extensions/raw.d.ts: openapi-fetch"]);
  });

  test("is right for are-the-types-wrong, with moduleResolution node10 and require() too", async () => {
    const args = [packed.tarball, "--profile", "strict", "--no-color"];
    expect(await run(`${tools}/@arethetypeswrong/cli/dist/index.js`, args)).toBe("");
  });

  test("has a client of the extensions, which plain Node imports and requires, with the same errors", () => {
    const names = ["CalendarApiError", "createExtensionsClient"];
    const call = `createExtensionsClient({ baseUrl: "http://127.0.0.1:9", token: "a", retries: 0 }).events.get("1")
      .catch((error) => console.log(error instanceof CalendarApiError, error.kind));`;
    for (const [type, load] of [
      ["module", "await import"],
      ["commonjs", "require"],
    ] as const) {
      const loaded = `const { ${names.join(", ")} } = { ...${load}("@kalends/client"), ...${load}("@kalends/client/extensions") };`;
      const args = [`--input-type=${type}`, "-e", loaded + call];
      const printed = execFileSync("node", args, { cwd: packed.project, encoding: "utf8" });
      expect(printed.trim()).toBe("true network");
    }
  });
});
