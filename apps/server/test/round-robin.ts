import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import { freePort } from "./free-port.js";

export interface RoundRobin {
  readonly url: string;
  /** Number of requests per server. */
  readonly counts: readonly number[];
  stop(): Promise<void>;
}

/** Starts a proxy that forwards each request to the next of several servers, with unchanged headers. */
export async function startRoundRobin(urls: readonly string[]): Promise<RoundRobin> {
  const counts = urls.map(() => 0);
  let turn = 0;
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): ClientRequest => {
    const index = turn++ % urls.length;
    counts[index] = (counts[index] ?? 0) + 1;
    const { hostname, port } = new URL(urls[index] ?? "");
    const { method, url: path, rawHeaders: headers } = incoming;
    const passed = request({ hostname, port, method, path, headers, setHost: false }, (answer) => {
      outgoing.sendDate = false;
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    return incoming.pipe(passed);
  };
  const server = createServer({ maxHeaderSize: 256 * 1024 }, pass);
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
