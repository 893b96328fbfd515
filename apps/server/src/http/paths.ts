import { isExtension, type Operation } from "@kalends/spec";
import type { Request } from "express";

const prefix = "/api/v1/";

/** Paths of AddEvent v1 below the prefix that are none of the contract, by the path of the operation that answers there. */
const olderPaths: ReadonlyMap<string, readonly string[]> = new Map([
  ["/api/v1/calendars/subscriber", ["calendars/subscribers/subscriber"]],
  ["/api/kalends/v1/events/details", ["oe/events/details", "oe/events/event"]],
]);

/** The paths of an operation without the slash at their end: its own, and the aliases of older clients (rulings R1.10). */
export function pathsOf(op: Operation): readonly string[] {
  const own = withoutSlash(op.path);
  const older = olderPaths.get(own) ?? [];
  const name = own.slice(prefix.length);
  const names = isExtension(op) ? older : [name, name.replace(/^calendars\/(?=events\/)/, "oe/"), ...older];
  return [own, ...names.flatMap((each) => [`${prefix}${each}`, `${prefix}me/${each}`])];
}

export function withoutSlash(path: string): string {
  return path.replace(/\/$/, "");
}

/** The path without the slash at its end. The target may be a whole address (RFC 9112 3.2.2). */
export function pathOf(req: Request): string {
  const { url } = req;
  if (!url.startsWith("/")) return withoutSlash(req.path);
  const mark = url.indexOf("?");
  const end = mark === -1 ? url.length : mark;
  return url.slice(0, url.charAt(end - 1) === "/" ? end - 1 : end);
}

/** The query of a request, without its mark. */
export function queryString(req: Request): string {
  const mark = req.url.indexOf("?");
  return mark === -1 ? "" : req.url.slice(mark + 1);
}
