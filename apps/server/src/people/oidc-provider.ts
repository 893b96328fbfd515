import type { Configuration, CustomFetch } from "openid-client";
import { newSecret } from "./links.js";
import type { Config } from "../settings/config.js";

/** Loaded with the first sign-in, since most processes never need it. */
const openId = () => import("openid-client");

/** Time limit of a request to the provider, in seconds, and largest body of its response, in bytes. */
const [requestSeconds, mostBytes] = [5, 1_048_576];

/**
 * TTL of the provider's discovery document, in milliseconds. The package fetches the keys every five minutes, and when a key is
 * unknown.
 */
const describedMs = 3_600_000;

/** State of a sign-in, which the browser keeps until the provider redirects back. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
}

/** The identity of a person at a provider: the pair is unique and never changes (OpenID Connect Core 2). */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Why a sign-in is refused, for the log, without personal data. */
export interface Refusal {
  readonly reason: string;
}

/**
 * An identity provider. Its discovery document is fetched with the first sign-in, so that an unreachable provider stops no
 * start.
 */
export interface Provider {
  /** Fetches the discovery document. @throws Error when that fails */
  readonly discover: () => Promise<unknown>;
  /** Returns where to redirect the browser, and the state that it must come back with. @throws Error as `discover` */
  readonly begin: (redirectUri: string) => Promise<{ readonly url: string; readonly flow: Flow }>;
  /** Returns the identity that has signed in, from the address that the browser came back to. @throws Error as `discover` */
  readonly finish: (address: URL, flow: Flow) => Promise<Identity | Refusal>;
}

/** All of these settings are set, or none. */
export type ProviderSettings = Pick<Config, "OIDC_ISSUER" | "OIDC_CLIENT_ID" | "OIDC_CLIENT_SECRET">;

export function providerOf(settings: ProviderSettings): Provider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId = "", OIDC_CLIENT_SECRET: secret = "" } = settings;
  if (issuer === undefined) return undefined;
  let found: { readonly at: number; readonly described: Promise<Configuration> } | undefined;
  const discover = (): Promise<Configuration> => {
    if (found === undefined || performance.now() > found.at + describedMs)
      found = { at: performance.now(), described: discoverAt(new URL(issuer), clientId, secret) };
    return found.described;
  };
  /** After a failure the next sign-in fetches the discovery document and the keys again. */
  const attempt = async <T>(work: (described: Configuration) => Promise<T>): Promise<T> => {
    try {
      return await work(await discover());
    } catch (error) {
      found = undefined;
      throw named(error);
    }
  };
  return {
    discover: () => attempt((described) => Promise.resolve(described)),
    begin: (redirect_uri) => attempt((described) => begin(described, redirect_uri)),
    finish: (address, flow) =>
      attempt((described) =>
        finish(described, address, flow).catch((error: unknown) => {
          const reason = refusalOf(error);
          if (reason === undefined) throw error;
          return { reason };
        }),
      ),
  };
}

/**
 * Returns why a sign-in is refused: by the parameters of the browser, an expired code, or a claim of the ID token. Any other
 * error is a failure of the provider.
 */
function refusalOf(thrown: unknown): string | undefined {
  const { code, error, cause }: { code?: unknown; error?: unknown; cause?: { cause?: unknown } } =
    Object(thrown);
  const { claim, parameters }: { claim?: unknown; parameters?: unknown } = Object(cause?.cause);
  if (error === "invalid_grant") return error;
  if (code === "OAUTH_JWT_TIMESTAMP_CHECK_FAILED" || code === "OAUTH_JWT_CLAIM_COMPARISON_FAILED")
    return `ID token: ${String(claim)}`;
  return code === "OAUTH_INVALID_RESPONSE" && parameters !== undefined ? "state or issuer" : undefined;
}

/** Error codes of the provider that may be logged. */
const errorForm = /^[a-z_]{1,40}$/;

/** The provider's own error code, such as `invalid_client`, is more useful in the log than that of the package. */
function named(thrown: unknown): Error {
  const { error }: { error?: unknown } = Object(thrown);
  const code = typeof error === "string" && errorForm.test(error) ? { code: error } : {};
  return Object.assign(thrown instanceof Error ? thrown : new Error("no error", { cause: thrown }), code);
}

/** Reads a whole response with a limit of time and size. The package refuses redirects. */
const boundedFetch: CustomFetch = async (url, options) => {
  const form = options.body instanceof URLSearchParams ? options.body : null; // the package sends no other bodies
  const answer = await fetch(url, { ...options, body: form });
  const parts: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | undefined = answer.body ?? undefined;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > mostBytes) throw new RangeError(`The provider's answer has more than ${mostBytes} bytes.`);
    parts.push(part);
  }
  return new Response(size === 0 ? null : Buffer.concat(parts), answer);
};

async function discoverAt(issuer: URL, clientId: string, secret: string): Promise<Configuration> {
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await openId();
  // The settings allow http only on this machine.
  const plain = issuer.protocol === "http:" ? [allowInsecureRequests] : [];
  // The signature of the ID token is verified too.
  const execute = [...plain, enableNonRepudiationChecks];
  return discovery(issuer, clientId, secret, undefined, {
    execute,
    timeout: requestSeconds,
    [customFetch]: boundedFetch,
  });
}

async function begin(provider: Configuration, redirect_uri: string) {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openId();
  const flow = { state: newSecret(), nonce: newSecret(), verifier: newSecret() };
  const url = buildAuthorizationUrl(provider, {
    redirect_uri,
    scope: "openid",
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: "S256",
  });
  return { url: url.href, flow };
}

/** The package checks state, nonce, audience, times and, if the provider sends it, the issuer of the response (RFC 9207). */
async function finish(provider: Configuration, address: URL, flow: Flow): Promise<Identity | Refusal> {
  const sent = address.searchParams;
  const isOnce = new Set(sent.keys()).size === sent.size;
  const error = sent.get("error") ?? "";
  if (!isOnce || !sent.get("code") || ["error", "id_token", "token"].some((name) => sent.has(name)))
    return { reason: errorForm.test(error) ? `error: ${error}` : "query" };
  const { authorizationCodeGrant } = await openId();
  const tokens = await authorizationCodeGrant(provider, address, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error("The provider has sent no ID token.");
  const { iss: issuer, sub: subject, azp = provider.clientMetadata().client_id } = claims;
  // OpenID Connect Core 2 has this limit.
  if (!/^[ -~]{1,255}$/.test(subject)) throw new Error("The provider's subject is not 255 ASCII characters.");
  return azp === provider.clientMetadata().client_id ? { issuer, subject } : { reason: "ID token: azp" };
}
