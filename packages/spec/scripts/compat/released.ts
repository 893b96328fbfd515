import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Versioned } from "./gate.js";
import { isJson, type Json, member } from "./json.js";

export const releasedFolder = fileURLToPath(new URL("../../openapi/released/", import.meta.url));
export const sumsFile = `${releasedFolder}SHA256SUMS`;

/** Every released document, oldest first. */
export function releasedDocuments(): readonly Versioned[] {
  return readdirSync(releasedFolder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => ({
      version: name.replace(/\.json$/, ""),
      document: readJson(`${releasedFolder}${name}`),
    }));
}

/** Whether each released file is the one that was released: SHA256SUMS lists them all. */
export function alteredReleases(): readonly string[] {
  const sums = readFileSync(sumsFile, "utf8").trimEnd().split("\n");
  const listed = new Map(
    sums.map((line) => {
      const [sum = "", name = ""] = line.split("  ");
      return [name, sum];
    }),
  );
  const names = readdirSync(releasedFolder).filter((name) => name.endsWith(".json"));
  const problems = names.flatMap((name) => {
    const { version } = member(readJson(`${releasedFolder}${name}`), "info");
    if (`${String(version)}.json` !== name)
      return [`openapi/released/${name} says version ${String(version)}.`];
    if (listed.get(name) === sha256(readFileSync(`${releasedFolder}${name}`))) return [];
    return [`openapi/released/${name} is not what SHA256SUMS lists: a released document is never edited.`];
  });
  const gone = [...listed.keys()].filter((name) => !names.includes(name));
  return [
    ...problems,
    ...gone.map((name) => `openapi/released/${name} is gone: each released document is kept.`),
  ];
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

export function readJson(path: string): Json {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!isJson(value)) throw new Error(`${path} is not a JSON object.`);
  return value;
}
