import { describe, expect, test } from "vitest";
import { problemsOf } from "../scripts/problems.js";

const manifest = {
  name: "@kalends/sample",
  version: "1.2.0",
  license: "MIT",
  homepage: "https://github.com/kalends/kalends/tree/main/packages/sample#readme",
  bugs: "https://github.com/kalends/kalends/issues",
  repository: {
    type: "git",
    url: "git+https://github.com/kalends/kalends.git",
    directory: "packages/sample",
  },
  bin: { sample: "./dist/cli.js" },
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
  dependencies: { "@kalends/spec": "1.2.0", zod: "4.6.7" },
};
const files = {
  "package.json": JSON.stringify(manifest),
  "README.md": "# Sample",
  LICENSE: "MIT",
  "CHANGELOG.md": "# @kalends/sample\n\n## 1.2.0\n\n- News.\n",
  "dist/index.js": "export {};",
  "dist/index.d.ts": "export {};",
  "dist/cli.js": "#!/usr/bin/env node",
};

function problems(change: Readonly<Record<string, string | undefined>>): readonly string[] {
  const packed = Object.entries({ ...files, ...change }).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, text] as const],
  );
  return problemsOf(new Map(packed), {
    name: "@kalends/sample",
    version: "1.2.0",
    folder: "packages/sample",
    released: ["@kalends/sample", "@kalends/spec"],
    buildFolders: ["/builds/kalends"],
  });
}

const changed = (change: object): Readonly<Record<string, string>> => ({
  "package.json": JSON.stringify({ ...manifest, ...change }),
});

describe("of a packed package", () => {
  test("nothing is wrong with a good one", () => {
    expect(problems({})).toEqual([]);
  });

  test.each([
    ["a missing licence", { LICENSE: undefined }, "LICENSE is missing or empty"],
    ["an empty README", { "README.md": "\n" }, "README.md is missing or empty"],
    ["a changelog without this version", { "CHANGELOG.md": "## 1.1.0" }, "CHANGELOG.md has no section 1.2.0"],
    ["a test", { "dist/index.test.js": "" }, "dist/index.test.js is no file for users"],
    ["a folder of tests", { "test/a.js": "" }, "test/a.js is no file for users"],
    ["a source", { "src/index.ts": "" }, "src/index.ts is no file for users"],
    ["a configuration", { "tsconfig.build.json": "{}" }, "tsconfig.build.json is no file for users"],
    ["a hidden file", { ".npmrc": "" }, ".npmrc is no file for users"],
    ["a home folder", { "dist/index.js": '"/home/ada/x"' }, "dist/index.js contains an absolute path"],
    ["its build folder", { "dist/index.js": "/builds/kalends/x" }, "dist/index.js contains an absolute path"],
    ["a missing file of exports", { "dist/index.d.ts": undefined }, "package.json names ./dist/index.d.ts"],
    ["a missing command", { "dist/cli.js": undefined }, "package.json names ./dist/cli.js"],
    ["no exports", changed({ exports: undefined, bin: undefined }), "nothing is exported"],
    ["another version", changed({ version: "1.1.9" }), "the version must be 1.2.0"],
    ["a private package", changed({ private: true }), "private must not be set"],
    ["another repository", changed({ repository: { url: "x" } }), "repository must name the repository"],
    ["no address for bugs", changed({ bugs: undefined }), "bugs must lead to the issues"],
    ["no homepage", changed({ homepage: undefined }), "homepage must lead to its folder"],
    ["an install script", changed({ scripts: { postinstall: "x" } }), "no script may run"],
    ["an older package", changed({ dependencies: { "@kalends/spec": "1.1.0" } }), "spec 1.1.0, not on 1.2.0"],
    [
      "a range of ours",
      changed({ dependencies: { "@kalends/spec": "^1.2.0" } }),
      "spec ^1.2.0, not on 1.2.0",
    ],
    ["a range", changed({ dependencies: { zod: "^4.0.0" } }), "zod ^4.0.0, which is no exact version"],
    ["a workspace version", changed({ devDependencies: { a: "workspace:*" } }), "only this repository knows"],
  ])("%s is reported", (_title, change, problem) => {
    const found = problems(change);
    expect(found).toEqual([expect.stringContaining(problem)]);
    expect(found[0]).toMatch(/^@kalends\/sample: /);
  });
});
