import { configDefaults, defineConfig } from "vitest/config";
import { withoutPooler } from "./test/pgbouncer.js";
import { systemPrograms, systemProject } from "./test/postgres.js";
import { useOwnTemporaryFolder } from "./test/temporary.js";

useOwnTemporaryFolder();

/** Files that touch no data: they run once. A file that asks for a database does not belong here, and is told so. */
const withoutData = [
  "src/accounts/tokens.test.ts",
  "src/calendars/palettes.test.ts",
  "src/db/postgres/tls.test.ts",
  "src/db/write-apart.test.ts",
  "src/events/dates.test.ts",
  "src/follow/addresses.test.ts",
  "src/follow/turns.test.ts",
  "src/follow/views/*.test.ts",
  "src/http/cache.test.ts",
  "src/http/failure-log.test.ts",
  "src/http/limits.test.ts",
  "src/http/limits-page.test.ts",
  "src/http/rate-limit.test.ts",
  "src/http/request-classes.test.ts",
  "src/imports/files.test.ts",
  "src/imports/hostile.test.ts",
  "src/imports/plan.test.ts",
  "src/metrics/fast-histogram.test.ts",
  "src/series/expand.test.ts",
  "src/settings/*.test.ts",
  "src/time/*.test.ts",
  "src/webhooks/addresses.test.ts",
  "src/webhooks/receivers.test.ts",
  "src/webhooks/connection.test.ts",
  "src/webhooks/send.test.ts",
  "test/contract-page.test.ts",
  "test/docs.test.ts",
  "test/deploy.test.ts",
  "test/document-patterns.test.ts",
  "test/figures.test.ts",
  "test/house.test.ts",
  "test/imports.test.ts",
  "test/logs-page.test.ts",
  "test/operations.test.ts",
  "test/self-hosting-guide.test.ts",
  "test/self-hosting.test.ts",
  "test/subscriber-life-agents.test.ts",
  "test/subscriber-life-locations.test.ts",
  "test/testing.test.ts",
];

/** Files that are about SQLite itself, or about HTTP, sockets, processes or a browser: the database makes no difference. */
const onSqliteOnly = [
  "src/db/connect.test.ts",
  "src/db/sqlite/writer.test.ts",
  "test/addresses.test.ts",
  "test/bodies.test.ts",
  "test/body-cpu.test.ts",
  "test/body-memory.test.ts",
  "test/cli-backup.test.ts",
  "test/cli-calendar-files.test.ts",
  "test/cli-subscribers.test.ts",
  "test/cli-webhooks.test.ts",
  "test/cli.test.ts",
  "test/connections.test.ts",
  "test/contract.test.ts",
  "test/database-file.test.ts",
  "test/document-examples.test.ts",
  "test/feed-content.test.ts",
  "test/first-token.test.ts",
  "test/foreign-file.test.ts",
  "test/follow-form.test.ts",
  "test/follow-form-origin.test.ts",
  "test/follow-pages-browser.test.ts",
  "test/follow-pages-dates.test.ts",
  "test/follow-pages-hostile.test.ts",
  "test/ignored-parameters.test.ts",
  "test/lifecycle.test.ts",
  "test/log-failures.test.ts",
  "test/methods.test.ts",
  "test/old-clients.test.ts",
  "test/open-files.test.ts",
  "test/organizers.test.ts",
  "test/optional-parameters.test.ts",
  "test/parameters.test.ts",
  "test/pipelining.test.ts",
  "test/proxies.test.ts",
  "test/readiness.test.ts",
  "test/readme.test.ts",
  "test/start-failures.test.ts",
  "test/storage.test.ts",
  "test/unexpected-errors.test.ts",
  "test/unprivileged.test.ts",
  "test/upcoming.test.ts",
  "test/wire.test.ts",
  "src/imports/large.test.ts",
  "src/imports/round-trip.test.ts",
  "src/series/follow.test.ts",
  "src/timezones/handlers.test.ts",
  "src/webhooks/handlers.test.ts",
];

/** Files that run a second time with a PgBouncer in front of PostgreSQL: what uses transactions, locks, snapshots or several servers. */
const behindPooler = [
  "src/db/migrate.test.ts",
  "src/db/group-commit.test.ts",
  "src/move/move.test.ts",
  "test/concurrency.test.ts",
  "test/feed.test.ts",
  "test/lists.test.ts",
  "test/several-servers.test.ts",
  "test/writes.test.ts",
];

/** `npm run test:fast` leaves them out: they start processes or browsers, or send thousands of requests. */
const slow = [
  "src/accounts/token-uses.test.ts",
  "src/db/connect.test.ts",
  "src/db/group-commit.test.ts",
  "src/db/lookup.test.ts",
  "src/db/sqlite/writer.test.ts",
  "src/imports/atomic.test.ts",
  "src/move/move.test.ts",
  "src/time/zones.near.test.ts",
  "src/time/zones.properties.test.ts",
  "test/body-memory.test.ts",
  "test/cli-backup.test.ts",
  "test/cli-commands.test.ts",
  "test/cli-move.test.ts",
  "test/cli-subscribers.test.ts",
  "test/cli-webhooks.test.ts",
  "test/cli.test.ts",
  "test/concurrency.test.ts",
  "test/connections.test.ts",
  "test/contract.test.ts",
  "test/crash-rounds.test.ts",
  "test/database-file.test.ts",
  "test/deploy.test.ts",
  "test/document-examples.test.ts",
  "test/document-patterns.test.ts",
  "test/enforced-limits.test.ts",
  "test/feed-content.test.ts",
  "test/first-token.test.ts",
  "test/foreign-file.test.ts",
  "test/follow-form-origin.test.ts",
  "test/follow-form.test.ts",
  "test/follow-pages-browser.test.ts",
  "test/follow-pages-dates.test.ts",
  "test/follow-pages-hostile.test.ts",
  "test/freshness.test.ts",
  "test/fuzz.test.ts",
  "test/imports.test.ts",
  "test/isolation.test.ts",
  "test/lifecycle.test.ts",
  "test/log-failures.test.ts",
  "test/methods.test.ts",
  "test/migrations.test.ts",
  "test/open-files.test.ts",
  "test/optional-parameters.test.ts",
  "test/organizers.test.ts",
  "test/parameters.test.ts",
  "test/pipelining.test.ts",
  "test/pooler.test.ts",
  "test/postgres-roles.test.ts",
  "test/previous-release.test.ts",
  "test/proxies.test.ts",
  "test/readiness-postgres.test.ts",
  "test/readiness.test.ts",
  "test/readme.test.ts",
  "test/replica.test.ts",
  "test/rolling-restart.test.ts",
  "test/running-events.test.ts",
  "test/self-hosting-guide.test.ts",
  "test/self-hosting.test.ts",
  "test/several-servers.test.ts",
  "test/site.test.ts",
  "test/start-failures.test.ts",
  "test/stop-deadline.test.ts",
  "test/storage.test.ts",
  "test/subscriber-life-feed.test.ts",
  "test/subscriber-life-polls.test.ts",
  "test/two-servers.test.ts",
  "test/unexpected-errors.test.ts",
  "test/unprivileged.test.ts",
  "test/wire.test.ts",
  "src/webhooks/sender.test.ts",
  "test/webhook-crashes.test.ts",
  "test/writes.test.ts",
];

const isFast = process.env.KALENDS_TESTS === "fast";
const leavesPostgresOut = isFast || process.env.KALENDS_TEST_POSTGRES === "off";
if (leavesPostgresOut) {
  if (process.env.CI) throw new Error("In CI all tests run, on PostgreSQL too.");
  process.stderr.write("\n*** Nothing is tested on PostgreSQL ***\n\n");
}

const setups: Readonly<Record<string, string[]>> = {
  postgres: ["test/postgres-setup.ts"],
  pooler: ["test/pooler-setup.ts"],
  [systemProject]: ["test/postgres-setup.ts"],
};

function project(name: string, include: readonly string[], exclude: readonly string[] = []) {
  return {
    extends: true as const,
    test: {
      name,
      include: [...include],
      exclude: [...configDefaults.exclude, ...exclude, ...(isFast ? slow : [])],
      isolate: false, // one module cache for all files of a worker: a third less time, and no test changes a module's state
      testTimeout: 120_000, // ends what hangs: nothing is judged by it
      hookTimeout: 120_000,
      expect: { poll: { timeout: 30_000 } }, // what is awaited comes, however busy the machine is
      provide: { hasData: name !== "no data" },
      globalSetup: setups[name] ?? [],
    },
  };
}

const all = ["src/**/*.test.ts", "test/*.test.ts"]; // test/hostile has a configuration of its own: vitest.deep.config.ts
const sqlite = project("sqlite", all, withoutData);
const postgres = project("postgres", all, [...withoutData, ...onSqliteOnly]);
if (withoutPooler !== "")
  process.stderr.write("\n*** Nothing is tested behind PgBouncer, which is not installed ***\n\n");
const pooler = withoutPooler === "" ? [project("pooler", behindPooler)] : [];

/** What depends most on the version: the schema and its triggers, plans, lists, groups of writes, series and imports. */
const onInstalledPostgres = [
  "src/imports/handlers.test.ts",
  "src/series/handlers.test.ts",
  "test/filters.test.ts",
  "test/lists.test.ts",
  "test/query-plans.test.ts",
];
if (systemPrograms() === "")
  process.stderr.write(
    "\n*** Nothing is tested on the PostgreSQL of this machine: none is installed ***\n\n",
  );
const installed = systemPrograms() === "" ? [] : [project(systemProject, onInstalledPostgres)];

// "@kalends/source": tests read the sources of the other packages, never a stale build.
export default defineConfig({
  resolve: { conditions: ["@kalends/source"] },
  ssr: { resolve: { conditions: ["@kalends/source", "module", "node", "development|production"] } },
  test: {
    maxWorkers: 4, // some files mostly wait: for a browser, or for a head that never ends; each costs seconds to load what it tests
    projects: [
      project("no data", withoutData),
      sqlite,
      ...(leavesPostgresOut ? [] : [postgres, ...pooler, ...installed]),
    ],
  },
});
