import { describe, expect, test } from "vitest";
import { calendarFile, vevent } from "../../test/calendar-files.js";
import { prepare } from "./prepare.js";

// Texts in quoted-printable (vCalendar 1.0, RFC 2045 6.7), which phones and older programs write, also into iCalendar.

function read(...lines: readonly string[]) {
  const file = calendarFile(vevent(...lines));
  const { instances, skipped } = prepare(file, { timezone: "Europe/Rome", now: 0, takesPrivate: false });
  expect(skipped).toEqual([]);
  return instances.map(({ texts: { title, description, location }, notes }) => {
    return { title, description, location, notes };
  });
}

const one = { title: "One", description: "", location: "", notes: [] };
const encoded = "ENCODING=QUOTED-PRINTABLE";
const damage = "SUMMARY has damaged characters, each of which is shown as \uFFFD";

describe("a text is decoded", () => {
  test.each([
    [`SUMMARY;${encoded}:Caf=C3=A9`, "Café"],
    [`SUMMARY;CHARSET=UTF-8;${encoded}:Caf=C3=A9`, "Café"],
    [`SUMMARY;${encoded};CHARSET=iso-8859-1:Caf=E9`, "Café"],
    [`SUMMARY;${encoded};CHARSET=windows-1251:=CA=EB=F3=E1`, "Клуб"],
    [`SUMMARY;${encoded};CHARSET=Shift_JIS:=83A=83=93`, "アン"],
    [`SUMMARY;${encoded}:Caf=E9`, "Café"],
    [`SUMMARY;LANGUAGE="fr:FR";Encoding=quoted-printable:Caf=c3=a9`, "Café"],
    ["SUMMARY;QUOTED-PRINTABLE:Caf=C3=A9", "Café"],
    [`SUMMARY;${encoded}:1+1=3D2\\, or not`, "1+1=2, or not"],
    [`SUMMARY;${encoded}:100% =XY =`, "100% =XY "],
    ["SUMMARY:Caf=C3=A9", "Caf=C3=A9"],
    ["SUMMARY:See ;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9", "See ;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9"],
  ])("%s", (line, title) => {
    expect(read(line)).toEqual([{ ...one, title }]);
  });

  test.each([`SUMMARY;${encoded};CHARSET=utf-8:Caf=E9`, `SUMMARY;${encoded};CHARSET=none-such:Caf=E9`])(
    "%s has no such character, which is noted",
    (line) => {
      expect(read(line)).toEqual([{ ...one, title: "Caf\uFFFD", notes: [damage] }]);
    },
  );
});

describe("a line that ends in = goes on in the next one", () => {
  test.each([
    [["Bring water=2C=", "shoes and a=", " towel"], "Bring water,shoes and a towel"],
    [["First=0D=0A=", "Caf=C3=", "=A9=0D=0A=", ""], "First\r\nCafé\r\n"],
    [["Caf=E9=0D=0A=", " indented"], "Café\r\n indented"],
    [["A fold", "  and a =", "break"], "A fold and a break"],
  ])("%j", (lines, description) => {
    expect(read(`DESCRIPTION;${encoded}:${lines.join("\r\n")}`, "LOCATION:Hall 1")).toEqual([
      { ...one, description, location: "Hall 1" },
    ]);
  });

  test("but not in the end of the event, and not where nothing is encoded", () => {
    expect(read(`DESCRIPTION;${encoded}:Left out=`)).toEqual([{ ...one, description: "Left out" }]);
    expect(read("DESCRIPTION:1+1=", "LOCATION:Hall 1")).toEqual([
      { ...one, description: "1+1=", location: "Hall 1" },
    ]);
  });
});
