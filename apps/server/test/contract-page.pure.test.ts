import { readFileSync } from "node:fs";
import { contractIds, operations, type Operation } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import { citationsIn } from "./citations.js";
import { textFiles } from "./sources.js";

const page = (name: string): string =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
const contract = page("contract.md");
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
/** Of a page, as GitHub names its headings in links. */
const headingsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .replaceAll(/<[^>]*>/g, "")
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
const pages = ["contract", "rulings", "extensions"];
const anchors = pages.flatMap((name) => anchorsOf(page(`${name}.md`)));

describe("numbers of docs/contract.md, docs/rulings.md and docs/extensions.md", () => {
  const missing = (path: string, text: string): readonly string[] =>
    citationsIn(path, text).filter((number) => !anchors.includes(number.toLowerCase()));

  test("have an anchor for each number that the repository cites", () => {
    const files = textFiles().filter(({ path }) => path !== "apps/server/test/contract-page.pure.test.ts");
    const cited = files.flatMap(({ path, text }) => citationsIn(path, text));
    expect(cited.length).toBeGreaterThan(500);
    expect(new Set(cited).size).toBeGreaterThan(60);
    expect(
      files.flatMap(({ path, text }) => missing(path, text).map((number) => `${path}: ${number}`)),
    ).toEqual([]);
  });

  test.each([
    ["a.ts", "// contract 4.93", ["4.93"]],
    ["a.ts", "(contract 4.9 and 4.19, rulings R4.2, R7.1)", ["4.19", "R7.1"]],
    ["a.md", "[4.7](docs/contract.md#4.77)", ["4.77"]],
    ["a.ts", 'section: "4.20"', ["4.20"]],
    ["a.ts", "(RFC 5545 3.3.5) 1.2.3 rulings R8", ["R8"]],
    ["a.ts", "// extensions X2.1, X2.9 and X10.1; a fault X8, extensions X9.9", ["X2.9", "X10.1", "X9.9"]],
    ["a.md", "[X4.2](extensions.md#x4.2), [X4.9](extensions.md#x4.2)", ["X4.9"]],
    ["packages/conformance/src/a.ts", '["2.9 page", "4.5 order_by"]', ["2.9"]],
    ["docs/wire-format.md", "| 2.3 (2.1, 4.21) |", ["4.21"]],
  ])("lack made-up numbers: in %s %s", (path, text, numbers) => {
    expect(missing(path, text)).toEqual(numbers);
  });

  test("have each anchor once, and the rulings as many as their table of tests", () => {
    expect(new Set(anchors).size).toBe(anchors.length);
    const rulings = anchorsOf(page("rulings.md")).filter((id) => /^r\d\.\d+$/.test(id));
    const rows = page("rulings.md").match(/^\| R\d\.\d+(?= )/gm) ?? [];
    expect(rows.map((row) => row.slice(2).toLowerCase())).toEqual(rulings);
  });

  test("of the extensions are those of their table, and code cites each", () => {
    const rules = anchors.filter((id) => /^x\d/.test(id));
    const [, table = ""] = page("extensions.md").split("\n## The rules by number\n");
    const listed = [...table.matchAll(/\(#(x\d+\.\d)\)|<a id="(x\d+)">/g)].map(
      ([, rule, group]) => rule ?? group,
    );
    expect(listed.toSorted()).toEqual(rules.toSorted());
    const cited = textFiles()
      .filter(({ path }) => /\/src\/.*\.ts$/.test(path))
      .flatMap(({ path, text }) => citationsIn(path, text).map((number) => number.toLowerCase()));
    expect(rules.filter((rule) => rule.includes(".") && !cited.includes(rule))).toEqual([]);
  });

  test("have an anchor for each link, from any page", () => {
    const targets = pages.flatMap((name) => {
      const text = page(`${name}.md`);
      return [...anchorsOf(text), ...headingsOf(text)].map((id) => `${name}#${id}`);
    });
    const links = textFiles()
      .filter(({ path }) => path.endsWith(".md"))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/\]\((?:[\w./-]*?(contract|rulings|extensions)\.md)?#([\w.-]+)\)/g)].flatMap(
          ([, target = /^docs\/(contract|rulings|extensions)\.md$/.exec(path)?.[1], id = ""]) =>
            target === undefined ? [] : [`${path}: ${target}#${id}`],
        ),
      );
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !targets.includes(link.replace(/^.*: /, "")))).toEqual([]);
  });
});

describe("docs/contract.md describes what the spec declares:", () => {
  /** The rows of the tables of a section whose first column has this title. */
  const rows = (section: string, title: string): readonly (readonly string[])[] => {
    const [, text = ""] = contract.split(`<a id="${section}"></a>`);
    const [own = ""] = text.split(/\n#{2,3} /);
    const tables = own
      .trim()
      .split("\n\n")
      .filter((part) => part.startsWith(`| ${title} `));
    return tables.flatMap((table) =>
      table
        .split("\n")
        .slice(2)
        .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", ""))),
    );
  };

  test.each(contractIds)("the parameters and the path of %s", (id) => {
    const op: Operation = operations[id];
    const { section, path, params } = op;
    const declared = Object.entries(params.shape).map(
      ([name, schema]) => `${name} ${schema.safeParse(undefined).success ? "no" : "yes"}`,
    );
    const described = rows(section, "Parameter").map(([, name, mandatory]) => `${name} ${mandatory}`);
    expect(described.toSorted()).toEqual(declared.toSorted());
    expect(contract).toContain(`\`${path}\``);
  });

  test("no path of an operation that the spec lacks", () => {
    const paths = contractIds.map((id) => operations[id].path);
    const described = contract.match(/(?<=`)\/api\/v1\/[a-z/]+(?=`)/g) ?? [];
    expect(new Set(described)).toEqual(new Set(paths));
  });

  const { createCalendar, listEvents, getSubscriber, listTimeZones } = operations;
  test.each([
    ["2.3", createCalendar.payload.shape.calendar],
    ["2.4", listEvents.payload.shape.events.element],
    ["2.5", getSubscriber.payload.shape.subscribers.element],
    ["2.6", listTimeZones.payload.shape.data.element],
    ["2.2", listEvents.payload.shape.paging],
  ])("the fields of section %s, and their types", (section, schema) => {
    const declared = Object.entries(schema.shape).map(
      ([name, field]) => `${name} ${field.safeParse(1).success ? "integer" : "string"}`,
    );
    const described = rows(section, "Field").map(([, name, type]) => `${name} ${type}`);
    expect(described.toSorted()).toEqual(declared.toSorted());
  });
});
