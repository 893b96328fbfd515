import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { paletteColors, paletteIds } from "../../calendars/palettes.js";
import { cacheable, type Content } from "../../http/answer.js";
import { readConsole } from "./console-files.js";

/** An asset of the pages, held in memory. */
export interface StaticFile {
  readonly path: string;
  readonly content: Content;
  /** Whether other sites may load it. */
  readonly isCrossOrigin: boolean;
  readonly cacheControl: string;
}

const require = createRequire(import.meta.url);

const immutable = "public, max-age=31536000, immutable";
const oneHour = "public, max-age=3600";

const style = immutableFile(
  "style.css",
  "text/css; charset=utf-8",
  Buffer.concat([readConsole("tokens.css"), read("style.css"), Buffer.from(paletteRules())]),
);
const script = versioned("page.js", "text/javascript; charset=utf-8");
const icon = versioned("icon.svg", "image/svg+xml");
const touchIcon = versioned("icon-180.png", "image/png");
const image = versioned("share.png", "image/png");
const component = named("/assets/kalends-follow.js", "kalends-follow.js", "text/javascript; charset=utf-8");
const list = named("/assets/kalends-events.js", "kalends-events.js", "text/javascript; charset=utf-8");
const referenceScript = versioned("reference.js", "text/javascript; charset=utf-8");
const referenceStyle = versioned("reference.css", "text/css; charset=utf-8");
const referenceLibrary = fromLibrary("swagger-ui-bundle.js", "text/javascript; charset=utf-8");
const referenceLibraryStyle = fromLibrary("swagger-ui.css", "text/css; charset=utf-8");
const favicon = named("/favicon.ico", "favicon.ico", "image/x-icon");

/** Paths of the assets. All but those of the components contain a hash of the content, so browsers may cache them permanently. */
export const assets = {
  style: style.path,
  script: script.path,
  icon: icon.path,
  touchIcon: touchIcon.path,
  image: image.path,
  component: component.path,
  list: list.path,
  referenceScript: referenceScript.path,
  referenceStyle: referenceStyle.path,
  referenceLibrary: referenceLibrary.path,
  referenceLibraryStyle: referenceLibraryStyle.path,
};

const lengthOf = ({ content }: StaticFile): number =>
  content.parts.reduce((sum, part) => sum + part.length, 0);

/** Sizes of the scripts for other sites, as the embed page and docs/embed.md have them. */
export const kilobytes = {
  component: Math.round(lengthOf(component) / 1000),
  list: Math.round(lengthOf(list) / 1000),
};

export const staticFiles: readonly StaticFile[] = [
  style,
  script,
  icon,
  touchIcon,
  image,
  { ...component, isCrossOrigin: true },
  { ...list, isCrossOrigin: true },
  referenceScript,
  referenceStyle,
  referenceLibrary,
  referenceLibraryStyle,
  favicon,
  {
    path: "/robots.txt",
    // Allows everything, because calendar apps obey this file too. Pages control indexing by X-Robots-Tag.
    content: cacheable("text/plain; charset=utf-8", Buffer.from("User-agent: *\nDisallow:\n")),
    isCrossOrigin: false,
    cacheControl: oneHour,
  },
];

function versioned(name: string, type: string): StaticFile {
  return immutableFile(name, type, read(name));
}

/** A file of Swagger UI: beside the bundle, where scripts/build.mjs copies it; from its package in development. */
function fromLibrary(name: string, type: string): StaticFile {
  const isSource = extname(import.meta.url) === ".ts";
  const file = isSource
    ? require.resolve(`swagger-ui-dist/${name}`)
    : new URL(`reference/${name}`, import.meta.url);
  return immutableFile(name, type, readFileSync(file));
}

function immutableFile(name: string, type: string, bytes: Buffer): StaticFile {
  const content = cacheable(type, bytes);
  const version = content.etag.slice(1, 11);
  return {
    path: `/assets/${name.replace(".", `.${version}.`)}`,
    content,
    isCrossOrigin: false,
    cacheControl: immutable,
  };
}

function named(path: string, name: string, type: string): StaticFile {
  return { path, content: cacheable(type, read(name)), isCrossOrigin: false, cacheControl: oneHour };
}

function read(name: string): Buffer {
  return readFileSync(require.resolve(`#assets/${name}`));
}

/** Returns a class for each colour of each palette: the Content-Security-Policy forbids inline styles. */
function paletteRules(): string {
  return paletteIds()
    .flatMap((id) => paletteColors(id).map((color, index) => `.p${id}-${index + 1}{--color:#${color}}`))
    .join("\n");
}
