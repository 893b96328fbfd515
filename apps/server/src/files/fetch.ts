import type { IncomingMessage } from "node:http";
import { mostFileBytes } from "@kalends/spec";
import { version } from "../about.js";
import { guardedLookup, refusalOf } from "../webhooks/ssrf-guard.js";
import { describe, requestTo, type Sending } from "../webhooks/attempt.js";

/** Why a file was not fetched. The text is for its owner. */
export class FetchFailed extends Error {}

/** What a server says of a file, so that it is sent again only when it has changed (RFC 9110 13). */
export interface Validators {
  readonly etag: string;
  readonly lastModified: string;
}

/** A file; undefined when it is as it was. */
export type Fetched = (Validators & { readonly bytes: Buffer; readonly contentType: string }) | undefined;

/** How long a fetch may take, redirects included, in ms. */
export const fetchMs = 60_000;

const mostRedirects = 5;
const longestValidator = 512;

/**
 * Fetches a file. Each address is checked as those of webhooks are, that of a redirect too.
 * @throws FetchFailed
 */
export async function fetchFile(
  url: string,
  known: Validators | undefined,
  sending: Omit<Sending, "timeoutMs">,
  stop: AbortSignal,
): Promise<Fetched> {
  const timeout = AbortSignal.timeout(fetchMs);
  const signal = AbortSignal.any([timeout, stop]);
  try {
    let target = url;
    for (let redirect = 0; redirect <= mostRedirects; redirect++) {
      const refusal = refusalOf(target, sending.allowsPrivate);
      if (refusal !== undefined)
        throw new FetchFailed(`The URL ${redirect > 0 ? "of a redirect " : ""}${refusal}.`);
      const response = await responseTo(target, known, sending, signal);
      const { statusCode = 0, headers } = response;
      if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined)
        return await fileOf(response, known);
      response.destroy();
      if (!URL.canParse(headers.location, target)) throw new FetchFailed("A redirect leads to no URL.");
      const next = new URL(headers.location, target);
      next.hash = ""; // a redirect may have one (RFC 9110 10.2.2); it is not sent
      target = next.href;
    }
    throw new FetchFailed(`There are more than ${mostRedirects} redirects.`);
  } catch (error) {
    if (error instanceof FetchFailed) throw error;
    throw new FetchFailed(timeout.aborted ? `It took more than ${fetchMs / 1000} s.` : describe(error));
  }
}

function responseTo(
  target: string,
  known: Validators | undefined,
  { allowsPrivate, resolve }: Omit<Sending, "timeoutMs">,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolveWith, reject) => {
    const request = requestTo(new URL(target), {
      agent: false,
      lookup: guardedLookup(resolve, allowsPrivate),
      signal,
      headers: {
        Accept: "text/calendar, */*;q=0.1",
        "Accept-Encoding": "identity",
        "User-Agent": `Kalends/${version}`,
        Connection: "close",
        ...(known?.etag ? { "If-None-Match": known.etag } : {}),
        ...(known?.lastModified ? { "If-Modified-Since": known.lastModified } : {}),
      },
    });
    request.once("response", resolveWith);
    request.on("error", reject); // kept: a connection that fails later must not be unexpected
    request.once("upgrade", (_response, socket) => void socket.destroy());
    request.once("close", () => reject(new Error("The connection was closed without a response.")));
    request.end();
  });
}

async function fileOf(response: IncomingMessage, known: Validators | undefined): Promise<Fetched> {
  const { statusCode = 0, headers } = response;
  const refused = (reason: string): FetchFailed => {
    response.destroy();
    return new FetchFailed(reason);
  };
  if (statusCode === 304 && (known?.etag || known?.lastModified)) {
    response.destroy();
    return undefined;
  }
  if (statusCode !== 200) throw refused(`The response was ${statusCode}.`);
  if (!/^(?:identity)?$/i.test(headers["content-encoding"] ?? ""))
    throw refused("The response is compressed.");
  if (Number(headers["content-length"] ?? 0) > mostFileBytes) throw refused(tooLarge);
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response) {
    const bytes: Buffer = piece;
    length += bytes.length;
    if (length > mostFileBytes) throw refused(tooLarge);
    pieces.push(bytes);
  }
  return {
    bytes: Buffer.concat(pieces),
    contentType: headers["content-type"] ?? "",
    etag: validator(headers.etag),
    lastModified: validator(headers["last-modified"]),
  };
}

const tooLarge = `The file is larger than ${mostFileBytes / 1_000_000} MB.`;

/** One that is too long to be kept is none: then the file is sent again. */
function validator(value = ""): string {
  return value.length <= longestValidator ? value : "";
}
