import { IncomingMessage, type ServerOptions, ServerResponse } from "node:http";
import type { Express } from "express";
import { type Arriving, createHold, type Hold, countPiece } from "./body-pieces.js";

/**
 * Classes for Node to make requests and responses of, with the prototypes that the app would give them. Express changes the
 * prototype of each by `Object.setPrototypeOf`, and to an object with a changed prototype V8 (11.3, in Node 20) gives a new
 * hidden class with every property added later: about ten a request, so that no inline cache ever hits. An object born with
 * the prototype keeps it, and Express's call does nothing (docs/decisions/0021).
 */
export function requestClasses(app: Express): Pick<ServerOptions, "IncomingMessage" | "ServerResponse"> {
  const AppRequest = createRequestClass();
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  app.request = subclassOf(AppRequest.prototype, app.request);
  app.response = subclassOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** A class of requests whose body arrives as body-pieces.ts says. */
function createRequestClass() {
  return class extends IncomingMessage implements Arriving {
    pieces = 0;
    bytes = 0;
    isTiny = false;
    #hold: Hold | undefined;
    /** Whether the stream has asked for a piece: it asks for no other before it has that. */
    #isAsked = false;

    override push(piece: Buffer | null): boolean {
      if (piece === null) {
        this.#hand();
        return super.push(null);
      }
      if (this.isTiny) return true; // dropped: nothing more is read
      countPiece(this, piece.length);
      const isRead = this.readableFlowing === true && this.listenerCount("data") > 0;
      if (this.#hold === undefined && (isRead || this.#isAsked || this.readableLength === 0)) {
        this.#isAsked = false;
        return super.push(piece);
      }
      this.#hold ??= createHold();
      this.#hold.add(piece);
      return false;
    }

    override _read(size: number): void {
      this.#isAsked = true;
      this.#hand();
      // oxlint-disable-next-line no-underscore-dangle -- Node's own name
      if (!this.isTiny) super._read(size);
    }

    #hand(): void {
      const held = this.#hold;
      if (held === undefined) return;
      this.#hold = undefined;
      this.#isAsked = false;
      super.push(held.bytes());
    }
  };
}

/** The prototype of a class, with another one's members. */
function subclassOf<Members extends object>(prototype: object, members: Members): Members {
  const made: Members = Object.setPrototypeOf(prototype, members);
  return made;
}
