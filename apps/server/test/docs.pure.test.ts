import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { allOperationIds, allOperations, type Operation } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import { consolePathOf } from "../src/http/cookies.js";
import { pathsOf } from "../src/http/paths.js";
import { brokenLinks, linksOf, readPage, repository } from "./pages.js";

const pages = readdirSync(join(repository, "docs"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md"))
  .map((file) => `docs/${file}`);

describe("the documentation", () => {
  test("has an index that names every page outside a folder of its own", () => {
    const linked = linksOf(readPage("docs/index.md")).map((link) => `docs/${link}`);
    const own = pages.filter((page) => page.split("/").length === 2 && page !== "docs/index.md");
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((page) => !linked.includes(page))).toEqual([]);
  });

  test.each([...pages, "CONTRIBUTING.md", "SECURITY.md"])("has no broken link in %s", (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  test("has examples of proxies that refuse /metrics; proxies.sqlite.deep.test.ts runs them", () => {
    expect(readPage("examples/nginx/kalends.conf")).toMatch(/location ~ \^\/metrics\/\?\$ \{\s+return 404;/);
    expect(readPage("examples/caddy/Caddyfile")).toMatch(
      /@metrics path \/metrics \/metrics\/\s+respond @metrics 404/,
    );
  });

  test("has an nginx that takes files and pictures from the API and from the console", () => {
    const [, pattern = ""] =
      /location ~ (\S+) \{\s+client_max_body_size 10100k;/.exec(readPage("examples/nginx/kalends.conf")) ??
      [];
    const takes = new RegExp(pattern);
    const withFile = allOperationIds
      .map((id): Operation => allOperations[id])
      .filter(({ file }) => file !== undefined);
    expect(withFile.length).toBeGreaterThan(1);
    const paths = withFile.flatMap((op) => [...pathsOf(op), consolePathOf(op) ?? ""]);
    expect(paths.filter((path) => !takes.test(path))).toEqual([]);
  });

  test("has every page that .env.example names", () => {
    const named = readPage("apps/server/.env.example").match(/docs\/[\w/.-]+\.md/g) ?? [];
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((page) => !existsSync(join(repository, page)))).toEqual([]);
  });
});
