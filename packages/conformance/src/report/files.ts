import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Report } from "../types.js";
import { markdown } from "./github.js";
import { junit } from "./junit.js";

const formats = {
  junit,
  markdown,
  json: (report: Report) => `${JSON.stringify(report, null, 2)}\n`,
} as const;

export interface ReportFile {
  readonly format: keyof typeof formats;
  readonly file: string;
}

/** "junit=a.xml,json=b.json" → files; a message when it has another form. */
export function parseReportFiles(text: string): readonly ReportFile[] | string {
  const files: ReportFile[] = [];
  for (const part of text.split(",")) {
    const [name = "", ...rest] = part.split("=");
    const file = rest.join("=");
    if (!isFormat(name) || file === "") return `expected junit=FILE, json=FILE or markdown=FILE, got ${part}`;
    files.push({ format: name, file });
  }
  return files;
}

/** Writes the report in each format, making folders that are not there. */
export function writeReports(report: Report, files: readonly ReportFile[]): void {
  for (const { format, file } of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, formats[format](report));
  }
}

function isFormat(name: string): name is keyof typeof formats {
  return name in formats;
}
