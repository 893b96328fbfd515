// Which module may import which. `npm run check` applies these rules; apps/server/test/imports.pure.deep.test.ts proves that each can fail.
// Imports of types count too, except where a rule says `dependencyTypesNot: ["type-only"]`. A rule with `reachable` is
// transitive; it names modules, so it does not matter through which file the import goes.

const server = "^apps/server/src";
const handlers = `${server}/[\\w-]+/[\\w-]*handlers\\.ts$`;
/** SQL is in files of these names, and in db/; apps/server/test/house.pure.test.ts looks for it in the others. */
const queries = `${server}/[\\w-]+/[\\w-]*queries\\.ts$`;
/** Background jobs and the work of commands, which begin transactions of their own. */
const jobs = `${server}/[\\w-]+/[\\w-]+-job\\.ts$`;

/** Files of a package, by its name in node_modules. @param {string} names */
const installed = (names) => `(^|/)node_modules/(@types/)?(${names})/`;

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
    from: { pathNot: "^(apps/|tests/|examples/[^/]+/test/)" },
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
      "Knex is imported in db/, in files of queries and in jobs alone, so every path to it goes through these.",
    from: { path: `${server}/`, pathNot: [`${server}/db/`, queries, jobs] },
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
    comment: "Handlers reach SQL through queries and db/, never through a job.",
    from: { path: handlers },
    to: { path: jobs, reachable: true },
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
        `${server}/[\\w-]+/[\\w-]*(handlers|serialize)\\.ts$`,
      ],
    },
  },
  {
    name: "serializers-do-no-io",
    comment: "Serializers turn rows into the wire format. They reach no database and no HTTP.",
    from: { path: `${server}/[\\w-]+/[\\w-]*serialize\\.ts$` },
    to: {
      path: [installed("knex|pg|sqlite3|express"), queries, `${server}/http/(?!limits\\.ts$)`],
      reachable: true,
    },
  },

  // Modules of the server
  {
    name: "handlers-share-no-handler",
    comment: "Resources share queries, not handlers.",
    from: { path: `${server}/([\\w-]+)/[\\w-]*handlers\\.ts$` },
    to: { path: handlers, pathNot: `${server}/$1/` },
  },
  {
    name: "handlers-reach-no-express",
    comment: "Handlers are plain functions of parameters; Express ends at http/operations.ts.",
    from: { path: handlers },
    to: { path: installed("express"), reachable: true },
  },
  {
    name: "http-reaches-no-resource",
    comment: "http/ reaches db/, time/, settings/, background/ and, for tokens, accounts/; no other folder.",
    from: { path: `${server}/http/` },
    to: { path: `${server}/(?!(http|db|time|accounts|background|settings)/)[\\w-]+/`, reachable: true },
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
    comment: "Express is in process/app.ts, http/ and public/.",
    from: { path: "^(apps|packages|examples)/", pathNot: `${server}/(process/app\\.ts$|http/|public/)` },
    to: { path: installed("express") },
  },
  {
    name: "feeds-in-follow",
    comment: "Feeds are written in public/, and exported files in files/.",
    from: { path: `${server}/`, pathNot: `${server}/(public|files)/` },
    to: { path: "^packages/ical/" },
  },
  {
    name: "follow-is-not-the-api",
    comment: "The public pages and feeds have no tokens, operations or parameters of the API.",
    from: { path: `${server}/public/` },
    to: {
      path: `${server}/(http/(operations|caller|auth|params|parameter-checks)|[\\w-]+/[\\w-]*handlers)\\.ts$`,
      reachable: true,
    },
  },
  {
    name: "api-needs-no-follow",
    comment:
      "Nothing of the API needs the public pages; process/ puts both together. An exported file is a feed in one piece.",
    from: {
      path: `${server}/`,
      pathNot: `${server}/(process/(app|server|mail)\\.ts$|files/|public/)`,
    },
    to: { path: `${server}/public/` },
  },

  // Modules of the console
  {
    name: "console-uses-the-client",
    comment:
      "The console knows its server through the client of the extensions, and runs in a browser. The limits are numbers alone, the accent and the colours are calculations.",
    from: { path: "^apps/console/src/" },
    to: {
      path: ["^(apps/(?!console/)|examples/|packages/(?!client/|spec/src/(limits|accent|colors)\\.ts$))"],
      dependencyTypesNot: ["type-only"],
    },
  },
  {
    name: "console-screens-share-no-screen",
    comment: "A screen knows no other screen: what two of them need is a part.",
    from: { path: "^apps/console/src/screens/([\\w-]+)/" },
    to: { path: "^apps/console/src/(main|shell/|screens/)", pathNot: "^apps/console/src/screens/$1/" },
  },
  {
    name: "console-parts-know-no-screen",
    comment: "What screens share knows none of them; the shell puts them together.",
    from: { path: "^apps/console/src/", pathNot: "^apps/console/src/(main\\.tsx$|shell/|screens/)" },
    to: { path: "^apps/console/src/(main\\.tsx$|shell/|screens/)" },
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
