/**
 * Returns a CSV file of the server as Excel opens it by a double click: with the byte order mark that reading has taken off, and with
 * semicolons where Excel expects them, in German and wherever numbers have a comma. @param names of columns, in words
 */
export function forSpreadsheet(
  csv: string,
  locale: string,
  names: Readonly<Record<string, string>> = {},
): string {
  const numbers = new Intl.NumberFormat(locale);
  const separator = locale.startsWith("de") || numbers.format(0.5).includes(",") ? ";" : ",";
  const [heads = ""] = csv.split("\r\n", 1);
  const named = heads.replace(/\w+/g, (name) => names[name] ?? name) + csv.slice(heads.length);
  const cells = /("(?:[^"]|"")*")(,|\r\n)/g; // the server quotes every cell
  return `\uFEFF${named.replace(cells, (_, cell: string, end: string) => cell + (end === "," ? separator : end))}`;
}
