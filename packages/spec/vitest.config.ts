import { configDefaults, defineConfig } from "vitest/config";

/** `npm run test:fast` leaves them out. */
const slow = ["test/compat.test.ts", "test/package.test.ts"];
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
  },
});
