/** What the events of a series have in common. */
export interface SeriesRow {
  readonly id: number;
  readonly account_id: number;
  readonly calendar_id: number;
  readonly rrule: string;
  /** Wall clocks, with commas between them. */
  readonly rdate: string;
  readonly exdate: string;
  /** What the rule is read with: the zone and kind of the events when it was given, and the start of the first. */
  readonly rule_timezone: string;
  readonly rule_all_day: number;
  readonly start_local: number;
  /** Its places are those of the rule from one and before the other: a series can be split. */
  readonly from_place: number;
  readonly before_place: number;
  /** Seconds that its events begin after their places, on the wall clock, and last. */
  readonly shift: number;
  readonly length: number;
  readonly timezone: string;
  readonly all_day: number;
  /** The other fields of its next events, as JSON (events/series-template.ts). */
  readonly template: string;
  /** The place up to which the events of an endless rule were made, and when to look for more; null for other rules. */
  readonly made_until: number;
  readonly next_at: number | null;
  readonly created_at: number;
}
