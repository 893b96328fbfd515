import { request } from "./requests.js";

/** A key of the person's, such as on a phone. */
export interface Passkey {
  readonly id: string;
  readonly device: string;
  readonly date_create: string;
  readonly date_used: string;
}

/** What the server wants signed. Empty where there can be no passkeys. */
interface Ceremony {
  readonly challenge: string;
  readonly rp_id: string;
}

interface NewPasskey extends Ceremony {
  readonly user_id: string;
  readonly user_name: string;
  readonly known_ids: readonly string[];
}

/** Whether this browser has passkeys, which none has over plain http. */
export const hasPasskeys = isSecureContext && "PublicKeyCredential" in window;

export async function listPasskeys(): Promise<readonly Passkey[]> {
  const { passkeys } = await request<{ readonly passkeys: readonly Passkey[] }>("passkeys/list/");
  return passkeys;
}

export async function removePasskey(id: string): Promise<void> {
  await request("passkeys/delete/", { passkey_id: id });
}

/** How one can sign in beside a link. */
export function readWays(): Promise<
  Ceremony & { /** The identity provider; or "". */ readonly oidc: string }
> {
  return request("session/ways/");
}

/** Has the browser make a passkey, and the server keep it. @throws DOMException when there is none */
export async function addPasskey(): Promise<void> {
  const { challenge, rp_id, user_id, user_name, known_ids } = await request<NewPasskey>("passkeys/options/");
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: bytesOf(challenge),
      rp: { id: rp_id, name: "Kalends" },
      user: { id: bytesOf(user_id), name: user_name, displayName: user_name },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })), // Ed25519, P-256, RSA
      excludeCredentials: known_ids.map((id) => ({ type: "public-key", id: bytesOf(id) })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    },
  });
  if (!(made instanceof PublicKeyCredential)) return;
  const { response } = made;
  if (!(response instanceof AuthenticatorAttestationResponse)) return;
  const attestationObject = textOf(response.attestationObject);
  await request("passkeys/create/", { credential: printed(made, { attestationObject }) });
}

/** Opens a session by a passkey. @throws DOMException when none is given */
export async function signInByPasskey(): Promise<void> {
  const { challenge, rp_id } = await readWays();
  const given = await navigator.credentials.get({
    publicKey: { challenge: bytesOf(challenge), rpId: rp_id, userVerification: "required" },
  });
  if (!(given instanceof PublicKeyCredential)) return;
  const { response } = given;
  if (!(response instanceof AuthenticatorAssertionResponse)) return;
  const [authenticatorData, signature] = [textOf(response.authenticatorData), textOf(response.signature)];
  await request("session/open/", { passkey: printed(given, { authenticatorData, signature }) });
}

/** A credential as JSON. Not by its toJSON(), which browsers of 2024 lack. */
function printed(
  { id, type, response }: PublicKeyCredential,
  more: Readonly<Record<string, string>>,
): object {
  const clientDataJSON = textOf(response.clientDataJSON);
  return { id, rawId: id, type, clientExtensionResults: {}, response: { clientDataJSON, ...more } };
}

/** Base64url of bytes. */
function textOf(bytes: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
