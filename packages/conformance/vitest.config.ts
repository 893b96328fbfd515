import { configDefaults, defineConfig } from "vitest/config";

/** `npm run test:fast` leaves them out. */
const slow = ["test/hopeless.test.ts"];
const isFast = process.env["KALENDS_TESTS"] === "fast";

// "@kalends/source": tests read the sources of the other packages, never a stale build.
export default defineConfig({
  resolve: { conditions: ["@kalends/source"] },
  ssr: { resolve: { conditions: ["@kalends/source", "module", "node", "development|production"] } },
  test: {
    isolate: false, // what the files share is loaded once for each worker
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(isFast ? slow : [])],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2, // some files mostly wait: for a clock to show a later second, or for a server that never answers
  },
});
