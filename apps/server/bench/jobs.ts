import { gunzipSync } from "node:zlib";
import { calendars, followerKeys, type Size, tokenOfBench } from "./data.js";
import type { Requests } from "./load.js";
import type { Kind } from "./stores.js";
import type { Answer } from "./wire.js";

/** At least this share of a ruler's requests per second, or times those of the tutorial server. */
export interface Goals {
  readonly bare?: number;
  readonly express?: number;
  readonly tutorial?: number;
}

export interface Job {
  readonly id: string;
  readonly title: string;
  readonly size: Size;
  /** Whether our server may keep pages that it has made. */
  readonly pages: "kept" | "made anew";
  /** Whether it changes the data: then each round has a copy and a server of its own. */
  readonly writes: boolean;
  readonly connections: number;
  /** What to ask for; an ETag that was seen before for those that ask whether anything changed. */
  readonly requests: (kind: Kind, etag: string) => Pick<Requests, "paths" | "headers">;
  /** What is wrong with the answer; undefined when it is right. */
  readonly complaint: (answer: Answer) => string | undefined;
  readonly goals: Goals;
  /** Rounds of the tutorial server are longer where it has only a few answers a second. */
  readonly isSlowElsewhere?: boolean;
}

const token = `token=${tokenOfBench}`;
const list = (id: number, rest = ""): string =>
  `/api/v1/calendars/events/list/?${token}&calendar_id=${id}${rest}`;
const get = (...paths: readonly string[]) => ({ paths, headers: {} });

/** The fields of a concert, encoded. */
const fields = [
  "title=Concert+{n}%3A+%C3%84rzte+%26+W%C3%B6lfe",
  "description=Doors+open+at+19%3A00.%0D%0ATickets%3A+https%3A%2F%2Fexample.com%2F{n}",
  "location=Gro%C3%9Fe+Freiheit+36%2C+Hamburg&organizer=Music+Club&organizer_email=club%40example.com",
  "start_date=07%2F04%2F2027+19%3A30&end_date=07%2F04%2F2027+22%3A00",
].join("&");

const twoYears = ["2026", "2027"].flatMap((year) =>
  Array.from({ length: 12 }, (_, n) => `&month=${String(n + 1).padStart(2, "0")}&year=${year}`),
);

const small = { size: "small", pages: "kept", writes: false, connections: 16 } as const;
const anew = { ...small, pages: "made anew" } as const;
const large = { ...anew, size: "large" } as const;
const holds = (name: string, count: number) => (answer: Answer) => complaintOfList(answer, name, count);

export const jobs: readonly Job[] = [
  {
    ...small,
    id: "J1-seen",
    title: "list 100 of 10,000 events, seen before",
    requests: () => get(list(calendars.tenThousand)),
    complaint: holds("events", 100),
    goals: { bare: 0.15, express: 0.65, tutorial: 25 },
  },
  {
    ...anew,
    id: "J1-new",
    title: "list 100 of 10,000 events, not seen before",
    requests: () => get(list(calendars.tenThousand)),
    complaint: holds("events", 100),
    goals: { bare: 0.08, express: 0.35, tutorial: 10 },
  },
  {
    ...anew,
    id: "J2",
    title: "a month of them, not seen before",
    requests: () => get(...twoYears.map((month) => list(calendars.tenThousand, month))),
    complaint: holds("events", 100),
    goals: { bare: 0.07, tutorial: 12 },
  },
  {
    ...small,
    id: "J3",
    title: "create an event",
    writes: true,
    requests: () =>
      get(`/api/v1/calendars/events/create/?${token}&calendar_id=${calendars.creates}&${fields}`),
    complaint: complaintOfEvent,
    goals: { bare: 0.08, tutorial: 7 },
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
    complaint: complaintOfEvent,
    goals: { bare: 0.09, tutorial: 8 },
  },
  {
    ...small,
    id: "J5",
    title: "list 20 calendars",
    requests: () => get(`/api/v1/calendars/list/?${token}`),
    complaint: holds("calendars", 20),
    goals: { bare: 0.13, express: 0.55, tutorial: 12 },
  },
  {
    ...small,
    id: "J6",
    title: "list the time zones",
    requests: () => get("/api/v1/timezones"),
    complaint: ({ status, body }) =>
      status === 200 && body.length > 10_000 ? undefined : `status ${status}`,
    goals: { bare: 0.2, express: 0.85 },
  },
  {
    ...small,
    id: "J7",
    title: "feed of 1,000 events, gzip, 200",
    connections: 4,
    requests: (kind) => ({ paths: feedPaths(kind), headers: { "Accept-Encoding": "gzip" } }),
    complaint: complaintOfFeed,
    goals: { bare: 0.45, tutorial: 500 },
    isSlowElsewhere: true,
  },
  {
    ...small,
    id: "J8",
    title: "the same feed, 304",
    requests: (kind, etag) => ({
      paths: feedPaths(kind),
      headers: { "Accept-Encoding": "gzip", ...(etag === "" ? {} : { "If-None-Match": etag }) },
    }),
    complaint: ({ status }) => (status === 304 ? undefined : `status ${status}`),
    goals: { bare: 0.3, tutorial: 500 },
    isSlowElsewhere: true,
  },
  {
    ...large,
    id: "J11-first",
    title: "list 100 of 1,000,000 events, not seen before",
    requests: () => get(list(calendars.million)),
    complaint: holds("events", 100),
    goals: {},
  },
  {
    ...large,
    id: "J11-last",
    title: "the last page of 1,000,000 events",
    requests: () => get(list(calendars.million, "&page=10000")),
    complaint: holds("events", 100),
    goals: {},
  },
  {
    ...large,
    id: "J11-upcoming",
    title: "upcoming=now in the middle of them",
    requests: () => get(list(calendars.million, "&upcoming=now")),
    complaint: holds("events", 100),
    goals: {},
  },
  {
    ...large,
    id: "J12",
    title: "a page of 100,000 subscribers",
    requests: () => get(`/api/v1/calendars/subscribers/list/?${token}&calendar_id=${calendars.subscribers}`),
    complaint: holds("subscribers", 100),
    goals: {},
  },
];

/** A thousand followers ask in turn; the tutorial server has one address for all. */
function feedPaths(kind: Kind): readonly string[] {
  return kind === "kalends"
    ? followerKeys.map((key) => `/f/${key}/bench.ics`)
    : [`/c/benchkey2223/calendar.ics`];
}

function complaintOfList({ status, body }: Answer, name: string, count: number): string | undefined {
  if (status !== 200) return `status ${status}`;
  const page: Readonly<Record<string, unknown>> = JSON.parse(body.toString());
  const items = page[name];
  const found = Array.isArray(items) ? items.length : 0;
  return found === count ? undefined : `${found} ${name} instead of ${count}`;
}

function complaintOfEvent({ status, body }: Answer): string | undefined {
  if (status !== 200) return `status ${status}`;
  const { event }: { event?: { title?: string; date_start_time?: string } } = JSON.parse(body.toString());
  const isRight = event?.title?.startsWith("Concert") === true && event.date_start_time === "19:30:00";
  return isRight ? undefined : "it is not the event that was sent";
}

function complaintOfFeed({ status, headers, body }: Answer): string | undefined {
  if (status !== 200) return `status ${status}`;
  if (headers["content-encoding"] !== "gzip") return "it is not compressed";
  const events = gunzipSync(body).toString().split("BEGIN:VEVENT").length - 1;
  return events === 1000 ? undefined : `${events} events instead of 1000`;
}
