import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { paletteColors, paletteIds } from "../../calendars/palettes.js";
import { type Cacheable, cacheable } from "../../http/answer.js";

/** A file that pages need, kept in memory. */
export interface StaticFile {
  readonly path: string;
  readonly content: Cacheable;
  /** Whether pages of other sites may load it. */
  readonly isForOthers: boolean;
  readonly cacheControl: string;
}

const require = createRequire(import.meta.url);

const forever = "public, max-age=31536000, immutable";
const anHour = "public, max-age=3600";

const style = versioned("style.css", "text/css; charset=utf-8", paletteRules());
const script = versioned("page.js", "text/javascript; charset=utf-8");
const icon = versioned("icon.svg", "image/svg+xml");
const touchIcon = versioned("icon-180.png", "image/png");
const image = versioned("share.png", "image/png");
const component = named("/assets/kalends-follow.js", "kalends-follow.js", "text/javascript; charset=utf-8");
const favicon = named("/favicon.ico", "favicon.ico", "image/x-icon");

/** Addresses for the pages. All but the component's change with the content, which may so be kept for ever. */
export const assets = {
  style: style.path,
  script: script.path,
  icon: icon.path,
  touchIcon: touchIcon.path,
  image: image.path,
  component: component.path,
};

export const staticFiles: readonly StaticFile[] = [
  style,
  script,
  icon,
  touchIcon,
  image,
  { ...component, isForOthers: true },
  favicon,
  {
    path: "/robots.txt",
    // Everything may be fetched: calendar apps obey this file too. Pages say themselves whether they may be listed.
    content: cacheable("text/plain; charset=utf-8", Buffer.from("User-agent: *\nDisallow:\n")),
    isForOthers: false,
    cacheControl: anHour,
  },
];

function versioned(name: string, type: string, more = ""): StaticFile {
  const content = cacheable(type, Buffer.concat([read(name), Buffer.from(more)]));
  const version = content.etag.slice(1, 11);
  return {
    path: `/assets/${name.replace(".", `.${version}.`)}`,
    content,
    isForOthers: false,
    cacheControl: forever,
  };
}

function named(path: string, name: string, type: string): StaticFile {
  return { path, content: cacheable(type, read(name)), isForOthers: false, cacheControl: anHour };
}

function read(name: string): Buffer {
  return readFileSync(require.resolve(`#assets/${name}`));
}

/** A class for each colour of each palette: no style stands in the markup (Content-Security-Policy). */
function paletteRules(): string {
  return paletteIds()
    .flatMap((id) => paletteColors(id).map((color, index) => `.p${id}-${index + 1}{--color:#${color}}`))
    .join("\n");
}
