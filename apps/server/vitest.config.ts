import { defineConfig, type TestProjectConfiguration } from "vitest/config";

// One module cache for all files of a worker: a third less time, and no test changes a module's state.
const shared = { isolate: false, testTimeout: 30_000, hookTimeout: 30_000 };

// In the making: not all tests know PostgreSQL yet.
const postgres: TestProjectConfiguration = {
  extends: true,
  test: {
    ...shared,
    name: "postgres",
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["test/{cli-backup,deploy,self-hosting}.test.ts"], // of files: once is enough
    globalSetup: ["test/postgres.ts"],
  },
};

// "@kalends/source": tests read the sources of the other packages, never a stale build.
export default defineConfig({
  resolve: { conditions: ["@kalends/source"] },
  ssr: { resolve: { conditions: ["@kalends/source", "module", "node", "development|production"] } },
  test: {
    maxWorkers: 2, // some files mostly wait: for a browser, or for a head that never ends
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: "sqlite",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          provide: { postgresUrl: undefined },
        },
      },
      ...(process.env.KALENDS_TEST_POSTGRES === "1" ? [postgres] : []),
    ],
  },
});
