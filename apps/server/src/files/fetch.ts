import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { mostFileBytes } from "@kalends/spec";
import { sourceUrl, version } from "../about.js";
import { codeOf } from "../db/error-code.js";
import type { Config } from "../settings/config.js";
import { guardedLookup, refusalOf } from "../webhooks/ssrf-guard.js";
import { describe, requestTo, type Sending } from "../webhooks/attempt.js";
import type { Source } from "./source.js";

/** Why a file was not fetched. The text is for its owner. */
export class FetchFailed extends Error {}

/** What a server says of a file, so that it is sent again only when it has changed (RFC 9110 13). */
export interface Validators {
  readonly etag: string;
  readonly lastModified: string;
}

/** A file; undefined when it is as it was. */
export type Fetched = (Validators & { readonly bytes: Buffer; readonly contentType: string }) | undefined;

export interface Fetching {
  readonly sending: Omit<Sending, "timeoutMs">;
  readonly userAgent: string;
  /** Ends a fetch. */
  readonly signal: AbortSignal;
}

/** Some servers refuse every program that does not name itself as browsers do. */
export function userAgentOf({ SYNC_USER_AGENT, PUBLIC_URL = sourceUrl }: Config): string {
  return SYNC_USER_AGENT ?? `Mozilla/5.0 (compatible; Kalends/${version}; +${new URL(PUBLIC_URL).href})`;
}

/** How long a fetch may take, redirects included, in ms. */
export const fetchMs = 60_000;

const mostRedirects = 5;
const longestValidator = 512;

/**
 * Fetches a file. Each address is checked as those of webhooks are, that of a redirect too.
 * @throws FetchFailed
 */
export async function fetchFile(
  { url, credentials }: Source,
  known: Validators | undefined,
  fetching: Fetching,
): Promise<Fetched> {
  const timeout = AbortSignal.timeout(fetchMs);
  const signal = AbortSignal.any([timeout, fetching.signal]);
  try {
    let target = url;
    for (let redirect = 0; redirect <= mostRedirects; redirect++) {
      const refusal = refusalOf(target, fetching.sending.allowsPrivate);
      if (refusal !== undefined)
        throw new FetchFailed(`The URL ${redirect > 0 ? "of a redirect " : ""}${refusal}.`);
      const isSameHost = new URL(target).origin === new URL(url).origin;
      const shown = isSameHost ? credentials : "";
      const response = await responseTo({ url: target, credentials: shown }, known, { ...fetching, signal });
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
  { url, credentials }: Source,
  known: Validators | undefined,
  { sending: { allowsPrivate, resolve }, userAgent, signal }: Fetching,
): Promise<IncomingMessage> {
  return new Promise((resolveWith, reject) => {
    const request = requestTo(new URL(url), {
      agent: false,
      lookup: guardedLookup(resolve, allowsPrivate),
      signal,
      headers: {
        Accept: "text/calendar, */*;q=0.1",
        "Accept-Encoding": "identity",
        "User-Agent": userAgent,
        Connection: "close",
        ...(credentials && { Authorization: `Basic ${Buffer.from(credentials).toString("base64")}` }),
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
  if (Number(headers["content-length"] ?? 0) > mostFileBytes) throw refused(tooLarge);
  return {
    bytes: await bytesOf(response),
    contentType: headers["content-type"] ?? "",
    etag: validator(headers.etag),
    lastModified: validator(headers["last-modified"]),
  };
}

/** Some servers compress what they send, though they were asked not to. */
async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  const encoding = (response.headers["content-encoding"] ?? "").toLowerCase();
  const pieces: Buffer[] = [];
  try {
    for await (const piece of limited(await decoded(response, encoding))) pieces.push(piece);
  } catch (error) {
    if (/^(?:Z_|ERR__|ERR_BROTLI)/.test(codeOf(error)))
      throw new FetchFailed("The response is compressed and damaged.");
    throw error;
  } finally {
    response.destroy();
  }
  return Buffer.concat(pieces);
}

/** @throws FetchFailed when it is compressed otherwise */
async function decoded(response: IncomingMessage, encoding: string): Promise<AsyncIterable<Buffer>> {
  const decoder = await decoderOf(response, encoding);
  if (decoder === "none") return response;
  // What goes in is limited too: it may come to nothing for ever.
  return pipeline(response, limited, decoder, () => undefined);
}

async function decoderOf(response: IncomingMessage, encoding: string) {
  switch (encoding) {
    case "":
    case "identity":
      return "none";
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      // Some servers leave out its head (RFC 9110 8.4.1.2).
      return ((await firstByte(response)) & 15) === 8 ? createInflate() : createInflateRaw();
    default:
      throw new FetchFailed("The response is compressed in another way than gzip, deflate or br.");
  }
}

async function firstByte(response: IncomingMessage): Promise<number> {
  await Promise.race([once(response, "readable"), once(response, "end")]); // an empty one only ends
  const first: Buffer | null = response.read(1);
  if (first !== null) response.unshift(first);
  return first?.[0] ?? 0;
}

/** Returns pieces as they come. @throws FetchFailed when they are more than a file may have */
async function* limited(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > mostFileBytes) throw new FetchFailed(tooLarge);
    yield piece;
  }
}

const tooLarge = `The file is larger than ${mostFileBytes / 1_000_000} MB.`;

/** One that is too long to be kept is none: then the file is sent again. */
function validator(value = ""): string {
  return value.length <= longestValidator ? value : "";
}
