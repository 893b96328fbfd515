/** Name and value of a parameter, in the order sent. */
export type Pair = readonly [name: string, value: string];

/**
 * Parses a query string or a form, strictly (WHATWG URL 5.1 without its leniency). Express's parser drops what is past the
 * thousandth pair and turns bad UTF-8 into U+FFFD; here every pair is kept, and undefined says that one is not valid
 * percent-encoded UTF-8.
 */
export function parseForm(text: string): readonly Pair[] | undefined {
  const pairs: Pair[] = [];
  for (const part of text.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = decode(equals === -1 ? "" : part.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    pairs.push([name, value]);
  }
  return pairs;
}

/** Writes pairs as a query string that `parseForm` reads back. */
export function printForm(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
}

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " "));
    // Raw bytes past ASCII, which a URL must not hold, arrive as single UTF-16 units; a lone one is not text.
    return decoded.isWellFormed() ? decoded : undefined;
  } catch {
    return undefined;
  }
}
