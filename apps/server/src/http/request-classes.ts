import { IncomingMessage, type ServerOptions, ServerResponse } from "node:http";
import type { Express } from "express";

/**
 * Classes for Node to make requests and responses of, with the prototypes that the app would give them. Express changes the
 * prototype of each by `Object.setPrototypeOf`, and to an object with a changed prototype V8 (11.3, in Node 20) gives a new
 * hidden class with every property added later: about ten a request, so that no inline cache ever hits. An object born with
 * the prototype keeps it, and Express's call does nothing (docs/decisions/0021).
 */
export function requestClasses(app: Express): Pick<ServerOptions, "IncomingMessage" | "ServerResponse"> {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  app.request = subclassOf(AppRequest.prototype, app.request);
  app.response = subclassOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** The prototype of a class, with another one's members. */
function subclassOf<Members extends object>(prototype: object, members: Members): Members {
  const made: Members = Object.setPrototypeOf(prototype, members);
  return made;
}
