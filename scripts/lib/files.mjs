import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./child.mjs";

/** @param {string} file from the root @returns {string} */
export function read(file) {
  return readFileSync(join(root, file), "utf8");
}

const folder = join(root, "node_modules/.cache/kalends");

/** What an earlier run noted; empty when there is nothing. @param {string} name @returns {Record<string, string | undefined>} */
export function readMemory(name) {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  } catch {
    return {};
  }
}

/** @param {string} name @param {Record<string, string | undefined>} notes */
export function writeMemory(name, notes) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(notes));
}
