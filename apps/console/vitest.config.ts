import { settings } from "../../vitest.rings.js";

export default settings();
