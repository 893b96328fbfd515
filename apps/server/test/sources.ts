import { readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export type Source = { readonly path: string; readonly text: string };

/** Returns all TypeScript files in `folder` of every package, with paths such as "apps/server/src/main.ts", except generated ones. */
export function sources(folder: "src" | "test"): readonly Source[] {
  return ["packages", "apps"]
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name, folder)))
    .flatMap((directory) => filesBelow(directory))
    .map(read)
    .filter(({ path }) => path.endsWith(".ts") && !/^packages\/client\/src\/.*schema\.d\.ts$/.test(path));
}

function read(file: string): Source {
  return { path: relative(root, file).split(sep).join("/"), text: readFileSync(file, "utf8") };
}

function filesBelow(directory: string, except: readonly string[] = []): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => !except.includes(name))
      .flatMap((entry) => {
        const path = join(directory, entry.name);
        return entry.isDirectory() ? filesBelow(path, except) : [path];
      });
  } catch {
    return []; // a package without this folder
  }
}

/** Returns all texts of the repository, also generated ones that are committed, with paths from the root. */
export function textFiles(): readonly Source[] {
  const pages = readdirSync(root).filter((name) => name.endsWith(".md"));
  const below = ["apps", "deep", "docs", "examples", "packages", "scripts", "tests"].flatMap((folder) =>
    filesBelow(join(root, folder), ["dist", "node_modules", ".turbo"]),
  );
  return [...pages.map((name) => join(root, name)), ...below]
    .filter((file) => /\.(?:json|md|mjs|ts|yaml|yml)$/.test(file))
    .map(read);
}
