import { configDefaults } from "vitest/config";
import { settings } from "../../vitest.rings.js";
import { TableReporter } from "./test/hostile/table.js";
import { useOwnTemporaryFolder } from "./test/temporary.js";

useOwnTemporaryFolder();

/** For CI, which has little time: on PostgreSQL what writes most, fewer values, and a part of the planted throws. */
const isShort = process.env.KALENDS_HOSTILE_SIZE === "short";

const throws = "test/hostile/planted-throws.deep.test.ts";

/** In a short run, what SQLite shows as well. */
const leftToSqlite = isShort
  ? ["addresses", "floods", "holds", "names", "operations", "receivers"].map(
      (name) => `**/${name}.deep.test.ts`,
    )
  : [];

/** A part of the hostile ring: one file and one test at a time, so that measurements do not disturb each other. */
function project(name: "postgres" | "sqlite" | "throws" | "throws-postgres") {
  const isThrows = name.startsWith("throws");
  return {
    extends: true as const,
    test: {
      name,
      include: [isThrows ? throws : "test/hostile/**/*.test.ts"],
      exclude: [
        ...configDefaults.exclude,
        ...(isThrows ? [] : [throws]),
        ...(name === "postgres" ? leftToSqlite : []),
      ],
      globalSetup: name.endsWith("postgres") ? ["test/postgres-setup.ts"] : [],
    },
  };
}

/** The server is the built one. */
export default settings({
  include: [], // each project has its own
  exclude: [],
  maxWorkers: 1,
  fileParallelism: false,
  testTimeout: 240_000, // ends what hangs: nothing is judged by it
  expect: { poll: { timeout: 10_000 } },
  reporters: ["default", "json", new TableReporter()],
  outputFile: { json: "node_modules/.cache/vitest-deep.json" },
  projects: [
    project("sqlite"),
    project("postgres"),
    project("throws"),
    ...(isShort ? [] : [project("throws-postgres")]), // only the driver differs: a short run leaves it out
  ],
});
