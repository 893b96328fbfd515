/** Texts that come back as sent: id, clause, guarantee, text. */
export const several = [
  [
    "reserved-characters",
    "1.4 encoding",
    "Characters that URLs reserve come back as sent",
    "a&b=c?d#e/f;g:h@i,j$k",
  ],
  ["percent", "1.4 encoding", "A percent sign is decoded once, not twice", "100% sure, 50%25 off, %41"],
  ["plus", "1.4 encoding", "A plus sign sent as %2B stays a plus sign", "C++ and 1+1"],
  ["blank", "1.4 encoding", "A blank sent as %20 is a blank", "one two  three"],
  ["quotes", "1.4 encoding", "Quotes and backslashes come back as sent", `She said "no" and 'yes' \\ done`],
  ["latin", "1.4 encoding", "Accented letters come back as sent", "Café Zürich, Ångström, señor"],
  [
    "other-scripts",
    "1.4 encoding",
    "Greek, Hebrew, Arabic, Chinese and Thai come back as sent",
    "Αθήνα עברית عربي 北京 ไทย",
  ],
  ["emoji", "1.4 encoding", "Emoji outside the basic plane come back whole", "Fête 🎉 👩‍👩‍👧 🇨🇭 𝒳"],
  ["json-escapes", "1.2 json", "Text that looks like JSON comes back as sent", '{"a":[1,null,"\\u0041"]}'],
] as const;

/** Texts that come back as sent by rulings R4.8 and R4.12. */
export const unusual = [
  ["html", "R4.8", "HTML is text and comes back as sent", "<b>bold</b> <script>alert(1)</script> &amp;"],
  ["sql", "R4.12", "Text that looks like SQL comes back as sent", "Robert'); DROP TABLE events;--"],
  [
    "right-to-left",
    "R4.12",
    "Marks of direction and combining marks come back as sent",
    "\u202Babc\u202C e\u0301 \u200D",
  ],
  ["spaces", "R4.12", "White space around and inside a text is kept", "  two  blanks\u00A0 "],
] as const;

/** Text made of characters of all kinds; the seed decides which. */
export function randomText(random: () => number): string {
  const characters = Array.from("aZ09 .,;:!?-_~*'()[]{}<>@&=+%#/\\|\"`^$éßñçøĀЖשع中日한ไท€😀🧩");
  return `x${Array.from({ length: 60 }, () => characters[Math.floor(random() * characters.length)] ?? "").join("")}x`;
}
