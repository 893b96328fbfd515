import { defineConfig } from "vitest/config";

// "@kalends/source": tests read the sources of the other packages, never a stale build.
export default defineConfig({
  resolve: { conditions: ["@kalends/source"] },
  ssr: { resolve: { conditions: ["@kalends/source", "module", "node", "development|production"] } },
  // One module cache for all files of a worker: a third less time, and no test changes a module's state.
  test: {
    isolate: false,
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
