import type { Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";

/**
 * How a server closes. "stop": what is in flight finishes and idle connections are cut, all within 8 s. "handover": another
 * process takes the new connections, so an idle one may wait for its client's next request, or for the end of its keep-alive
 * time: no request on its way meets a closed door.
 */
export type Pace = "stop" | "handover";

/** How long connections may last once the server closes, in ms. A handover outlasts keepAliveTimeout. */
const limitMs = { stop: 8_000, handover: 75_000 } satisfies Record<Pace, number>;

/** How often a closing server looks; so long may a request on its way still arrive at one that stops. */
const lookMs = 500;

/**
 * Prepares for the end of a server. The returned function closes the listener first, then what is in flight finishes:
 * `server.close()` would also cut connections whose next request is on its way, and would never end while a client keeps
 * one busy. It resolves when the last connection has ended; called again, it may hurry.
 * @param inFlight the responses being made
 */
export function prepareClosing(
  server: Server,
  inFlight: ReadonlySet<ServerResponse>,
): (pace: Pace) => Promise<void> {
  let closed: Promise<void> | undefined;
  let cutsIdle = false;
  let endsAt = Infinity;

  const look = (): void => {
    // A connection that has sent half a head has no request yet, and a silent one never will: only answers are waited for.
    if ((cutsIdle && inFlight.size === 0) || performance.now() > endsAt) server.closeAllConnections();
  };
  const close = async (): Promise<void> => {
    for (const res of inFlight) if (!res.headersSent) res.setHeader("Connection", "close");
    const ended = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(server, () => resolve());
    });
    const timer = setInterval(look, lookMs);
    await ended;
    clearInterval(timer);
  };

  return (pace) => {
    cutsIdle ||= pace === "stop";
    endsAt = Math.min(endsAt, performance.now() + limitMs[pace]);
    closed ??= close();
    return closed;
  };
}
