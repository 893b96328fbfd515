import { mostFileBytes, mostPictureBytes, operations } from "@kalends/spec";
import { expect, test } from "vitest";
import { readPage } from "../../test/pages.js";
import { mostBytesOfWrite, mostBytesRead, mostOfImport } from "../db/refusals.js";
import { consolePathOf } from "./cookies.js";
import * as limits from "./limits.js";

// docs/limits.md prints limits.ts.

test("the rules for proxies in docs/self-hosting.md and their examples let the largest bodies pass", () => {
  const rules = readPage("docs/self-hosting.md");
  const [, rule = ""] = /^4\. ([^]*?)^5\. /m.exec(rules) ?? [];
  expect(rule).toContain(`bodies of ${limits.largestBody.ofOperation / 2 ** 20} MiB`);
  expect(rule).toContain(`calendar files of ${mostFileBytes / 1e6} MB`);
  expect(rule).toContain(`pictures of ${mostPictureBytes / 1e6} MB`);
  for (const op of [operations.calendarsImport, operations.picturesCreate]) {
    const [, prefix = "", name = ""] = /^(.*\/)(\w+\/\w+\/)$/.exec(op.path) ?? [];
    for (const part of [name, prefix, consolePathOf(op)?.slice(0, -name.length)])
      expect(rule).toContain(`\`${part}\``);
  }
  const nginx = readPage("examples/nginx/kalends.conf");
  const sizes = [...nginx.matchAll(/client_max_body_size (\d+)k;/g)].map(([, size]) => Number(size) * 1024);
  expect(sizes).toHaveLength(2);
  const needed = [limits.largestBody.ofOperation, mostFileBytes];
  for (const [index, least] of needed.entries()) expect(sizes[index]).toBeGreaterThan(least);
});

const number = (value: number): string => value.toLocaleString("en-US");

test("docs/limits.md has the limits of the code", () => {
  const text = readPage("docs/limits.md");
  const values = [...text.matchAll(/^\|[^|]+\| ([\d,]+) +\|/gm)].map(([, value]) => value);
  expect(values).toEqual(
    [
      limits.largestBody.ofOperation,
      limits.largestBody.ofStranger,
      mostFileBytes,
      mostPictureBytes,
      limits.largestBody.ofForm,
      limits.mostAnswerBytes,
      mostBytesOfWrite,
      mostBytesRead,
      mostOfImport.bytes,
      mostOfImport.rows,
      limits.mostEvents.ofSeries,
      limits.mostEvents.ofFile,
      limits.bodyBytes.ofOne,
      limits.bodyBytes.ofAll,
      limits.unsentBytes.ofOne,
      limits.unsentBytes.ofAll,
    ].map(number),
  );
  const flat = text.replaceAll(/\s+/g, " ");
  const { ofOne, ofAll, mostWaiting, waitMs } = limits.heavyWork;
  expect(flat).toContain(`runs ${ofOne} of an account and ${ofAll} of all at once`);
  const { mostWaiting: pictures, waitMs: pictureMs } = limits.fileWork;
  expect(flat).toContain(`Up to ${pictures} of an account wait, for at most ${pictureMs / 1000} seconds`);
  expect(flat).toContain(`Up to ${mostWaiting} of an account wait, for at most ${waitMs / 1000} seconds`);
});
