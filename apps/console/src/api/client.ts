import { createExtensionsClient } from "@kalends/client/extensions";
import { sendAsSession } from "./requests.js";
import { root } from "./root.js";

/** The server's operations. The token is a word that sendAsSession drops: the cookie of the session stands for it. */
export const api = createExtensionsClient({
  baseUrl: location.origin + root,
  token: "session",
  allowInsecure: true,
  retries: 2,
  fetch: sendAsSession,
});

/** A key for one submit, kept for its retries. Not by randomUUID, which pages of http: addresses lack. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].join("-");
}
