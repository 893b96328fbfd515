import { configDefaults, defineConfig, type ViteUserConfig } from "vitest/config";

/**
 * Which files run, by their names: `x.test.ts` in the gate, which each commit passes (`npm test`), and `x.deep.test.ts` in the deep ring
 * (`npm run test:deep`); both where vitest is called directly.
 */
const ring = process.env["KALENDS_RING"] ?? "both";
export const isGate = ring === "gate";

/** Returns patterns of what does not run in this ring, where these parts of a name say that a file is of the deep ring. */
export function excludedWhere(...deep: readonly string[]): readonly string[] {
  const isDeep = `*.@(${deep.join("|")})`;
  const ofOtherRing =
    ring === "gate" ? [`**/${isDeep}.test.ts`] : ring === "deep" ? [`**/!(${isDeep}).test.ts`] : [];
  return [...configDefaults.exclude, ...ofOtherRing];
}

export const excluded = excludedWhere("deep");

/** In milliseconds. The deep ring starts processes, browsers and compilers by the dozen, on machines that others use too. */
const mostMs = isGate ? 120_000 : 600_000;

/** The settings of each package. "@kalends/source": tests read the sources of the other packages, never a stale build. */
export function settings(test: NonNullable<ViteUserConfig["test"]> = {}): ViteUserConfig {
  return defineConfig({
    resolve: { conditions: ["@kalends/source"] },
    ssr: { resolve: { conditions: ["@kalends/source", "module", "node", "development|production"] } },
    test: {
      include: ["src/**/*.test.ts", "test/**/*.test.ts"],
      exclude: [...excluded],
      passWithNoTests: true, // a package may have none in a ring
      isolate: false, // what the files share is loaded once for each worker
      testTimeout: mostMs, // ends what hangs: nothing is judged by it
      hookTimeout: mostMs,
      chaiConfig: { truncateThreshold: 0 }, // the summary of a run shows only the message
      expect: { poll: { timeout: mostMs / 4 } }, // what is awaited comes, however busy the machine is
      ...test,
    },
  });
}
