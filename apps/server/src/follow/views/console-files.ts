import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { cacheable, type Content } from "../../http/answer.js";

const require = createRequire(import.meta.url);
const isSource = extname(import.meta.url) === ".ts";

/** What apps/console/scripts/build.mjs says of its files. */
interface Manifest {
  readonly script: string;
  readonly style: string;
  /** Scripts that the first one imports. */
  readonly preload: readonly string[];
  /** Language → the script with its texts. */
  readonly texts: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

export type ConsoleFile = readonly (readonly [encoding: string, content: Content])[];

/** Returns the path of a file of the console: beside the bundle, where scripts/build.mjs copies it; in its package in development. */
function pathOf(name: string): URL | string {
  if (!isSource) return new URL(`console/${name}`, import.meta.url);
  return require
    .resolve("@kalends/console/package.json")
    .replace("package.json", name === "tokens.css" ? `src/${name}` : `dist/${name}`);
}

export function readConsole(name: string): Buffer {
  return readFileSync(pathOf(name));
}

/** Undefined when the server runs from its sources and the console is not built. */
export const consoleManifest: Manifest | undefined =
  isSource && !existsSync(pathOf("manifest.json"))
    ? undefined
    : JSON.parse(readConsole("manifest.json").toString());

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

export function consoleFiles(): ReadonlyMap<string, ConsoleFile> {
  return new Map(consoleManifest?.files.map((name) => [name, fileOf(name)]));
}

function fileOf(name: string): ConsoleFile {
  const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  const encodings = { br: ".br", gzip: ".gz", identity: "" };
  return Object.entries(encodings).map(([encoding, suffix]) => [
    encoding,
    cacheable(type, readConsole(name + suffix)),
  ]);
}
