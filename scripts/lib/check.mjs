// What CI looks at besides the tests. The quick questions come first, and the first failure ends it; the slow ones are asked
// together.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail, root } from "./child.mjs";
import { read } from "./files.mjs";
import { install, packages, tool } from "./workspace.mjs";

/** Written by `npm run emit`, and committed; the rest is in .gitignore. */
const printed = [
  "packages/spec/openapi.json",
  "packages/spec/openapi.yaml",
  "packages/spec/openapi-kalends.json",
  "docs/errors.md",
  "docs/cli.md",
];

/** What the import rules are about; dependency-cruiser expands the patterns. */
const sources = ["apps/*/src", "packages/*/src", "packages/*/test", "examples/*/src"];

/** @returns {Promise<number>} */
export async function check() {
  versions();
  await install();
  await freshness();
  const quiet = { quiet: true };
  const steps = [
    step(
      "Types and documents",
      tool("turbo", ["run", "types", "lint", "--output-logs=errors-only"], quiet),
      "Fix what is named above.",
    ),
    step(
      "Lint",
      tool("oxlint", ["--deny-warnings", "--ignore-pattern", "deep/**"], quiet),
      "Fix what is named above; some of it by: npm run pnpm -- oxlint --fix",
    ),
    step(
      "Imports",
      tool(
        "depcruise",
        ["--config", ".dependency-cruiser.mjs", "--output-type", "err-long", ...sources],
        quiet,
      ),
      "Each rule is in .dependency-cruiser.mjs, with its reason.",
    ),
    step("Format", tool("oxfmt", ["--check", "."], quiet), "Run: npm run format"),
  ];
  for (const advice of await Promise.all(steps)) if (advice !== undefined) fail(...advice);
  console.log("check: all good");
  return 0;
}

/**
 * @param {string} name
 * @param {Promise<number>} running its exit code
 * @param {string} advice
 * @returns {Promise<[string, string] | undefined>} what to say when it failed
 */
async function step(name, running, advice) {
  if ((await running) !== 0) return [`${name}: failed.`, advice];
  console.log(`${name}: ok`);
  return undefined;
}

/** The lock files name no addresses, and each dependency has one exact version, in the catalog or in deep/package.json. */
function versions() {
  for (const file of ["pnpm-lock.yaml", "deep/pnpm-lock.yaml"]) {
    if (!/https?:\/\/|tarball:/.test(read(file))) continue;
    fail(
      `${file} holds an address.`,
      "Versions and hashes only: undo the change, and add the package by its name.",
    );
  }
  const catalogs =
    read("pnpm-workspace.yaml")
      .match(/^catalogs?:\n(?:(?: .*)?\n)+/gm)
      ?.join("") ?? "";
  const ranges = [...catalogs.matchAll(/^ +(\S+): +(\S+)$/gm)].filter(
    ([, , version]) => !/^(npm:\S+@)?\d+\.\d+\.\d+/.test(version ?? ""),
  );
  for (const [, name, version] of ranges)
    fail(`The catalog has ${name}: ${version}.`, "Name one exact version in pnpm-workspace.yaml.");
  for (const folder of [".", ...packages]) {
    const { dependencies, devDependencies } = JSON.parse(read(`${folder}/package.json`));
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (/^(catalog|workspace):/.test(String(version))) continue;
      fail(
        `${folder}/package.json has ${name}: ${version}.`,
        `Write "catalog:" there and the version in pnpm-workspace.yaml.`,
      );
    }
  }
  const inCatalog = new Map(
    [...catalogs.matchAll(/^ +"?([^\s":]+)"?: +(\S+)$/gm)].map(([, name, version]) => [name, version]),
  );
  for (const [name, version] of Object.entries(JSON.parse(read("deep/package.json")).devDependencies)) {
    const known = inCatalog.get(name) ?? version;
    if (/^(?:link:\.\.\/|(?:npm:\S+@)?\d+\.\d+\.\d+)/.test(String(version)) && known === version) continue;
    fail(
      `deep/package.json has ${name}: ${version}.`,
      `Write one exact version there, that of the catalog: ${known}.`,
    );
  }
  console.log("Versions: ok");
}

/** Prints the documents again and compares. New text is left in place, to be looked at and committed. */
async function freshness() {
  const before = printed.map(hash);
  if ((await tool("turbo", ["run", "emit", "--output-logs=errors-only"], { quiet: true })) !== 0)
    fail("Emit: failed.", "Fix what is named above.");
  const stale = printed.filter((file, index) => hash(file) !== before[index]);
  if (stale.length > 0)
    fail(`Not fresh: ${stale.join(", ")}`, "Run npm run emit, read the difference, and commit it.");
  console.log("Printed files: ok");
}

/** @param {string} file */
function hash(file) {
  return existsSync(join(root, file)) ? createHash("sha256").update(read(file)).digest("hex") : "missing";
}
