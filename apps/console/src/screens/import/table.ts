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

export const columnFields = ["title", "date", "time", "end", "place", "text"] as const;
export type ColumnField = (typeof columnFields)[number];

/** Words in headings, in the languages of the console. The first that fits decides. */
const headings: readonly (readonly [ColumnField, RegExp])[] = [
  ["end", /end|bis|fin|hasta/i],
  ["time", /time|start|begin|uhr|zeit|von|heure|d[ée]but|hora|inicio/i],
  ["date", /date|datum|day|tag|jour|fecha|d[ií]a/i],
  ["place", /place|location|where|venue|ort|raum|lieu|salle|lugar/i],
  ["text", /desc|note|text|info|beschr|bemerk/i],
  ["title", /title|titel|name|event|subject|was|termin|titre|nom|asunto|t[ií]tulo|evento/i],
];

/** What each column seems to be, by its heading; each field once. */
export function guessColumns(heads: readonly string[]): readonly (ColumnField | "")[] {
  const free = new Map(headings);
  return heads.map((head) => {
    for (const [field, words] of free) {
      if (!words.test(head)) continue;
      free.delete(field);
      return field;
    }
    return "";
  });
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

/** Reads a time as `HH:MM`: "19:30", "19.30", "19h30", "19 Uhr", "7:30 pm"; undefined when it is none. */
export function readTime(text: string): string | undefined {
  const found = /^(\d{1,2})(?:[:.h]\s?(\d{2}))?(?::\d{2})?\s*(h|uhr|a\.?m\.?|p\.?m\.?)?$/i.exec(text.trim());
  if (found === null) return undefined;
  const [, hour = "", minute = "00", after = ""] = found;
  const half = after.toLowerCase().replaceAll(".", "");
  const hours = (Number(hour) % (half === "am" || half === "pm" ? 12 : 24)) + (half === "pm" ? 12 : 0);
  if (Number(hour) > 24 || Number(minute) > 59) return undefined;
  return `${String(hours).padStart(2, "0")}:${minute}`;
}
