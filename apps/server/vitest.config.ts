import { configDefaults } from "vitest/config";
import { excluded, excludedWhere, isGate, settings } from "../../vitest.rings.js";
import { withoutPooler } from "./test/pgbouncer.js";
import { poolerProject, systemPrograms, systemProject } from "./test/postgres.js";
import { useOwnTemporaryFolder } from "./test/temporary.js";

useOwnTemporaryFolder();

/**
 * Where a file runs, by a part of its name (a file has one at most):
 *
 * - `x.pure.test.ts` touches no data and runs once. A file that asks for a database does not belong here, and is told so.
 * - `x.sqlite.test.ts` is about SQLite itself, or about HTTP, sockets, processes or a browser: the database makes no difference.
 * - `x.postgres.test.ts` is about PostgreSQL itself.
 * - `x.test.ts` runs on SQLite and on PostgreSQL.
 * - `x.slow.test.ts` runs on SQLite in the gate, and on PostgreSQL, where it takes long, in the deep ring.
 * - `x.pooled.test.ts` also runs, in the deep ring, behind a PgBouncer, on the PostgreSQL of this machine, which may be older: what
 *   uses transactions, locks, snapshots or several servers, and what depends most on the version.
 */
const all = ["src/**/*.test.ts", "test/*.test.ts"];
const only = (where: string): string => `**/*.${where}.{deep.test,test}.ts`;

const leavesPostgresOut = process.env["KALENDS_TEST_POSTGRES"] === "off";
const warn = (text: string): void => void process.stderr.write(`\n*** ${text} ***\n\n`);
if (leavesPostgresOut) {
  if (process.env["CI"]) throw new Error("In CI all tests run, on PostgreSQL too.");
  warn("Nothing is tested on PostgreSQL");
} else if (!isGate) {
  if (withoutPooler !== "") warn("Nothing is tested behind PgBouncer, which is not installed");
  if (systemPrograms() === "") warn("Nothing is tested on the PostgreSQL of this machine: none is installed");
}

interface Files {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly globalSetup?: readonly string[];
}

function project(name: string, { include = all, exclude = excluded, globalSetup = [] }: Files) {
  return {
    extends: true as const,
    test: {
      name,
      include: [...include],
      exclude: [...exclude],
      globalSetup: [...globalSetup],
      provide: { hasData: name !== "pure" },
    },
  };
}

const postgresSetup = ["test/postgres-setup.ts"];
const again = { include: [only("pooled")], exclude: configDefaults.exclude }; // those of the gate too
const isPooled = withoutPooler === "";
const onPostgres = [
  project("postgres", {
    exclude: [...excludedWhere("deep", "slow"), only("pure"), only("sqlite")],
    globalSetup: postgresSetup,
  }),
  ...(isGate || !isPooled
    ? []
    : [project(poolerProject, { ...again, globalSetup: ["test/pooler-setup.ts"] })]),
  // With a pooler, that one is in front of it: one run shows both.
  ...(isGate || isPooled || systemPrograms() === ""
    ? []
    : [project(systemProject, { ...again, globalSetup: postgresSetup })]),
];

export default settings({
  include: [], // each project has its own
  exclude: [],
  // Each loads all that it tests: in the gate, four need a quarter more CPU and longer on two cores. The deep ring mostly waits.
  maxWorkers: isGate ? 2 : 3,
  projects: [
    project("pure", { include: [only("pure")] }),
    project("sqlite", { exclude: [...excluded, only("pure"), only("postgres")] }),
    ...(leavesPostgresOut ? [] : onPostgres),
  ],
});
