import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { markColors } from "@kalends/spec";
import { paletteColors, paletteIds } from "../../calendars/palettes.js";
import { cacheable, type Content } from "../../http/answer.js";
import { accentStyle } from "./accent-style.js";

/** An asset of the pages, held in memory. */
export interface StaticFile {
  readonly path: string;
  readonly content: Content & { readonly etag: string };
  /** Whether other sites may load it. */
  readonly isCrossOrigin: boolean;
  readonly cacheControl: string;
}

const require = createRequire(import.meta.url);
const isSource = extname(import.meta.url) === ".ts";

const forEver = "public, max-age=31536000, immutable";
const css = "text/css; charset=utf-8";
const js = "text/javascript; charset=utf-8";

const styles = [readConsole("tokens.css"), read("style.css"), Buffer.from(paletteRules())];
/** All but those of the components have a hash of the content in their path, so browsers may cache them permanently. */
export const assets = {
  style: versioned("style.css", css, Buffer.concat(styles)),
  paper: versioned("paper.css", css),
  portal: versioned("portal.css", css),
  script: versioned("page.js", js),
  frameScript: versioned("frame.js", js),
  icon: versioned("icon.svg", "image/svg+xml"),
  touchIcon: versioned("icon-180.png", "image/png"),
  image: versioned("share.png", "image/png"),
  component: { ...named("/assets/kalends-follow.js", js, read("kalends-follow.js")), isCrossOrigin: true },
  list: { ...named("/assets/kalends-events.js", js, read("kalends-events.js")), isCrossOrigin: true },
  frame: { ...named("/assets/kalends-frame.js", js, read("kalends-frame.js")), isCrossOrigin: true },
  referenceScript: versioned("reference.js", js),
  referenceStyle: versioned(
    "reference.css",
    css,
    Buffer.concat([readConsole("tokens.css"), read("reference.css")]),
  ),
  referenceLibrary: versioned("swagger-ui-bundle.js", js, readLibrary("swagger-ui-bundle.js")),
  referenceLibraryStyle: versioned("swagger-ui.css", css, readLibrary("swagger-ui.css")),
};

/** Sizes of the scripts for other sites, as the embed page and docs/embed.md have them. */
export const kilobytes = { component: kilobytesOf(assets.component), list: kilobytesOf(assets.list) };

function kilobytesOf({ content: { parts } }: StaticFile): number {
  return Math.round(parts.reduce((sum, part) => sum + part.length, 0) / 1000);
}

// Allows everything, because calendar apps obey this file too. Pages control indexing by X-Robots-Tag.
const robots = Buffer.from("User-agent: *\nDisallow:\n");

export const staticFiles: readonly StaticFile[] = [
  ...Object.values(assets),
  named("/favicon.ico", "image/x-icon", read("favicon.ico")),
  named("/robots.txt", "text/plain; charset=utf-8", robots),
];

/** Returns the stylesheet of an accent; undefined when the path is another one. */
export function accentFile(path: string): StaticFile | undefined {
  const text = accentStyle(path);
  if (text === undefined) return undefined;
  return { path, content: cacheable(css, Buffer.from(text)), isCrossOrigin: false, cacheControl: forEver };
}

function versioned(name: string, type: string, bytes = read(name)): StaticFile {
  const content = cacheable(type, bytes);
  const version = content.etag.slice(1, 11);
  const path = `/assets/${name.replace(".", `.${version}.`)}`;
  return { path, content, isCrossOrigin: false, cacheControl: forEver };
}

function named(path: string, type: string, bytes: Buffer): StaticFile {
  return {
    path,
    content: cacheable(type, bytes),
    isCrossOrigin: false,
    cacheControl: "public, max-age=3600",
  };
}

function read(name: string): Buffer {
  return readFileSync(require.resolve(`#assets/${name}`));
}

/** Reads a file of Swagger UI: beside the bundle, where scripts/build.mjs copies it; from its package in development. */
function readLibrary(name: string): Buffer {
  const bundled = new URL(`reference/${name}`, import.meta.url);
  return readFileSync(isSource ? require.resolve(`swagger-ui-dist/${name}`) : bundled);
}

/** Returns a class for each colour of each palette, as the console has it: the Content-Security-Policy forbids inline styles. */
function paletteRules(): string {
  const rules = (scheme: "light" | "dark"): string =>
    paletteIds()
      .flatMap((id) =>
        paletteColors(id).map(
          (color, index) => `.p${id}-${index + 1}{--color:${markColors(`#${color}`)[scheme]}}`,
        ),
      )
      .join("\n");
  return `${rules("light")}\n@media screen and (prefers-color-scheme: dark){\n${rules("dark")}\n}`;
}

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

/** Undefined when the server runs from its sources and the console is not built. */
export const consoleManifest: Manifest | undefined =
  isSource && !existsSync(consolePath("manifest.json"))
    ? undefined
    : JSON.parse(readConsole("manifest.json").toString());

/** Returns the path of a file of the console: beside the bundle, where scripts/build.mjs copies it; in its package in development. */
function consolePath(name: string): URL | string {
  if (!isSource) return new URL(`console/${name}`, import.meta.url);
  return require
    .resolve("@kalends/console/package.json")
    .replace("package.json", name === "tokens.css" ? `src/${name}` : `dist/${name}`);
}

function readConsole(name: string): Buffer {
  return readFileSync(consolePath(name));
}

export type ConsoleFile = readonly (readonly [encoding: string, content: Content])[];

/** Returns the console's files by name, each in its encodings, the best first. */
export function consoleFiles(): ReadonlyMap<string, ConsoleFile> {
  return new Map(consoleManifest?.files.map((name) => [name, consoleFile(name)]));
}

function consoleFile(name: string): ConsoleFile {
  const type = { ".js": js, ".css": css }[extname(name)] ?? "application/octet-stream";
  const encodings = { br: ".br", gzip: ".gz", identity: "" };
  return Object.entries(encodings).map(([encoding, suffix]) => [
    encoding,
    cacheable(type, readConsole(name + suffix)),
  ]);
}
