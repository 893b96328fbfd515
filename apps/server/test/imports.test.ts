import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { sources, type Source } from "./sources.js";

// Who may import whom. An edge reads "from -> to", or "from ~> to" when only types are imported. Files are named from
// their package's src: "server/events/queries.ts". Reading the environment or the clock is an edge too.
const forbidden: readonly (readonly [edge: RegExp, why: string])[] = [
  [/^spec\/\S+ [-~]> (client|server)\b/, "the contract imports nothing of ours"],
  [/^client\/\S+ -> (spec|zod)\b/, "who installs the client gets no schemas"],
  [/^(?!server\/)\S+ [-~]> server\b/, "nobody imports the server"],
  [/^server\/\S+ [-~]> client\b/, "the client is for tests"],
  [/^server\/[\w-]+\/handlers\.ts [-~]> (express|knex)\b/, "handlers know neither HTTP nor SQL"],
  [
    /^server\/([\w-]+)\/handlers\.ts [-~]> server\/(?!\1\/)[\w-]+\/handlers\.ts$/,
    "share a query, not a handler",
  ],
  [
    /^server\/[\w-]+\/queries\.ts [-~]> (spec|express|server\/http)\b/,
    "rows are ours, the wire is a view of them",
  ],
  [
    /^server\/[\w-]+\/serialize\.ts [-~]> (knex|express|server\/[\w-]+\/queries|server\/http)\b/,
    "serializers do no I/O",
  ],
  [/^server\/http\/\S+ [-~]> knex\b/, "http has no SQL"],
  [
    /^server\/http\/\S+ [-~]> server\/(?!http\/|db\/|time\/|accounts\/)[\w-]+\//,
    "http knows no resource but accounts",
  ],
  [/^server\/db\/\S+ [-~]> (spec|express|server\/(?!db\/))/, "db stands on nothing of ours"],
  [/^server\/time\/\S+ [-~]> (spec|express|knex|server\/(?!time\/))/, "time stands on nothing of ours"],
  [
    /^(?!server\/app\.ts|server\/http\/|server\/follow\/)\S+ [-~]> express$/,
    "express stays in app.ts, http/ and follow/",
  ],
  [/^ical\/\S+ [-~]> (?!ical\/)/, "the writer of feeds stands on nothing"],
  [/^server\/(?!follow\/)\S+ [-~]> ical\b/, "feeds are made in follow/"],
  [
    /^server\/follow\/\S+ [-~]> server\/http\/(mount|auth|params|rules)\.ts$/,
    "the public side is not the API",
  ],
  [
    /^server\/(?!app\.ts|server\.ts|follow\/)\S+ [-~]> server\/follow\//,
    "nothing of the API needs the public side",
  ],
  [
    /^(?!server\/config\.ts|conformance\/cli\.ts)\S+ -> process\.env$/,
    "config.ts alone reads the environment",
  ],
  [/^server\/(?!(main|serve|server|cli)\.ts|cli\/)\S+ -> now$/, "the clock is a parameter"],
  [/^conformance\/\S+ [-~]> (client|ical)\b/, "the judge knows the contract and nothing else of ours"],
  [
    /^conformance\/model\/\S+ [-~]> (spec|zod|conformance\/(?!model\/))/,
    "the model is a second implementation",
  ],
];

const complaint = (edge: string): string | undefined =>
  forbidden.find(([pattern]) => pattern.test(edge))?.[1];

/** The edges that leave a file. */
function edges({ path, text }: Source): readonly string[] {
  const file = shortName(path);
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
  const statement =
    /\b(?:(?:import|export)\s+(type\s)?[^"';]*?\bfrom\s*|import\s*\(?\s*|require\(\s*)["']([^"']+)["']/g;
  const imports = [...code.matchAll(statement)].map(
    ([, type, to = ""]) => `${file} ${type ? "~>" : "->"} ${target(path, to)}`,
  );
  const environment = /\bprocess\.env\b/.test(code) ? [`${file} -> process.env`] : [];
  const clock = /\bDate\.now\b|\bnew Date\(\s*\)/.test(code) ? [`${file} -> now`] : [];
  return [...imports, ...environment, ...clock];
}

function target(path: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier.replace(/^@kalends\//, "");
  return shortName(posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts"));
}

function shortName(path: string): string {
  return path.replace(/^(?:packages|apps)\/([\w-]+)\/src\//, "$1/");
}

test("no file imports what its room must not know", () => {
  const found = sources("src")
    .filter(({ path }) => !path.endsWith(".test.ts"))
    .flatMap(edges);
  const broken = found.flatMap((edge) =>
    complaint(edge) === undefined ? [] : [`${edge} (${complaint(edge)})`],
  );
  expect(found.length).toBeGreaterThan(50);
  expect(broken).toEqual([]);
});

describe("the walls themselves", () => {
  test.each([
    ["packages/spec/src/fields.ts", 'import { app } from "../../../apps/server/src/app.js";', "contract"],
    ["packages/spec/src/fields.ts", 'export * from "@kalends/client";', "contract"],
    ["packages/client/src/client.ts", 'import { operations } from "@kalends/spec";', "schemas"],
    ["packages/client/src/client.ts", 'const spec = await import("@kalends/spec/document");', "schemas"],
    ["packages/client/src/client.ts", 'import type { App } from "@kalends/server";', "nobody"],
    ["apps/server/src/app.ts", 'import { client } from "@kalends/client";', "tests"],
    ["apps/server/src/events/handlers.ts", 'import type { Request } from "express";', "HTTP"],
    ["apps/server/src/events/handlers.ts", 'import {\n  knex,\n} from "knex";', "SQL"],
    ["apps/server/src/events/handlers.ts", 'import { a } from "../calendars/handlers.js";', "share a query"],
    ["apps/server/src/events/handlers.ts", "const now = Date.now();", "clock"],
    ["apps/server/src/events/dates.ts", "const now = new Date();", "clock"],
    ["apps/server/src/events/queries.ts", 'import type { Params } from "@kalends/spec";', "rows"],
    ["apps/server/src/events/queries.ts", 'import { ApiError } from "../http/errors.js";', "rows"],
    ["apps/server/src/events/serialize.ts", 'import { findEvent } from "./queries.js";', "I/O"],
    ["apps/server/src/http/mount.ts", 'import { handlers } from "../events/handlers.js";', "resource"],
    ["apps/server/src/http/auth.ts", 'import knex from "knex";', "SQL"],
    ["apps/server/src/db/paging.ts", 'import { zones } from "../time/zones.js";', "db stands"],
    ["apps/server/src/time/zones.ts", 'import { config } from "../config.js";', "time stands"],
    ["apps/server/src/cli/demo.ts", 'import express from "express";', "express"],
    ["apps/server/src/http/log.ts", "if (process.env.DEBUG) log();", "environment"],
    ["packages/ical/src/text.ts", 'import { z } from "zod";', "nothing"],
    ["apps/server/src/events/queries.ts", 'import { eventText } from "@kalends/ical";', "follow"],
    ["apps/server/src/follow/form.ts", 'import { readParams } from "../http/params.js";', "public side"],
    ["apps/server/src/calendars/queries.ts", 'import { slug } from "../follow/addresses.js";', "public side"],
    [
      "packages/conformance/src/run.ts",
      'import { toUnix } from "../../../apps/server/src/time/zones.js";',
      "nobody",
    ],
    ["packages/conformance/src/run.ts", 'import { createCalendarClient } from "@kalends/client";', "judge"],
    ["packages/conformance/src/model/server.ts", 'import { operations } from "@kalends/spec";', "second"],
  ])("%s may not hold: %s", (path, text, why) => {
    expect(edges({ path, text }).map(complaint)).toEqual([expect.stringContaining(why)]);
  });

  test.each([
    ["packages/client/src/client.ts", 'import type { Payload } from "@kalends/spec";'],
    ["packages/spec/src/fields.ts", 'import { z } from "zod";'],
    ["apps/server/src/app.ts", 'import express from "express";'],
    ["apps/server/src/follow/pages.ts", 'import express from "express";'],
    ["apps/server/src/follow/feed-body.ts", 'import { eventText } from "@kalends/ical";'],
    ["apps/server/src/handlers.ts", 'import { eventHandlers } from "./events/handlers.js";'],
    ["apps/server/src/events/handlers.ts", 'import * as calendars from "../calendars/queries.js";'],
    [
      "apps/server/src/events/handlers.ts",
      "// Date.now() is not for us, see https://example.com\nnew Date(now);",
    ],
    ["apps/server/src/events/queries.ts", 'import type { Knex } from "knex";'],
    ["apps/server/src/http/auth.ts", 'import { findToken } from "../accounts/queries.js";'],
    ["apps/server/src/http/auth.ts", 'import type { Db } from "../db/connect.js";'],
    ["apps/server/src/config.ts", "const environment = process.env;"],
    ["apps/server/src/server.ts", "const clock = () => Date.now();"],
  ])("%s may hold: %s", (path, text) => {
    expect(edges({ path, text }).map(complaint).filter(Boolean)).toEqual([]);
  });
});
