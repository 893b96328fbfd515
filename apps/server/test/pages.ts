import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../../..", import.meta.url));
export const readPage = (path: string): string => readFileSync(join(repository, path), "utf8");

/** A fenced block of a page, with the heading above it. */
export interface Block {
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

export function blocksOf(page: string): readonly Block[] {
  let heading = "";
  return [...page.matchAll(/^#+ (.+)$|^ *```(\w*)\n([^]*?)^ *```$/gm)].flatMap(
    ([, title, language = "", text = ""]) => {
      if (title === undefined) return { heading, language, text };
      heading = title;
      return [];
    },
  );
}

/** The commands of a block for a terminal: each stands after "$ ", and its output below. */
export function commandsOf({
  text,
}: Block): readonly { readonly command: string; readonly output: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...output] = part.trimEnd().split("\n");
      return { command, output: output.join("\n") };
    });
}

/** Addresses of a page's links and images, without those inside blocks. */
export function linksOf(page: string): readonly string[] {
  const prose = page.replace(/^ *```[^]*?^ *```$/gm, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)|<(https?:[^>]+)>|src="([^"]+)"/g)].map(
    ([, link, address, image]) => link ?? address ?? image ?? "",
  );
}

/** The links of a page to files or headings of the repository that do not exist. */
export function brokenLinks(path: string): readonly string[] {
  return linksOf(readPage(path)).filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    if (!existsSync(join(repository, target))) return true;
    return anchor !== undefined && !anchorsOf(readPage(target)).has(anchor);
  });
}

/** Headings as GitHub names them, and the ids that a page sets itself. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set([...headings, ...[...page.matchAll(/<a id="([^"]+)"/g)].map(([, id = ""]) => id)]);
}
