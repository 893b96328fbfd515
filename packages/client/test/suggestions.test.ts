import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allErrors } from "@kalends/spec";
import ts from "typescript";
import { expect, test } from "vitest";
import { packageFolder } from "./program.js";

test("an editor suggests every error code of the spec where errorType is compared, and accepts others", () => {
  const file = join(packageFolder, "test/suggestions.ts");
  const code = `import type { CalendarApiError } from "../src/index.js";
export const isNew = ({ errorType }: CalendarApiError) => errorType === "calendar_archived" || errorType === "";`;
  const options = { ...ts.getDefaultCompilerOptions(), strict: true, module: ts.ModuleKind.NodeNext };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      if (name !== file && !ts.sys.fileExists(name)) return undefined;
      return ts.ScriptSnapshot.fromString(name === file ? code : readFileSync(name, "utf8"));
    },
    getCurrentDirectory: () => packageFolder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
  });
  expect(service.getSemanticDiagnostics(file)).toEqual([]);
  const completions = service.getCompletionsAtPosition(file, code.lastIndexOf('""') + 1, undefined);
  const suggested = completions?.entries.map(({ name }) => name) ?? [];
  expect(suggested.sort()).toEqual(Object.keys(allErrors).sort());
}, 60_000);
