import { defineConfig } from "vitest/config";

// "@kalends/source": tests read the sources of the other packages, never a stale build.
export default defineConfig({
  resolve: { conditions: ["@kalends/source"] },
  ssr: { resolve: { conditions: ["@kalends/source", "module", "node", "development|production"] } },
  test: {
    include: ["*/**/*.test.ts"],
    isolate: false, // the server is loaded once for each worker
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } }, // what is awaited comes, however busy the machine is
    maxWorkers: 2, // some files mostly wait: for a browser, a generator, or a clock to show a later second
  },
});
