// What the calendar shows when someone writes: one file for a browser, since files that share much are small together.
export { Editor } from "./editor.js";
export { ManyBar } from "./many.js";
export { MoveDialog } from "./move-dialog.js";
