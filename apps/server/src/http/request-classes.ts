import { IncomingMessage, type ServerOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Express } from "express";

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

/** Pieces of a body that may have any size, and bytes that each further one must have on average (rulings R6.3). */
const [freePieces, leastMeanBytes] = [1_024, 16];

/** A class of requests that drop a body in tiny pieces: a read of 64 KiB may have 11,000, each of which would take 250 bytes. */
function createRequestClass() {
  return class extends IncomingMessage {
    isTiny = false;
    private pieces = 0;
    private bytes = 0;

    override push(piece: Buffer | null): boolean {
      if (this.isTiny) return false;
      if (piece === null) return super.push(null);
      this.bytes += piece.length;
      this.isTiny = this.bytes < (++this.pieces - freePieces) * leastMeanBytes;
      if (this.isTiny) passOver(this.socket);
      return super.push(piece) && !this.isTiny;
    }

    override _read(size: number): void {
      // oxlint-disable-next-line no-underscore-dangle -- Node's own name
      if (!this.isTiny) super._read(size); // else it would read on from the socket
    }
  };
}

/** What a parser of Node calls with each piece of a body: `HTTPParser.kOnBody`, which Node does not export. */
const onBody = 3;

/** Lets the parser pass over the rest of a body: to copy each chunk of one byte and to call us with it is most of its work. */
function passOver(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, "parser");
  if (typeof parser !== "object" || parser === null) return;
  const call: unknown = Reflect.get(parser, onBody);
  Reflect.set(parser, onBody, undefined);
  // Node gives the parser to another connection then.
  socket.once("close", () => Reflect.set(parser, onBody, call));
}

/** The prototype of a class, with another one's members. */
function subclassOf<Members extends object>(prototype: object, members: Members): Members {
  const made: Members = Object.setPrototypeOf(prototype, members);
  return made;
}
