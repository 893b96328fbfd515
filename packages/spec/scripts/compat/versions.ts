import { isDeepStrictEqual } from "node:util";
import { breakingChanges, type Change } from "./changes.js";
import { isJson, type Json, wordless } from "./json.js";

/** How much a change of the document raises its version: words, additions, what breaks someone. */
export type Level = "none" | "patch" | "minor" | "major";

/** @param breaking the breaking changes between the two, when they are known already */
export function levelOf(before: Json, after: Json, breaking?: readonly Change[]): Level {
  if (isDeepStrictEqual(unversioned(before), unversioned(after))) return "none";
  if (isDeepStrictEqual(bare(before), bare(after))) return "patch";
  return (breaking ?? breakingChanges(before, after)).length > 0 ? "major" : "minor";
}

/** The least version that a change of this level may have. */
export function raised(version: string, level: Level): string {
  const [major, minor, patch] = numbers(version);
  if (level === "none") return version;
  if (level === "patch") return `${major}.${minor}.${patch + 1}`;
  return level === "minor" ? `${major}.${minor + 1}.0` : `${major + 1}.0.0`;
}

export function compareVersions(a: string, b: string): number {
  const [first, second] = [numbers(a), numbers(b)];
  return first[0] - second[0] || first[1] - second[1] || first[2] - second[2];
}

function numbers(version: string): readonly [major: number, minor: number, patch: number] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
  if (patch === undefined) throw new Error(`${version} is not a version such as 1.2.3.`);
  return [Number(major), Number(minor), Number(patch)];
}

function unversioned(document: Json): Json {
  const { info, ...rest } = document;
  const { version: _version, ...words } = isJson(info) ? info : {};
  return { ...rest, info: words };
}

/** The document without what is only read by people. */
function bare(document: Json): unknown {
  const { info: _words, ...rest } = document;
  return wordless(rest);
}
