import { IncomingMessage, type ServerOptions, ServerResponse } from "node:http";
import type { Express } from "express";
import { type ArrivingPieces, type Counted, createPieces } from "./body-pieces.js";

/**
 * Classes for Node to make requests and responses of, with the prototypes that the app would give them. Express changes the
 * prototype of each by `Object.setPrototypeOf`, and to an object with a changed prototype V8 (11.3, in Node 20) gives a new
 * hidden class with every property added later: about ten a request, so that no inline cache ever hits. An object born with
 * the prototype keeps it, and Express's call does nothing (docs/decisions/0009).
 */
export function requestClasses(app: Express): Pick<ServerOptions, "IncomingMessage" | "ServerResponse"> {
  const AppRequest = createRequestClass();
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  app.request = subclassOf(AppRequest.prototype, app.request);
  app.response = subclassOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** A class of requests whose bodies arrive as body-pieces.ts says. */
function createRequestClass() {
  return class extends IncomingMessage implements Counted {
    declare pieces?: ArrivingPieces;

    override push(piece: Buffer | null): boolean {
      if (piece === null) {
        this.handHeld();
        return super.push(null);
      }
      this.pieces ??= createPieces();
      const isRead = this.readableFlowing === true && this.listenerCount("data") > 0;
      return this.pieces.add(piece, isRead || this.readableLength === 0) && super.push(piece);
    }

    override _read(size: number): void {
      this.handHeld();
      // oxlint-disable-next-line no-underscore-dangle -- Node's own name
      if (this.pieces?.areTiny !== true) super._read(size);
    }

    private handHeld(): void {
      const held = this.pieces?.ask();
      if (held !== undefined) super.push(held);
    }
  };
}

/** The prototype of a class, with another one's members. */
function subclassOf<Members extends object>(prototype: object, members: Members): Members {
  const made: Members = Object.setPrototypeOf(prototype, members);
  return made;
}
