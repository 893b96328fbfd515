import { Agent, request as httpRequest } from "node:http";

export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies whose shape they assert
  readonly body: any;
}

export interface Exchange {
  readonly method?: string;
  readonly headers?: RequestHeaders;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
  /** Runs once the server accepts the head, which must have `Expect: 100-continue`. */
  readonly beforeBody?: () => Promise<unknown>;
}

const fewConnections = new Agent({ keepAlive: true, maxSockets: 64 });

/** One exchange by node:http: any method, any header, the path as written, no redirect followed. */
export function exchange(
  server: { readonly url: string },
  path: string,
  { method = "GET", headers = {}, body, agent = fewConnections, beforeBody }: Exchange = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
    );
    const req = httpRequest({ hostname, port, path, method, headers: sent, agent }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("error", reject);
      res.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        const received = new Headers(
          Object.entries(res.headersDistinct).map(([name, values = []]) => [name, values.join(", ")]),
        );
        const body: unknown =
          received.get("Content-Type") === "application/json" && text !== "" ? JSON.parse(text) : undefined;
        resolve({ status: res.statusCode ?? 0, headers: received, text, body });
      });
    });
    req.on("error", reject);
    if (beforeBody === undefined) req.end(body);
    else req.once("continue", () => void beforeBody().then(() => req.end(body), reject)).flushHeaders();
  });
}
