import { isExtension, type Operation } from "@kalends/spec";
import type { Request } from "express";

const prefix = "/api/v1/";

/** The paths of an operation without the slash at their end: its own, and in the contract the alias of older clients (rulings R1.10). */
export function pathsOf(op: Operation): readonly string[] {
  const own = withoutSlash(op.path);
  if (isExtension(op)) return [own];
  return [own, `${prefix}me/${own.slice(prefix.length)}`];
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
