import { lazy } from "../parts/lazy.js";

/** The week, loaded when it is first shown. */
export const Week = lazy(async () => (await import("./week.js")).Week);
