import { type Answered, type Around, type Ask, type Planted, read } from "./proxy.js";

// What faults change: paths, parameters, members of bodies, headers.

export const zones = "timezones";
export const createCalendar = "calendars/create";
export const saveCalendar = "calendars/save";
export const deleteCalendar = "calendars/delete";
export const createEvent = "calendars/events/create";
export const saveEvent = "calendars/events/save";
export const deleteEvent = "calendars/events/delete";
export const calendars = "calendars/list";
export const events = "calendars/events/list";
export const everySubscriber = "calendars/subscribers/list";
export const inactive = "calendars/subscribers/list/inactive";
export const blocked = "calendars/subscribers/list/blocked";
export const variants = [inactive, blocked];
export const subscribers = [everySubscriber, ...variants];
/** Every list that has pages. */
export const lists = [calendars, events, everySubscriber, ...variants];

export type Change = (url: URL) => string;

/** Changes `next` or `previous` of some lists, where there is one. */
export function link(
  which: "next" | "previous",
  paths: readonly string[],
  change: Change,
): NonNullable<Planted["answer"]> {
  return (body, { path }) => {
    const url = body.paging?.[which];
    if (paths.includes(path) && url) body.paging[which] = change(new URL(url));
  };
}

export const without =
  (...names: readonly string[]): Change =>
  (url) => {
    for (const name of names) url.searchParams.delete(name);
    return url.href;
  };

export const page =
  (number: string): Change =>
  (url) => {
    url.searchParams.set("page", number);
    return url.href;
  };

/** Changes one parameter of requests to a path that begins so. */
export function param(
  paths: readonly string[],
  name: string,
  change: (value: string, ask: Ask) => string | undefined,
): NonNullable<Planted["ask"]> {
  return (ask) => {
    const value = ask.params.get(name);
    if (value === null || !paths.includes(ask.path)) return;
    const changed = change(value, ask);
    if (changed === undefined) ask.params.delete(name);
    else ask.params.set(name, changed);
  };
}

/** Changes each item of a list, and the event or calendar of another answer. */
export function each(
  key: "events" | "calendars" | "subscribers",
  change: (item: ReturnType<typeof JSON.parse>, ask: Ask) => void,
): NonNullable<Planted["answer"]> {
  return (body, ask) => {
    for (const item of body[key] ?? []) change(item, ask);
    if (key === "events" && body.event?.title !== undefined) change(body.event, ask);
    if (key === "calendars" && body.calendar?.title !== undefined) change(body.calendar, ask);
  };
}

export const createAndSave = [createEvent, saveEvent];
export const flipTwelve = (value: string): string =>
  value.replace(
    /(?<= )12:(\d\d) ?([ap]m)/i,
    (_, minute: string, half: string) => `12:${minute}${/a/i.test(half) ? "pm" : "am"}`,
  );
export const flipTwelveOfEvents = (value: string): string =>
  value.replace(
    / 12:(\d\d) ([AP])M/,
    (_, minute: string, half: string) => ` 12:${minute} ${half === "A" ? "P" : "A"}M`,
  );
export const dayFirst = (date: string): string => date.replace(/^(\d\d)\/(\d\d)/, "$2/$1");
export const header =
  (name: string, paths: readonly string[] | undefined, statuses: readonly number[]) =>
  (answered: Answered, { path }: Ask): Answered => {
    if ((paths !== undefined && !paths.includes(path)) || !statuses.includes(answered.status))
      return answered;
    const headers = Object.entries(answered.headers).filter(([one]) => one.toLowerCase() !== name);
    return { ...answered, headers: Object.fromEntries(headers) };
  };
/** Changes the meta of errors. */
export const meta =
  (change: (meta: ReturnType<typeof JSON.parse>) => void): NonNullable<Planted["answer"]> =>
  (body) => {
    if (body.meta?.error_type !== undefined) change(body.meta);
  };

/** A response of JSON in place of the server's. */
export function json(body: object, status = 200): Answered {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

export function html(status: number, body: string): Answered {
  return { status, headers: { "content-type": "text/html" }, body };
}

/** An error in the envelope. */
export function refusal(status: number, error_type: string): Answered {
  return json({ meta: { code: String(status), error_type, error_message: "Refused." } }, status);
}

/** Reads one path as the caller, or with another token. Returns its status and its body. */
export async function look(
  ask: Ask,
  { pass }: Around,
  path: string,
  params: Readonly<Record<string, string>>,
  token?: string,
) {
  const { status, body } = await pass(read(ask, path, params, token));
  return { status, body: JSON.parse(body) };
}

/** All items of the list that was requested, without these parameters, over all its pages. */
export async function whole(ask: Ask, around: Around, key: string, left: readonly string[] = []) {
  const params = Object.fromEntries(ask.params);
  for (const name of ["page", ...left]) delete params[name];
  const items: ReturnType<typeof JSON.parse>[] = [];
  for (let page = 1; ; page++) {
    const { body } = await look(ask, around, ask.path, { ...params, page: String(page) });
    items.push(...(body[key] ?? []));
    if (!body.paging?.next) return items;
  }
}

type Items = readonly ReturnType<typeof JSON.parse>[];

/** Answers these paths with all items in one page. `left`: parameters that the server does not see. */
export function inOnePage(
  path: string,
  key: string,
  left: readonly string[],
  change: (items: Items, ask: Ask) => Items,
  applies: (ask: Ask) => boolean = () => true,
): NonNullable<Planted["instead"]> {
  return async (ask, around) => {
    const answered = await around.pass(ask);
    if (ask.path !== path || answered.status !== 200 || !applies(ask)) return answered;
    const body = JSON.parse(answered.body);
    body[key] = change(await whole(ask, around, key, left), ask);
    body.paging = { previous: "", next: "" };
    if (body.calendar?.events_count !== undefined) body.calendar.events_count = body[key].length;
    return { ...answered, body: JSON.stringify(body) };
  };
}

/** Answers each page of a list as if it were ordered so. */
export function reordered(
  path: string,
  key: string,
  order: (one: ReturnType<typeof JSON.parse>, other: ReturnType<typeof JSON.parse>) => number,
): NonNullable<Planted["instead"]> {
  return async (ask, around) => {
    const answered = await around.pass(ask);
    if (ask.path !== path || answered.status !== 200) return answered;
    const body = JSON.parse(answered.body);
    const first = JSON.parse(
      (await around.pass(read(ask, path, { ...Object.fromEntries(ask.params), page: "1" }))).body,
    );
    const start = (Number(ask.params.get("page") ?? "1") - 1) * first[key].length;
    body[key] = (await whole(ask, around, key)).toSorted(order).slice(start, start + body[key].length);
    return { ...answered, body: JSON.stringify(body) };
  };
}

/** Answers requests to these paths that find nothing as the other account. */
export function asAnyone(isMeant: (path: string) => boolean): NonNullable<Planted["instead"]> {
  return async (ask, { pass, token, otherToken }) => {
    const answered = await pass(ask);
    if (!isMeant(ask.path) || answered.status !== 404) return answered;
    const own = ask.params.get("token");
    if (own === null) return answered;
    ask.params.set("token", own === token ? otherToken : token);
    return pass(ask);
  };
}

/** Answers a delete of something that is there, and deletes nothing. */
export function undeleted(
  path: string,
  details: string,
  name: string,
  key: string,
): NonNullable<Planted["instead"]> {
  return async (ask, around) => {
    if (ask.path !== path) return around.pass(ask);
    const id = ask.params.get(name) ?? "";
    const { status } = await look(ask, around, details, { [name]: id });
    return status === 200
      ? json({ meta: { code: "200" }, [key]: { id, status: "deleted" } })
      : around.pass(ask);
  };
}

/** Sets a parameter of requests to these paths that do not have it. */
export function byDefault(
  paths: readonly string[],
  name: string,
  value: string,
): NonNullable<Planted["ask"]> {
  return ({ path, params }) => {
    if (paths.includes(path) && !params.get(name)) params.set(name, value);
  };
}

/** Changes each value of these parameters, whatever the path. */
export function values(
  names: readonly string[],
  change: (value: string) => string,
): NonNullable<Planted["ask"]> {
  return ({ params }) => {
    for (const name of names) {
      const value = params.get(name);
      if (value !== null) params.set(name, change(value));
    }
  };
}

/** Before a change of an event: what it was, as the extensions show it. */
export function withBefore(
  path: string,
  change: (params: URLSearchParams, before: ReturnType<typeof JSON.parse>) => void,
): NonNullable<Planted["instead"]> {
  return async (ask, around) => {
    if (ask.path === path) {
      const event_id = ask.params.get("event_id") ?? "";
      const { status, body } = await look(ask, around, "x/events/details", { event_id });
      if (status === 200) change(ask.params, body.event);
    }
    return around.pass(ask);
  };
}

/** "07/04/2026" and "13:30:00" as if they were UTC. */
export const asUtc = (date: string, time: string): number =>
  Date.parse(`${date.slice(6)}-${date.slice(0, 2)}-${date.slice(3, 5)}T${time}Z`) / 1000;

/** "07/04/2026 13:30" of Unix seconds, in UTC. */
export const utcText = (unix: number): string =>
  new Date(unix * 1000).toISOString().replace(/^(\d{4})-(\d\d)-(\d\d)T([\d:]{5}).*$/, "$2/$3/$1 $4");

/** Unix seconds of a start in the form of most checks; undefined for other forms, and of a date that does not exist. */
export const startOf = (value: string | null): number | undefined => {
  const [, date, time] = /^(\d\d\/\d\d\/\d{4}) (\d\d:\d\d)$/.exec(value ?? "") ?? [];
  const unix = date === undefined || time === undefined ? NaN : asUtc(date, `${time}:00`);
  return Number.isNaN(unix) ? undefined : unix;
};

/** Changes each event that the extensions show. */
export const eachEvent =
  (change: (event: ReturnType<typeof JSON.parse>) => void): NonNullable<Planted["answer"]> =>
  (body, { path }) => {
    if (!path.startsWith("x/events/")) return;
    if (body.event !== undefined) change(body.event);
    for (const event of body.events ?? []) change(event);
    for (const { event } of body.changes ?? []) if (event !== undefined) change(event);
  };
