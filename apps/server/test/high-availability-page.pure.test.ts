import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPage, repository } from "./pages.js";

// npm run test:cluster runs the files of examples/patroni. The guide shows them, and its text names their settings.

const page = readPage("docs/high-availability.md");
const files = readdirSync(join(repository, "examples/patroni"));
const all = files.map((name) => readPage(`examples/patroni/${name}`)).join("\n");

describe("docs/high-availability.md", () => {
  test.each(files)("shows %s of examples/patroni as it is, which the cluster of the tests uses", (name) => {
    const [, after = ""] = page.split(`From [examples/patroni/${name}](../examples/patroni/${name})`);
    const [, block] = /^[^\n]*:\n\n```\w+\n(.*?)```\n/s.exec(after) ?? [];
    expect(block).toBe(readPage(`examples/patroni/${name}`));
    expect(readPage("deep/cluster/cluster.ts")).toContain(`example("${name}")`);
  });

  test("names no setting that the files do not have", () => {
    const named = [...page.matchAll(/`(\w+(?::| =)? (?:[\d.]+|true|false))`/g)].map(
      ([, setting = ""]) => setting,
    );
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((setting) => !all.includes(setting))).toEqual([]);
  });

  test("has times that Patroni takes: a lock outlives a pass and two retries", () => {
    const [ttl = 0, pass = 0, retry = 0] = ["ttl", "loop_wait", "retry_timeout"].map((name) =>
      Number(new RegExp(`^ +${name}: (\\d+)$`, "m").exec(all)?.[1]),
    );
    expect(ttl).toBeGreaterThanOrEqual(pass + 2 * retry);
  });
});
