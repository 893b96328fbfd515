import { Agent, request } from "node:http";

/** A request as an attacker sends it. */
export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** How long to wait for the whole answer, in ms. */
  readonly patienceMs?: number;
}

/** What came of it. Of a long answer `text` has the beginning. */
export interface Exchanged {
  /** 0 when the connection failed, or the answer did not come in time. */
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Characters of an answer that are kept. */
const keptBytes = 5_000_000;

/** How long an attacker waits by default, in ms: what takes longer has failed already. */
const patience = 30_000;

/** One exchange, as written. Never rejects. */
export function exchange(url: string, sent: Sent): Promise<Exchanged> {
  const { method = "GET", path, headers = {}, body, patienceMs = patience } = sent;
  const { hostname, port } = new URL(url);
  const began = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const answer = { status: 0, bytes: 0, headers: {} };
    const settle = (): void => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString();
      resolve({ ...answer, text, ms: Math.round(performance.now() - began) });
    };
    const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
    const req = request(
      { hostname, port, path, method, headers: { ...length, ...headers }, agent },
      (res) => {
        answer.headers = res.headers;
        res.on("data", (chunk: Buffer) => {
          answer.bytes += chunk.length;
          if (answer.bytes <= keptBytes) chunks.push(chunk);
        });
        res.once("end", () => {
          answer.status = res.statusCode ?? 0;
          settle();
        });
        res.once("error", settle);
      },
    );
    const timer = setTimeout(() => req.destroy(new Error("too late")), patienceMs);
    req.once("error", settle);
    req.end(body);
  });
}
