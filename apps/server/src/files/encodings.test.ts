import { describe, expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { testServer } from "../../test/harness.js";

// Files as programs write them: in UTF-8, in what Windows calls ANSI, in UTF-16 (docs/extensions.md).

const server = await testServer();
const account = await server.account();

async function imported(bytes: Buffer, type = "text/calendar", key = "") {
  const { body } = await account.call("createCalendar", { title: "Town", timezone: "Europe/Berlin" });
  const headers = { "Content-Type": type, ...(key === "" ? {} : { "Idempotency-Key": key }) };
  return importFile(server, account, body.calendar.id, new Uint8Array(bytes), { headers });
}

const fileOf = (title: string): string => calendarFile(vevent(`SUMMARY:${title}`));
const latin = (title: string): Buffer => Buffer.from(fileOf(title), "latin1");
const utf8 = (title: string): Buffer => Buffer.from(fileOf(title));
/** Folded within its first character of more than one byte (RFC 5545 3.1). */
function folded(title: string, fold = "\r\n "): Buffer {
  const bytes = utf8(title);
  const at = bytes.findIndex((byte) => byte >= 0x80) + 1;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(fold), bytes.subarray(at)]);
}
/** With one of its bytes from 0x80 on replaced by a letter, the last one. */
function broken(title: string): Buffer {
  const bytes = utf8(title);
  bytes[bytes.findLastIndex((byte) => byte >= 0x80)] = 0x78;
  return bytes;
}
const utf16 = (title: string): Buffer => Buffer.from(`\ufeff${fileOf(title)}`, "utf16le");

describe("a file that says no charset", () => {
  test.each([
    ["\xe9 is é", latin("Caf\xe9"), "Windows-1252", "Café"],
    ["\xfc is ü", latin("M\xfcnchen"), "Windows-1252", "München"],
    ["0x96 is a dash", latin("10\x9612 Uhr, \x84so\x93, 5 \x80"), "Windows-1252", "10–12 Uhr, „so“, 5 €"],
    [
      "a letter and a sign are no UTF-8 there",
      latin("\x84Spa\xdf\x93 f\xfcr M\xe4dchen"),
      "Windows-1252",
      "„Spaß“ für Mädchen",
    ],
    [
      "a letter and two signs are none either",
      latin("\xab\xa0Libert\xe9\xa0\xbb \xe0 l'\xe9t\xe9"),
      "Windows-1252",
      "«\u00a0Liberté\u00a0» à l'été",
    ],
    [
      "a capital and a sign are none either",
      latin("\xabAMANH\xc3\xbb E N\xc3O"),
      "Windows-1252",
      "\xabAMANH\xc3\xbb E N\xc3O",
    ],
    [
      "all signs",
      latin(
        "\x80\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8e\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9e\x9f",
      ),
      "Windows-1252",
      "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ",
    ],
    ["an emoji in UTF-8", utf8("Party 🎉 für alle"), "UTF-8", "Party 🎉 für alle"],
    ["UTF-8 that begins with its mark", Buffer.from(`\ufeff${fileOf("Café")}`), "UTF-8", "Café"],
    ["a line that is folded within a character", folded("Zürich"), "UTF-8", "Zürich"],
    ["a line that is folded so by CR CR LF", folded("Zürich", "\r\r\n "), "UTF-8", "Zürich"],
    ["ASCII", utf8("Fair"), "UTF-8", "Fair"],
    ["UTF-16, low byte first", utf16("Café 🎉"), "UTF-16", "Café 🎉"],
    ["UTF-16, high byte first", Buffer.from(utf16("Café 🎉")).swap16(), "UTF-16", "Café 🎉"],
  ] as const)("is read as what it is: %s", async (_title, bytes, encoding, title) => {
    const { body } = await imported(bytes);
    expect(body.import).toMatchObject({ created: 1, encoding });
    expect(body.events[0].title).toBe(title);
  });

  test.each([
    ["UTF-8 with a broken character", broken("Café für München 🎉"), "Café für München \ufffdx"],
    ["UTF-8 with a broken character and one that is whole", broken("Café für"), "Café f\ufffdxr"],
    ["UTF-8 with a broken emoji beside one character", broken("Café 🎉"), "Café \ufffdx"],
    ["Greek in UTF-8 with a broken character", broken("Καλημέρα"), "Καλημέρ\ufffdx"],
    ["UTF-16 of an odd length", Buffer.concat([utf16("Café"), Buffer.of(0x20)]), "Café"],
    ["UTF-16 with half a character", utf16("Caf\ud83c!"), "Caf\ufffd!"],
  ])("is read with U+FFFD, and a note, where it is damaged: %s", async (_title, bytes, title) => {
    const { body } = await imported(bytes);
    expect(body.events[0]).toMatchObject({ title, notes: title.includes("\ufffd") ? [damaged] : [] });
  });

  test.each([
    ["a byte that Windows-1252 lacks", latin("Caf\x81\xe9"), "text/calendar"],
    ["a charset that is not known", latin("Caf\xe9"), "text/calendar; charset=x-unknown"],
  ])("is refused in words about files: %s", async (_title, bytes, type) => {
    const { status, body } = await imported(bytes, type);
    expect([status, body.meta.error_type]).toEqual([400, "encoding_invalid"]);
    expect(body.meta.error_message).toMatch(/^The file is .*\. Save it as UTF-8\.$/);
  });
});

const damaged = "SUMMARY has damaged characters, each of which is shown as \ufffd";

describe("a file whose Content-Type names a charset", () => {
  const bytesOf = (...title: readonly number[]): Buffer => {
    const [before = "", after = ""] = fileOf("|").split("|");
    return Buffer.concat([Buffer.from(before), Buffer.from(title), Buffer.from(after)]);
  };

  test.each([
    ["iso-8859-2", bytesOf(0xb3, 0xf3, 0xb6), "iso-8859-2", "łóś"],
    ['"ISO-8859-2"', bytesOf(0xb3), "iso-8859-2", "ł"],
    ["'iso-8859-2'", bytesOf(0xb3), "iso-8859-2", "ł"],
    ["Shift_JIS", bytesOf(0x93, 0xfa, 0x96, 0x7b), "shift_jis", "日本"],
    ["iso-2022-jp", bytesOf(0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42), "iso-2022-jp", "日"],
    ["windows-1251", bytesOf(0xcf, 0xf0), "windows-1251", "Пр"],
    ["gb2312", bytesOf(0xc4, 0xe3), "gbk", "你"],
    ["utf-16", utf16("Café").subarray(2), "UTF-16", "Café"],
    ["iso-8859-1", latin("Caf\xe9"), "Windows-1252", "Café"],
    ["iso-8859-1", latin("\xab Libert\xe9\xa0\xbb \xe9t\xe9"), "Windows-1252", "« Liberté\u00a0» été"],
    ["us-ascii", latin("Caf\xe9 \x93"), "Windows-1252", "Café “"],
    // What is UTF-8 is hardly anything else, whatever its server says of all files.
    ["iso-8859-2", utf8("łóś"), "UTF-8", "łóś"],
    ["x-unknown", utf8("Café"), "UTF-8", "Café"],
  ])("is read as that: %s", async (charset, bytes, encoding, title) => {
    const { body } = await imported(bytes, `text/calendar; charset=${charset}`);
    expect(body.import).toMatchObject({ created: 1, encoding });
    expect(body.events[0]).toMatchObject({ title, notes: [] });
  });

  test.each([
    ["utf-8", bytesOf(0x63, 0x75, 0x74, 0xc3), "UTF-8", "cut\ufffd"],
    ["utf-8", latin("Caf\xe9"), "UTF-8", "Caf\ufffd"],
    ["utf-8; component=VEVENT", latin("Caf\xe9"), "UTF-8", "Caf\ufffd"],
    ["iso-8859-1", broken("Café für"), "UTF-8", "Café f\ufffdxr"],
    ["windows-1252", latin("Caf\x81\xe9"), "Windows-1252", "Caf\ufffdé"],
    ["shift_jis", bytesOf(0x93, 0xfa, 0xff), "shift_jis", "日\ufffd"],
  ])(
    "has U+FFFD, and a note, for what is no character there: %s",
    async (charset, bytes, encoding, title) => {
      const { body } = await imported(bytes, `text/calendar; charset=${charset}`);
      expect(body.import).toMatchObject({ created: 1, encoding });
      expect(body.events[0]).toMatchObject({ title, notes: [damaged] });
    },
  );
});

test("with an Idempotency-Key a file in another encoding is imported once", async () => {
  const { body } = await account.call("createCalendar", { title: "Town", timezone: "Europe/Berlin" });
  const headers = { "Content-Type": "text/calendar", "Idempotency-Key": "latin" };
  const send = () =>
    importFile(server, account, body.calendar.id, new Uint8Array(latin("Caf\xe9")), { headers });
  const [first, again] = [await send(), await send()];
  expect(first.body.import).toMatchObject({ created: 1, encoding: "Windows-1252" });
  expect([again.headers.get("Idempotency-Replayed"), again.body]).toEqual(["true", first.body]);
});

test("a file in another encoding may have as many bytes, and changes nothing the second time", async () => {
  const { body } = await account.call("createCalendar", { title: "Town", timezone: "Europe/Berlin" });
  const large = Buffer.from(
    calendarFile(vevent("SUMMARY:Caf\xe9"), `X-FILLER:${"\xe9".repeat(9_000_000)}`),
    "latin1",
  );
  const headers = { "Content-Type": "text/calendar" };
  const send = (bytes: Buffer) =>
    importFile(server, account, body.calendar.id, new Uint8Array(bytes), { headers });
  expect((await send(large)).body.import).toMatchObject({ created: 1, encoding: "Windows-1252" });
  expect((await send(large)).body.import).toMatchObject({ unchanged: 1 });
  expect((await send(utf8("Café"))).body.import).toMatchObject({ unchanged: 1, encoding: "UTF-8" });
  expect((await send(Buffer.concat([large, Buffer.alloc(1_000_000, 0xe9)]))).status).toBe(413);
});
