import { toLocal, toUnix } from "../src/time/zones.js";

// What a series does (extensions X5.3), as simple as it can be said: lists of wall clocks in Europe/Berlin. Rules are
// FREQ=DAILY;INTERVAL;COUNT, so that their dates are multiples.

export const zone = "Europe/Berlin";
const day = 86_400;

export interface Item {
  /** When the series has it. */
  place: number;
  /** When it is. */
  start: number;
  length: number;
  title: string;
  location: string;
}

export interface Part {
  items: Item[];
  /** What the rule names of this part. */
  named: number[];
  rdate: number[];
  exdate: number[];
  /** The places that belong to it. */
  from: number;
  before: number;
  length: number;
  title: string;
  location: string;
}

export interface Change {
  readonly title?: string;
  readonly location?: string;
  readonly start?: number;
  readonly end?: number;
  readonly rule?: { readonly interval: number; readonly count: number };
  readonly rdate?: readonly number[];
  readonly exdate?: readonly number[];
}

/** What the wall clock shows of an event: a skipped time is later, and none ends before it starts. */
export function shown({
  start,
  length,
}: Pick<Item, "start" | "length">): readonly [start: number, end: number] {
  const from = toUnix(start, zone);
  const to = toUnix(start + length, zone);
  return [toLocal(from, zone), toLocal(to < from ? from + length : to, zone)];
}

export function multiples(start: number, interval: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => start + index * interval * day);
}

const sorted = (places: Iterable<number>) => [...new Set(places)].toSorted((one, other) => one - other);
const isIn =
  ({ from, before }: Part) =>
  (place: number) =>
    place >= from && place < before;

function placesOf(part: Part): number[] {
  return sorted([...part.named, ...part.rdate]).filter(
    (place) => isIn(part)(place) && !part.exdate.includes(place),
  );
}

const newItem = ({ length, title, location }: Part, place: number): Item => ({
  place,
  start: place,
  length,
  title,
  location,
});

export function newPart(part: Omit<Part, "items" | "from" | "before">): Part {
  const whole = { ...part, items: [], from: -Infinity, before: Infinity };
  return { ...whole, items: placesOf(whole).map((place) => newItem(whole, place)) };
}

const isAtPlace = (item: Item, part: Part) =>
  String(shown(item)) === String(shown({ start: item.place, length: part.length }));

/** Changes one item; undefined when that is refused. */
export function changeOne(part: Part, item: Item, { title, location, start, end }: Change): Part | undefined {
  const changed = { ...item, title: title ?? item.title, location: location ?? item.location };
  if (start !== undefined && end !== undefined) {
    if (toUnix(end, zone) < toUnix(start, zone)) return undefined;
    const [from, to] = [toLocal(toUnix(start, zone), zone), toLocal(toUnix(end, zone), zone)];
    Object.assign(changed, { start: from, length: to - from });
    if (isAtPlace(changed, part)) Object.assign(changed, { start: item.place, length: part.length });
  }
  return { ...part, items: part.items.map((each) => (each === item ? changed : each)) };
}

/** Changes the items from one on, or all: what the series was and what it has become. Undefined when that is refused. */
export function changeMany(
  part: Part,
  anchor: Item,
  scope: "following" | "all",
  change: Change,
): readonly Part[] | undefined {
  const concerned = part.items.filter(({ place }) => scope === "all" || place >= anchor.place);
  const isSplit = concerned.length < part.items.length;
  const left = isSplit
    ? [{ ...part, before: anchor.place, items: part.items.filter((item) => !concerned.includes(item)) }]
    : [];
  const right = { ...part, items: concerned, ...(isSplit ? { from: anchor.place } : {}) };
  const timed = withTimes(right, anchor, change);
  if (timed === undefined) return undefined;
  const texts = { title: change.title ?? part.title, location: change.location ?? part.location };
  const items = timed.items.map((item) => ({
    ...item,
    title: change.title ?? item.title,
    location: change.location ?? item.location,
  }));
  const ruled = withRule({ ...timed, ...texts, items }, right, change);
  return ruled && [...left, ruled];
}

function withTimes(part: Part, anchor: Item, { start, end }: Change): Part | undefined {
  const by = start === undefined ? 0 : start - anchor.place;
  const length = end === undefined ? part.length : end - (start ?? shown(anchor)[0]);
  if (length < 0) return undefined;
  const moved = (places: readonly number[]) => places.map((place) => place + by);
  const items = part.items.map((item) => {
    const [from, to] = shown(item);
    const own = isAtPlace(item, part) ? undefined : { start: from, length: Math.max(0, to - from) };
    const place = item.place + by;
    return {
      ...item,
      place,
      start: start === undefined ? (own?.start ?? place) : place,
      length: end === undefined ? (own?.length ?? part.length) : length,
    };
  });
  const { named, rdate, exdate, from, before } = part;
  return {
    ...{ ...part, items, length, named: moved(named), rdate: moved(rdate), exdate: moved(exdate) },
    ...{ from: from + by, before: before + by },
  };
}

function withRule(part: Part, old: Part, { rule, rdate, exdate }: Change): Part | undefined {
  if (rule === undefined && rdate === undefined && exdate === undefined) return part;
  if (rule === undefined && rdate?.some((place) => !isIn(part)(place)) === true) return undefined;
  const kept = (places: readonly number[]) => (rule === undefined ? [...places] : places.filter(isIn(part)));
  const next: Part = {
    ...part,
    ...(rule === undefined
      ? {}
      : {
          named: multiples(part.items[0]?.place ?? NaN, rule.interval, rule.count),
          from: -Infinity,
          before: Infinity,
        }),
    rdate: rdate === undefined ? kept(part.rdate) : sorted(rdate),
    exdate: exdate === undefined ? kept(part.exdate) : sorted(exdate),
  };
  const existing = new Set(old.items.map(({ place }) => place));
  const by = (part.items[0]?.place ?? 0) - (old.items[0]?.place ?? 0);
  const gone = new Set(
    placesOf(old)
      .filter((place) => !existing.has(place))
      .map((place) => place + by),
  );
  const items = placesOf(next).flatMap((place) => {
    const item = part.items.find((each) => each.place === place);
    if (item !== undefined) return [item];
    return gone.has(place) ? [] : [newItem(next, place)];
  });
  // a rule whose every date is left out is refused, and so is one that leaves no event
  return items.length === 0 ? undefined : { ...next, items };
}

/** Deletes items; what is left of the series. */
export function removed(part: Part, anchor: Item, scope: "this" | "following" | "all"): readonly Part[] {
  if (scope === "all") return [];
  const items = part.items.filter((item) => (scope === "this" ? item !== anchor : item.place < anchor.place));
  return [{ ...part, items, ...(scope === "following" ? { before: anchor.place } : {}) }];
}
