import { isWrite, type Operation } from "@kalends/spec";
import type { Request } from "express";
import type { Principal, SignedIn } from "../accounts/principal.js";
import type { ReadDatabase } from "../db/database.js";
import { addressKey, isLoopback } from "../settings/ip-address.js";
import { ApiError } from "./errors.js";
import type { Restricted, Session } from "./handler.js";
import type { RateLimit } from "./rate-limit.js";
import type { Values } from "./parameter-checks.js";

// The rules of requests with a cookie (extensions X9.3). What a page of another origin can send is in docs/decisions/0021-people.md.

/** The prefix of the operations of the extensions, and the one below which they take a session instead of a token. */
const [prefix, consolePrefix] = ["/api/kalends/v1/", "/console/api/"] as const;

/** Returns the path of an operation for the console; undefined for one of the contract, whose writes answer GET too. */
export function consolePathOf({ path }: Pick<Operation, "path">): string | undefined {
  if (path.startsWith(consolePrefix)) return path;
  return path.startsWith(prefix) ? `${consolePrefix}${path.slice(prefix.length)}` : undefined;
}

/** Restricts an operation to what a person has grants for. */
export type Restrict = (
  db: ReadDatabase,
  of: Pick<SignedIn, "grants"> & { readonly accountId: number },
  op: Operation,
  params: Values,
) => Promise<Restricted>;

/** Returns whose session the secret of a cookie is; undefined when there is none. */
export type FindSession = (secret: string, now: number) => Promise<Principal | undefined>;

/**
 * Refuses what a page of another origin, another port or a sibling host can send. Browsers say where a request comes from by
 * `Sec-Fetch-Site`, and over plain http by `Origin` in a POST; only a page of ours can add a header of its own.
 * @throws ApiError
 */
export function requireOwnPage({ headers }: Request, op: Operation, base: string): void {
  const { origin, "sec-fetch-site": site } = headers;
  const isOwn =
    site === undefined
      ? origin === undefined
        ? !isWrite(op)
        : origin === new URL(base).origin
      : site === "same-origin";
  const type = headers["content-type"]?.toLowerCase().split(";")[0]?.trim() ?? "";
  const accepted = [
    "application/json",
    ...(op.file === undefined ? [] : [op.file.mediaType, ...(op.file.otherTypes ?? [])]),
  ];
  if (!isOwn || headers["kalends-console"] !== "1" || (isWrite(op) && !accepted.includes(type)))
    throw new ApiError("request_foreign");
}

/** Over https no other host, port or path can set a cookie whose name begins so (RFC 6265bis 4.1.3.2). */
const securePrefix = "__Host-";
/** Of the session, and of a sign-in at an identity provider: secrets of 43 characters, of the latter several with points between them. */
const [sessionName, flowName] = ["kalends", "kalends-oidc"];

export interface ConsoleServices {
  /** Whether people may sign in over plain http. */
  readonly isInsecure: boolean;
  /** Counts wrong secrets by address. */
  readonly guesses: RateLimit;
  /** The name of the identity provider; undefined without one. */
  readonly provider: string | undefined;
  /** Whether the service sends e-mail. */
  readonly sendsMail: boolean;
}

/** Returns what the handlers of sessions need of a request, and the headers that they set. */
export function sessionOf(
  req: Request,
  base: string,
  { isInsecure, guesses, provider, sendsMail }: ConsoleServices,
): Session & { headers: string[] } {
  const { protocol, hostname, pathname } = new URL(base);
  const isSecure = protocol === "https:";
  const before = isSecure ? securePrefix : "";
  const path = isSecure ? "/; Secure" : `${pathname.replace(/\/$/, "")}/console`;
  const headers: string[] = [];
  const canSignIn = isSecure || isInsecure || isLoopback(hostname);
  const read = (name: string) => (canSignIn ? cookieNamed(before + name, req.headers.cookie) : undefined);
  const set = (name: string, value: string, seconds: number): void => {
    const attributes = `Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
    headers.push("Set-Cookie", `${before}${name}=${value}; ${attributes}`);
  };
  return {
    base,
    countGuess: () => guesses(addressKey(req)),
    countAttempt: (at) => guesses(`${at} ${addressKey(req)}`),
    secret: read(sessionName),
    flow: read(flowName),
    provider,
    sendsMail,
    device: (req.headers["user-agent"] ?? "").slice(0, 255),
    canSignIn,
    setSecret: (secret, seconds) => {
      set(sessionName, secret, seconds);
      if (seconds === 0) headers.push("Clear-Site-Data", '"storage"'); // what the page has kept of the account
    },
    setFlow: (value, seconds) => set(flowName, value, seconds),
    headers,
  };
}

/** The value of a cookie. One that is there twice is none: another host may have set one of them. */
function cookieNamed(name: string, header = ""): string | undefined {
  const values = header.split(";").flatMap((pair) => {
    const [before = "", ...after] = pair.trim().split("=");
    return before === name ? [after.join("=")] : [];
  });
  return values.length === 1 && /^[A-Za-z0-9_-]{43}(?:\.[A-Za-z0-9_-]{43}){0,3}$/.test(values[0] ?? "")
    ? values[0]
    : undefined;
}
