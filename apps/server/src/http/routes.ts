import {
  allOperationIds,
  allOperations,
  type AnyOperationId,
  isExtension,
  isWrite,
  type Operation,
} from "@kalends/spec";
import type { Request } from "express";
import type { Route } from "./call.js";
import { consolePathOf } from "./cookies.js";
import type { ErasedHandler, Handlers } from "./handler.js";
import { answerBytesOf, heavyPartOf } from "./limits.js";

/** Returns what each path leads to. */
export function routesOf(handlers: Handlers): ReadonlyMap<string, Route> {
  return new Map(
    allOperationIds.flatMap((id) => {
      const route = routeOf(handlers, id);
      const inConsole = consolePathOf(route.op);
      const ofConsole = { ...route, isInConsole: true } as const;
      const paths = pathsOf(route.op).map((path) => [path, route] as const);
      return inConsole === undefined ? paths : [...paths, [withoutSlash(inConsole), ofConsole] as const];
    }),
  );
}

export function routeOf(handlers: Handlers, id: AnyOperationId): Route {
  // The only cast of the server: the type Handlers proves each pair of operation and handler, an id alone cannot.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const handler = handlers[id] as unknown as ErasedHandler;
  const op = allOperations[id];
  // HEAD answers reads only: Express would run a writing GET handler for it (rulings R1.2).
  const methods = isWrite(op) ? op.methods.map((method) => method.toUpperCase()) : ["GET", "HEAD"];
  return { id, op, methods, handler, answerBytes: answerBytesOf(id), heavyPart: heavyPartOf(id) };
}

const prefix = "/api/v1/";

/** The paths of an operation without the slash at their end: its own, and in the contract the alias of older clients (rulings R1.10). */
function pathsOf(op: Operation): readonly string[] {
  const own = withoutSlash(op.path);
  if (isExtension(op)) return [own];
  return [own, `${prefix}me/${own.slice(prefix.length)}`];
}

function withoutSlash(path: string): string {
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
