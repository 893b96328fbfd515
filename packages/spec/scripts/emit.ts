import { writeFileSync } from "node:fs";
import { printedFiles } from "./printed.js";

for (const { path, text } of printedFiles()) writeFileSync(path, text);
