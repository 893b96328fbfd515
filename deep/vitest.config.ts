import { settings } from "../vitest.rings.js";

export default settings({
  include: ["*/**/*.test.ts"],
  maxWorkers: 2, // some files mostly wait: for a browser, a generator or a mock
});
