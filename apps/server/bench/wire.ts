import { Agent, request } from "node:http";

/** An answer as it is on the wire: `fetch` would decompress it. */
export interface Answer {
  readonly status: number;
  /** Without those that every server adds itself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Size of head and body together. */
  readonly bytes: number;
}

const hopHeaders = new Set(["connection", "keep-alive", "date", "transfer-encoding"]);

/** Asks once on a connection that would stay open, as those of the load do. @throws Error when there is no answer */
export function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const agent = new Agent({ keepAlive: true });
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent }, (res) => {
      const { socket } = res; // taken away from the answer at its end
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
    sent.on("error", reject).end();
  });
}
