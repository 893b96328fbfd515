import type { Figures, Name } from "./rounds.js";
import { type Goal, goalsOf, isMet } from "./goals.js";
import { jobs } from "./jobs.js";
import { ratio, type Results, type Run } from "./run.js";

/** Returns the text of RESULTS.md. */
export function reportOf({ sqlite, postgres }: Results): string {
  return [
    "# Benchmark results",
    "",
    "`npm run bench` writes this page and results.json. [README.md](README.md) documents what is measured and how. A ratio is",
    "Kalends divided by the other server; higher is better.",
    ...(sqlite === undefined ? [] : ["", "## SQLite", "", ...runLines(sqlite)]),
    ...(postgres === undefined ? [] : ["", "## PostgreSQL", "", ...runLines(postgres)]),
    "",
  ].join("\n");
}

function runLines(run: Run): readonly string[] {
  const { date, commit, machine, command, client, rounds, seconds, loadBefore } = run;
  const source = `\`${command}\`, commit ${commit}, ${date}. ${machine}; ${client}.`;
  const how = `Medians of ${rounds} rounds of ${seconds} s; load average before the run: ${loadBefore.toFixed(1)}.`;
  const blocks = [[source, how], tableOf(run), startupLines(run), ...missedGoals(goalsOf(run))];
  return blocks.filter((block) => block.length > 0).flatMap((block, n) => (n === 0 ? block : ["", ...block]));
}

/** Returns the table of results, one row per job. */
export function tableOf(run: Run): readonly string[] {
  const others = (["bare", "express", "tutorial", "previous", "against"] as const).filter((name) =>
    Object.values(run.jobs).some((job) => job[name] !== undefined),
  );
  const head = [
    "Job",
    `${titles.ours}, requests/s`,
    ...others.flatMap((name) => [`${titles[name]}, requests/s`, "ratio"]),
  ];
  const servers = [titles.ours, ...others.map((name) => titles[name])].join(", ");
  const rest = ["p50 / p99, ms", `CPU per request, us: ${servers}`, "Longest stall, ms", "Spread"];
  const rows = jobs.flatMap(({ id, title }) => {
    const job = run.jobs[id];
    const ours = job?.ours;
    if (ours === undefined) return [];
    const speeds = others.flatMap((name) => [
      whole(job?.[name]?.requestsPerSecond),
      short(ratio(run, id, name)),
    ]);
    const cpu = [ours, ...others.map((name) => job?.[name])].map((figures) => whole(figures?.cpuMicros));
    return [
      [
        `${id}: ${title}`,
        whole(ours.requestsPerSecond),
        ...speeds,
        `${ours.p50Ms.toFixed(1)} / ${ours.p99Ms.toFixed(1)}`,
        cpu.join(", "),
        whole(ours.stallMs),
        spreadOf(ours),
      ],
    ];
  });
  return rows.length === 0 ? [] : lines([...head, ...rest], rows);
}

const titles: Readonly<Record<Name, string>> = {
  ours: "Kalends",
  bare: "node:http",
  express: "Express",
  tutorial: "Tutorial",
  previous: "Other build",
  against: "Other server",
};

/** Returns the line for the jobs J9 (memory) and J10 (startup). */
export function startupLines({ startup = {}, peakBytes = NaN }: Run): readonly string[] {
  const named = (["ours", "tutorial"] as const).flatMap((name) => {
    const found = startup[name];
    if (found === undefined) return [];
    const { idleBytes, firstResponseMs } = found;
    return [`${titles[name]} ${megabytes(idleBytes)}, ${whole(firstResponseMs)} ms`];
  });
  if (named.length === 0) return [];
  const most = Number.isFinite(peakBytes)
    ? ` Peak memory of ${titles.ours} in any job: ${megabytes(peakBytes)}.`
    : "";
  return [`J9 and J10, idle memory and time from start to first response: ${named.join("; ")}.${most}`];
}

/** Returns how many goals are met, and the table of the others. */
function missedGoals(goals: readonly Goal[]): readonly (readonly string[])[] {
  const missed = goals.filter((goal) => !isMet(goal));
  const met = `${goals.length - missed.length} of ${goals.length} goals (goals.ts) are met.`;
  return goals.length === 0 ? [] : [[met], goalLines(missed)];
}

/** Returns the table of goals. */
export function goalLines(goals: readonly Goal[]): readonly string[] {
  const rows = goals.map((goal) => [
    goal.text,
    `${goal.is} ${goal.limit}`,
    short(goal.value),
    isMet(goal) ? "met" : "**missed**",
  ]);
  return rows.length === 0 ? [] : lines(["Goal", "Limit", "Result", ""], rows);
}

/** Returns a Markdown table with aligned columns. */
function lines(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((_, n) => Math.max(3, ...[head, ...rows].map((row) => row[n]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}

function whole(value = NaN): string {
  if (!Number.isFinite(value)) return "-";
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

/** Formats with at least three significant digits where two decimals allow it. */
function short(value: number): string {
  if (!Number.isFinite(value)) return "-";
  return value >= 100 ? whole(value) : value.toFixed(value >= 10 ? 1 : 2);
}

function spreadOf({ spread }: Figures): string {
  return `${Math.round(spread * 100)} %`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
