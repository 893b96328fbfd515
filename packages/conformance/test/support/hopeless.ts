import { createServer, type Socket } from "node:net";

/** A server that is no use to anyone. */
export interface Hopeless {
  readonly url: string;
  /** How many requests it received so far. */
  readonly requests: () => number;
  readonly stop: () => Promise<void>;
}

/** What such a server does with a request that arrived in full. */
type Manner = (socket: Socket, baseUrl: string, count: number) => void;

const list = JSON.stringify({ meta: { code: "200" }, calendars: [], paging: { previous: "", next: "" } });

function answer(status: string, headers: readonly string[], body: string): string {
  return [`HTTP/1.1 ${status}`, ...headers, "", body].join("\r\n");
}

const good = answer("200 OK", ["Content-Type: application/json", `Content-Length: ${list.length}`], list);

/** Name → manner. */
export const manners = {
  "never answers": () => undefined,
  "answers garbage": (socket) =>
    socket.end(Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 37) % 256))),
  "sends one byte a second": (socket) => {
    let sent = 0;
    const timer = setInterval(() => {
      socket.write(good.charAt(sent % good.length));
      sent += 1;
    }, 1_000);
    socket.on("close", () => clearInterval(timer));
  },
  "redirects for ever": (socket, baseUrl, count) => {
    const location = `Location: ${baseUrl}/api/v1/calendars/list/?turn=${count}`;
    socket.write(answer("302 Found", [location, "Content-Length: 0"], ""));
  },
  "announces more than it sends": (socket) => {
    socket.end(
      answer("200 OK", ["Content-Type: application/json", `Content-Length: ${list.length + 50}`], list),
    );
  },
  "announces more than it sends, and waits": (socket) => {
    socket.write(
      answer("200 OK", ["Content-Type: application/json", `Content-Length: ${list.length + 50}`], list),
    );
  },
  "announces less than it sends": (socket) => {
    socket.write(answer("200 OK", ["Content-Type: application/json", "Content-Length: 9"], list));
  },
  "falls silent after its first answer": (socket, _baseUrl, count) => {
    if (count <= 2) socket.write(good);
  },
} as const satisfies Record<string, Manner>;

/** Starts one. It reads only to the end of a request's head, which is all that it needs. */
export async function startHopeless(manner: Manner): Promise<Hopeless> {
  const sockets = new Set<Socket>();
  let url = "";
  let count = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (data) => {
      if (!data.includes("\r\n\r\n")) return;
      count += 1;
      manner(socket, url, count);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    requests: () => count,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
