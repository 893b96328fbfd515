/** Begins a file: without it Excel takes UTF-8 for the encoding of the machine. */
export const byteOrderMark = "\uFEFF";

/** Returns a line of CSV (RFC 4180): every cell is quoted, and the line ends in CR LF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${withoutFormula(cell).replaceAll('"', '""')}"`).join(",")}\r\n`;
}

/**
 * Puts an apostrophe before a cell that a spreadsheet would run as a formula (OWASP, CSV injection), whatever stands before its first
 * sign. A cell that has apostrophes there gets one more, so that a reader may always take one away.
 */
function withoutFormula(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

const formula =
  /^'*(?:[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/u;
