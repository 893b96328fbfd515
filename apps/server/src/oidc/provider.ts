import type { Configuration } from "openid-client";
import { newSecret } from "../people/links.js";

/** Loaded with the first sign-in: most processes never need it. */
const openId = () => import("openid-client");

/** How long a request to the provider may take, in seconds. */
const requestSeconds = 5;

/** What a sign-in is remembered by in the browser until the provider sends it back. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE. */
  readonly verifier: string;
}

/** Who a provider says that someone is: the pair is unique and stays (OpenID Connect Core 2). */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** An identity provider. Its description is fetched when someone first signs in, so that none that is away stops a start. */
export interface Provider {
  /** Its host. */
  readonly name: string;
  /** Fetches its description. @throws Error when that cannot be had */
  readonly discover: () => Promise<unknown>;
  /** Returns where to send a browser, and what it must come back with. @throws Error as `discover` */
  readonly begin: (redirectUri: string) => Promise<{ readonly url: string; readonly flow: Flow }>;
  /** Returns who has signed in, from the address that the browser came back to. @throws Error when that is not what was asked for */
  readonly finish: (address: URL, flow: Flow) => Promise<Identity>;
}

/** The settings of a provider: all of them, or none. */
export interface ProviderSettings {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly OIDC_CLIENT_SECRET?: string | undefined;
}

/** Returns the provider of the settings; undefined without one. */
export function providerOf(settings: ProviderSettings): Provider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId = "", OIDC_CLIENT_SECRET: secret = "" } = settings;
  if (issuer === undefined) return undefined;
  let found: Promise<Configuration> | undefined;
  const discover = async (): Promise<Configuration> => {
    found ??= discoverAt(new URL(issuer), clientId, secret);
    try {
      return await found;
    } catch (error) {
      found = undefined; // the next one tries again
      throw error;
    }
  };
  return {
    name: new URL(issuer).hostname,
    discover,
    begin: async (redirect_uri) => begin(await discover(), redirect_uri),
    finish: async (address, flow) => finish(await discover(), address, flow),
  };
}

async function discoverAt(issuer: URL, clientId: string, secret: string): Promise<Configuration> {
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await openId();
  // Only where the settings accept it: on this machine.
  const plain = issuer.protocol === "http:" ? [allowInsecureRequests] : [];
  // The signature of an ID token is verified too, with the keys of the provider.
  const execute = [...plain, enableNonRepudiationChecks];
  return discovery(issuer, clientId, secret, undefined, { execute, timeout: requestSeconds });
}

async function begin(
  provider: Configuration,
  redirect_uri: string,
): Promise<{ readonly url: string; readonly flow: Flow }> {
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

/** The package compares state, nonce, audience, times and, of a provider that sends it, the issuer of the answer (RFC 9207). */
async function finish(provider: Configuration, address: URL, flow: Flow): Promise<Identity> {
  const { authorizationCodeGrant } = await openId();
  const tokens = await authorizationCodeGrant(provider, address, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error("The provider has sent no ID token.");
  return { issuer: claims.iss, subject: claims.sub };
}
