// What an import costs other accounts: bench:imports. A neighbour creates events all the time, one after the other, while a file is
// imported: into an empty calendar, again with each event changed, and again as it is. Builds take turns, each on a new database.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startPostgres } from "../test/postgres.js";
import { median } from "./rounds.js";
import { scratchFolder } from "./scratch.js";
import { ownDist, startKalends } from "./servers.js";

const { values } = parseArgs({
  options: {
    dist: { type: "string", multiple: true, default: [ownDist] },
    rounds: { type: "string", default: "5" },
    events: { type: "string", default: "10000" },
    text: { type: "string", default: "200" },
    postgres: { type: "boolean", default: false },
  },
});

function file(title: string): string {
  const text = "x".repeat(Number(values.text));
  const events = Array.from({ length: Number(values.events) }, (_, index) => {
    const day = String(1 + (index % 28)).padStart(2, "0");
    const month = String(1 + (Math.floor(index / 28) % 12)).padStart(2, "0");
    return `BEGIN:VEVENT\r\nUID:event-${index}\r\nDTSTART:2027${month}${day}T${String(index % 24).padStart(2, "0")}0000Z\r\nSUMMARY:${title} ${index}\r\nDESCRIPTION:${text}\r\nEND:VEVENT\r\n`;
  });
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join("")}END:VCALENDAR\r\n`;
}

function tokenOf(dist: string, url: string, name: string): string {
  const printed = execFileSync(
    process.execPath,
    [join(dist, "cli.js"), "account", "create", "--name", name, "--json"],
    {
      env: { ...process.env, DATABASE_URL: url },
      encoding: "utf8",
    },
  );
  const [, token = ""] = /"token":"([^"]+)"/.exec(printed) ?? [];
  return token;
}

const post = async (url: string, token: string, type: string, body: string): Promise<string> => {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": type };
  const response = await fetch(url, { method: "POST", headers, body });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response.text();
};

async function newCalendar(server: string, token: string): Promise<string> {
  const body = JSON.stringify({ title: "Bench", timezone: "UTC" });
  const text = await post(`${server}/api/v1/calendars/create/`, token, "application/json", body);
  const [, id = ""] = /"id":"?(\d+)/.exec(text) ?? [];
  return id;
}

interface Figures {
  readonly importMs: number;
  /** Of the neighbour's creates. */
  readonly medianMs: number;
  readonly longestMs: number;
}

async function measure(
  server: string,
  owner: string,
  neighbour: string,
  calendar: string,
  other: string,
  ics: string,
): Promise<Figures> {
  const state = { isOver: false };
  const began = performance.now();
  const url = `${server}/api/kalends/v1/calendars/import/?calendar_id=${calendar}`;
  const importing = post(url, owner, "text/calendar", ics).finally(() => (state.isOver = true));
  const waits: number[] = [];
  const body = JSON.stringify({ calendar_id: other, title: "Other", start_date: "2027-01-01 10:00" });
  while (!state.isOver) {
    const start = performance.now();
    await post(`${server}/api/v1/calendars/events/create/`, neighbour, "application/json", body);
    waits.push(performance.now() - start);
  }
  await importing;
  return { importMs: performance.now() - began, medianMs: median(waits), longestMs: Math.max(...waits) };
}

async function round(dist: string, url: string): Promise<readonly Figures[]> {
  const [owner, neighbour] = [tokenOf(dist, url, "owner"), tokenOf(dist, url, "neighbour")];
  const server = await startKalends(url, dist);
  try {
    const [calendar, other] = [
      await newCalendar(server.url, owner),
      await newCalendar(server.url, neighbour),
    ];
    const run = (ics: string) => measure(server.url, owner, neighbour, calendar, other, ics);
    return [await run(file("Event")), await run(file("Changed")), await run(file("Changed"))];
  } finally {
    await server.stop();
  }
}

const postgres = values.postgres ? await startPostgres("-c", "fsync=on") : undefined;
let databases = 0;
async function newDatabase(): Promise<string> {
  databases++;
  if (postgres === undefined) return `sqlite:${join(scratchFolder(), "kalends.db")}`;
  const client = new pg.Client({ connectionString: `${postgres.url}/postgres` });
  await client.connect();
  await client.query(`create database bench_${databases}`);
  await client.end();
  return `${postgres.url}/bench_${databases}`;
}

const found = new Map<string, (readonly Figures[])[]>(values.dist.map((dist) => [dist, []]));
for (let index = 0; index < Number(values.rounds); index++)
  for (const [dist, rounds] of found) rounds.push(await round(dist, await newDatabase()));
for (const [dist, rounds] of found)
  for (const [step, name] of ["created", "changed", "unchanged"].entries()) {
    const of = (figure: (figures: Figures) => number): readonly number[] =>
      rounds
        .map((steps) => steps[step])
        .flatMap((figures) => (figures === undefined ? [] : [figure(figures)]));
    const longest = of(({ longestMs }) => longestMs);
    console.log(
      `${dist}: ${values.events} ${name} in ${Math.round(median(of(({ importMs }) => importMs)))} ms; the neighbour's creates: ` +
        `median ${median(of(({ medianMs }) => medianMs)).toFixed(1)} ms, longest of a run ${Math.round(median(longest))} ms (median of runs), ` +
        `${Math.round(Math.max(...longest))} ms (worst)`,
    );
  }
await postgres?.remove();
