import { Agent, request as send } from "node:http";

/** An answer over a connection of the client's own. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Whether it came over the connection of the answer before. */
  readonly reused: boolean;
}

export interface Client {
  /** Gets a path, or sends it a form by POST. @throws Error when the connection breaks: nothing is sent twice */
  ask(
    path: string,
    options?: { readonly headers?: Record<string, string>; readonly form?: string },
  ): Promise<Reply>;
  close(): void;
}

/** A client with one connection that it keeps for the next request, or a new one for each. */
export function client(
  url: string,
  connection: "kept" | "new",
  headers: Record<string, string> = {},
): Client {
  const agent = new Agent({ keepAlive: connection === "kept", maxSockets: 1 });
  return {
    ask: (path, { headers: more = {}, form } = {}) =>
      new Promise((resolve, reject) => {
        const type = form === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" };
        const req = send(`${url}${path}`, {
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
