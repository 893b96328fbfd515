import { equal } from "../engine/assert.js";
import { listedCalendar } from "./calendar-save-kit.js";
import { creates } from "./event-kit.js";
import { returns, emoji, randomText } from "./text-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("text");

export const textChecks = [
  required(
    "text.reserved-characters",
    "1.4 encoding",
    "Characters that URLs reserve come back as sent",
    returns("a&b=c?d#e/f;g:h@i,j$k"),
  ),
  required(
    "text.percent",
    "1.4 encoding",
    "A percent sign is decoded once, not twice",
    returns("100% sure, 50%25 off, %41"),
  ),
  required("text.plus", "1.4 encoding", "A plus sign sent as %2B stays a plus sign", returns("C++ and 1+1")),
  required("text.blank", "1.4 encoding", "A blank sent as %20 is a blank", returns("one two  three")),
  required(
    "text.quotes",
    "1.4 encoding",
    "Quotes and backslashes come back as sent",
    returns(`She said "no" and 'yes' \\ done`),
  ),
  required(
    "text.latin",
    "1.4 encoding",
    "Accented letters come back as sent",
    returns("Café Zürich, Ångström, señor"),
  ),
  required(
    "text.other-scripts",
    "1.4 encoding",
    "Greek, Hebrew, Arabic, Chinese and Thai come back as sent",
    returns("Αθήνα עברית عربي 北京 ไทย"),
  ),
  required("text.emoji", "1.4 encoding", "Emoji outside the basic plane come back whole", returns(emoji)),
  required(
    "text.json-escapes",
    "1.2 json",
    "Text that looks like JSON comes back as sent",
    returns('{"a":[1,null,"\\u0041"]}'),
  ),
  required(
    "text.calendar",
    ["1.4 encoding", "4.2 description"],
    "A calendar's title, name and description come back as sent",
    async (kit) => {
      const title = kit.name(`${emoji} 50% & "x"`);
      const sent = { title, calendarname: `N ${emoji}`, description: `D 100%25 + ${emoji}` };
      const calendar = await kit.calendar(sent);
      const listed = await listedCalendar(kit, calendar);
      for (const [field, value] of Object.entries(sent))
        equal([calendar[field], listed[field]], [value, value], field);
    },
  ),
  required(
    "text.organizer",
    ["4.6 text", "1.4 encoding"],
    "An organizer's name and address come back as sent",
    (kit) => {
      const sent = { organizer: "Zoë & Søn, Ltd. 🎪", organizer_email: "zoe+events@example.com" };
      return creates(kit, sent, sent);
    },
  ),
  recommended(
    "text.html",
    "R4.8",
    "HTML is text and comes back as sent",
    returns("<b>bold</b> <script>alert(1)</script> &amp;"),
  ),
  recommended(
    "text.sql",
    "R4.12",
    "Text that looks like SQL comes back as sent",
    returns("Robert'); DROP TABLE events;--"),
  ),
  recommended(
    "text.right-to-left",
    "R4.12",
    "Marks of direction and combining marks come back as sent",
    returns("\u202Babc\u202C e\u0301 \u200D"),
  ),
  recommended(
    "text.spaces",
    "R4.12",
    "White space around and inside a text is kept",
    returns("  two  blanks\u00A0 "),
  ),
  recommended("text.random", "R4.12", "Texts of random characters come back as sent", async (kit) => {
    for (let round = 0; round < 4; round++) await returns(randomText(kit.session.random))(kit);
  }),
];
