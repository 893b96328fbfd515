import { configDefaults, defineConfig } from "vitest/config";

/** `npm run test:fast` leaves them out. */
const slow = [
  "test/consumers.test.ts",
  "test/failures.test.ts",
  "test/package.test.ts",
  "test/secrecy.test.ts",
];
const isFast = process.env["KALENDS_TESTS"] === "fast";

// "@kalends/source": tests read the sources of the other packages, never a stale build.
export default defineConfig({
  resolve: { conditions: ["@kalends/source"] },
  ssr: { resolve: { conditions: ["@kalends/source", "module", "node", "development|production"] } },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(isFast ? slow : [])],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
