import { equal, expect } from "../engine/assert.js";
import { recommended, type Run } from "../engine/check.js";
import { idOf, member, only, text } from "../engine/json.js";
import { type Kit, someStart } from "../engine/kit.js";
import type { Params } from "../engine/target.js";
import { listedCalendar, makes, refusesCalendar, refusesCalendarSave, savesAs } from "../steps/calendars.js";
import { bare, creates, keepsRows, refusesEvent, refusesEventSave, saves, shows } from "../steps/events.js";
import { randomText, unusual } from "../steps/texts.js";

const kept = { description: "D", location: "L", organizer: "O", organizer_email: "o@example.com", reminder: "15" };
const empty = { description: "", location: "", organizer: "", organizer_email: "", reminder: "" };

/** Title, location and organizer come back as sent from create and save. */
const returns = (sent: string): Run =>
  keepsRows([
    [
      { title: sent, location: sent, organizer: sent },
      { title: sent, location: sent, organizer: sent },
    ],
  ]);

/** A description comes back so from create, the list and save. */
const describes = (sent: string, shown: string): Run => keepsRows([[{ description: sent }, { description: shown }]]);

/** Refused by create and by save. */
const refuses =
  (params: Params): Run =>
  async (kit) => {
    await refusesEvent(params)(kit);
    await refusesEventSave(params)(kit);
  };

/** Refused by create and by save of calendars. */
const refusesOfCalendars =
  (params: Params): Run =>
  async (kit) => {
    await refusesCalendar(params)(kit);
    await refusesCalendarSave(params)(kit);
  };

/** Colours that the server accepts in a calendar of that palette. */
async function coloursOf(kit: Kit, palette_id: string): Promise<readonly number[]> {
  const calendar_id = idOf(await kit.calendar({ palette_id }));
  const colours = Array.from({ length: 21 }, (_, index) => index + 1);
  const statuses = await Promise.all(
    colours.map(
      async (colour) => (await kit.call("createEvent", { calendar_id, title: "Colour", start_date: someStart, color_id: String(colour) })).status,
    ),
  );
  return colours.filter((_, index) => statuses[index] === 200);
}

/** Rulings R4.6 to R4.12: what save keeps, texts, colours and lengths. */
export const checks = [
  recommended(
    "calendars.save.palette-returns-to-default",
    "R4.6",
    "Saved without palette_id, the default takes the place of another",
    savesAs({ palette_id: "2" }, {}, { palette_id: "1" }),
  ),
  recommended(
    "calendars.save.zone-returns-to-default",
    "R4.6",
    "Saved without timezone, the calendar has America/Los_Angeles",
    savesAs({ timezone: "Europe/Paris" }, { timezone: undefined }, { timezone: "America/Los_Angeles" }),
  ),
  recommended(
    "calendars.save.keeps-description",
    "R4.6",
    "Saved without description, the calendar keeps it",
    savesAs({ description: "kept" }, {}, { description: "kept" }),
  ),
  recommended(
    "calendars.save.clears-description",
    "R4.6",
    "Saved with an empty description, the calendar loses it",
    savesAs({ description: "gone" }, { description: "" }, { description: "" }),
  ),
  recommended("events.save.keeps", "R4.6", "Saved without them, texts and reminder keep their values", saves(kept, {}, kept)),
  recommended("events.save.clears", "R4.6", "Saved with them empty, texts and reminder are cleared", saves(kept, empty, empty)),
  recommended("calendars.create.absent-timezone", "R4.7", "Create without timezone takes America/Los_Angeles", async (kit) => {
    const made = member((await kit.ok("createCalendar", { title: kit.name() })).body, "calendar");
    equal(
      [made["timezone"], (await listedCalendar(kit, made))["timezone"]],
      ["America/Los_Angeles", "America/Los_Angeles"],
      "timezone of the answer, in the list",
    );
  }),
  recommended("text.crlf", "R4.8", "CRLF in a description stays one line break", describes("one\r\ntwo", "one\r\ntwo")),
  recommended("text.cr", "R4.8", "A single CR in a description is a line break", describes("one\rtwo", "one\r\ntwo")),
  recommended("text.backslash-n", "R4.8", "The two characters \\n in a description are a line break", describes("one\\ntwo", "one\r\ntwo")),
  recommended("text.other-backslashes", "R4.8", "Other backslashes in a description are kept", describes("C:\\temp \\t \\\\", "C:\\temp \\t \\\\")),
  ...unusual.map(([id, ruling, words, sent]) => recommended(`text.${id}`, ruling, words, returns(sent))),
  recommended("events.create.not-set-is-empty", "R4.9", "Colour, reminder, location and description are empty when not set", async (kit) => {
    await shows(bare, { reminder: "", location: "", description: "" })(kit);
    const [made, listed] = await bare(kit);
    equal([made["color_id"], listed["color"]], ["", ""], "colour");
  }),
  recommended(
    "events.create.empty-is-not-set",
    "R4.9",
    "Empty texts, colour and reminder are as good as none",
    creates({ ...empty, color_id: "" }, empty),
  ),
  recommended("events.create.reminder-bounds", "R4.9", "Reminders of 0 and 40320 minutes are kept, others refused", async (kit) => {
    await keepsRows(["0", "40320"].map((reminder) => [{ reminder }, { reminder }]))(kit);
    for (const reminder of ["-1", "40321", "soon", "1.5", "05"]) await refuses({ reminder })(kit);
  }),
  recommended("events.create.colour-text", ["R4.9", "4.6 color_id"], "A colour that is no number is refused by create and save", async (kit) => {
    for (const color_id of ["red", "-1", "1.5", "04"]) await refuses({ color_id })(kit);
  }),
  recommended(
    "events.create.colours-of-the-palette",
    ["R4.9", "R4.10"],
    "The colours of a palette are 1 to its last one, at least 8",
    async (kit) => {
      for (const palette_id of ["1", "2"]) {
        const colours = await coloursOf(kit, palette_id);
        equal(
          colours,
          colours.map((_, index) => index + 1),
          `colours of palette ${palette_id}`,
        );
        const isSize = palette_id === "1" ? colours.length === 20 : colours.length >= 8 && colours.length <= 20;
        expect(isSize, `palette ${palette_id}: got ${colours.length} colours.`);
      }
    },
  ),
  recommended("calendars.create.palette-is-kept", "R4.10", "The palettes 1 to 10 are kept, and 1 is the default", async (kit) => {
    for (let palette = 1; palette <= 10; palette++)
      equal((await kit.calendar({ palette_id: String(palette) }))["palette_id"], String(palette), "palette_id");
    equal((await kit.calendar())["palette_id"], "1", "palette_id");
  }),
  recommended("calendars.create.unknown-palette", "R4.10", "An unknown palette_id is refused by create and save", async (kit) => {
    for (const palette_id of ["987654", "0", "11", "blue"]) await refusesOfCalendars({ palette_id })(kit);
  }),
  recommended("text.longest-title", "R4.11", "A title of 255 characters is kept whole, one of 256 is refused", async (kit) => {
    await returns("é".repeat(255))(kit);
    await refuses({ title: "x".repeat(256) })(kit);
  }),
  recommended("text.longest-texts", "R4.11", "Each text is refused by create and save when it is longer than its limit", async (kit) => {
    for (const field of ["location", "organizer"]) await refuses({ [field]: "x".repeat(256) })(kit);
    for (const field of ["title", "calendarname"]) {
      await refusesOfCalendars({ [field]: kit.name("x".repeat(256)) })(kit);
      const long = kit.name().padEnd(255, "é");
      await makes({ [field]: long }, { [field]: long })(kit);
    }
  }),
  recommended("text.longest-e-mail", "R4.11", "An address of 254 characters is kept whole, one of 255 is refused", async (kit) => {
    const address = (length: number): string => `${"a".repeat(60)}@${`${"b".repeat(60)}.`.repeat(3)}${"c".repeat(length - 61 - 183)}`;
    const organizer_email = address(252).slice(0, 250).concat(".com");
    expect(organizer_email.length === 254, "the address has 254 characters");
    await keepsRows([[{ organizer_email }, { organizer_email }]])(kit);
    await refuses({ organizer_email: `a${organizer_email}` })(kit);
  }),
  recommended("text.longest-emoji-title", "R4.11", "Length counts characters: 255 emoji are kept whole", returns("🎉".repeat(255))),
  recommended("text.long-description", "R4.11", "A description of 3 000 characters is kept whole", describes("d".repeat(3_000), "d".repeat(3_000))),
  recommended("text.longest-description", ["R4.11", "R1.6"], "A description of 65,535 characters sent by POST is kept whole", async (kit) => {
    const calendar = await kit.calendar();
    const params = { calendar_id: idOf(calendar), title: "Long", start_date: someStart };
    await kit.ok("createEvent", { ...params, description: "d".repeat(65_535) }, { send: "form" });
    equal(text(only(await kit.events(calendar), "events"), "description").length, 65_535, "length of the description");
    await kit.refused("createEvent", { ...params, description: "d".repeat(65_536) }, { send: "form" });
  }),
  recommended("text.white-space-title", "R4.12", "A title of white space only is refused by create and save, of calendars too", async (kit) => {
    await refuses({ title: " \u00A0 " })(kit);
    await refusesOfCalendars({ title: " \u00A0 " })(kit);
  }),
  recommended(
    "text.e-mail-case",
    "R4.12",
    "An address keeps its capitals",
    keepsRows([[{ organizer_email: "Zoe.Smith+Events@Example.COM" }, { organizer_email: "Zoe.Smith+Events@Example.COM" }]]),
  ),
  recommended("text.calendar-as-sent", "R4.12", "Texts of a calendar keep their capitals, blanks and markup, saved too", async (kit) => {
    const sent = { calendarname: "  MiXeD <b>Näme</b> ", description: "  C:\\temp &amp; \\t " };
    await makes(sent, sent)(kit);
    await savesAs({}, sent, sent)(kit);
  }),
  recommended("text.random", "R4.12", "Texts of random characters come back as sent", async (kit) => {
    for (let round = 0; round < 4; round++) await returns(randomText(kit.session.random))(kit);
  }),
];
