import { useEffect, useState } from "preact/hooks";
import { root } from "../api/root.js";
import type { Address } from "./routes.js";

const base = `${root}/console`;
const listeners = new Set<() => void>();
/** Asked before the reader leaves; returns whether she may. */
let guard: (() => boolean) | undefined;

/** The address of a path below /console, for links. */
export function hrefOf(path: string): string {
  return `${base}${path}`;
}

function read(): Address {
  const { pathname, search } = location;
  return { path: pathname.slice(base.length), query: Object.fromEntries(new URLSearchParams(search)) };
}

let current = read();

function changed(): void {
  current = read();
  for (const listener of listeners) listener();
}

addEventListener("popstate", changed);

/** Goes to a path below /console. `replace` leaves no step to go back to. */
export function go(path: string, how: "push" | "replace" = "push"): void {
  if (guard?.() === false) return;
  if (how === "push") history.pushState(undefined, "", hrefOf(path));
  else history.replaceState(undefined, "", hrefOf(path));
  changed();
}

/** Has `mayLeave` asked before the address changes by a link. */
export function guardLeaving(mayLeave: (() => boolean) | undefined): void {
  guard = mayLeave;
}

/** The address that is shown. */
export function useAddress(): Address {
  const [address, setAddress] = useState(current);
  useEffect(() => {
    const listener = (): void => setAddress(current);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return address;
}

/** Follows links within the console without loading the page again. */
export function followLinks(): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.target !== "" || link.origin !== location.origin) return;
    if (link.pathname !== base && !link.pathname.startsWith(`${base}/`)) return;
    event.preventDefault();
    go(link.pathname.slice(base.length) + link.search);
  });
}
