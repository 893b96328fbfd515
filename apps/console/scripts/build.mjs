// Writes dist/: the files that a browser loads, each named by its content and compressed beside itself, and manifest.json, by which the
// server finds them. Types are looked at by `types`, not here.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";

const folder = fileURLToPath(new URL("..", import.meta.url));
const languages = ["en", "de", "fr", "es"];

const { outputFiles, metafile } = await build({
  absWorkingDir: folder,
  entryPoints: { console: "src/main.tsx", style: "src/style.css" },
  outdir: "dist",
  entryNames: "[name].[hash]",
  chunkNames: "[name].[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "browser",
  target: ["es2022", "chrome111", "firefox113", "safari16.4"],
  jsx: "automatic",
  jsxImportSource: "preact",
  conditions: ["@kalends/source"],
  minify: true,
  metafile: true,
  write: false,
  logLevel: "warning",
});

/** Name of an output → what esbuild knows of it. @type {Map<string, import("esbuild").Metafile["outputs"][string]>} */
const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));

/** @param {string} source @returns {string} the output that has this file as its entry */
function outputOf(source) {
  for (const [name, { entryPoint }] of outputs) if (entryPoint === source) return name;
  throw new Error(`${source} has no file of its own`);
}

/** What a file needs at once, itself included. @param {string} name @returns {string[]} */
function neededBy(name) {
  const imports = outputs.get(name)?.imports.filter(({ kind }) => kind === "import-statement") ?? [];
  return [...new Set([name, ...imports.flatMap(({ path }) => neededBy(basename(path)))])];
}

rmSync(join(folder, "dist"), { recursive: true, force: true });
mkdirSync(join(folder, "dist"));
for (const { path, contents } of outputFiles) {
  const file = join(folder, "dist", basename(path));
  writeFileSync(file, contents);
  writeFileSync(`${file}.br`, brotliCompressSync(contents));
  writeFileSync(`${file}.gz`, gzipSync(contents, { level: 9 }));
}

const script = outputOf("src/main.tsx");
const manifest = {
  script,
  style: outputOf("src/style.css"),
  preload: neededBy(script).slice(1),
  texts: Object.fromEntries(languages.map((language) => [language, outputOf(`src/texts/${language}.ts`)])),
  files: outputFiles.map(({ path }) => basename(path)),
};
writeFileSync(join(folder, "dist/manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);

// The licences of what is bundled, which the browser's files do not hold.
const { resolve } = createRequire(import.meta.url);
const licences = ["preact", "@tanstack/query-core"].map((name) => {
  const file = join(dirname(resolve(`${name}/package.json`)), "LICENSE");
  return `${name}\n\n${readFileSync(file, "utf8").trim()}\n`;
});
writeFileSync(join(folder, "dist/LICENSES.txt"), licences.join("\n\n"));
