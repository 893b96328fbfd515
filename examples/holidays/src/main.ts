// Makes a calendar of public holidays for each country, and lists them back month by month.
import {
  CalendarApiError,
  createCalendarClient,
  formatStartDate,
  type CalendarClient,
} from "@kalends/client";
import { SingleBar } from "cli-progress";
import { Command, InvalidArgumentError, Option } from "commander";
import { publicHolidays, type CountryYear } from "./holidays.js";

const program = new Command("holidays")
  .description("Makes a calendar of public holidays for each country.")
  .option("--countries <codes>", "two-letter codes, with commas between them", readCountries, [
    "DE",
    "FR",
    "US",
    "JP",
    "BR",
  ])
  .requiredOption("--year <year>", "year of the holidays", readYear, 2027)
  .addOption(
    new Option("--base-url <url>", "where the service is").env("KALENDS_BASE_URL").makeOptionMandatory(),
  )
  .addOption(new Option("--token <token>", "token of the account").env("KALENDS_TOKEN").makeOptionMandatory())
  .parse();
const options = program.opts<{
  readonly countries: readonly string[];
  readonly year: number;
  readonly baseUrl: string;
  readonly token: string;
}>();

try {
  const client = createCalendarClient({ baseUrl: options.baseUrl, token: options.token });
  const countries = options.countries.map((country) => publicHolidays(country, options.year));
  const calendarIds = await fill(client, countries, options.year);
  for (const [index, calendarId] of calendarIds.entries())
    await print(client, calendarId, countries[index]?.name ?? "", options.year);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  const id = error instanceof CalendarApiError && error.requestId ? ` (request ${error.requestId})` : "";
  program.error(`holidays: ${error.message}${id}`);
}

/** Makes the calendars with their events, and returns the calendars' ids. */
async function fill(
  client: CalendarClient,
  countries: readonly CountryYear[],
  year: number,
): Promise<readonly string[]> {
  const bar = new SingleBar({ format: "{bar} {value}/{total} {title}", stream: process.stderr });
  const calendarIds: string[] = [];
  bar.start(countries.flatMap(({ holidays }) => holidays).length, 0, { title: "" });
  try {
    for (const { name, timezone, holidays } of countries) {
      const title = `Public holidays in ${name} ${year}`;
      const calendar = await client.calendars.create({ title, timezone });
      calendarIds.push(calendar.id);
      for (const { name: holiday, first, last } of holidays) {
        await client.events.create({
          calendar_id: calendar.id,
          title: holiday,
          start_date: formatStartDate(first),
          end_date: formatStartDate(last), // the last day belongs to an all-day event (rulings R4.4)
          all_day_event: "true",
        });
        bar.increment({ title });
      }
    }
  } finally {
    bar.stop();
  }
  return calendarIds;
}

async function print(
  client: CalendarClient,
  calendarId: string,
  country: string,
  year: number,
): Promise<void> {
  process.stdout.write(`\n${country} ${year}\n`);
  for (let number = 1; number <= 12; number += 1) {
    const month = String(number).padStart(2, "0");
    const events = client.events.list({
      calendar_id: calendarId,
      month,
      year: String(year),
      order_by: "id-asc",
    });
    for await (const { date_start, date_end, title } of events)
      process.stdout.write(
        `  ${date_start === date_end ? date_start : `${date_start} to ${date_end}`} ${title}\n`,
      );
  }
}

function readCountries(text: string): readonly string[] {
  const countries = text.toUpperCase().split(",");
  if (!countries.every((country) => /^[A-Z]{2}$/.test(country)))
    throw new InvalidArgumentError("Expected codes such as DE,FR.");
  return countries;
}

function readYear(text: string): number {
  const year = Number(text);
  if (!Number.isInteger(year) || year < 1970 || year > 2100)
    throw new InvalidArgumentError("Expected a year from 1970 to 2100.");
  return year;
}
