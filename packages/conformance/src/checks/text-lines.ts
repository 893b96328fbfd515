import { equal, expect } from "../engine/assert.js";
import { idOf, member, only, text } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { creates, refusesToCreateEvent } from "./event-kit.js";
import { returns, describes } from "./text-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("text");

export const textLineChecks = [
  required(
    "text.line-feed",
    ["2.4 description", "4.6 description"],
    "A line feed in a description comes back as \\r\\n",
    describes("one\ntwo\n\nthree", "one\r\ntwo\r\n\r\nthree"),
  ),
  required(
    "text.line-feed-after-save",
    "2.4 description",
    "A saved description carries its line breaks as \\r\\n, too",
    async (kit) => {
      const calendar = await kit.calendar();
      const event = await kit.event(calendar);
      const params = {
        event_id: idOf(event),
        title: "Lines",
        start_date: someStart,
        description: "one\ntwo",
      };
      equal(
        member((await kit.ok("saveEvent", params)).body, "event")["description"],
        "one\r\ntwo",
        "description",
      );
      equal(
        only(await kit.events(calendar), "events")["description"],
        "one\r\ntwo",
        "description in the list",
      );
    },
  ),
  recommended(
    "text.crlf",
    "R4.8",
    "CRLF in a description stays one line break",
    describes("one\r\ntwo", "one\r\ntwo"),
  ),
  recommended(
    "text.cr",
    "R4.8",
    "A single CR in a description is a line break",
    describes("one\rtwo", "one\r\ntwo"),
  ),
  recommended(
    "text.backslash-n",
    "R4.8",
    "The two characters \\n in a description are a line break",
    describes("one\\ntwo", "one\r\ntwo"),
  ),
  recommended(
    "text.other-backslashes",
    "R4.8",
    "Other backslashes in a description are kept",
    describes("C:\\temp \\t \\\\", "C:\\temp \\t \\\\"),
  ),
  recommended(
    "text.longest-title",
    "R4.11",
    "A title of 255 characters is kept whole, one of 256 is refused",
    async (kit) => {
      await returns("é".repeat(255))(kit);
      await refusesToCreateEvent(kit, { title: "x".repeat(256), start_date: someStart });
    },
  ),
  recommended(
    "text.longest-emoji-title",
    "R4.11",
    "Length counts characters: 255 emoji are kept whole",
    returns("🎉".repeat(255)),
  ),
  recommended(
    "text.long-description",
    "R4.11",
    "A description of 3 000 characters is kept whole",
    describes("d".repeat(3_000), "d".repeat(3_000)),
  ),
  recommended(
    "text.longest-description",
    ["R4.11", "R1.6"],
    "A description of 65,535 characters sent by POST is kept whole",
    async (kit) => {
      const calendar = await kit.calendar();
      const params = { calendar_id: idOf(calendar), title: "Long", start_date: someStart };
      await kit.ok("createEvent", { ...params, description: "d".repeat(65_535) }, { send: "form" });
      equal(
        text(only(await kit.events(calendar), "events"), "description").length,
        65_535,
        "length of the description",
      );
      await kit.refused("createEvent", { ...params, description: "d".repeat(65_536) }, { send: "form" });
    },
  ),
  recommended(
    "text.white-space-title",
    "R4.12",
    "A title of white space only is refused and makes nothing",
    (kit) => refusesToCreateEvent(kit, { title: " \u00A0 ", start_date: someStart }),
  ),
  recommended(
    "text.bad-e-mail",
    "R2.3",
    "organizer_email that is no address is refused and makes nothing",
    (kit) => refusesToCreateEvent(kit, { title: "Mail", start_date: someStart, organizer_email: "nobody" }),
  ),
  recommended(
    "text.invalid-utf8",
    "R1.4",
    "Values that are not valid UTF-8 are refused and make nothing",
    async (kit) => {
      const calendar = await kit.calendar();
      const params = { calendar_id: idOf(calendar), start_date: someStart };
      for (const rawQuery of ["title=%ff", "title=%c3%28", "title=%zz", "title=%ED%A0%80"])
        await kit.refused("createEvent", params, { rawQuery });
      equal(await kit.events(calendar), [], "events after refused creates");
    },
  ),
  recommended(
    "text.control-characters",
    "R1.4",
    "NUL and other control characters are refused and make nothing",
    async (kit) => {
      const calendar = await kit.calendar();
      for (const character of ["\u0000", "\u0007", "\u001B"])
        await kit.refused("createEvent", {
          calendar_id: idOf(calendar),
          title: `a${character}b`,
          start_date: someStart,
        });
      equal(await kit.events(calendar), [], "events after refused creates");
    },
  ),
  required(
    "text.long-lines",
    ["1.2 json", "4.6 text"],
    "A text of 200 characters in each field comes back whole",
    (kit) => {
      const long = "Lorem ipsum dolor sit amet ".repeat(8).slice(0, 200).replace(/ $/, ".");
      expect(long.length === 200, "the text has 200 characters");
      return creates(
        kit,
        { title: long, location: long, organizer: long },
        { title: long, location: long, organizer: long },
      );
    },
  ),
];
