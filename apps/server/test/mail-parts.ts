interface Parts {
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

/** Returns the parts of a message of ours: two alternatives, each in quoted-printable, base64 or as it is. */
export function partsOf(raw: string): Parts {
  const { headers, body } = split(raw);
  const [, boundary = ""] = /boundary="([^"]+)"/.exec(headers.get("content-type") ?? "") ?? [];
  const parts =
    boundary === "" ? [] : body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, "")));
  const textOf = (type: string): string => {
    const part = parts.find((one) => one.headers.get("content-type")?.startsWith(type) === true);
    return part === undefined ? "" : decoded(part.body, part.headers.get("content-transfer-encoding") ?? "");
  };
  return { headers, text: textOf("text/plain"), html: textOf("text/html") };
}

function split(raw: string): { readonly headers: ReadonlyMap<string, string>; readonly body: string } {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), words(line.slice(colon + 1).trim())];
  });
  return { headers: new Map(headers), body: raw.slice(end + 4) };
}

/** Encoded words (RFC 2047). */
function words(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_whole, kind: string, value: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(value, "base64").toString()
        : decoded(value.replaceAll("_", " "), "quoted-printable"),
    );
}

function decoded(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
