import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A network that loses answers. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** How many answers were lost so far. */
  readonly lost: number;
}

/**
 * Starts a TCP proxy that gives each connection to the next of the servers, and loses half of the answers: the server has done the
 * work, and the connection is cut instead, by turns before the first byte and in the middle. Of every three calls with a key one
 * loses two answers, one loses one, and one none; without keys every other answer is lost.
 */
export async function startCuttingProxy(targets: readonly string[]): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const count = { connections: 0, lost: 0 };
  const isLost = planLosses();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const proxy = createServer((client) => {
    const { hostname, port } = new URL(targets[count.connections++ % targets.length] ?? "");
    const server = connect({ host: hostname, port: Number(port) });
    let key = "";
    keep(client);
    keep(server);
    client.on("close", () => server.destroy());
    client.on("data", (bytes) => {
      key = /^idempotency-key: (.*)\r$/im.exec(bytes.toString("latin1"))?.[1] ?? key;
      server.write(bytes);
    });
    server.on("close", () => client.destroy());
    // A small answer comes in one piece.
    server.on("data", (bytes) => {
      if (!isLost(key)) client.write(bytes);
      else if (count.lost++ % 2 === 0) client.destroy();
      else client.end(bytes.subarray(0, bytes.length / 2));
    });
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const address = proxy.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    get lost() {
      return count.lost;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** Returns whether the next answer to the call with this key is lost. */
function planLosses(): (key: string) => boolean {
  const left = new Map<string, number>();
  let withoutKey = 0;
  return (key) => {
    if (key === "") return withoutKey++ % 2 === 0;
    const losses = left.get(key) ?? left.size % 3;
    left.set(key, Math.max(losses - 1, 0));
    return losses > 0;
  };
}
