import { equal } from "../engine/assert.js";
import { type Item, number } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import { bothForms } from "./event-kit.js";

export type Params = Readonly<Record<string, string>>;

/** Start and end of an event, as the list gives them in Unix time. */
export async function instants(kit: Kit, params: Params): Promise<readonly [number, number]> {
  const [, listed] = await bothForms(kit, params);
  return [number(listed, "date_start_unix"), number(listed, "date_end_unix")];
}

export function clock(event: Item, side: "start" | "end"): readonly unknown[] {
  return [event[`date_${side}`], event[`date_${side}_time`], event[`date_${side}_ampm`]];
}

/** Both forms show this start for what was sent. */
export async function shows(kit: Kit, sent: string, wanted: readonly string[]): Promise<void> {
  for (const event of await bothForms(kit, { start_date: sent }))
    equal(clock(event, "start"), wanted, `start of ${sent}`);
}

export const dst = (kit: Kit, timezone: string, start_date: string, unix: number): Promise<void> =>
  instants(kit, { timezone, start_date }).then(([start]) =>
    equal(start, unix, `${start_date} in ${timezone}`),
  );
