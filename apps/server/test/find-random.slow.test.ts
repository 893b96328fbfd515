import { expect, test } from "vitest";
import { testServer } from "./harness.js";
import { randomFrom } from "./random.js";

// Random lists for people (extensions X8.1), compared with the events of the account filtered here, by the zone data of Node.

const queries = 2_000;
const seed = Number(process.env.KALENDS_SEED ?? 1);

/** Where clocks change on other days, by half an hour, in the south, or not at all. */
const zones = [
  "Europe/Berlin",
  "Europe/London",
  "America/New_York",
  "America/Los_Angeles",
  "America/St_Johns",
  "America/Santiago",
  "Australia/Sydney",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "Asia/Kolkata",
  "Asia/Tokyo",
  "Etc/UTC",
];
/** Days around which clocks change in these zones. */
const changes = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25", "2026-11-01"];
const titles = ["Konzert in Zürich", "Fête de la musique", "ŁÓDŹ opening", "Night market", "Größtes Konzert"];
const words = [
  "zurich",
  "KONZERT",
  "fete",
  "lodz",
  "market night",
  "größ",
  "e",
  "xyz",
  "konzert zur",
  "music",
];
const statuses = ["confirmed", "confirmed", "tentative", "cancelled"];

const server = await testServer({ PAGE_SIZE: "20" });
const owner = await server.account();
const random = randomFrom(seed);
const below = (count: number): number => Math.floor(random() * count);
const pick = <T>(items: readonly T[]): T => {
  const item = items[below(items.length)];
  if (item === undefined) throw new RangeError("nothing to pick");
  return item;
};
const text = (local: number): string => new Date(local * 1000).toISOString().slice(0, 16);

const formats = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }),
  ]),
);

/** The wall clock of an instant, as the seconds of the same digits in UTC. */
function localOf(unix: number, zone: string): number {
  return (
    Date.parse(
      `${formats
        .get(zone)
        ?.format(unix * 1000)
        .replace(" ", "T")}Z`,
    ) / 1000
  );
}

/** The instant of a wall clock: the first of two, and later by the gap in a gap. */
function unixOf(local: number, zone: string): number {
  const offset = (unix: number): number => localOf(unix, zone) - unix;
  const [earlier, later] = [local - offset(local - 86_400), local - offset(local + 86_400)];
  return localOf(earlier, zone) !== local && localOf(later, zone) === local ? later : earlier;
}

const calendars: readonly { readonly id: string; readonly zone: string }[] = await Promise.all(
  zones.map(async (zone) => {
    const { body } = await owner.call("createCalendar", { title: zone, timezone: zone });
    return { id: body.calendar.id, zone };
  }),
);

/** A minute on the days around a change of the clocks. */
function nearChange(): number {
  return Date.parse(pick(changes)) / 1000 + 60 * (below(4 * 1440) - 2 * 1440);
}

for (let number = 0; number < 400; number++) {
  const start = nearChange();
  const length = pick([0, 0, 15, 60, 60, 90, 1440, 3 * 1440, 9 * 1440, 40 * 1440]);
  const { status, text: answer } = await owner.call("eventsCreate", {
    calendar_id: pick(calendars).id,
    title: `${pick(titles)} ${number}`,
    location: pick(["", "", "Zurich", "Café"]),
    timezone: pick(zones),
    start_date: text(start),
    end_date: text(start + 60 * (length + 60)), // a clock that goes forward leaves a minute
    all_day_event: String(below(4) === 0),
    status: pick(statuses),
    categories: pick(["", "Music", "Music,Food"]),
  });
  expect(status, answer).toBe(200);
}
for (const { id } of calendars.slice(0, 3)) {
  const series = {
    calendar_id: id,
    title: "Fête",
    start_date: "2026-03-27T02:30",
    rrule: "FREQ=DAILY;COUNT=5",
  };
  expect((await owner.call("eventsSeriesCreate", series)).status).toBe(200);
}

interface Listed {
  readonly [name: string]: string | boolean | readonly string[];
  readonly id: string;
  readonly calendar_id: string;
  readonly title: string;
  readonly location: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly start_at: string;
  readonly end_at: string;
  readonly categories: readonly string[];
}

async function everyEvent(): Promise<readonly Listed[]> {
  const events: Listed[] = [];
  for (const { id } of calendars)
    for (let page = 1; ; page++) {
      const { body } = await owner.call("eventsList", { calendar_id: id, page: String(page) });
      events.push(...body.events);
      if (body.paging.next === "") break;
    }
  return events;
}

type Query = Readonly<Record<string, string>>;

function randomMoment(): string {
  const local = nearChange();
  const forms = [
    text(local).slice(0, 10),
    text(local),
    `${text(local)}Z`,
    `${text(local)}:00${pick(["+02:00", "-05:00", "+10:30"])}`,
  ];
  return pick(forms);
}

function randomQuery(): Query {
  const chosen = calendars.filter(() => below(3) === 0);
  const some = chosen.length === 0 ? [pick(calendars)] : chosen;
  const query: Record<string, string> = {
    calendar_id: some[0]?.id ?? "",
    order_by: pick(["date-asc", "date-desc", "id-asc", "id-desc"]),
    page: pick(["1", "1", "1", "2", "5"]),
    wall: "calendar",
  };
  if (some.length > 1) query["calendar_ids"] = some.map(({ id }) => id).join(",");
  if (below(3) > 0) query["from"] = randomMoment();
  if (below(3) > 0) query["to"] = randomMoment();
  if (below(4) === 0) query["q"] = pick(words);
  if (below(5) === 0) query["status"] = pick(statuses);
  if (below(5) === 0) query["category"] = pick(["Music", "Food", "None"]);
  if (below(12) === 0) query["series_id"] = pick(["1", "2", "3"]);
  return query;
}

/** A moment of a query, as an instant and on the wall clock. */
function momentOf(given: string, zone: string): readonly [at: number, local: number] {
  if (/(Z|[+-]\d\d:\d\d)$/.test(given)) {
    const at = Date.parse(given) / 1000;
    return [at, localOf(at, zone)];
  }
  const local = Date.parse(`${given.length === 10 ? `${given}T00:00` : given}Z`) / 1000;
  return [unixOf(local, zone), local];
}

const plain = (value: string): string =>
  value.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("ß", "ss").toLowerCase().replaceAll("ł", "l");
const day = (date: string): number => Date.parse(date.slice(0, 10)) / 1000;

/** When an event begins and ends: as instants, or, where it takes whole days, on the wall clock. */
function spanOf(event: Listed): readonly [first: number, last: number] {
  if (event["all_day_event"] !== true)
    return [Date.parse(event.start_at) / 1000, Date.parse(event.end_at) / 1000];
  // The end of one that was given none is an hour after its start: that is one day, also when it passes midnight.
  const isShort = Date.parse(`${event.end_date}Z`) - Date.parse(`${event.start_date}Z`) <= 3_600_000;
  return [day(event.start_date), day(isShort ? event.start_date : event.end_date) + 86_400];
}

function touches(event: Listed, { from, to }: Query, zone: string): boolean {
  const which = event["all_day_event"] === true ? 1 : 0;
  const [first, last] = spanOf(event);
  const begin = from === undefined ? -Infinity : momentOf(from, zone)[which];
  const end = to === undefined ? Infinity : momentOf(to, zone)[which];
  return first < end && (last > begin || first >= begin);
}

function expected(all: readonly Listed[], query: Query): readonly Listed[] {
  const {
    calendar_id = "",
    calendar_ids = calendar_id,
    order_by = "",
    q,
    status,
    category,
    series_id,
  } = query;
  const ids = calendar_ids.split(",");
  const zoneOf = new Map(calendars.map(({ id, zone }) => [id, zone]));
  const matches = all
    .filter((event) => ids.includes(event.calendar_id))
    .filter((event) => touches(event, query, zoneOf.get(event.calendar_id) ?? ""))
    .filter((event) =>
      (q ?? "").split(" ").every((word) => plain(`${event.title} ${event.location}`).includes(plain(word))),
    )
    .filter((event) => status === undefined || event["status"] === status)
    .filter((event) => series_id === undefined || event["series_id"] === series_id)
    .filter((event) => category === undefined || event.categories.includes(category));
  const byId = (one: Listed, other: Listed): number => Number(one.id) - Number(other.id);
  const byStart = (one: Listed, other: Listed): number =>
    Date.parse(one.start_at) - Date.parse(other.start_at) || byId(one, other);
  const sorted = matches.toSorted(order_by.startsWith("date") ? byStart : byId);
  return order_by.endsWith("desc") ? sorted.toReversed() : sorted;
}

/** The event with its times on the wall clock of its calendar. */
function shown(event: Listed): object {
  const zone = calendars.find(({ id }) => id === event.calendar_id)?.zone ?? "";
  const allDay = event["all_day_event"] === true;
  const start = allDay ? event.start_date : text(localOf(Date.parse(event.start_at) / 1000, zone));
  const end = allDay ? event.end_date : text(localOf(Date.parse(event.end_at) / 1000, zone));
  return { ...event, shown_start: start, shown_end: end < start ? start : end };
}

/** Whether a query has its end after its beginning in every zone that it asks of. */
function isForward({ calendar_id = "", calendar_ids = calendar_id, from, to }: Query): boolean {
  if (from === undefined || to === undefined) return true;
  const asked = calendars.filter(({ id }) => calendar_ids.split(",").includes(id));
  return asked.every(({ zone }) => momentOf(to, zone)[0] > momentOf(from, zone)[0]);
}

test(
  `${queries} random queries over ${zones.length} zones and both clock changes find what a filter of all events does`,
  { timeout: 600_000 },
  async () => {
    const all = await everyEvent();
    expect(all.length).toBe(415);
    const found = { some: 0, none: 0, refused: 0 };
    for (let number = 0; number < queries; number++) {
      const query = randomQuery();
      const { status, body } = await owner.call("eventsList", query);
      const about = JSON.stringify([seed, number, query]);
      expect(status, about).toBe(isForward(query) ? 200 : 400);
      found[status === 400 ? "refused" : body.calendar.events_count > 0 ? "some" : "none"]++;
      if (status === 400) continue;
      const matches = expected(all, query);
      const page = 20 * (Number(query["page"]) - 1);
      expect(body.calendar.events_count, about).toBe(matches.length);
      expect(body.events, about).toEqual(matches.slice(page, page + 20).map(shown));
    }
    expect(found.some).toBeGreaterThan(queries / 3);
    expect(found.none).toBeGreaterThan(queries / 20);
    expect(found.refused).toBeGreaterThan(queries / 20);
  },
);
