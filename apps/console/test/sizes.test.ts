import { readFileSync } from "node:fs";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";

// What a browser loads at first, and all that it may load later, as `build` has made it.

const folder = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8"));
const names: readonly string[] = manifest.files;

const gzipped = (files: readonly string[]): number =>
  files.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length, 0);

const texts: readonly string[] = Object.values(manifest.texts);
const first: readonly string[] = [manifest.script, ...manifest.preload];

test("the first load is at most 60 kB of scripts, with the longest texts, and 12 kB of styles", () => {
  const longest = Math.max(...texts.map((name) => gzipped([name])));
  expect(gzipped(first) + longest).toBeLessThanOrEqual(60_000);
  expect(gzipped(names.filter((name) => name.endsWith(".css")))).toBeLessThanOrEqual(12_000);
});

test("what is loaded later is at most 110 kB together", () => {
  expect(gzipped(names.filter((name) => name.endsWith(".js") && !first.includes(name)))).toBeLessThanOrEqual(
    110_000,
  );
});

test("each file is there in two compressed forms, and names no other site", () => {
  for (const name of names) {
    const text = readFileSync(new URL(name, folder), "utf8");
    expect(text.match(/https?:\/\/(?!localhost|host\b|www\.w3\.org)[\w.-]+/g) ?? []).toEqual([]);
    expect(gunzipSync(readFileSync(new URL(`${name}.gz`, folder))).toString()).toBe(text);
    expect(brotliDecompressSync(readFileSync(new URL(`${name}.br`, folder))).toString()).toBe(text);
  }
});
