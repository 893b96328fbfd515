// Tables as people have them: separators, quotes and encodings of Excel, dates of everywhere (extensions X6 takes iCalendar alone).

/** Decodes a file: by its byte order mark, as UTF-8, else as Windows-1252, in which Excel writes where UTF-8 is not chosen. */
export function decode(bytes: Uint8Array<ArrayBuffer>): string {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const isCalendar = (text: string): boolean => /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text);

/** What a text is: a calendar file, or the rows of a table. */
export type Chosen = { readonly file: string } | { readonly rows: readonly TableRow[] };

export const chosenOf = (text: string): Chosen =>
  isCalendar(text) ? { file: text } : { rows: readTable(text) };

/** What a file is, or why it is nothing to read: a workbook, any other file that is no text, or one without a text. */
export function chosenOfFile(bytes: Uint8Array<ArrayBuffer>): Chosen | "workbook" | "noText" | "empty" {
  const text = decode(bytes);
  if (text.trim() === "") return "empty";
  if (!text.includes("\0") || isCalendar(text)) return chosenOf(text);
  const raw = new TextDecoder("windows-1252").decode(bytes);
  const isWorkbook = raw.startsWith("PK")
    ? /xl\/|opendocument\.spreadsheet/.test(raw) // .xlsx and .ods
    : raw.startsWith("\u00D0\u00CF") && raw.includes("W\0o\0r\0k\0b\0o\0o\0k"); // .xls
  return isWorkbook ? "workbook" : "noText";
}

/** The separator of a table: the one that most lines have most often, outside of quotes. */
export function separatorOf(text: string): string {
  const line = text.replace(/"(?:[^"]|"")*"/g, "").split(/\r?\n/, 1)[0] ?? "";
  const counted = ["\t", ";", ",", "|"].map((sign) => [sign, line.split(sign).length] as const);
  const [best] = counted.reduce((most, each) => (each[1] > most[1] ? each : most));
  return best;
}

/** Reads a table with quoted cells (RFC 4180). Lines without a text are left out; each keeps its number in the file. */
export function readTable(text: string): readonly TableRow[] {
  const separator = separatorOf(text);
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${separator === "|" ? "\\|" : separator}\\r\\n]*))(${separator === "|" ? "\\|" : separator}|\\r?\\n|$)`,
    "y",
  );
  const rows: TableRow[] = [];
  let [cells, line, start]: [string[], number, number] = [[], 1, 1];
  const source = text.replace(/^\uFEFF/, "");
  while (cell.lastIndex < source.length) {
    const found = cell.exec(source);
    if (found === null) break;
    const [all, quoted, plain = "", end] = found;
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    line += all.split("\n").length - 1;
    if (end === separator && cell.lastIndex < source.length) continue;
    if (cells.some((each) => each !== "")) rows.push({ cells, line: start });
    [cells, start] = [[], line];
  }
  return rows;
}

export interface TableRow {
  readonly cells: readonly string[];
  /** Of the file, from 1. */
  readonly line: number;
}

export const columnFields = ["title", "date", "time", "endDate", "end", "place", "text"] as const;
export type ColumnField = (typeof columnFields)[number];

const ofEnd = /(?<![a-z])end|ende\b|bis|fin\b|fin |finali|hasta|schluss/i;

/** Words in headings, in the languages of the console. The first that fits a free field decides. */
const headings: readonly (readonly [ColumnField, RegExp])[] = [
  ["end", ofEnd],
  ["time", /time|start|begin|uhr|zeit|^von|heure|d[ée]but|hora|inicio|comienzo/i],
  ["date", /date|datum|day|^tag|wann|when|jour|quand|fecha|d[ií]a|cu[aá]ndo/i],
  [
    "place",
    /place|location|where|venue|^wo$|ort\b|ort |raum|saal|lieu|salle|o[uù]$|lugar|d[oó]nde|sitio|sala/i,
  ],
  ["text", /desc|note|text|^info|\binfos?\b|beschr|bemerk|detail|remarque/i],
  [
    "title",
    /title|titel|name|event|veranstaltung|subject|betreff|objet|what|was|titre|nom|quoi|[ée]v[ée]nement|asunto|t[ií]tulo|qu[eé]|evento|anlass/i,
  ],
];

/** A heading that is a title, or the date where another column is the title. */
const either = /termin|rendez-vous|cita/i;

/** Whether the cells of a column are dates, as far as there are any. */
function holdsDates(rows: readonly TableRow[], index: number): boolean {
  const cells = rows.map(({ cells: each }) => each[index] ?? "").filter((text) => text !== "");
  const dates = cells.filter(
    (text) =>
      readDay(text.split(/[T ](?=\d{1,2}[:.h]\d\d)/)[0] ?? "", false) !== undefined ||
      readDay(text, true) !== undefined,
  );
  return dates.length > 0 && dates.length * 2 > cells.length;
}

/** What each column seems to be, by its cells where these are dates, else by its heading; each field once. */
export function guessColumns(
  heads: readonly string[],
  rows: readonly TableRow[] = [],
): readonly (ColumnField | "")[] {
  const free = new Map(headings);
  const dated = heads.map((head, index) => holdsDates(rows, index) && (ofEnd.test(head) ? "end" : "start"));
  const dateAt = dated.includes("start") ? dated.indexOf("start") : dated.indexOf("end");
  const endDateAt = dated.findIndex((which, index) => which === "end" && index !== dateAt);
  if (dateAt >= 0) free.delete("date");
  const guessed = heads.map((head, index): ColumnField | "" => {
    if (index === dateAt) return "date";
    if (index === endDateAt) return "endDate";
    if (dated[index] !== false) return "";
    for (const [field, words] of free) {
      if (!words.test(head) || either.test(head)) continue;
      free.delete(field);
      return field;
    }
    return "";
  });
  return guessed.map((field, index) => {
    if (field !== "" || !either.test(heads[index] ?? "")) return field;
    const left = free.has("title") ? "title" : free.has("date") ? "date" : "";
    if (left !== "") free.delete(left);
    return left;
  });
}

/** The start and the end of a cell such as "15:00 - 17:00" or "15 bis 17 Uhr"; one time alone has no end. */
export function splitTimes(text: string): readonly [from: string, to: string] {
  const range = /^(.*?\d.*?)\s*(?:-|–|—|\s(?:bis|to|until|à|a|hasta)\s)\s*(\d.*)$/i.exec(text.trim());
  const [, from = text, to = ""] = range ?? [];
  return [from.trim().replace(/^(?:von|from|de)\s+/i, ""), to];
}

const parts = /^(?:\p{L}+\.?,?\s+)?(\d{1,4})[./-]\s?(\d{1,2})[./-]\s?(\d{1,4})$/u;

/** Whether dates of a column may have the day or the month first, and no date of it decides. */
export function isOrderOpen(dates: readonly string[]): boolean {
  const slashed = dates.map((text) => parts.exec(text.trim())).filter((found) => found !== null);
  const open = slashed.filter(([text, first = ""]) => first.length < 4 && !text.includes("."));
  return open.length > 0 && open.every(([, first, second]) => Number(first) <= 12 && Number(second) <= 12);
}

/** Whether a date of the column can only have the month first. */
export function isMonthFirst(dates: readonly string[]): boolean {
  return dates.some((text) => {
    const [all = "", , second] = parts.exec(text.trim()) ?? [];
    return Number(second) > 12 && !all.includes(".");
  });
}

/** Reads a date as `YYYY-MM-DD`; undefined when it is none. With dots the day is always first. */
export function readDay(text: string, monthFirst: boolean): string | undefined {
  const found = parts.exec(text.trim());
  if (found === null) return undefined;
  const [all, a = "", b = "", c = ""] = found;
  const swaps = monthFirst && !all.includes(".");
  const [year, month, day] = a.length === 4 ? [a, b, c] : swaps ? [c, a, b] : [c, b, a];
  const full = year.length === 2 ? `20${year}` : year;
  const iso = `${full}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const ms = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== iso ? undefined : iso;
}

/** Reads a time as `HH:MM`: "19:30", "19.30", "19 h 30", "19 Uhr", "7:30 p. m."; undefined when it is none. */
export function readTime(text: string): string | undefined {
  const found = /^(\d{1,2})(?:\s?[:.h]\s?(\d{2}))?(?::\d{2})?\s*(h|uhr|[ap]\.?\s?m\.?)?$/i.exec(text.trim());
  if (found === null) return undefined;
  const [, hour = "", minute = "00", after = ""] = found;
  const half = after.toLowerCase().replaceAll(/[.\s]/g, "");
  const hours = (Number(hour) % (half === "am" || half === "pm" ? 12 : 24)) + (half === "pm" ? 12 : 0);
  if (Number(hour) > 24 || Number(minute) > 59) return undefined;
  return `${String(hours).padStart(2, "0")}:${minute}`;
}
