import type { Payload } from "@kalends/spec";

/** What a report shows of an event, so that it can be recognised. */
interface Shown {
  readonly startDate: string;
  readonly endDate: string;
  readonly location: string;
  readonly status: "confirmed" | "tentative" | "cancelled";
}

/** What an import made of one event of a file. */
export interface Outcome {
  readonly result: "created" | "changed" | "unchanged" | "skipped";
  readonly uid: string;
  readonly recurrenceId: string;
  readonly title: string;
  /** What the file says of it; undefined when it was skipped unread. */
  readonly shown?: Shown | undefined;
  /** The event; undefined when it was skipped, or would be created. */
  readonly eventId: number | undefined;
  /** Why it was skipped; else empty. */
  readonly reason: string;
  readonly notes: readonly string[];
  /** Whether it was skipped since it is not for the public. */
  readonly isPrivate?: boolean;
  /** How many dates of a series it stands for, all skipped for one reason; else 1. */
  readonly dates: number;
}

/** What an import made of the events of a file. */
export interface Report {
  readonly totals: Readonly<Record<Outcome["result"], number>>;
  /** The first ones, as many as an answer may hold. */
  readonly outcomes: readonly Outcome[];
  readonly omitted: number;
}

/** What an outcome takes in an answer beside its texts, in bytes. */
const overhead = 290;

const omittedPlace = -1;

/** What became of an event that the file has a second time. The reason is about as long as the id that goes. */
export function superseded(outcome: Outcome): Outcome {
  return { ...outcome, result: "skipped", eventId: undefined, reason: "the file has it again, and newer" };
}

/** Returns what collects outcomes: all are counted, those beyond so many bytes are left out. */
export function createReport(mostBytes: number): {
  /** Returns the place of the outcome, for `supersede`. */
  add(outcome: Outcome): number;
  /** The event was skipped after all, since the file has it again. */
  supersede(place: number, outcome: Outcome): void;
  readonly end: () => Report;
} {
  const totals = { created: 0, changed: 0, unchanged: 0, skipped: 0 };
  const outcomes: Outcome[] = [];
  let [bytes, omitted] = [0, 0];
  return {
    add: (outcome) => {
      const { result, uid, recurrenceId, title, reason, notes, dates, shown } = outcome;
      totals[result] += dates;
      if (bytes <= mostBytes)
        bytes +=
          overhead +
          Buffer.byteLength(JSON.stringify([uid, recurrenceId, title, reason, notes, shown?.location]));
      if (bytes <= mostBytes) return outcomes.push(outcome) - 1;
      omitted++;
      return omittedPlace;
    },
    supersede: (place, outcome) => {
      totals[outcome.result] -= outcome.dates;
      totals.skipped += outcome.dates;
      if (place !== omittedPlace) outcomes[place] = superseded(outcome);
    },
    end: () => ({ totals, outcomes, omitted }),
  };
}

/** The report of an import. A file that is a parameter is UTF-8. */
export function imported(
  calendarId: number,
  isDryRun: boolean,
  { totals, outcomes, omitted }: Report,
  encoding = "UTF-8",
): Payload<"calendarsImport"> {
  return {
    import: { calendar_id: String(calendarId), dry_run: isDryRun, ...totals, omitted, encoding },
    events: outcomes.map(({ result, uid, recurrenceId, title, shown, eventId, reason, notes, dates }) => ({
      result,
      event_id: eventId === undefined ? "" : String(eventId),
      uid,
      recurrence_id: recurrenceId,
      title,
      start_date: shown?.startDate ?? "",
      end_date: shown?.endDate ?? "",
      location: shown?.location ?? "",
      status: shown?.status ?? "confirmed",
      reason,
      notes: [...notes],
      dates,
    })),
  };
}
