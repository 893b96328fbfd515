import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { calendarFile, vevent } from "./calendar-files.js";
import { run } from "./process.js";
import { temporaryFolder } from "./temporary.js";

// One account at its worst, or a stranger without a token, with hundreds of connections: what must hold for a neighbour.

const token = "a-token-of-the-attacker";

/** A calendar of the attacker, with long events. */
interface World {
  readonly calendarId: string;
  readonly uniquekey: string;
}

interface Attack {
  readonly name: string;
  readonly connections: number;
  /** The bytes that each connection sends. */
  readonly text: (world: World) => string;
  /** What all connections send at once, when the rest was sent. */
  readonly last?: string;
  /** Whether answers are read; default true. */
  readonly isRead?: false;
}

const formType = "Content-Type: application/x-www-form-urlencoded";
const jsonType = "Content-Type: application/json";
const known = `Authorization: Bearer ${token}`;
const longTitle = `{"title":"${"a".repeat(1_000_000)}"`;

function get(path: string, ...headers: readonly string[]): string {
  return [`GET ${path} HTTP/1.1`, "Host: x", "Connection: close", ...headers, "", ""].join("\r\n");
}

/** A head of a body that is `more` bytes longer than the one given. */
function post(path: string, body: string, more: number, ...headers: readonly string[]): string {
  const length = `Content-Length: ${body.length + more}`;
  return [`POST ${path} HTTP/1.1`, "Host: x", "Connection: close", length, ...headers, "", body].join("\r\n");
}

const create = "/api/v1/calendars/create/";
const extension = "/api/kalends/v1";
const preview = (rule: string): string => get(`${extension}/events/series/preview/?${rule}`, known);
const rdates = Array.from({ length: 300 }, (_, day) =>
  new Date(Date.UTC(2030, 0, 1 + day)).toISOString().slice(0, 16),
).join(",");

const attacks: readonly Attack[] = [
  {
    name: "bodies of 1 MB of a known caller whose last byte comes at once",
    connections: 600,
    text: () => post(create, longTitle, 1, known, jsonType),
    last: "}",
  },
  {
    name: "bodies of 1 MB without a token",
    connections: 60,
    text: () => post(create, `${longTitle}}`, 0, jsonType),
  },
  {
    name: "bodies of 1 MB in chunks without a token",
    connections: 60,
    text: () =>
      `POST ${create} HTTP/1.1\r\nHost: x\r\n${jsonType}\r\nTransfer-Encoding: chunked\r\n\r\n` +
      `400\r\n${"a".repeat(1_024)}\r\n`.repeat(1_000),
  },
  {
    name: "queries of 60 KB with 8,000 names without a token",
    connections: 60,
    text: () =>
      get(
        `${create}?${Array.from({ length: 8_000 }, (_, n) => `p${n}=1`)
          .join("&")
          .slice(0, 60_000)}`,
      ),
  },
  {
    name: "queries of 60 KB with 990 names without a token",
    connections: 60,
    text: () =>
      get(`${create}?${Array.from({ length: 990 }, (_, n) => `p${n}=${"1".repeat(54)}`).join("&")}`),
  },
  {
    name: "previews of 300 dates",
    connections: 200,
    text: () =>
      preview(
        `start_date=2030-01-01T10:00&timezone=Europe/Berlin&rrule=FREQ%3DDAILY%3BCOUNT%3D2&rdate=${rdates}`,
      ),
  },
  {
    name: "previews of a rule without dates",
    connections: 400,
    text: () =>
      preview(
        "start_date=2030-01-01T10:00&timezone=Europe/Berlin&rrule=FREQ%3DDAILY%3BBYMONTH%3D2%3BBYMONTHDAY%3D30%3BCOUNT%3D366",
      ),
  },
  {
    name: "bodies in chunks of one byte",
    connections: 200,
    text: () =>
      `POST ${create} HTTP/1.1\r\nHost: x\r\n${known}\r\n${formType}\r\nTransfer-Encoding: chunked\r\n\r\n` +
      "1\r\na\r\n".repeat(10_000),
  },
  {
    name: "bodies in chunks of one byte without a token",
    connections: 600,
    text: () =>
      `POST ${create} HTTP/1.1\r\nHost: x\r\n${formType}\r\nTransfer-Encoding: chunked\r\n\r\n` +
      "1\r\na\r\n".repeat(10_000),
  },
  {
    name: "pipelined requests",
    connections: 100,
    text: () => "GET /api/v1/calendars/list/ HTTP/1.1\r\nHost: x\r\n\r\n".repeat(200),
    isRead: false,
  },
  {
    name: "uploads of 9 MB that never end",
    connections: 100,
    text: ({ calendarId }) =>
      post(
        `/api/kalends/v1/calendars/import/?calendar_id=${calendarId}`,
        "BEGIN:VCALENDAR\r\n".repeat(100_000),
        8_000_000,
        known,
        "Content-Type: text/calendar",
      ),
  },
  {
    name: "files of 999 time zones of their own",
    connections: 1,
    text: ({ calendarId }) => {
      const path = `${extension}/calendars/import/?calendar_id=${calendarId}&dry_run=true`;
      return post(path, fileOfZones(), 0, known, "Content-Type: text/calendar");
    },
  },
  {
    name: "lists of long events that no one reads",
    connections: 200,
    text: ({ calendarId }) => get(`${extension}/events/list/?calendar_id=${calendarId}`, known),
    isRead: false,
  },
  {
    name: "lists of long events",
    connections: 100,
    text: ({ calendarId }) => get(`${extension}/events/list/?calendar_id=${calendarId}`, known),
  },
  {
    name: "pages of a calendar with long events",
    connections: 200,
    text: ({ uniquekey }) => get(`/c/${uniquekey}?month=2030-07`),
  },
];

test.runIf(process.platform === "linux").each(attacks.map((attack) => [attack.name, attack] as const))(
  "%s leave the process and a neighbour alone",
  async (name, { connections, text, last, isRead = true }) => {
    await using server = await startServer();
    const attacker = fork(new URL("attacker.mjs", import.meta.url));
    const { port } = new URL(server.url);
    attacker.send({ port: Number(port), connections, text: text(server.world), last, isRead });
    const before = server.schedule();
    const [times, disk] = await Promise.all([measureNeighbour(server), measureDisk()]);
    const after = server.schedule();
    attacker.send("stop");
    const [answered]: unknown[] = await once(attacker, "message");
    const peak = Math.round(server.peakMegabytes());
    // How many times as long the server took as it would have with a processor of its own.
    const slowness = 1 + (after.waited - before.waited) / Math.max(1, after.ran - before.ran);
    process.stdout.write(
      `${JSON.stringify({ name, slowness: Math.round(slowness * 10) / 10, peak, disk, times, answered })}\n`,
    );
    for (const [kind, { worst, statuses }] of Object.entries(times)) {
      expect.soft(worst / slowness, kind).toBeLessThan(2_000);
      expect.soft([kind, statuses.filter((status) => ![200, 429, 503].includes(status))]).toEqual([kind, []]);
    }
    expect.soft(peak).toBeLessThan(450);
    await expect.poll(async () => (await server.neighbour.write()).status, { timeout: 10_000 }).toBe(200);
  },
  60_000,
);

/** Returns a file of 9.8 MB. */
function fileOfZones(): string {
  const each = <T>(count: number, item: (n: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, n) => item(n));
  const part = (zone: number, n: number): string =>
    `BEGIN:STANDARD\r\nDTSTART:${1950 + n}0101T0000${10 + (n % 50)}\r\nTZOFFSETFROM:+0001\r\nTZOFFSETTO:+00${10 + ((zone + n) % 50)}\r\nEND:STANDARD`;
  return calendarFile(
    ...each(
      999,
      (zone) =>
        `BEGIN:VTIMEZONE\r\nTZID:X${zone}\r\n${each(98, (n) => part(zone, n)).join("\r\n")}\r\nEND:VTIMEZONE`,
    ),
    ...each(8_991, (n) => vevent(`UID:${n}`, `DTSTART;TZID=X${n % 999}:2030${10 + (n % 3)}01T100000`)),
  );
}

/** Starts a server with the calendar of the attacker and an account beside it. */
async function startServer() {
  const folder = temporaryFolder();
  const settings = { DATABASE_URL: `sqlite:${folder}/kalends.db`, CALENDAR_TOKEN: token };
  const { child, until, finished } = run("main.ts", [], folder, {
    ...settings,
    PORT: "0",
    LOG_LEVEL: "warn",
    NODE_OPTIONS: "--max-semi-space-size=4 --max-old-space-size=256", // as npm start sets it
  });
  const [, url = ""] = await until(/Listening on (\S+)/);
  const call = async (by: string, path: string, body: string, type = "application/x-www-form-urlencoded") => {
    const headers = { Authorization: `Bearer ${by}`, "Content-Type": type };
    const response = await fetch(url + path, { method: "POST", headers, body });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const { calendar } = (await call(token, create, "title=Long&timezone=UTC")).body;
  const events = Array.from({ length: 200 }, (_, n) =>
    vevent(`UID:${n}`, `DESCRIPTION:${"x".repeat(20_000)}`),
  );
  await call(
    token,
    `${extension}/calendars/import/?calendar_id=${calendar.id}`,
    calendarFile(...events),
    "text/calendar",
  );
  const { stdout } = await run("cli.ts", ["account", "create", "--name", "N", "--json"], folder, settings)
    .finished;
  const own: { readonly token: string } = JSON.parse(stdout);
  const made = (await call(own.token, create, "title=Town&timezone=UTC")).body.calendar;
  const read = async (path: string) => {
    const response = await fetch(url + path, { headers: { Authorization: `Bearer ${own.token}` } });
    await response.text();
    return response;
  };
  return {
    url,
    world: { calendarId: calendar.id, uniquekey: calendar.uniquekey },
    neighbour: {
      write: () =>
        call(
          own.token,
          `${extension}/events/create/`,
          `calendar_id=${made.id}&title=x&start_date=2030-07-04T10:00`,
        ),
      list: () => read(`${extension}/events/list/?calendar_id=${made.id}`),
      page: () => read(`/c/${made.uniquekey}?month=2030-07`),
    },
    /** For how long the process has run, and waited for a processor, in ns. */
    schedule: () => {
      const [ran = 0, waited = 0] = readFileSync(`/proc/${child.pid}/schedstat`, "utf8")
        .split(" ")
        .map(Number);
      return { ran, waited };
    },
    peakMegabytes: () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await finished;
    },
  };
}

type Server = Awaited<ReturnType<typeof startServer>>;

const measuredMs = 8_000;

/** Returns the worst time in ms that the disk took to store some bytes. It is printed, and excuses nothing: an attack may be what slows it. */
async function measureDisk(): Promise<number> {
  const file = await open(join(temporaryFolder(), "bytes"), "w");
  const endsAt = performance.now() + measuredMs;
  let worst = 0;
  while (performance.now() < endsAt) {
    const began = performance.now();
    await file.write("x".repeat(4_096), 0);
    await file.datasync();
    worst = Math.max(worst, performance.now() - began);
    await delay(50);
  }
  await file.close();
  return Math.round(worst);
}

/** Repeats each request of the neighbour for some seconds. Returns the worst time in ms of each, and their statuses. */
async function measureNeighbour({ neighbour }: Server) {
  const endsAt = performance.now() + measuredMs;
  const measured = Object.entries(neighbour).map(async ([kind, send]) => {
    const statuses: number[] = [];
    let worst = 0;
    while (performance.now() < endsAt) {
      const began = performance.now();
      const { status } = await send().catch(() => ({ status: 0 }));
      worst = Math.max(worst, performance.now() - began);
      statuses.push(status);
      await delay(50);
    }
    return [
      kind,
      { worst: Math.round(worst), statuses: [...new Set(statuses)], count: statuses.length },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(measured));
}
