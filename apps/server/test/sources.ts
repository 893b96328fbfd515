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
    .map((file) => ({ path: relative(root, file).split(sep).join("/"), text: readFileSync(file, "utf8") }))
    .filter(({ path }) => path.endsWith(".ts") && path !== "packages/client/src/schema.d.ts");
}

function filesBelow(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(directory, entry.name)) : [join(directory, entry.name)],
    );
  } catch {
    return []; // a package without this folder
  }
}
