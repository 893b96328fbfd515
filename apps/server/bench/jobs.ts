import { gunzipSync } from "node:zlib";
import { calendars, followerKeys, owners, type Size, benchToken } from "./data.js";
import type { Requests } from "./load.js";
import type { Kind } from "./stores.js";
import type { RawResponse } from "./wire.js";

/** Minimum ratios of our requests per second to those of each baseline and of the tutorial server. */
export interface Goals {
  readonly bare?: number;
  readonly express?: number;
  readonly tutorial?: number;
}

/** A kind of request to measure. */
export interface Job {
  readonly id: string;
  readonly title: string;
  readonly size: Size;
  /** Whether the page cache of Kalends is on. */
  readonly pages: "cached" | "uncached";
  /** Whether the job changes data; each round then gets a fresh copy and a fresh server. */
  readonly writes: boolean;
  readonly connections: number;
  /** Returns the requests; `etag` is that of an earlier response, for conditional requests. */
  readonly requests: (kind: Kind, etag: string) => Pick<Requests, "paths" | "headers">;
  /** Returns what is wrong with a response; undefined when it is correct. */
  readonly check: (response: RawResponse) => string | undefined;
  readonly goals: Goals;
  /** Set where the tutorial server has only a few responses per second; its rounds are then longer. */
  readonly isSlowElsewhere?: boolean;
}

const token = `token=${benchToken}`;
const list = (id: number, rest = ""): string =>
  `/api/v1/calendars/events/list/?${token}&calendar_id=${id}${rest}`;
const get = (...paths: readonly string[]) => ({ paths, headers: {} });

/** The parameters of a concert, encoded. */
const fields = [
  "title=Concert+{n}%3A+%C3%84rzte+%26+W%C3%B6lfe",
  "description=Doors+open+at+19%3A00.%0D%0ATickets%3A+https%3A%2F%2Fexample.com%2F{n}",
  "location=Gro%C3%9Fe+Freiheit+36%2C+Hamburg&organizer=Music+Club&organizer_email=club%40example.com",
  "start_date=07%2F04%2F2027+19%3A30&end_date=07%2F04%2F2027+22%3A00",
].join("&");

const twoYears = ["2026", "2027"].flatMap((year) =>
  Array.from({ length: 12 }, (_, n) => `&month=${String(n + 1).padStart(2, "0")}&year=${year}`),
);

const fiftyPages = Array.from({ length: 50 }, (_, n) => `&page=${n + 1}`);

const small = { size: "small", pages: "cached", writes: false, connections: 16 } as const;
const uncached = { ...small, pages: "uncached" } as const;
const large = { ...uncached, size: "large" } as const;
const hasItems = (name: string, count: number) => (response: RawResponse) => checkList(response, name, count);

export const jobs: readonly Job[] = [
  {
    ...small,
    id: "J1-cached",
    title: "list 100 of 10,000 events, cached",
    requests: () => get(list(calendars.tenThousand)),
    check: hasItems("events", 100),
    goals: { bare: 0.15, express: 0.65, tutorial: 25 },
  },
  {
    ...uncached,
    id: "J1-uncached",
    title: "list 100 of 10,000 events, uncached",
    // Different pages, because callers that wait for the same one share it.
    requests: () => get(...fiftyPages.map((page) => list(calendars.tenThousand, page))),
    check: hasItems("events", 100),
    goals: { bare: 0.08, express: 0.35, tutorial: 10 },
  },
  {
    ...uncached,
    id: "J2",
    title: "list a month of 10,000 events, uncached",
    requests: () => get(...twoYears.map((month) => list(calendars.tenThousand, month))),
    check: hasItems("events", 100),
    goals: { bare: 0.07, tutorial: 12 },
  },
  {
    ...small,
    id: "J3",
    title: "create an event",
    writes: true,
    requests: () =>
      get(`/api/v1/calendars/events/create/?${token}&calendar_id=${calendars.creates}&${fields}`),
    check: checkEvent,
    goals: { bare: 0.08, tutorial: 7 },
  },
  {
    ...small,
    id: "J3-many",
    title: "create an event in one of a hundred calendars",
    writes: true,
    requests: () =>
      get(
        ...owners.map(
          ({ id, token }) => `/api/v1/calendars/events/create/?token=${token}&calendar_id=${id}&${fields}`,
        ),
      ),
    check: checkEvent,
    goals: {},
  },
  {
    ...small,
    id: "J4",
    title: "save an event",
    writes: true,
    requests: () =>
      get(
        ...Array.from(
          { length: 1000 },
          (_, n) => `/api/v1/calendars/events/save/?${token}&event_id=${n * 10 + 1}&${fields}`,
        ),
      ),
    check: checkEvent,
    goals: { bare: 0.09, tutorial: 8 },
  },
  {
    ...small,
    id: "J5",
    title: "list 20 calendars",
    requests: () => get(`/api/v1/calendars/list/?${token}`),
    check: hasItems("calendars", 20),
    goals: { bare: 0.13, express: 0.55, tutorial: 12 },
  },
  {
    ...small,
    id: "J6",
    title: "list time zones",
    requests: () => get("/api/v1/timezones"),
    check: ({ status, body }) => (status === 200 && body.length > 10_000 ? undefined : `status ${status}`),
    goals: { bare: 0.2, express: 0.85 },
  },
  {
    ...small,
    id: "J7",
    title: "feed of 1,000 events, gzip, 200",
    connections: 4,
    requests: (kind) => ({ paths: feedPaths(kind), headers: { "Accept-Encoding": "gzip" } }),
    check: checkFeed,
    goals: { bare: 0.45, tutorial: 500 },
    isSlowElsewhere: true,
  },
  {
    ...small,
    id: "J8",
    title: "feed of 1,000 events, unchanged, 304",
    requests: (kind, etag) => ({
      paths: feedPaths(kind),
      headers: { "Accept-Encoding": "gzip", ...(etag === "" ? {} : { "If-None-Match": etag }) },
    }),
    check: ({ status }) => (status === 304 ? undefined : `status ${status}`),
    goals: { bare: 0.3, tutorial: 500 },
    isSlowElsewhere: true,
  },
  {
    ...large,
    id: "J11-first",
    title: "list 100 of 1,000,000 events, uncached",
    requests: () => get(list(calendars.million)),
    check: hasItems("events", 100),
    goals: {},
  },
  {
    ...large,
    id: "J11-last",
    title: "last page of 1,000,000 events, uncached",
    requests: () => get(list(calendars.million, "&page=10000")),
    check: hasItems("events", 100),
    goals: {},
  },
  {
    ...large,
    id: "J11-upcoming",
    title: "upcoming=now in 1,000,000 events, uncached",
    requests: () => get(list(calendars.million, "&upcoming=now")),
    check: hasItems("events", 100),
    goals: {},
  },
  {
    ...large,
    id: "J12",
    title: "list 100 of 100,000 subscribers, uncached",
    requests: () => get(`/api/v1/calendars/subscribers/list/?${token}&calendar_id=${calendars.subscribers}`),
    check: hasItems("subscribers", 100),
    goals: {},
  },
];

/** Returns the feed paths of 1,000 subscribers; the tutorial server has one path for all. */
function feedPaths(kind: Kind): readonly string[] {
  return kind === "kalends"
    ? followerKeys.map((key) => `/f/${key}/bench.ics`)
    : [`/c/benchkey2223/calendar.ics`];
}

function checkList({ status, body }: RawResponse, name: string, count: number): string | undefined {
  if (status !== 200) return `status ${status}`;
  const page: Readonly<Record<string, unknown>> = JSON.parse(body.toString());
  const items = page[name];
  const found = Array.isArray(items) ? items.length : 0;
  return found === count ? undefined : `${found} ${name} instead of ${count}`;
}

function checkEvent({ status, body }: RawResponse): string | undefined {
  if (status !== 200) return `status ${status}`;
  const { event }: { event?: { title?: string; date_start_time?: string } } = JSON.parse(body.toString());
  const isRight = event?.title?.startsWith("Concert") === true && event.date_start_time === "19:30:00";
  return isRight ? undefined : "the event differs from the one sent";
}

function checkFeed({ status, headers, body }: RawResponse): string | undefined {
  if (status !== 200) return `status ${status}`;
  if (headers["content-encoding"] !== "gzip") return "the feed is not compressed";
  const events = gunzipSync(body).toString().split("BEGIN:VEVENT").length - 1;
  return events === 1000 ? undefined : `${events} events instead of 1000`;
}
