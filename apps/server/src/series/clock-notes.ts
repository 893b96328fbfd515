import { formatWallClock } from "../time/formats.js";
import { toLocal, toUnix } from "../time/zones.js";

/** A start that a change of the clock skips or repeats. */
export interface ClockNote {
  readonly date: string;
  readonly becomes: string;
  readonly note: string;
}

/** By how much clocks go back, in seconds: by an hour, by half of one on Lord Howe, by two in Antarctica and in double summer time. */
const backSeconds = [1_800, 3_600, 7_200];

/** Names the wall clocks, in seconds, that the clock of a zone skips or repeats (rulings R4.3). */
export function clockNotes(starts: readonly number[], zone: string): ClockNote[] {
  return starts.flatMap((start) => {
    const at = toUnix(start, zone);
    const shown = toLocal(at, zone);
    const [date, becomes] = [formatWallClock(start), formatWallClock(shown)];
    const time = becomes.slice("YYYY-MM-DDT".length);
    if (shown !== start) return [{ date, becomes, note: `skipped by the clock change, becomes ${time}` }];
    const isRepeated = backSeconds.some((seconds) => toLocal(at + seconds, zone) === start);
    return isRepeated ? [{ date, becomes, note: `occurs twice, the first ${time} is meant` }] : [];
  });
}
