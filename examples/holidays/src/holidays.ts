import type { WallClock } from "@kalends/client";
import Holidays from "date-holidays";

/** A public holiday, from its first day to its last; most have one. */
export interface Holiday {
  readonly name: string;
  readonly first: WallClock;
  readonly last: WallClock;
}

/** A country with its public holidays of a year. */
export interface CountryYear {
  readonly name: string;
  /** The time zone of the country; the first that is listed when it has several. */
  readonly timezone: string;
  readonly holidays: readonly Holiday[];
}

/**
 * The public holidays of a whole country, in order of date. Those of single states or regions are not among them.
 *
 * @param country two letters, such as DE
 * @throws Error when the country is not known
 */
export function publicHolidays(country: string, year: number): CountryYear {
  const source = new Holidays(country, { languages: "en", types: ["public"] });
  const name = source.getCountries("en")[country];
  if (name === undefined) throw new Error(`There are no holidays for the country ${country}.`);
  const [timezone = "Etc/UTC"] = source.getTimezones();
  const holidays = source.getHolidays(year).map((holiday) => {
    const days = Math.round((holiday.end.getTime() - holiday.start.getTime()) / dayMs);
    return {
      name: holiday.name,
      first: dayAfter(holiday.date, 0),
      last: dayAfter(holiday.date, Math.max(days - 1, 0)),
    };
  });
  return { name, timezone, holidays };
}

/** The day that comes `days` after a date such as "2027-01-01 00:00:00". */
function dayAfter(date: string, days: number): WallClock {
  const at = new Date(Date.parse(date.slice(0, 10)) + days * dayMs); // in UTC each day has 24 hours
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
}

const dayMs = 86_400_000;
