import { expect, test } from "vitest";
import { eventsOf, printFile } from "./rows.js";
import {
  chosenOf,
  chosenOfFile,
  decode,
  guessColumns,
  isMonthFirst,
  isOrderOpen,
  readDay,
  readTable,
  readTime,
  separatorOf,
  splitTimes,
} from "./table.js";

test("a file of Excel is read in its own encoding, with its own separator", () => {
  const german = Uint8Array.from(
    [...'Titel;Datum;Ort\r\n"Fr\u00fchling; gro\u00df";03.04.2027;K\u00f6ln\r\n'].map((sign) =>
      sign.charCodeAt(0),
    ),
  );
  const rows = readTable(decode(german));
  expect(rows).toEqual([
    { cells: ["Titel", "Datum", "Ort"], line: 1 },
    { cells: ["Frühling; groß", "03.04.2027", "Köln"], line: 2 },
  ]);
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode("Titel,Ort\nÄ,B")]);
  expect(readTable(decode(marked))[1]?.cells).toEqual(["Ä", "B"]);
  const utf16 = new Uint8Array([0xff, 0xfe, ...[..."a\tb"].flatMap((sign) => [sign.charCodeAt(0), 0])]);
  expect(readTable(decode(utf16))[0]?.cells).toEqual(["a", "b"]);
});

test("a file is a calendar or a table, or it is said why it is neither", () => {
  const bytes = (text: string) => Uint8Array.from([...text].map((sign) => sign.charCodeAt(0)));
  const wide = (text: string): string => [...text].join("\0");
  for (const workbook of [
    "PK\u0003\u0004\0\0[Content_Types].xml\0xl/workbook.xml",
    "PK\u0003\u0004\0\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
    `\u00D0\u00CF\u0011\u00E0\0${wide("Workbook")}`,
  ])
    expect(chosenOfFile(bytes(workbook))).toBe("workbook");
  for (const other of [
    "PK\u0003\u0004\0\0word/document.xml",
    `\u00D0\u00CF\0${wide("WordDocument")}`,
    "\u00FF\u00D8\0\u0010JFIF",
  ])
    expect(chosenOfFile(bytes(other))).toBe("noText");
  for (const nothing of ["", " \r\n", "\u00EF\u00BB\u00BF"])
    expect(chosenOfFile(bytes(nothing))).toBe("empty");
  const file = "BEGIN:VCALENDAR\r\nX-A:\0\r\nEND:VCALENDAR\r\n";
  expect(chosenOfFile(bytes(file))).toEqual({ file });
  expect(chosenOfFile(bytes("PK;Ort\nA;B"))).toEqual(chosenOf("PK;Ort\nA;B"));
});

test("cells may have quotes, separators and line breaks, and rows keep their number", () => {
  const rows = readTable('a,b\n"say ""hi"", now","two\nlines"\n\n,\nlast,');
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 6]);
  expect(rows[1]?.cells).toEqual(['say "hi", now', "two\nlines"]);
  expect(separatorOf("a\tb;c\td")).toBe("\t");
  expect(separatorOf('"a;b;c",d')).toBe(",");
});

test.each([
  [
    ["Titel", "Datum", "Uhrzeit", "Bis", "Ort", "Beschreibung"],
    ["title", "date", "time", "end", "place", "text"],
  ],
  [
    ["Date", "Start time", "End time", "Event name", "Venue"],
    ["date", "time", "end", "title", "place"],
  ],
  [
    ["Title", "Date", "Calendar", "Attendees", "Weekend", "Kalender"],
    ["title", "date", "", "", "", ""],
  ],
  [
    ["Datum", "Spielbeginn", "Spielende", "Verein", "event_name", "event_end"],
    ["date", "time", "end", "", "title", ""],
  ],
  [
    ["Fecha", "Hora", "Título", "Lugar", "x"],
    ["date", "time", "title", "place", ""],
  ],
])("the headings %j are %j", (heads, fields) => {
  expect(guessColumns(heads)).toEqual(fields);
});

test.each([
  ["15:00 - 17:00", "15:00", "17:00"],
  ["15–17 Uhr", "15:00", "17:00"],
  ["von 15.00 bis 17.30", "15:00", "17:30"],
  ["3 pm to 5 pm", "15:00", "17:00"],
  ["de 15h à 17h", "15:00", "17:00"],
  ["19:30", "19:30", ""],
  ["de 19 h 30 à 21 h 00", "19:30", "21:00"],
  ["7:30 p. m. a 9 p. m.", "19:30", "21:00"],
])("the times %j are from %s to %s", (text, from, to) => {
  expect(splitTimes(text).map((time) => (time === "" ? "" : readTime(time)))).toEqual([from, to]);
});

test.each([
  ["Veranstaltung;Termin;Wo;Beginn", "Fest;05.12.2026;Saal;19:00", ["title", "date", "place", "time"]],
  ["Was;Wo;Wann;Zeit", "Fest;Saal;05.12.2026;15:00 - 17:00", ["title", "place", "date", "time"]],
  ["Termin;Tag;Uhrzeit", "Fest;05.12.2026;19:00", ["title", "date", "time"]],
  ["What,When,Where", "Fair,2026-12-05,Hall", ["title", "date", "place"]],
  ["Quoi;Quand;Où", "Fête;05/12/2026;Salle", ["title", "date", "place"]],
  ["Qué;Cuándo;Dónde", "Fiesta;05/12/2026;Sala", ["title", "date", "place"]],
])("the table %j is understood", (heads, row, fields) => {
  const [first, ...rows] = readTable(`${heads}\n${row}`);
  expect(guessColumns(first?.cells ?? [], rows)).toEqual(fields);
});

test.each([
  [
    "Outlook in English",
    "Subject,Start Date,Start Time,End Date,End Time,All day event,Reminder on/off,Reminder Date,Reminder Time,Required Attendees,Billing Information,Description,Location,Show time as",
    "Fair,12/5/2026,7:00:00 PM,12/6/2026,1:00:00 AM,False,False,12/5/2026,6:45:00 PM,,,Bring water,Hall,2",
    "title,date,time,endDate,end,,,,,,,text,place,",
  ],
  [
    "Outlook in German",
    "Betreff;Beginnt am;Beginnt um;Endet am;Endet um;Ganztägiges Ereignis;Abrechnungsinformationen;Beschreibung;Ort",
    "Fest;05.12.2026;19:00:00;06.12.2026;01:00:00;Aus;;Wasser;Saal",
    "title,date,time,endDate,end,,,text,place",
  ],
  [
    "Outlook in French",
    "Objet,Début,Début,Fin,Fin,Journée entière,Description",
    "Fête,05/12/2026,19:00:00,06/12/2026,01:00:00,Faux,De l'eau",
    "title,date,time,endDate,end,,text",
  ],
  [
    "Google",
    "Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private",
    "Fair,12/5/2026,7:00 PM,12/6/2026,1:00 AM,False,Bring water,Hall,False",
    "title,date,time,endDate,end,,text,place,",
  ],
  ["an end before the start", "Ende,Beginn,Titel", "06.12.2026,05.12.2026,Fest", "endDate,date,title"],
])("the table of %s is understood", (_program, heads, row, fields) => {
  const [first, ...rows] = readTable(`${heads}\n${row}`);
  expect(guessColumns(first?.cells ?? [], rows)).toEqual(fields.split(","));
});

test("dates of many forms are read, and what does not exist is none", () => {
  const read = ["2027-04-03", "3.4.2027", "03.04.27", "Sa, 03.04.2027", "3/4/2027"].map((text) =>
    readDay(text, false),
  );
  expect(read).toEqual(Array(5).fill("2027-04-03"));
  expect(readDay("4/3/2027", true)).toBe("2027-04-03");
  expect(readDay("03.04.2027", true)).toBe("2027-04-03");
  expect(["31.02.2027", "soon", "", "1.1"].map((text) => readDay(text, false))).toEqual(
    Array(4).fill(undefined),
  );
});

test("whether the month is first is asked when no date of the column decides", () => {
  expect(isOrderOpen(["03/04/2027", "05/06/2027"])).toBe(true);
  expect(isOrderOpen(["03/04/2027", "25/06/2027"])).toBe(false);
  expect(isOrderOpen(["03.04.2027", "2027-01-02"])).toBe(false);
  expect([isMonthFirst(["03/25/2027"]), isMonthFirst(["25/03/2027"])]).toEqual([true, false]);
});

test("times of many forms are read", () => {
  const spaced = ["19 h 30", "19\u00a0h\u00a030", "7:30 p. m.", "7:30\u00a0p.\u00a0m."];
  const read = ["19:30", "19.30", "19h30", "7:30 pm", "19:30:00", ...spaced].map(readTime);
  expect(read).toEqual(Array(9).fill("19:30"));
  expect(["19 Uhr", "7 p.m.", "12 am", "9"].map(readTime)).toEqual(["19:00", "19:00", "00:00", "09:00"]);
  expect(["25:00", "later", "10:75"].map(readTime)).toEqual([undefined, undefined, undefined]);
});

test("rows become events; a wrong one is named by its number", () => {
  const rows = readTable(
    "Title,Date,Time,End\nGala,2027-04-03,22:00,01:00\nFair,2027-04-04,,\n,2027-04-05,,\nBad,soon,,\nOdd,2027-04-06,late,",
  );
  const events = eventsOf(rows.slice(1), guessColumns(rows[0]?.cells ?? []), false);
  expect(events[0]).toMatchObject({
    title: "Gala",
    when: { start: "2027-04-03T22:00", end: "2027-04-04T01:00" },
  });
  expect(events[1]).toMatchObject({ when: { start: "2027-04-04", allDay: true } });
  expect(events.slice(2)).toEqual([
    { line: 4, wrong: "noTitle" },
    { line: 5, wrong: "noDate" },
    { line: 6, wrong: "noTime" },
  ]);
});

test("a row with two dates is an event of several days, or until a time of the last one", () => {
  const whenOf = (row: string): unknown => {
    const columns = ["title", "date", "time", "endDate", "end"];
    const [event] = eventsOf(readTable(`Fair,${row}`), columns, false);
    return event && "wrong" in event ? event.wrong : event?.when;
  };
  const days = { start: "2026-12-05", end: "2026-12-07", allDay: true };
  expect(whenOf("5.12.2026,,7.12.2026,")).toEqual(days);
  expect(whenOf("5.12.2026,12:00:00 AM,8.12.2026,12:00:00 AM")).toEqual(days); // Outlook
  expect(whenOf("5.12.2026,00:00,6.12.2026,00:00")).toEqual({ ...days, end: "2026-12-05" });
  const nights = { start: "2026-12-05T19:00", end: "2026-12-07T01:00", allDay: false };
  expect(whenOf("5.12.2026,19:00,7.12.2026,1:00")).toEqual(nights);
  expect(whenOf("2026-12-05 19:00,,2026-12-07T01:00,")).toEqual(nights);
  expect(whenOf("5.12.2026 19 h 00,,7. 12. 2026 1 h 00,")).toEqual(nights);
  expect(whenOf("5.12.2026,19:00,5.12.2026,")).toEqual({ ...nights, end: "2026-12-05T20:00" });
  expect(whenOf("5.12.2026,19:00,,1:00")).toEqual({ ...nights, end: "2026-12-06T01:00" });
  expect(whenOf("5.12.2026,19:00,7.12.2026,")).toBe("noTime");
  expect(whenOf("5.12.2026,,4.12.2026,")).toBe("noDate");
  expect(whenOf("5.12.2026,,soon,")).toBe("noDate");
});

test("the file has the same UID for the same row, and lines of at most 75 bytes", () => {
  const rows = readTable(`Title,Date,Time\n"Ö, ${"long ".repeat(30)}",2027-04-03,19:00`);
  const events = eventsOf(rows.slice(1), ["title", "date", "time"], false);
  const file = printFile(events, "Europe/Berlin");
  expect(printFile(events, "Europe/Berlin")).toBe(file);
  expect(file).toContain("DTSTART;TZID=Europe/Berlin:20270403T190000");
  expect(file).toContain(String.raw`SUMMARY:Ö\, long`);
  for (const line of file.split("\r\n"))
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
});
