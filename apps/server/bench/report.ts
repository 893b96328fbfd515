import type { Figures, Name } from "./contest.js";
import { type Goal, goalsOf, isMet } from "./goals.js";
import { jobs } from "./jobs.js";
import { ratio, type Results, type Run } from "./run.js";

/** The whole of RESULTS.md. */
export function reportOf({ sqlite, postgres }: Results): string {
  return [
    "# The benchmark",
    "",
    "`npm run bench` makes this page and results.json; README.md beside them says what is measured, and how.",
    ...(sqlite === undefined ? [] : ["", "## SQLite", "", ...runLines(sqlite)]),
    ...(postgres === undefined ? [] : ["", "## PostgreSQL", "", ...runLines(postgres)]),
    "",
  ].join("\n");
}

function runLines(run: Run): readonly string[] {
  const { date, commit, machine, command, client, rounds, seconds, loadBefore } = run;
  const made = `\`${command}\`, commit ${commit}, ${date}. ${machine}; ${client}.`;
  const how = `Medians of ${rounds} rounds of ${seconds} s; load of the machine before: ${loadBefore.toFixed(1)}.`;
  const blocks = [[made, how], tableOf(run), startupLines(run), goalLines(goalsOf(run))];
  return blocks.filter((block) => block.length > 0).flatMap((block, n) => (n === 0 ? block : ["", ...block]));
}

/** The table of speeds, one line for each job. */
export function tableOf(run: Run): readonly string[] {
  const others = (["bare", "express", "tutorial", "baseline", "against"] as const).filter((name) =>
    Object.values(run.jobs).some((job) => job[name] !== undefined),
  );
  const head = ["Job", "Ours/s", ...others.flatMap((name) => [`${titles[name]}/s`, ratioTitles[name]])];
  const rest = ["p50 / p99 ms", `CPU us: ours, ${others.join(", ")}`, "Stall ms", "Spread"];
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
  ours: "Ours",
  bare: "Bare",
  express: "Express",
  tutorial: "Tutorial",
  baseline: "Baseline",
  against: "Other",
};
const ratioTitles: Readonly<Record<Exclude<Name, "ours">, string>> = {
  bare: "of bare",
  express: "of Express",
  tutorial: "x tutorial",
  baseline: "x baseline",
  against: "x other",
};

/** J9 and J10. */
export function startupLines({ startup = {}, peakBytes = NaN }: Run): readonly string[] {
  const named = (["ours", "tutorial"] as const).flatMap((name) => {
    const found = startup[name];
    if (found === undefined) return [];
    const { idleBytes, firstAnswerMs } = found;
    return [`${titles[name].toLowerCase()} ${megabytes(idleBytes)} and ${whole(firstAnswerMs)} ms`];
  });
  if (named.length === 0) return [];
  const most = Number.isFinite(peakBytes)
    ? ` Most memory of a server of ours in any job: ${megabytes(peakBytes)}.`
    : "";
  return [`J9, J10: memory when idle, start to first 200: ${named.join("; ")}.${most}`];
}

export function goalLines(goals: readonly Goal[]): readonly string[] {
  const rows = goals.map((goal) => [
    goal.text,
    `${goal.is} ${goal.limit}`,
    short(goal.value),
    isMet(goal) ? "met" : "**missed**",
  ]);
  return rows.length === 0 ? [] : lines(["Goal", "Limit", "Found", ""], rows);
}

/** A table of Markdown with aligned columns. */
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

/** Three figures at least, no more than two places. */
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
