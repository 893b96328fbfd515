import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { FakeServer } from "@kalends/client/testing";

export interface FakeBehindHttp extends AsyncDisposable {
  readonly url: string;
}

/** Puts `fetch` of a fake behind HTTP. What a Request cannot be, such as a TRACE, is answered 501. */
export async function startFakeBehindHttp({ fetch }: FakeServer): Promise<FakeBehindHttp> {
  const server = createServer({ maxHeaderSize: 262_144 }, (incoming, outgoing) => {
    requestOf(incoming)
      .then(fetch)
      .then((response) => send(outgoing, response))
      .catch(() => outgoing.writeHead(501).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = "", url = "", rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const body = method === "GET" || method === "HEAD" ? {} : { body: Buffer.concat(chunks) };
  return new Request(`http://${headers.get("host") ?? ""}${url}`, { method, headers, ...body });
}

async function send(outgoing: ServerResponse, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
}
