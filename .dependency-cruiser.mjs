// Which module may import which. `npm run check` applies these rules; apps/server/test/imports.pure.deep.test.ts proves that each can fail.
// Imports of types count too, except where a rule says `dependencyTypesNot: ["type-only"]`. A rule with `reachable` is
// transitive; it names modules, so it does not matter through which file the import goes.

const server = "^apps/server/src";
const handlers = `${server}/[\\w-]+/(extension-)?handlers\\.ts$`;
const queries = `${server}/[\\w-]+/queries\\.ts$`;

/** Files of a package, by its name in node_modules. @param {string} names */
const installed = (names) => `(^|/)node_modules/(@types/)?(${names})/`;

/** Files with SQL that handlers may use beside queries.ts. Paths or folders in apps/server/src, with the reason. */
const namedQueries = {
  "calendars/locks.ts": "locks and counts that events and subscribers share",
  "calendars/find.ts": "the lists and details of the extensions",
  "calendars/stored-bytes.ts": "what rows are counted as, the same in SQL as in the code",
  "calendars/public.ts": "calendars as public addresses show them, of any account",
  "events/changes.ts": "one prepared statement for what has changed (docs/extensions.md)",
  "events/find.ts": "the lists and details of the extensions",
  "events/part-queries.ts": "the parts of a feed, which zone data reads too",
  "events/page.ts": "one prepared statement for a page of a list (decision 0009)",
  "imports/publish.ts": "publishes the staged rows of an import, a few statements for all",
  "imports/staging.ts": "stores the rows of an import until they are published",
  "subscribers/counters.ts": "relative counters, shared by queries, jobs and the purge",
  "webhooks/outbox.ts": "stores the messages of webhooks in the transaction of each write",
};

/** Files with SQL that run outside the API: background jobs, the public form, the command line. */
const jobsWithSql = {
  "calendars/purge.ts": "a background job: removes deleted calendars in batches (decision 0014)",
  "cli/backup.ts": "raises feed versions in a restored copy",
  "events/forget.ts": "a background job: forgets events that were deleted long ago",
  "events/rezone.ts": "a background job: reschedules events after a change of the zone data",
  "move/": "copies the tables of any database to another",
  "subscribers/follow.ts": "the follow form makes a subscriber",
  "subscribers/life.ts": "the life of a subscriber, whose every step locks the row first",
  "webhooks/claim.ts": "a background job: which server sends which message of a webhook",
  "webhooks/purge.ts": "a background job: removes old messages of webhooks in batches",
  "subscribers/fetch-recorder.ts": "a background job: stores which feeds calendar apps fetched",
};

/** All files with SQL outside db/ and queries.ts; apps/server/test/house.pure.test.ts looks for SQL in the others. */
export const filesWithSql = { ...namedQueries, ...jobsWithSql };

/** @param {Record<string, string>} files */
const oneOf = (files) => `${server}/(${Object.keys(files).join("|")})`;

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const forbidden = [
  // Packages
  {
    name: "spec-stands-alone",
    comment: "The contract imports no other package of the repository.",
    from: { path: "^packages/spec/src/" },
    to: { path: "^(apps|examples|packages/(?!spec/))" },
  },
  {
    name: "client-has-no-schemas",
    comment: "Who installs the client gets no schemas: it imports types from spec, nothing else.",
    from: { path: "^packages/client/src/" },
    to: { path: ["^packages/spec/", installed("zod")], dependencyTypesNot: ["type-only"] },
  },
  {
    name: "client-knows-only-spec",
    comment: "The client knows the contract and no other package of the repository.",
    from: { path: "^packages/client/src/" },
    to: { path: "^(apps|examples|packages/(?!client/|spec/))" },
  },
  {
    name: "no-import-of-the-server",
    comment:
      "The server is a program, not a library. A test that starts it is in tests/, which declares it, or in an example that does.",
    from: { pathNot: "^(apps/server/|tests/|examples/[^/]+/test/)" },
    to: { path: "^apps/" },
  },
  {
    name: "server-uses-no-client",
    comment: "The client and the conformance suite are for the server's tests, not for its source.",
    from: { path: `${server}/` },
    to: { path: "^(examples|packages/(?!spec/|ical/))" },
  },
  {
    name: "ical-stands-alone",
    comment: "The iCalendar writer imports nothing, installed or ours.",
    from: { path: "^packages/ical/src/" },
    to: { pathNot: "^packages/ical/src/" },
  },
  {
    name: "conformance-knows-only-spec",
    comment: "The suite judges by the contract and must not share code with what it judges.",
    from: { path: "^packages/conformance/src/" },
    to: { path: "^(apps|examples|packages/(?!conformance/|spec/))" },
  },
  {
    name: "examples-use-the-client",
    comment: "An example shows what users install: the client.",
    from: { path: "^examples/[^/]+/src/" },
    to: { path: "^(apps/|packages/(?!client/))" },
  },
  {
    name: "no-tests-in-source",
    comment: "What is shipped imports no tests, benchmarks or scripts.",
    from: { path: "^(apps|packages|examples)/[^/]+/src/" },
    to: { path: ["^(apps|packages|examples)/[^/]+/(test|bench|scripts)/", "^scripts/"] },
  },

  // SQL
  {
    name: "sql-in-named-files",
    comment:
      "Knex is imported in db/, queries.ts and filesWithSql alone, so every path to it goes through these.",
    from: { path: `${server}/`, pathNot: [`${server}/db/`, queries, oneOf(filesWithSql)] },
    to: { path: installed("knex|pg|sqlite3") },
  },
  {
    name: "drivers-in-db",
    comment: "Only db/ knows which databases there are; others use the types of knex.",
    from: { path: `${server}/`, pathNot: `${server}/db/` },
    to: { path: installed("knex|pg|sqlite3"), dependencyTypesNot: ["type-only"] },
  },
  {
    name: "handlers-reach-sql-through-queries",
    comment: "Handlers reach SQL through queries.ts, db/ and namedQueries, never through a job.",
    from: { path: handlers },
    to: { path: oneOf(jobsWithSql), reachable: true },
  },
  {
    name: "queries-return-rows",
    comment: "Queries know neither the wire format nor HTTP.",
    from: { path: queries },
    to: {
      path: [
        "^packages/spec/",
        installed("express"),
        `${server}/http/`,
        `${server}/[\\w-]+/(handlers|serialize)\\.ts$`,
      ],
    },
  },
  {
    name: "serializers-do-no-io",
    comment: "Serializers turn rows into the wire format. They reach no database and no HTTP.",
    from: { path: `${server}/[\\w-]+/serialize\\.ts$` },
    to: {
      path: [
        installed("knex|pg|sqlite3|express"),
        queries,
        oneOf(filesWithSql),
        `${server}/http/(?!limits\\.ts$)`,
      ],
      reachable: true,
    },
  },

  // Modules of the server
  {
    name: "handlers-share-no-handler",
    comment: "Resources share queries, not handlers.",
    from: { path: `${server}/([\\w-]+)/handlers\\.ts$` },
    to: { path: handlers, pathNot: `${server}/$1/` },
  },
  {
    name: "handlers-reach-no-express",
    comment: "Handlers are plain functions of parameters; Express ends at http/mount.ts.",
    from: { path: handlers },
    to: { path: installed("express"), reachable: true },
  },
  {
    name: "http-reaches-no-resource",
    comment: "http/ reaches db/, time/ and, for tokens, accounts/; no other folder.",
    from: { path: `${server}/http/` },
    to: { path: `${server}/(?!(http|db|time|accounts)/)[\\w-]+/`, reachable: true },
  },
  {
    name: "db-stands-alone",
    comment: "db/ imports nothing of ours.",
    from: { path: `${server}/db/` },
    to: { path: ["^(apps|packages|examples)/", installed("express")], pathNot: `${server}/db/` },
  },
  {
    name: "time-stands-alone",
    comment: "time/ imports nothing of ours, and neither SQL nor HTTP.",
    from: { path: `${server}/time/` },
    to: {
      path: ["^(apps|packages|examples)/", installed("express|knex|pg|sqlite3")],
      pathNot: `${server}/time/`,
    },
  },
  {
    name: "express-at-the-edge",
    comment: "Express is in process/app.ts, http/ and follow/.",
    from: { path: "^(apps|packages|examples)/", pathNot: `${server}/(process/app\\.ts$|http/|follow/)` },
    to: { path: installed("express") },
  },
  {
    name: "feeds-in-follow",
    comment: "Feeds are written in follow/.",
    from: { path: `${server}/`, pathNot: `${server}/follow/` },
    to: { path: "^packages/ical/" },
  },
  {
    name: "follow-is-not-the-api",
    comment: "The public pages and feeds have no tokens, operations or parameters of the API.",
    from: { path: `${server}/follow/` },
    to: { path: `${server}/(http/(mount|auth|params|rules)|[\\w-]+/handlers)\\.ts$`, reachable: true },
  },
  {
    name: "api-needs-no-follow",
    comment:
      "Nothing of the API needs the public pages; process/ puts both together. An exported file is a feed in one piece.",
    from: {
      path: `${server}/`,
      pathNot: `${server}/(process/(app|server)\\.ts$|cli/calendar-files\\.ts$|follow/)`,
    },
    to: { path: `${server}/follow/` },
  },

  // Everywhere
  {
    name: "no-cycle-of-files",
    comment: "Of two files that import each other, types included, neither can be read alone.",
    from: {},
    to: { circular: true },
  },
  {
    name: "no-cycle-of-folders",
    comment: "Folders of the server have an order. A folder inside another counts as part of it.",
    scope: "folder",
    from: { path: `${server}/` },
    to: { circular: true },
  },
  {
    name: "environment-is-global",
    comment: "Import no process: apps/server/test/house.pure.test.ts looks for process.env by its name.",
    from: {},
    to: { path: "^process$", dependencyTypes: ["core"] },
  },
  {
    name: "no-unresolved-import",
    comment: "A path that cannot be resolved matches no rule.",
    from: {},
    to: { couldNotResolve: true },
  },
];

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: forbidden.map((rule) => ({ ...rule, severity: "error" })),
  options: {
    doNotFollow: { path: "(^|/)node_modules/" },
    exclude: { path: "/src/.*\\.test\\.ts$" },
    tsPreCompilationDeps: true, // imports of types too
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@kalends/source", "import", "node", "default", "types"],
    },
  },
};
