import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Connection, Connections } from "./connections.js";

/** Requests that may wait on each connection whatever the others do, and on all together. */
const fewWaiting = 16;
const mostWaiting = 8_192;

/**
 * Handles the requests of a connection one after the other, and reads no more from it while some wait. Node would start
 * every request that it finds in what it has read, and would go on reading: a client that sends requests without reading
 * the responses could fill the memory with them.
 */
export function takeTurns(connections: Connections, listener: RequestListener): RequestListener {
  return (req, res) => {
    const connection = connections.open.get(req.socket);
    if (connection === undefined) return;
    // A response gets its socket when those before it are sent.
    if (res.socket !== null && !connection.isClosing) {
      connection.latest = res;
      listener(req, res);
      return;
    }
    connection.waiting++;
    connections.waiting++;
    const isExcess = connection.isClosing || connections.waiting > mostWaiting;
    if (connection.waiting > fewWaiting && isExcess) req.socket.destroy();
    else if (!connection.isClosing) waitForTurn(connections, connection, req, res, listener);
  };
}

function waitForTurn(
  connections: Connections,
  connection: Connection,
  req: IncomingMessage,
  res: ServerResponse,
  listener: RequestListener,
): void {
  const { socket } = connection;
  connection.latest = res;
  if (!connection.isPipelined) {
    connection.isPipelined = true;
    // Node resumes it whenever a request's body is read.
    socket.on("resume", () => {
      if (connection.waiting > 0) socket.pause();
    });
  }
  socket.pause();
  res.once("socket", () => {
    connection.waiting--;
    connections.waiting--;
    if (connection.waiting === 0) socket.resume();
    // Node is still handing over the socket.
    process.nextTick(() => {
      if (socket.writable) listener(req, res);
    });
  });
}
