import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { at, type GatedDocument } from "./documents.js";
import { isJson, type Json, member } from "./json.js";

export interface Versioned {
  readonly version: string;
  readonly document: Json;
}

const sums = "SHA256SUMS";

/** Every released document, oldest first. */
export function releasedDocuments({ released }: GatedDocument): readonly Versioned[] {
  return names(released).map((name) => ({
    version: name.replace(/\.json$/, ""),
    document: readJson(at(`${released}${name}`)),
  }));
}

/** Whether each released file is the one that was released: SHA256SUMS lists them all. */
export function alteredReleases({ released }: GatedDocument): readonly string[] {
  const lines = readFileSync(at(`${released}${sums}`), "utf8").split("\n");
  const listed = new Map(
    lines.flatMap((line) => {
      const [sum = "", name] = line.split("  ");
      return name === undefined ? [] : [[name, sum]];
    }),
  );
  const kept = names(released);
  const problems = kept.flatMap((name) => {
    const version = versionOf(readJson(at(`${released}${name}`)));
    if (`${version}.json` !== name) return [`${released}${name} says version ${version}.`];
    if (listed.get(name) === sha256(readFileSync(at(`${released}${name}`)))) return [];
    return [`${released}${name} is not what SHA256SUMS lists: a released document is never edited.`];
  });
  const gone = [...listed.keys()].filter((name) => !kept.includes(name));
  return [...problems, ...gone.map((name) => `${released}${name} is gone: each released document is kept.`)];
}

/**
 * Keeps the printed document as a released version, `<version>.json` and its line in SHA256SUMS. Returns its path.
 * @returns undefined when the version is released already
 */
export function release({ file, released }: GatedDocument): string | undefined {
  const name = `${versionOf(readJson(at(file)))}.json`;
  if (existsSync(at(`${released}${name}`))) return undefined;
  const bytes = readFileSync(at(file));
  writeFileSync(at(`${released}${name}`), bytes);
  appendFileSync(at(`${released}${sums}`), `${sha256(bytes)}  ${name}\n`);
  return `${released}${name}`;
}

function names(folder: string): readonly string[] {
  return readdirSync(at(folder)).filter((name) => name.endsWith(".json"));
}

export function versionOf(document: Json): string {
  return String(member(document, "info")["version"]);
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

export function readJson(path: string): Json {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!isJson(value)) throw new Error(`${path} is not a JSON object.`);
  return value;
}
