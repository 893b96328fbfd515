export type Address = { readonly name: string; readonly isDownload: boolean } & (
  | { readonly key: string; readonly uniquekey?: undefined }
  | { readonly uniquekey: string; readonly key?: undefined }
);

/**
 * Parses the request target, in origin-form or absolute-form (RFC 9112 3.2.2), whose host is ignored. People and programs change
 * an address without meaning another: the case of `.ics`, a slash at its end, letters that are percent-encoded.
 */
export function parseAddress(target: string): Address | undefined {
  const url = plainTarget(target);
  const isFollower = url.startsWith("/f/");
  if (!isFollower && !url.startsWith("/c/")) return undefined;
  const mark = url.indexOf("?");
  const given = mark === -1 ? url : url.slice(0, mark);
  const path = given.endsWith("/") ? given.slice(0, -1) : given;
  const slash = path.indexOf("/", idStart);
  if (slash <= idStart || path.includes("/", slash + 1)) return undefined;
  if (path.slice(-".ics".length).toLowerCase() !== ".ics") return undefined;
  const id = path.slice(idStart, slash);
  const isDownload =
    mark !== -1 &&
    url
      .slice(mark + 1)
      .split("&")
      .includes("download=1");
  const name = path.slice(slash + 1, -".ics".length);
  return isFollower ? { key: id, name, isDownload } : { uniquekey: id, name, isDownload };
}

/** Returns the target in origin-form, with plain letters. */
export function plainTarget(target: string): string {
  const whole = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  return whole.includes("%") ? withPlainLetters(whole) : whole;
}

/** Decodes the characters that never need to be percent-encoded (RFC 3986 6.2.2.2). */
function withPlainLetters(url: string): string {
  return url.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : encoded;
  });
}

const idStart = "/c/".length;
