import { Agent, request } from "node:http";

/** A response as sent on the wire; `fetch` would decompress it. */
export interface RawResponse {
  readonly status: number;
  /** Without the headers that every server adds itself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Size of head and body together. */
  readonly bytes: number;
}

const hopHeaders = new Set(["connection", "keep-alive", "date", "transfer-encoding"]);

/** Sends one request on a keep-alive connection, as the load generator does. @throws Error when there is no response */
export function send(url: string, headers: Readonly<Record<string, string>> = {}): Promise<RawResponse> {
  const agent = new Agent({ keepAlive: true });
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers, agent }, (res) => {
      const { socket } = res; // null after the end of the response
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => {
        const pairs = Object.entries(res.headers).filter(([name]) => !hopHeaders.has(name));
        resolve({
          status: res.statusCode ?? 0,
          headers: Object.fromEntries(pairs.map(([name, value]) => [name, String(value)])),
          body: Buffer.concat(chunks),
          bytes: socket.bytesRead,
        });
        agent.destroy();
      });
    });
    outgoing.on("error", reject).end();
  });
}
