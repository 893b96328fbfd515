import { existsSync } from "node:fs";
import { settings } from "../vitest.rings.js";

if (!existsSync(new URL("node_modules/.modules.yaml", import.meta.url)))
  throw new Error(
    "The tools of deep/ are not installed. Run: npm run test:deep -- tools (and the name of a file, to run it alone)",
  );

export default settings({
  include: ["*/**/*.test.ts"],
  maxWorkers: 2, // some files mostly wait: for a browser, a generator or a mock
});
