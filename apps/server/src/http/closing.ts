import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as immediate } from "node:timers/promises";
import type { Connections } from "./listener.js";

/** The end of a server, which breaks no request. */
export interface Closing {
  /** Whether the listener has closed: then each answer must tell its client that the connection will close. */
  hasBegun(): boolean;
  /** Lets what is in flight finish and cuts idle connections, all within 8 s. */
  stop(): Promise<void>;
}

/** How long connections may last once the server closes, in ms. */
const stopLimitMs = 8_000;

/** How long new connections may keep the listener open, in ms. */
const acceptLimitMs = 500;

/** How often a closing server looks; so long may a request on its way still arrive at one that stops. */
const lookMs = 500;

/**
 * Prepares for the end of a server. Its listener closes first, then what is in flight finishes. Node's own `server.close()`
 * would also cut connections whose next request is on its way, and would never end while a client keeps one busy.
 */
export function prepareClosing({ server, inFlight }: Pick<Connections, "server" | "inFlight">): Closing {
  let closed: Promise<void> | undefined;
  let listens = true;

  const close = async (): Promise<void> => {
    const endsAt = performance.now() + stopLimitMs;
    const look = (): void => {
      // A connection that has sent half a head has no request yet, and a silent one never will: only answers are waited for.
      if (inFlight.size === 0 || performance.now() > endsAt) server.closeAllConnections();
    };
    await acceptWaiting(server);
    listens = false; // not before: a client whose connection closes opens another one
    for (const res of inFlight.values()) if (!res.headersSent) res.setHeader("Connection", "close");
    const ended = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(server, () => resolve());
    });
    // After what has arrived was read: where the process was held up, the timer comes first.
    const timer = setInterval(() => setImmediate(look), lookMs);
    await ended;
    clearInterval(timer);
  };
  return {
    hasBegun: () => !listens,
    stop: () => {
      closed ??= close();
      return closed;
    },
  };
}

/**
 * Accepts the connections that wait: when the listener closes, the system resets them, and their clients cannot know that no one
 * read their request. Node accepts one connection in each turn of its event loop, so the first turn without one ends it.
 */
async function acceptWaiting(server: Server): Promise<void> {
  const endsAt = performance.now() + acceptLimitMs;
  let accepted = 0;
  const count = (): void => void accepted++;
  server.on("connection", count);
  await immediate(); // the rest of a turn in which one may have been accepted
  for (let before = -1; before < accepted && performance.now() < endsAt; await immediate()) before = accepted;
  server.off("connection", count);
}
