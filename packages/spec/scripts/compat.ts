// Compares the printed documents with the released ones. Part of `npm run check`.
import { readFileSync } from "node:fs";
import { type Approval, breakingChanges, type Json, openQuestions } from "./breaking.js";

const text = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

const changes = ["openapi.json", "openapi-kalends.json"].flatMap((file) => {
  const before: Json = JSON.parse(text(`released/${file}`));
  const after: Json = JSON.parse(text(file));
  return breakingChanges(before, after);
});
const approvals: readonly Approval[] = JSON.parse(text("released/approved-changes.json"));
const questions = openQuestions(changes, approvals);
for (const question of questions) console.error(question);
if (questions.length > 0) {
  console.error("Undo each breaking change or approve it: packages/spec/README.md, section Change it.");
  process.exitCode = 1;
}
