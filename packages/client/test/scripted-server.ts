import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Step = (response: ServerResponse, seen: Seen) => void;

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  /** The requests so far. */
  readonly seen: readonly Seen[];
}

/** A server that answers as scripted: one step for each request, the last one for all that follow. */
export async function startScriptedServer(...steps: readonly Step[]): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => void exchange(request, response));
  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request;
    const latest = { method, url, headers, body: await text(request) };
    seen.push(latest);
    steps[Math.min(seen.length, steps.length) - 1]?.(response, latest);
  }
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
}

export function html(status: number): Step {
  return (response) => {
    response.writeHead(status, { "Content-Type": "text/html" }).end("<html><h1>It works, or not</h1></html>");
  };
}

/** A page of calendars. */
export function calendars(ids: readonly string[], next = ""): Step {
  return json(200, {
    meta: { code: "200" },
    calendars: ids.map((id) => ({ id })),
    paging: { previous: "", next },
  });
}

/** Ends in the middle of the body. */
export const cut: Step = (response) => {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
  response.write('{"meta":');
  setImmediate(() => response.destroy());
};

/** Says nothing. */
export const silent: Step = () => undefined;

/** Says it works, and stops in the body. */
export const stalled: Step = (response) => {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" }).write('{"meta":');
};
