import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Proxy {
  readonly url: string;
  /** Method and path of every request so far. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** What the proxy answers itself: a 500, a 400, or a limit with the seconds to wait. */
export type Own = "refuse" | "unknown" | { readonly retryAfter: string } | undefined;

/**
 * Stands in front of a server, notes every request, and calls back before it passes one on, or answers itself.
 * `later`: so many seconds are added to `Date`, as if the server's clock were ahead.
 */
export async function startProxy(
  url: string,
  before: (path: string) => Own | Promise<Own> = () => undefined,
  { later = 0 }: { readonly later?: number } = {},
): Promise<Proxy> {
  const { hostname, port } = new URL(url);
  const requests: string[] = [];
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = "", url: path = "", headers } = incoming;
    requests.push(`${method} ${path}`);
    const own = await before(path);
    if (own !== undefined) {
      const status = own === "refuse" ? 500 : own === "unknown" ? 400 : 429;
      const wait = typeof own === "string" ? {} : { "Retry-After": own.retryAfter };
      const body = JSON.stringify({ meta: { code: String(status) } });
      outgoing.writeHead(status, { "Content-Type": "application/json", ...wait }).end(body);
      return;
    }
    const passed = request({ hostname, port, method, path, headers }, (answer) => {
      const date = new Date(Date.parse(answer.headers.date ?? "") + later * 1_000).toUTCString();
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, date });
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  };
  const server = createServer(
    { maxHeaderSize: 256 * 1024 },
    (incoming, outgoing) => void pass(incoming, outgoing),
  );
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
