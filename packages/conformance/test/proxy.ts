import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface Proxy {
  readonly url: string;
  /** Method and path of every request so far. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** Stands in front of a server, notes every request, and calls back before it passes one on, or refuses it. */
export async function startProxy(
  url: string,
  before: (path: string) => "refuse" | undefined = () => undefined,
): Promise<Proxy> {
  const { hostname, port } = new URL(url);
  const requests: string[] = [];
  const server = createServer({ maxHeaderSize: 256 * 1024 }, (incoming, outgoing) => {
    const { method = "", url: path = "", headers } = incoming;
    requests.push(`${method} ${path}`);
    if (before(path) === "refuse") {
      outgoing.writeHead(500, { "Content-Type": "application/json" }).end('{"meta":{"code":"500"}}');
      return;
    }
    const passed = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
