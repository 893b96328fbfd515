export interface SeriesRow {
  readonly id: number;
  readonly account_id: number;
  readonly calendar_id: number;
  readonly rrule: string;
  /** Wall clocks, separated by commas. */
  readonly rdate: string;
  readonly exdate: string;
  /** Zone, kind and first start with which the rule is expanded: those of the events when it was set. */
  readonly rule_timezone: string;
  readonly rule_all_day: number;
  readonly start_local: number;
  /** The series has the occurrences of the rule from one wall clock and before the other: a series can be split. */
  readonly from_place: number;
  readonly before_place: number;
  /** Seconds from the wall clock of an occurrence to the start of its event, and the event's duration. */
  readonly shift: number;
  readonly length: number;
  readonly timezone: string;
  readonly all_day: number;
  /** The other fields of later events, as JSON (events/series-template.ts). */
  readonly template: string;
  /** Wall clock up to which the events of an endless rule were created, and when to create more; null for other rules. */
  readonly made_until: number;
  readonly next_at: number | null;
  readonly created_at: number;
}
