import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { realisticEvents } from "./events.js";
import { writers, type Writer } from "./writers.js";

// The writers run alternately, so that the load of the machine affects all alike. What counts are the ratios, not the
// milliseconds; on a shared machine those of CPU time, since a longer run is interrupted more often.
// A feed is timed until it is bytes, as a server needs it; that includes work that a library has deferred.
const plan = [
  { eventCount: 1_000, warmUps: 5, rounds: 25, maxSeconds: 22 },
  { eventCount: 10_000, warmUps: 0, rounds: 5, maxSeconds: 28 },
] as const;

const fewestRounds = 3;

const goals: Readonly<Record<string, number>> = { "ts-ics": 2.5, "ical.js": 4, "ical-generator": 10 };
const [ours = ""] = Object.keys(writers);

const tables = plan.map(({ eventCount, warmUps, rounds, maxSeconds }) => {
  const events = realisticEvents(eventCount);
  const times = Object.entries(writers).map(([name, write]) => ({
    name,
    write,
    bytes: checkedBytes(name, write, eventCount),
    wall: new Array<number>(),
    processor: new Array<number>(),
  }));
  const deadline = performance.now() + maxSeconds * 1000;
  let round = -warmUps;
  for (; round < fewestRounds || (round < rounds && performance.now() < deadline); round++) {
    for (const { write, wall, processor } of times) {
      const start = performance.now();
      const before = process.cpuUsage();
      bytesOf(write(events));
      const { user, system } = process.cpuUsage(before);
      if (round < 0) continue;
      wall.push(performance.now() - start);
      processor.push((user + system) / 1000);
    }
  }
  const reference = times.find(({ name }) => name === ours);
  const rows = times.map(({ name, bytes, wall, processor }) => [
    `${name} ${name === ours ? "" : version(name)}`.trim(),
    (bytes / eventCount).toFixed(0),
    median(wall).toFixed(1),
    median(processor).toFixed(1),
    (median(wall) / median(reference?.wall ?? [])).toFixed(1),
    (median(processor) / median(reference?.processor ?? [])).toFixed(1),
    goals[name] === undefined ? "" : `${goals[name]}`,
  ]);
  const head = [
    "Writer",
    "Bytes an event",
    "Wall, ms",
    "CPU, ms",
    "Wall, times ours",
    "CPU, times ours",
    "Goal",
  ];
  return `## ${eventCount.toLocaleString("en")} events, ${round} rounds\n\n${table([head, ...rows])}`;
});

const report = `# How fast it writes

\`npm run pnpm -- --filter @kalends/ical bench\` prints this and writes it here.

- When: ${new Date().toISOString().slice(0, 10)}
- Machine: ${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, shared; load ${loadavg()[0]?.toFixed(1)} at the end
- Node ${process.version}, V8 ${process.versions.v8}
- What: the same realistic events for all (unicode, emoji, CRLF, one in five whole days, alarms on half), from plain
  objects to the feed's bytes, alternately; medians. Each library is used as its documentation shows.

${tables.join("\n\n")}
`;
process.stdout.write(report);
writeFileSync(fileURLToPath(new URL("RESULTS.md", import.meta.url)), report);

function bytesOf(chunks: Iterable<string>): number {
  let bytes = 0;
  for (const chunk of chunks) bytes += Buffer.from(chunk).length;
  return bytes;
}

/** Whether it wrote every event, and in how many bytes. */
function checkedBytes(name: string, write: Writer, eventCount: number): number {
  const text = [...write(realisticEvents(eventCount))].join("");
  const written = text.split("BEGIN:VEVENT\r\n").length - 1;
  if (written !== eventCount) throw new Error(`${name} wrote ${written} of ${eventCount} events`);
  return Buffer.byteLength(text);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function version(name: string): string {
  const require = createRequire(import.meta.url);
  const folder = require.resolve(name).split(`/node_modules/${name}/`)[0] ?? "";
  const manifest: unknown = require(`${folder}/node_modules/${name}/package.json`);
  const isNamed = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isNamed ? String(manifest.version) : "";
}

/** As Prettier writes it. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  const [head = [], ...body] = rows;
  return [line(head), `| ${rule.join(" | ")} |`, ...body.map(line)].join("\n");
}
