import { Agent, request as sendRequest } from "node:http";

/** A response on the client's own connection. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Whether the connection of the previous response was reused. */
  readonly reused: boolean;
}

export interface Client {
  /** Sends a GET, or a POST with a form. @throws Error when the connection breaks; requests are not retried */
  send(
    path: string,
    options?: { readonly headers?: Record<string, string>; readonly form?: string },
  ): Promise<Reply>;
  close(): void;
}

/** Creates a client with one keep-alive connection, or a new connection for each request. */
export function client(
  url: string,
  connection: "kept" | "new",
  headers: Record<string, string> = {},
): Client {
  const agent = new Agent({ keepAlive: connection === "kept", maxSockets: 1 });
  return {
    send: (path, { headers: more = {}, form } = {}) =>
      new Promise((resolve, reject) => {
        const type = form === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" };
        const req = sendRequest(`${url}${path}`, {
          agent,
          method: form === undefined ? "GET" : "POST",
          headers: { ...headers, ...type, ...more },
        });
        req.once("error", reject);
        req.once("response", (res) => {
          const chunks: Buffer[] = [];
          res.on("data", (chunk: Buffer) => chunks.push(chunk));
          res.once("error", reject);
          res.once("end", () => {
            const { statusCode: status = 0, headers: got } = res;
            const text = Buffer.concat(chunks).toString();
            resolve({ status, headers: got, text, reused: req.reusedSocket });
          });
        });
        req.end(form);
      }),
    close: () => agent.destroy(),
  };
}
