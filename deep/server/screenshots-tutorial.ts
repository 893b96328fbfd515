import type { Page } from "playwright-core";
import { en } from "../../apps/console/src/texts/en.js";

export const tutorialScreen = {
  viewport: { width: 900, height: 740 },
  locale: "en-GB",
  timezoneId: "Europe/London",
  reducedMotion: "reduce",
} as const;

/** Returns what docs/tutorial-console.md gives to type: the rows of its table, as a spreadsheet copies them. */
export function typedIn(tutorial: string): readonly string[] {
  const rows = tutorial.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| -"));
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim())
      .join("\t"),
  );
}

interface Walk {
  readonly page: Page;
  /** Signs in, in English. */
  readonly link: string;
  readonly rows: readonly string[];
  readonly take: (name: string) => Promise<unknown>;
}

/** Does what docs/tutorial-console.md says. Returns the names of what it used, in that order. */
export async function walkTutorial({ page, link, rows, take }: Walk): Promise<readonly string[]> {
  const used: string[] = [];
  const named = (name: string): string => {
    used.push(name);
    return name;
  };
  const press = (name: string): Promise<void> =>
    page
      .getByRole("button", { name: named(name), exact: true })
      .first()
      .click();
  const open = (name: string): Promise<void> =>
    page.getByRole("link", { name: named(name), exact: true }).click();
  const field = (name: string) => page.getByLabel(named(name), { exact: true });
  const said = async (text: string): Promise<void> => {
    await page.getByRole("status").getByText(text).waitFor();
    await page.getByRole("status").getByRole("button", { name: en.close }).click();
  };
  /** Scrolls to a heading or a label, for a picture that begins with it. */
  const beginWith = (text: string): Promise<void> =>
    page.getByText(text, { exact: true }).evaluate((element) => {
      element.style.scrollMargin = "0.75rem";
      element.scrollIntoView();
    });
  const { calendars, calendar, event, series, settings } = en;

  await page.goto(link);
  await press(en.signIn.button);

  await press(calendars.add);
  await field(calendars.name).fill("Town of Ashcombe");
  await field(calendars.zone).selectOption("Europe/London");
  await press(calendars.create);
  await page.getByRole("heading", { name: "Town of Ashcombe", level: 1 }).waitFor();
  const address = page.url().replace(/\?.*/, "");
  const openOn = async (day: string): Promise<void> => {
    await page.goto(`${address}?day=${day}&view=month`);
    await page
      .getByRole("button", { name: /Council meeting/ })
      .last()
      .click();
  };

  await press(calendar.newEvent);
  await field(event.title).fill("Council meeting");
  await page.getByLabel(event.date(event.start)).fill("2027-01-05");
  await page.getByLabel(event.time(event.start)).fill("19:00");
  await page.getByLabel(event.time(event.end)).fill("21:00");
  await field(event.place).fill("Town hall");
  await field(series.repeat).selectOption({ label: named(series.every.WEEKLY) });
  await field(series.count).fill("52");
  await page.getByText(/^52 events:/).waitFor();
  await beginWith(en.draft.label);
  await take("series");
  await press(en.save);
  await said(series.addedMany(52));

  await open(calendar.tabs.import);
  await field(en.import.paste).fill(rows.join("\n"));
  await press(en.import.look);
  const importAll = en.import.button(rows.length - 1);
  await page.getByRole("button", { name: importAll }).waitFor();
  await beginWith(en.import.columns);
  await take("import");
  await press(importAll);
  await said(en.import.done(en.import.counts.created(rows.length - 1)));

  await open(calendar.tabs.events);
  await press(calendar.newEvent);
  await field(event.title).fill("Midsummer festival");
  await field(event.allDay).check();
  await page.getByLabel(event.date(event.start)).fill("2027-07-09");
  await page.getByLabel(event.date(event.end)).fill("2027-07-11");
  await press(en.save);
  await said(event.added("Midsummer festival"));

  await openOn("2027-07-06");
  await page.getByLabel(event.date(event.start)).fill("2027-07-07");
  await page.getByLabel(event.time(event.start)).fill("19:30");
  await field(event.place).fill("Library");
  await press(en.save);
  await page.getByRole("button", { name: series.scope.all(52) }).waitFor();
  await take("move");
  await press(series.scope.this("Tuesday, 6 July 2027"));
  await said(series.savedMany(1));
  await press(calendar.agenda);
  await page.getByText("Midsummer festival").first().waitFor();
  await take("july");

  await openOn("2027-12-28");
  await press(event.cancelOrRemove);
  await page.getByRole("dialog", { name: event.removeTitle }).waitFor();
  await take("cancel");
  await press(event.cancel);
  await page.getByRole("button", { name: named(en.undo) }).waitFor();
  await said(event.cancelled("Council meeting"));

  await open(calendar.tabs.share);
  await field(en.share.link).waitFor();

  await open(calendar.tabs.settings);
  await press(`${settings.remove} …`);
  await page.getByLabel(settings.typeName("Town of Ashcombe")).fill("Town of Ashcombe");
  await press(event.remove);
  await said(settings.removed("Town of Ashcombe"));
  return used;
}
