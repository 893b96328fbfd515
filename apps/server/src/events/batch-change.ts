import type { ParameterFailure, Params, Payload } from "@kalends/spec";
import type { LockedCalendar } from "../calendars/lock-queries.js";
import { datesOf, lengthOf } from "./dates.js";
import { type InvalidParameter, publicationOf, sentFields } from "./fields.js";
import { fitting, uidTaken } from "./move.js";
import type { LockedEvent } from "./queries.js";
import type { EventChange } from "./revisions.js";
import { pastYear9999, year1900 } from "../time/formats.js";

export type Failed = Payload<"eventsBatch">["failed"][number];

interface Named {
  readonly id: number;
  /** How often it had been saved when the caller read it; undefined where that does not matter. */
  readonly updatedTimes: number | undefined;
}

export interface Change extends LockedEvent {
  readonly change: EventChange;
}

/** Where the events move to, and those that it has already; undefined when they stay where they are. */
interface Target {
  readonly target: LockedCalendar | undefined;
  readonly taken: ReadonlySet<number>;
  readonly now: number;
}

/** Parses `events`, whose form is already checked. */
export function namedEvents(events: string): readonly Named[] {
  return events.split(",").map((item) => {
    const [id, updatedTimes] = item.split(":");
    return { id: Number(id), updatedTimes: updatedTimes === undefined ? undefined : Number(updatedTimes) };
  });
}

/** Returns what becomes of the events, and which of them cannot be changed, both in the order of the request. */
export function plannedChanges(
  params: Params<"eventsBatch">,
  named: readonly Named[],
  found: ReadonlyMap<number, LockedEvent>,
  { target, taken, now }: Target,
  error: InvalidParameter,
): { readonly changes: readonly Change[]; readonly failed: Failed[] } {
  const changeOf = changeOfEach(params, { target, now }, error);
  const changes: Change[] = [];
  const failed: Failed[] = [];
  for (const { id, updatedTimes } of named) {
    const event_id = String(id);
    const locked = found.get(id);
    if (locked === undefined) failed.push({ event_id, error_type: "event_not_found", errors: [] });
    else if (updatedTimes !== undefined && updatedTimes !== locked.event.updated_times)
      failed.push({ event_id, error_type: "event_changed", errors: [] });
    else {
      const change = taken.has(id) ? new Refused([uidTaken]) : orRefused(() => changeOf(locked));
      if (change instanceof Refused)
        failed.push({ event_id, error_type: "parameter_invalid", errors: [...change.failures] });
      else changes.push({ ...locked, change });
    }
  }
  return { changes, failed };
}

/** Returns what the parameters make of an event. @throws Error when they make nothing, or delete beside changes */
function changeOfEach(
  params: Params<"eventsBatch">,
  { target, now }: Pick<Target, "target" | "now">,
  error: InvalidParameter,
): (locked: LockedEvent) => EventChange {
  const { events: _events, partial: _partial, dry_run: _dryRun, delete: deletes, ...more } = params;
  const { tell: _tell, note: _note, ...changing } = more;
  const { shift_days, shift_minutes, ...sent } = changing;
  const isChange = Object.values(changing).some((value) => value !== undefined);
  requireOneKind(deletes === "true", isChange, error);
  const isMoved = shift_days !== undefined || shift_minutes !== undefined;
  return (locked) => ({
    ...(target === undefined ? {} : fitting(locked.event, target)),
    ...sentFields(
      { ...sent, event_id: String(locked.event.id) },
      { ...locked, calendar: target ?? locked.calendar },
      refusal,
    ),
    ...(isMoved ? moved(params, locked) : {}),
    ...publicationOf({ ...sent, event_id: "" }, locked.event, now, refusal),
  });
}

function requireOneKind(deletes: boolean, changes: boolean, error: InvalidParameter): void {
  const both = { message: "must not be true beside changes", code: "not_allowed" } as const;
  const none = { message: "must be true, or changes must be sent", code: "missing" } as const;
  if (deletes === changes)
    throw error("parameter_invalid", [{ parameter: "delete", ...(deletes ? both : none) }]);
}

/** What one event does not allow, although others may. */
class Refused extends Error {
  readonly failures: readonly ParameterFailure[];

  constructor(failures: readonly ParameterFailure[]) {
    super("one event cannot be changed");
    this.failures = failures;
  }
}

const refusal: InvalidParameter = (_code, failures) => new Refused(failures);

function orRefused<T>(plan: () => T): T | Refused {
  try {
    return plan();
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown;
    throw thrown;
  }
}

/** The times of an event that is moved on its wall clock, its length kept there. */
function moved({ shift_days = "0", shift_minutes = "0" }: Params<"eventsBatch">, { event }: LockedEvent) {
  const isAllDay = event.all_day === 1;
  if (isAllDay && Number(shift_minutes) % 1440 !== 0)
    throw refused("shift_minutes", "must be whole days for an all-day event", "not_allowed");
  const seconds = Number(shift_days) * 86_400 + Number(shift_minutes) * 60;
  const start = event.start_local + seconds;
  const { timezone } = event;
  const dates = datesOf({ start, length: lengthOf(event), allDay: isAllDay, timezone });
  const parameter = shift_days === "0" ? "shift_minutes" : "shift_days";
  if (start < year1900) throw refused(parameter, "must not move an event before the year 1900", "too_early");
  if (dates.end_local >= pastYear9999)
    throw refused(parameter, "must not move an event past the year 9999", "too_late");
  return dates;
}

function refused(parameter: string, message: string, code: ParameterFailure["code"]): Refused {
  return new Refused([{ parameter, message, code }]);
}
