import { settings } from "../../vitest.rings.js";

export default settings({
  maxWorkers: 2, // some files mostly wait: for a clock to show a later second, or for a server that never answers
});
