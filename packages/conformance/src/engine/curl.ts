/** A request as a command line. */
export function curlLine(note: {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
}): string {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const method = note.method === "GET" ? "" : note.method === "HEAD" ? " -I" : ` -X ${note.method}`;
  const headers = Object.entries(note.requestHeaders).map(
    ([name, value]) => ` -H ${quote(`${name}: ${value}`)}`,
  );
  const body = note.requestBody === undefined ? "" : ` --data-raw ${quote(note.requestBody.slice(0, 2_000))}`;
  return `curl -sS${method}${headers.join("")}${body} ${quote(note.url.slice(0, 8_000))}`;
}
