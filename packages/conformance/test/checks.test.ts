import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clauses, rulings } from "../src/clauses.js";
import type { ChecksFile } from "../src/engine/check.js";
import { coverage, listChecks } from "../src/index.js";

const checks = listChecks();

test("there are at least 480 checks, and most of them are required", () => {
  expect(checks.length).toBeGreaterThanOrEqual(480);
  const required = checks.filter(({ level }) => level === "required");
  expect(required.length).toBeGreaterThan(checks.length / 2);
});

test("ids are unique, dotted and without capitals except in names of operations", () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  for (const { id } of checks)
    expect(id).toMatch(/^[a-z]+(\.[a-z0-9]+(-[a-z0-9]+)*)*\.([a-z0-9]+(-[a-z0-9]+)*|[a-z]+[A-Za-z]+)$/);
});

test("a check is in the file of a section, or of a chapter of rulings, that it covers", async () => {
  const folder = new URL("../src/checks/", import.meta.url);
  const files = readdirSync(folder).filter((name) => /^(\d|R|X)/.test(name));
  const lines = coverage();
  const clausesOf = (id: string): readonly string[] =>
    lines.flatMap(({ clause, checks: ids }) => (ids.includes(id) ? [clause] : []));
  const found: string[] = [];
  const astray: string[] = [];
  for (const name of files) {
    const home = clauseOf(name.split("-")[0] ?? "");
    const { checks: own }: ChecksFile = await import(new URL(name, folder).href);
    for (const { id } of own) {
      found.push(id);
      if (!clausesOf(id).some((clause) => isAt(clause, home))) astray.push(`${id} in ${name}`);
    }
  }
  expect(astray).toEqual([]);
  const others = checks.filter(({ profile }) => profile !== "schemas").map(({ id }) => id);
  expect(found.toSorted()).toEqual(others.toSorted());
});

function clauseOf(home: string): string {
  if (home.startsWith("X")) return `docs/extensions.md#${home.toLowerCase()}`;
  return home.startsWith("R") ? `docs/rulings.md#${home.toLowerCase()}.` : `docs/contract.md#${home}`;
}

function isAt(clause: string, home: string): boolean {
  const chapter = home.endsWith(".") ? home : /#\d$/.test(home) ? `${home}.` : undefined;
  return clause === home || (chapter !== undefined && clause.startsWith(chapter));
}

test("titles are short, unique and state a guarantee: no should, no must, no full stop", () => {
  expect(new Set(checks.map(({ title, profile }) => `${profile} ${title}`)).size).toBe(checks.length);
  for (const { title } of checks) {
    expect(title.length).toBeLessThanOrEqual(100);
    expect(title).not.toMatch(/\b(should|must|correctly|properly|works)\b|\.$/i);
  }
});

test("every sentence of the contract and every ruling that HTTP shows is held by a check", () => {
  const open = coverage().filter(
    ({ checks: holding, notTestable }) => holding.length === 0 && notTestable === undefined,
  );
  expect(open).toEqual([]);
  expect(Object.keys(clauses).length).toBeGreaterThan(120);
  expect(
    checks
      .filter(({ sentence }) => sentence === "")
      .map(({ id, clause }) => `${id}: no sentence of ${clause}`),
  ).toEqual([]);
});

test("required checks rest on the contract, checks of rulings are recommended", () => {
  for (const { id, level, clause } of checks) {
    expect(clause, id).toMatch(
      /^docs\/(contract\.md#[1-9](\.[0-9]+)?|rulings\.md#r[1-6]\.[0-9]+|extensions\.md#x[1-9]\.[0-9])$/,
    );
    if (level === "required") expect(clause, id).toMatch(/^docs\/(contract|extensions)\.md#/);
    expect(clause.startsWith("docs/extensions.md#"), id).toBe(id.startsWith("extensions."));
  }
});

/** The text of a page as a reader sees it: without the marks of Markdown, one blank between words. */
function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/`|\*\*|\b_|_\b/g, "")
    .replaceAll(/[ \t]*\|[ \t]*/g, " | ")
    .replaceAll(/\s+/g, " ");
}

/** The text at each anchor of a page, up to the next one. */
function sectionsOf(page: string): ReadonlyMap<string, string> {
  const markdown = readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8");
  const [, ...parts] = markdown.split(/<a id="([^"]+)"><\/a>/);
  return new Map(
    parts.flatMap((name, index) => (index % 2 === 0 ? [[name, plain(parts[index + 1] ?? "")]] : [])),
  );
}

test("each sentence stands at its place, or before the sections of its chapter", () => {
  const pages = new Map<string, ReadonlyMap<string, string>>();
  for (const { clause, sentence } of coverage()) {
    const [page = "", anchor = ""] = clause.split("#");
    const sections = pages.get(page) ?? sectionsOf(page);
    pages.set(page, sections);
    const places = [anchor, anchor.split(".")[0] ?? ""].map((name) => sections.get(name) ?? "");
    const found = places.some((text) => text.includes(sentence));
    expect(found ? "" : `${clause}: ${sentence}`).toBe("");
  }
  expect(pages.size).toBe(3);
});

test("a required check rests on no sentence that leaves something open, and on no ruling", () => {
  const open = coverage().filter(
    ({ clause, sentence }) => /left open|not part of/i.test(sentence) || clause.startsWith("docs/rulings.md"),
  );
  const isRequired = new Set(checks.filter(({ level }) => level === "required").map(({ id }) => id));
  expect(
    open.flatMap(({ clause, checks: ids }) =>
      ids.filter((id) => isRequired.has(id)).map((id) => `${id}: ${clause}`),
    ),
  ).toEqual([]);
});

test("docs/rulings.md names beside each ruling the checks that hold it", () => {
  const page = readFileSync(new URL("../../../docs/rulings.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| (R[0-9]+\.[0-9]+) .*\| *([^|]*?) *\|$/gm)];
  const named = Object.fromEntries(
    rows.map(([, ruling = "", ids = ""]) => [ruling, ids.match(/[\w.-]+/g) ?? []]),
  );
  const holding = coverage().map(
    ({ clause, checks: ids }) => [clause.replace("docs/rulings.md#r", "R"), ids] as const,
  );
  const wanted = new Map(holding.filter(([ruling]) => ruling in rulings));
  expect(wanted.size).toBe(Object.keys(rulings).length);
  expect(named).toEqual(
    Object.fromEntries(Object.keys(named).map((ruling) => [ruling, wanted.get(ruling) ?? []])),
  );
  expect(Object.keys(named)).toEqual(expect.arrayContaining([...wanted.keys()]));
});
