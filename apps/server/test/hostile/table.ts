import { appendFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import type { Row } from "./measure.js";
import type { Noticed } from "./target.js";

/** Prints what the attacks did as a table in Markdown; into the file KALENDS_HOSTILE_TABLE too. */
export class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => test.meta().rows ?? []),
    );
    if (rows.length === 0) return;
    const table = printTable(rows);
    process.stdout.write(`\n${table}\n`);
    const { KALENDS_HOSTILE_TABLE: file } = process.env;
    if (file !== undefined) appendFileSync(file, `${table}\n`);
  }
}

const head = [
  "database",
  "attack",
  "answers",
  "largest",
  "s",
  "slowness",
  "memory",
  "silence",
  "write",
  "list",
  "feed",
];
const more = ["page", "webhook", "refused", "overruns", "alive", "ready"];

function printTable(rows: readonly Row[]): string {
  const names = [...head, ...more];
  const lines = [names, names.map(() => "---"), ...rows.map(cells)];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function cells(row: Row): readonly string[] {
  const { noticed, alone } = row;
  return [
    row.database,
    row.attack,
    Object.entries(row.statuses)
      .map(([status, count]) => `${count}×${status === "0" ? "none" : status}`)
      .join(" "),
    size(row.bytes),
    String(row.seconds),
    row.slowness.toFixed(1),
    row.memoryMb === undefined ? "" : `+${row.memoryMb} MB`,
    ms(noticed.health.worst),
    ...(["write", "list", "feed", "page"] as const).map((kind) => compared(noticed[kind], alone[kind])),
    noticed.webhook.count === 0 ? "" : compared(noticed.webhook, alone.webhook),
    Object.entries(noticed.refused)
      .map(([kind, count]) => `${count}× ${kind}`)
      .join(", "),
    String(row.overruns),
    row.isAlive ? "yes" : "**no**",
    row.readyMs === undefined ? "" : ms(row.readyMs),
  ];
}

/** The median and the worst, and the worst without an attack. */
function compared(now: Noticed["write"], alone: Noticed["write"]): string {
  return `${ms(now.median)}, ${ms(now.worst)} (${ms(alone.worst)})`;
}

function ms(value: number): string {
  return value >= 1_000 ? `${(value / 1_000).toFixed(1)} s` : `${Math.round(value)} ms`;
}

function size(bytes: number): string {
  return bytes >= 100_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.ceil(bytes / 1_000)} kB`;
}
