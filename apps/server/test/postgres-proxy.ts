import { connect, createServer, type Socket } from "node:net";

/** A network between a server and its PostgreSQL, for tests that break it. */
export interface Proxy {
  /** The URL given to startProxy, leading through the proxy. */
  readonly url: string;
  /** From now on nothing passes; connections stay, and new ones are taken. */
  stall(): void;
  /** Nothing passes from the moment on that a client says goodbye. */
  stallAtEnd(): void;
  /** What was held back passes, and all that follows. */
  resume(): void;
  /** The next COMMIT reaches PostgreSQL, but its answer does not come back: the connection is cut instead. */
  loseNextCommit(): void;
  /** New connections lead to another server; those that are open stay where they are. */
  leadTo(target: string): void;
  stop(): Promise<void>;
}

/** The message of a client that ends its session. */
const terminate = Buffer.from([0x58, 0, 0, 0, 4]);

/** Starts a TCP proxy before the server of a `postgres:` URL. */
export async function startProxy(target: string): Promise<Proxy> {
  let to = new URL(target);
  const sockets = new Set<Socket>();
  let isStalled = false;
  let losesCommit = false;
  let stallsAtEnd = false;
  const stall = (): void => {
    isStalled = true;
    for (const socket of sockets) socket.pause();
  };
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    client.on("end", () => void (isStalled || client.end()));
    const server = connect({ host: to.hostname, port: Number(to.port) });
    let isLosing = false;
    for (const [from, into] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        into.destroy();
      });
      if (isStalled) from.pause();
    }
    client.on("data", (bytes) => {
      if (stallsAtEnd && bytes.subarray(-terminate.length).equals(terminate)) {
        stall();
        return;
      }
      if (losesCommit && bytes.includes("COMMIT")) {
        losesCommit = false;
        isLosing = true;
      }
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (isLosing) client.destroy();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, "127.0.0.1", resolve);
  });
  const address = proxy.address();
  const url = new URL(target);
  url.port = String(typeof address === "object" && address !== null ? address.port : 0);
  return {
    url: url.href,
    stall,
    stallAtEnd: () => {
      stallsAtEnd = true;
    },
    resume: () => {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    loseNextCommit: () => {
      losesCommit = true;
    },
    leadTo: (other) => {
      to = new URL(other);
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        proxy.close(resolve);
      });
    },
  };
}
