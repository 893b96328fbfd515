import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise } from "dependency-cruiser";
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { expect, test } from "vitest";

// `npm run check` applies .dependency-cruiser.mjs to the repository. Here the same rules judge small trees of files, one for
// each breach, so a rule that matches nothing is found.
const rules = fileURLToPath(new URL("../../../.dependency-cruiser.mjs", import.meta.url));
const options = await extractOptions(rules);

/** Files by their path, with their text. */
type Files = Readonly<Record<string, string>>;

/** What every tree has: packages to import, installed and ours. */
const surroundings: Files = {
  ...Object.fromEntries(
    ["express", "knex", "pg", "sqlite3", "zod"].map((name) => [
      `node_modules/${name}/index.js`,
      "module.exports = {};",
    ]),
  ),
  ...Object.fromEntries(
    ["client", "conformance", "ical", "spec"].flatMap((name) => [
      [`packages/${name}/src/index.ts`, "export const name = 1;"],
      [
        `packages/${name}/package.json`,
        JSON.stringify({
          name: `@kalends/${name}`,
          exports: { ".": { "@kalends/source": "./src/index.ts", default: "./dist/index.js" } },
        }),
      ],
    ]),
  ),
};

/** The rules that the files break, in the order of their names. */
async function broken(files: Files): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), "imports-"));
  try {
    for (const [path, text] of Object.entries({ ...surroundings, ...files })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    mkdirSync(join(root, "node_modules/@kalends"));
    for (const name of ["client", "conformance", "ical", "spec"])
      symlinkSync(join(root, "packages", name), join(root, "node_modules/@kalends", name), "junction");
    const { output } = await cruise(["."], { ...options, baseDir: root });
    if (typeof output === "string") throw new Error(output);
    return [...new Set(output.summary.violations.map(({ rule }) => rule.name))].toSorted();
  } finally {
    rmSync(root, { recursive: true });
  }
}

const server = "apps/server/src";
const empty = "export {};";
const useKnex = 'import type { Knex } from "knex";\nexport type Db = Knex;';

/** A rule, a file that breaks it and no other rule, and what else has to be there. */
const breaches: readonly (readonly [rule: string, path: string, text: string, others?: Files])[] = [
  ["spec-stands-alone", "packages/spec/src/fields.ts", 'export * from "@kalends/client";'],
  ["spec-stands-alone", "packages/spec/src/fields.ts", 'import type { name } from "@kalends/ical";'],
  ["client-has-no-schemas", "packages/client/src/client.ts", 'import { name } from "@kalends/spec";'],
  ["client-has-no-schemas", "packages/client/src/client.ts", 'const spec = await import("@kalends/spec");'],
  [
    "client-has-no-schemas",
    "packages/client/src/client.ts",
    'import type { Payload } from "@kalends/spec";\nimport { name } from "@kalends/spec";',
  ],
  ["client-has-no-schemas", "packages/client/src/client.ts", 'import { z } from "zod";'],
  ["client-knows-only-spec", "packages/client/src/client.ts", 'import type { name } from "@kalends/ical";'],
  [
    "no-import-of-the-server",
    "packages/spec/scripts/routes.ts",
    'import type { App } from "../../../apps/server/src/process/app.js";',
    { [`${server}/process/app.ts`]: empty },
  ],
  [
    "no-import-of-the-server",
    "packages/client/test/lists.test.ts",
    'import { startTestServer } from "../../../apps/server/test/harness.js";',
    { "apps/server/test/harness.ts": empty },
  ],
  ["server-uses-no-client", `${server}/process/app.ts`, 'import { name } from "@kalends/client";'],
  ["console-uses-the-client", "apps/console/src/api/client.ts", 'import { name } from "@kalends/spec";'],
  [
    "console-uses-the-client",
    "apps/console/src/api/client.ts",
    'import { App } from "../../../server/src/process/app.js";',
    { [`${server}/process/app.ts`]: "export class App {}" },
  ],
  [
    "console-screens-share-no-screen",
    "apps/console/src/screens/trash/trash.tsx",
    'export * from "../share/share.js";',
    { "apps/console/src/screens/share/share.tsx": empty },
  ],
  [
    "console-screens-share-no-screen",
    "apps/console/src/screens/trash/trash.tsx",
    'import type { Frame } from "../../shell/frame.js";',
    { "apps/console/src/shell/frame.tsx": "export type Frame = 1;" },
  ],
  [
    "console-parts-know-no-screen",
    "apps/console/src/parts/form.tsx",
    'export * from "../screens/share/share.js";',
    { "apps/console/src/screens/share/share.tsx": empty },
  ],
  ["server-uses-no-client", `${server}/process/app.ts`, 'import type { name } from "@kalends/conformance";'],
  ["ical-stands-alone", "packages/ical/src/text.ts", 'import { z } from "zod";'],
  ["ical-stands-alone", "packages/ical/src/text.ts", 'import { readFileSync } from "node:fs";'],
  [
    "conformance-knows-only-spec",
    "packages/conformance/src/run.ts",
    'import { name } from "@kalends/client";',
  ],
  ["examples-use-the-client", "examples/holidays/src/main.ts", 'import { name } from "@kalends/spec";'],
  [
    "no-tests-in-source",
    `${server}/process/app.ts`,
    'import { calls } from "../../test/calls.js";',
    { "apps/server/test/calls.ts": empty },
  ],

  ["sql-in-named-files", `${server}/events/handlers.ts`, useKnex],
  ["sql-in-named-files", `${server}/http/auth.ts`, useKnex],
  ["sql-in-named-files", `${server}/process/jobs.ts`, 'import type { Pool } from "pg";'],
  ["drivers-in-db", `${server}/events/queries.ts`, 'import knex from "knex";'],
  [
    "handlers-reach-sql-through-queries",
    `${server}/followers/handlers.ts`,
    'import { subscribe } from "./subscribe.js";',
    {
      [`${server}/followers/subscribe.ts`]: 'export * from "./life-job.js";',
      [`${server}/followers/life-job.ts`]: useKnex,
    },
  ],
  ["queries-return-rows", `${server}/events/queries.ts`, 'import type { Params } from "@kalends/spec";'],
  [
    "queries-return-rows",
    `${server}/events/queries.ts`,
    'import { ApiError } from "../http/errors.js";',
    { [`${server}/http/errors.ts`]: empty },
  ],
  [
    "serializers-do-no-io",
    `${server}/events/serialize.ts`,
    'import { zoneOf } from "./dates.js";',
    {
      [`${server}/events/dates.ts`]: 'export * from "./queries.js";',
      [`${server}/events/queries.ts`]: empty,
    },
  ],

  [
    "handlers-share-no-handler",
    `${server}/events/handlers.ts`,
    'import { listCalendars } from "../calendars/handlers.js";',
    { [`${server}/calendars/handlers.ts`]: empty },
  ],
  [
    "handlers-reach-no-express",
    `${server}/events/handlers.ts`,
    'import type { Context } from "../http/handler.js";',
    { [`${server}/http/handler.ts`]: 'export type { Request as Context } from "express";' },
  ],
  [
    "http-reaches-no-resource",
    `${server}/http/operations.ts`,
    'import type { Handlers } from "../process/operations.js";',
    {
      [`${server}/process/operations.ts`]: 'export * from "../events/handlers.js";',
      [`${server}/events/handlers.ts`]: empty,
    },
  ],
  [
    "db-stands-alone",
    `${server}/db/paging.ts`,
    'import { zones } from "../time/zones.js";',
    { [`${server}/time/zones.ts`]: empty },
  ],
  [
    "time-stands-alone",
    `${server}/time/zones.ts`,
    'import { config } from "../settings/config.js";',
    { [`${server}/settings/config.ts`]: empty },
  ],
  ["express-at-the-edge", `${server}/cli/demo.ts`, 'import express from "express";'],
  ["feeds-in-follow", `${server}/events/queries.ts`, 'import { name } from "@kalends/ical";'],
  [
    "follow-is-not-the-api",
    `${server}/public/form.ts`,
    'import { readForm } from "../http/body.js";',
    {
      [`${server}/http/body.ts`]: 'export * from "./params.js";',
      [`${server}/http/params.ts`]: empty,
    },
  ],
  [
    "api-needs-no-follow",
    `${server}/calendars/queries.ts`,
    'import type { slug } from "../public/public-paths.js";',
    { [`${server}/public/public-paths.ts`]: empty },
  ],

  [
    "no-cycle-of-files",
    `${server}/events/dates.ts`,
    'import type { Month } from "./month.js";',
    { [`${server}/events/month.ts`]: 'import type { Day } from "./dates.js";' },
  ],
  [
    "no-cycle-of-folders",
    `${server}/events/list.ts`,
    'import type { Row } from "../calendars/rows.js";',
    {
      [`${server}/calendars/rows.ts`]: empty,
      [`${server}/calendars/queries.ts`]: 'import { dates } from "../events/dates.js";',
      [`${server}/events/dates.ts`]: empty,
    },
  ],
  ["environment-is-global", `${server}/http/log.ts`, 'import { env } from "node:process";'],
  ["no-unresolved-import", `${server}/http/log.ts`, 'import { line } from "./gone.js";'],
];

const allowed: Files = {
  "packages/client/src/client.ts": 'import type { Payload } from "@kalends/spec";',
  "packages/spec/src/fields.ts": 'import { z } from "zod";',
  "packages/conformance/src/run.ts": 'import { name } from "@kalends/spec";',
  "examples/holidays/src/main.ts": 'import { name } from "@kalends/client";',
  "tests/client/lists.test.ts": 'import { startTestServer } from "../../apps/server/test/harness.js";',
  "examples/holidays/test/main.deep.test.ts":
    'import { startTestServer } from "../../../apps/server/test/harness.js";',
  "apps/server/test/harness.ts": empty,
  [`${server}/process/app.ts`]:
    'import express from "express";\nimport "../public/pages.js";\nimport "./operations.js";',
  [`${server}/process/operations.ts`]: 'import { handlers } from "../events/handlers.js";',
  [`${server}/events/handlers.ts`]:
    'import "../calendars/queries.js";\nimport "./serialize.js";\nimport "../db/database.js";',
  [`${server}/events/serialize.ts`]: 'import type { name } from "@kalends/spec";\nimport "../time/zones.js";',
  [`${server}/calendars/queries.ts`]: `${useKnex}\nimport "../db/database.js";`,
  [`${server}/followers/life-job.ts`]: useKnex,
  [`${server}/db/database.ts`]: 'import knex from "knex";\nimport pg from "pg";',
  [`${server}/accounts/queries.ts`]: useKnex,
  [`${server}/http/auth.ts`]: 'import "../accounts/queries.js";\nimport express from "express";',
  [`${server}/public/pages.ts`]:
    'import { name } from "@kalends/ical";\nimport "../http/auth.test.js";\nimport "../followers/life-job.js";',
  [`${server}/http/auth.test.ts`]: 'import knex from "knex";',
  [`${server}/time/zones.ts`]: empty,
};

for (const [rule, path, text, others] of breaches) {
  test(`${rule}: ${path} may not hold ${text}`, async () => {
    expect(await broken({ ...others, [path]: text })).toEqual([rule]);
  });
}

test("each import rule has a breach above", () => {
  const names = options.ruleSet?.forbidden?.map(({ name }) => name) ?? [];
  expect([...new Set(breaches.map(([rule]) => rule))].toSorted()).toEqual(names.toSorted());
});

test("imports that the rules allow break none", async () => {
  expect(await broken(allowed)).toEqual([]);
});
