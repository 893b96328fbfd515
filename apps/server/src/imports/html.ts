/** Elements that a description of a person does not have by chance. */
const element =
  /<\/?(?:a|b|blockquote|body|br|div|em|font|h[1-6]|head|html|i|li|ol|p|span|strong|table|td|tr|u|ul)(?:\s[^<>]*)?\/?>/i;

export function isHtml(text: string): boolean {
  return element.test(text);
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  hellip: "…",
  laquo: "«",
  ldquo: "“",
  lsquo: "‘",
  lt: "<",
  mdash: "—",
  nbsp: " ",
  ndash: "–",
  quot: '"',
  raquo: "»",
  rdquo: "”",
  rsquo: "’",
};

/** What an element begins and ends with; of others nothing is shown. */
const breaks: Readonly<Record<string, readonly [begin: string, end: string]>> = {
  blockquote: ["\n", "\n"],
  br: ["\n", ""],
  div: ["", "\n"],
  h1: ["\n", "\n"],
  h2: ["\n", "\n"],
  h3: ["\n", "\n"],
  h4: ["\n", "\n"],
  li: ["\n- ", ""],
  ol: ["", "\n"],
  p: ["", "\n"],
  td: ["", " "],
  tr: ["", "\n"],
  ul: ["", "\n"],
};

/** Elements whose content is not shown. */
const hidden: ReadonlySet<string> = new Set(["head", "script", "style", "title"]);

/** Where there is one of these, line breaks of the source mean nothing; else they are those of a text with a few tags, as Google has it. */
const block = /<(?:br|p|div|html|body|table|li)(?=[\s/>])/i;

/**
 * Returns the text of HTML as a page would show it: paragraphs and line breaks as lines, list items with a dash, links with their
 * addresses. It looks at each character a bounded number of times.
 */
export function htmlText(html: string): string {
  const blanks = block.test(html) ? /\s+/g : /[^\S\n]+/g;
  const pieces: string[] = [];
  let skipsTo: string | undefined;
  let link: { readonly href: string; readonly from: number } | undefined;
  for (const [token] of html.matchAll(/<[^<>]*>|[^<]+|</g)) {
    const [, slash, tag = ""] = /^<(\/?)([a-z][a-z\d]*)/i.exec(token) ?? [];
    const name = tag.toLowerCase();
    if (skipsTo !== undefined) {
      if (slash === "/" && name === skipsTo) skipsTo = undefined;
    } else if (name === "") {
      if (!/^<[!?/]/.test(token)) pieces.push(decoded(token.replaceAll(blanks, " ")));
    } else if (hidden.has(name)) {
      if (slash === "") skipsTo = name;
    } else if (name === "a" && slash === "") {
      link = { href: decoded(/\shref="([^"]*)"/i.exec(token)?.[1] ?? ""), from: pieces.length };
    } else if (name === "a" && link !== undefined) {
      pieces.push(addressOf(link.href, pieces.slice(link.from).join("")));
      link = undefined;
    } else pieces.push(breaks[name]?.[slash === "" ? 0 : 1] ?? "");
  }
  return tidied(pieces.join(""));
}

/** The address of a link, unless its text says it. */
function addressOf(href: string, text: string): string {
  const address = href.replace(/^mailto:/i, "");
  if (address === "" || (text.trim() !== "" && address.includes(text.trim()))) return "";
  return text.trim() === "" ? address : ` (${address})`;
}

function tidied(text: string): string {
  const lines = text.split("\n").map((line) => line.replaceAll(/ {2,}/g, " ").trim());
  return lines
    .filter((line, index) => line !== "" || lines[index - 1] !== "")
    .join("\n")
    .trim();
}

function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (entity, decimal: string | undefined, hexadecimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
      return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code).toWellFormed() : entity;
    },
  );
}
