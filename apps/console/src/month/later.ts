// What a month or a week loads when it is first needed: one file for a browser.
export { dragIn } from "./dragging.js";
export { Week } from "./week.js";
