import { allOperationIds, allOperations, type AnyOperationId, isWrite } from "@kalends/spec";
import type { Route } from "./call.js";
import { consolePathOf } from "./cookies.js";
import type { ErasedHandler, Handlers } from "./handler.js";
import { answerBytesOf, heavyPartOf } from "./limits.js";
import { pathsOf, withoutSlash } from "./paths.js";

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
