import type { FoundEvent } from "@kalends/client/extensions";
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/client.js";
import { type Loaded, loaded, useLoaded } from "../api/loading.js";
import { addDays, type Day, type Month } from "../dates/days.js";
import { boundsFrom, extended } from "./bounds.js";
import { byDay, spanOf } from "./days-of.js";
import { mostCalendars, readDays } from "./reading.js";

/** For this long a part that was read is not read again when another is added. */
const freshMs = 60_000;

interface Read {
  readonly bounds: readonly Month[];
  readonly lists: readonly (readonly FoundEvent[])[];
}

export interface Season extends Loaded<unknown> {
  readonly days: ReadonlyMap<Day, readonly FoundEvent[]>;
  /** Each event once, as they begin. */
  readonly events: readonly FoundEvent[];
  /** Reads more; undefined while it is unknown whether there is more, null when there is none. */
  readonly earlier: (() => void) | null | undefined;
  readonly later: (() => void) | null | undefined;
}

/** The events of calendars from a month on, of which more can be read at both ends. */
export function useSeason(ids: readonly string[], month: Month): Season {
  const [bounds, setBounds] = useState<readonly Month[]>(boundsFrom(month));
  const [first = month, end = month] = [bounds[0], bounds.at(-1)];
  useEffect(() => {
    if (month < first || month >= end) setBounds(boundsFrom(month));
  }, [month]);
  const key = ids.join();
  const read = useLoaded<Read>(["season", key, ...bounds], () => readParts(ids, bounds));
  const shown = useRef<Read>(undefined); // while more is read
  shown.current = read.value ?? shown.current;
  const before = useLoaded(["before", key, first], () => readNext(ids, first, "before")).value;
  const after = useLoaded(["after", key, end], () => readNext(ids, end, "after")).value;
  const more = (day: Day | null | undefined): Season["later"] =>
    day === null || day === undefined ? day : () => setBounds(extended(bounds, day));
  const days = daysOf(shown.current);
  return {
    ...read,
    value: shown.current,
    days,
    events: [...new Map([...days.values()].flat().map((event) => [event.id, event])).values()],
    earlier: more(before),
    later: more(after),
  };
}

function daysOf({ bounds, lists }: Read = { bounds: [], lists: [] }): Season["days"] {
  const parts = lists.map((list, index) =>
    byDay(list, `${bounds[index] ?? ""}-01`, addDays(`${bounds[index + 1] ?? ""}-01`, -1)),
  );
  return new Map(parts.flatMap((part) => [...part].toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

async function readParts(ids: readonly string[], bounds: readonly Month[]): Promise<Read> {
  const lists: (readonly FoundEvent[])[] = [];
  for (const [index, end] of bounds.slice(1).entries()) {
    const [from, before] = [`${bounds[index] ?? end}-01`, `${end}-01`];
    const queryKey = ["events of days", ids.join(), from, before];
    const queryFn = (): Promise<readonly FoundEvent[]> => readDays(ids, from, before);
    lists.push(await loaded.fetchQuery({ queryKey, queryFn, staleTime: freshMs }));
  }
  return { bounds, lists };
}

/** The first day of an event that is nearest to what is shown: before a month, or from it on. Drafts count. */
async function readNext(ids: readonly string[], month: Month, side: "before" | "after"): Promise<Day | null> {
  const day = `${month}-01`;
  const range =
    side === "before"
      ? ({ to: day, order_by: "date-desc" } as const)
      : ({ from: day, order_by: "date-asc" } as const);
  const found: Day[] = [];
  for (let at = 0; at < ids.length; at += mostCalendars)
    for (const published of ["true", "false"] as const) {
      const query = { calendar_id: ids.slice(at, at + mostCalendars), wall: "calendar", published } as const;
      const [event] = await api.events.list({ ...query, ...range }).toArray({ limit: 1 });
      if (event !== undefined) found.push(spanOf(event)[0]);
    }
  const sorted = found.toSorted();
  const nearest = side === "before" ? sorted.at(-1) : sorted[0];
  if (nearest === undefined) return null;
  return side === "after" && nearest < day ? day : nearest; // it goes on from before
}
