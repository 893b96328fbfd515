import fc from "fast-check";

// Texts made to break out of their line, and texts that only look odd.

const newline = [
  "\r\n",
  "\r",
  "\n",
  "\v",
  "\f",
  "\u0085",
  "\u2028",
  "\u2029",
  "\r\n ",
  "\n\t",
  "\\n",
  "\r\r\n\n",
];

const injections = [
  "BEGIN:VEVENT",
  "END:VEVENT",
  "END:VCALENDAR",
  "BEGIN:VALARM",
  "UID:evil",
  "ATTACH:https://evil.example/",
  'X:"',
  "METHOD:CANCEL",
  ";VALUE=DATE:20260101",
  '";CN=x:mailto:evil@example.org',
  ":mailto:evil@example.org",
  "%0D%0AEND:VEVENT",
];

const signs = [
  "\\",
  "\\\\",
  ";",
  ",",
  ":",
  '"',
  "'",
  "^",
  "^n",
  "^'",
  "^^",
  "=",
  "%",
  "&",
  "<b>",
  "\\;",
  "\\,",
];

const letters = [
  "a",
  "Größe",
  "東京",
  "🎉",
  "👩‍👩‍👧‍👦", // four people, joined
  "🏳️‍🌈",
  "🇩🇪",
  "שלום",
  "\u202Eهلا\u202C", // turned right to left
  "e\u0301\u0323\u0300", // three accents on one letter
  "\uFEFF",
  "\u00A0",
  "\u200B",
  "\uFFFF",
];

const controls = ["\0", "\u0007", "\b", "\t", "\u001B[31m", "\u001C", "\u007F", "\u009B", "\u00AD"];

const halves = ["\uD83C", "\uDF89", "\uDF89\uD83C", "\uD83C\r\n\uDF89"];

/** By hand: each alone, each with a line break on both sides, and the long ones. */
export const handWritten: readonly string[] = [
  ...[...injections, ...signs, ...letters, ...controls, ...halves].flatMap((text) => [text, `x${text}`]),
  ...newline.flatMap((line) => injections.map((text) => `x${line}${text}${line}`)),
  ...newline.flatMap((line) => [line, `${line}x`, `x${line}`, `${line} ${line}`]),
  " ",
  "  x  ",
  "\t",
  " ".repeat(500),
  "x".repeat(65_535),
  "ß".repeat(65_535),
  "東".repeat(65_535),
  "🎉".repeat(32_767),
  "\\".repeat(65_535),
  "\r\n".repeat(32_767),
  "\uD83C".repeat(5000),
  "é,;\\\n🎉".repeat(9000),
  ...Array.from({ length: 12 }, (_, length) => `${"x".repeat(60 + length)}🎉\\n東,ß"^`),
];

/**
 * Any character of Unicode. The texts are those of fast-check's unit "binary", which builds a map of all characters for the way back;
 * here each is computed.
 */
const character: fc.Arbitrary<string> = fc.nat(0x10_ffff - 0x800).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800),
  (text) => {
    const [only, ...others] = typeof text === "string" && text.isWellFormed() ? text : "";
    const code = only?.codePointAt(0);
    if (code === undefined || others.length > 0) throw new Error("not one character");
    return code < 0xd800 ? code : code - 0x800;
  },
);

/** At random, of the same parts and of any UTF-16 at all. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...newline, ...injections),
      fc.constantFrom(...signs, ...letters, ...controls, ...halves),
      fc.string({ unit: character, maxLength: 30 }),
      fc.string({ unit: "grapheme", maxLength: 30 }),
      fc.array(fc.nat(0xffff), { maxLength: 5 }).map((codes) => String.fromCharCode(...codes)),
      fc.nat(80).map((length) => "x".repeat(length)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

/** E-mail addresses, nearly e-mail addresses, and what is none. */
export const hostileEmail: fc.Arbitrary<string> = fc.oneof(
  hostileText,
  hostileText.map((text) => `${text}@example.org`),
  hostileText.map((text) => `jane@${text}`),
  fc
    .tuple(
      fc.constantFrom(...signs, ...letters, "?subject=x", "#", "/", "+", "!"),
      fc.constantFrom(...letters),
    )
    .map(([sign, letter]) => `jane${sign}${letter}@${letter}.example`),
);
