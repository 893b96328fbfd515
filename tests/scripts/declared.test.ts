import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

// turbo replays the result of a test until its package, or one that it declares, changes.

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = [
  ...["apps", "packages", "examples"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  ),
  "tests",
].filter((folder) => readdirSync(join(root, folder)).includes("package.json"));
const manifests = folders.map((folder) => {
  const { name, dependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  );
  return { folder, name: String(name), declares: Object.keys({ ...dependencies, ...devDependencies }) };
});

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(node_modules|dist|\..*)$/.test(entry.name) ? [] : sourcesOf(path);
    return path.endsWith(".ts") ? [path] : [];
  });
}

/** The package that an import of a file is of: by its name, or by the path to its folder. */
function packageOf(imported: string, file: string): string | undefined {
  const path = `${relative(root, join(root, dirname(file), imported))}/`;
  return manifests.find(
    ({ name, folder }) =>
      `${imported}/`.startsWith(`${name}/`) || (imported.startsWith("../") && path.startsWith(`${folder}/`)),
  )?.name;
}

test.each(manifests)("$name declares each package that its files import", ({ folder, name, declares }) => {
  const imports = /^[^"'`\n]*(?:from |import |import\(|resolve\(|new URL\()"([^"\n]+)"/gm;
  const undeclared = sourcesOf(folder).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(imports)]
      .map(([, imported = ""]) => packageOf(imported, file))
      .filter((used) => used !== undefined && used !== name && !declares.includes(used))
      .map((used) => `${file}: ${used}`),
  );
  expect(undeclared).toEqual([]);
});
