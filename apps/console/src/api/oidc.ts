import { hrefOf } from "../router/location.js";
import { request } from "./requests.js";

/** Where the reader was before she left for the identity provider. */
const key = "kalends-back";

/** Leaves for the identity provider, which sends the browser back to /console/oidc. @param link the secret of a link, or "" */
export async function leaveForProvider(link: string): Promise<void> {
  const { url } = await request<{ readonly url: string }>("oidc/start/", link === "" ? {} : { link });
  const path = location.pathname.slice(hrefOf("").length);
  try {
    sessionStorage.setItem(key, /^\/(?:join|oidc)/.test(path) ? "" : path + location.search);
  } catch {
    // refused: she comes back to the first page
  }
  location.assign(url);
  return new Promise(() => undefined); // the page ends
}

/** What the provider has sent back, and the address without it; "" when the browser does not come from there. */
export function takeReturned(): string {
  const { pathname, search } = location;
  if (pathname !== hrefOf("/oidc")) return "";
  history.replaceState(undefined, "", pathname); // a code is a secret
  return search.slice(1);
}

export async function signInByProvider(query: string): Promise<void> {
  await request("oidc/return/", { query });
}

/** Where to go after a sign-in: where the reader was, once, or to the first page. */
export function takeBack(): string {
  try {
    const path = sessionStorage.getItem(key) ?? "";
    sessionStorage.removeItem(key);
    return path.startsWith("/") ? path : "/";
  } catch {
    return "/";
  }
}
