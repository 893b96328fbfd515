import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

export interface WireRequest {
  readonly method: string;
  readonly origin: URL;
  /** Path and query exactly as they go over the wire. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Wire {
  send(request: WireRequest): Promise<WireResponse>;
  readonly close: () => void;
}

const longestBodyBytes = 32 * 1024 * 1024;

/** Sends requests as written: no redirect is followed, no path is tidied, every wait has an end. */
export function openWire(): Wire {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  return {
    send: async (request) => {
      const first = attempt(request, agents);
      try {
        return await answerTo(first, request);
      } catch (error) {
        // A kept connection may be closed by the server just as it is used again: that is no fault of the server.
        if (first.reusedSocket && isReset(error) && request.signal?.aborted !== true)
          return answerTo(attempt(request, { http: false, https: false }), request);
        throw error;
      }
    },
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** An agent keeps connections; false makes a new one. */
interface Agents {
  readonly http: HttpAgent | false;
  readonly https: HttpsAgent | false;
}

/** Opens a request, without its body. */
function attempt(request: WireRequest, agents: Agents): ClientRequest {
  const secure = request.origin.protocol === "https:";
  const options = {
    method: request.method,
    hostname: request.origin.hostname.replace(/^\[|\]$/g, ""),
    port: request.origin.port === "" ? (secure ? 443 : 80) : Number(request.origin.port),
    path: request.path,
    headers: { Accept: "application/json", ...request.headers },
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
  return secure
    ? httpsRequest({ ...options, agent: agents.https })
    : httpRequest({ ...options, agent: agents.http });
}

/** Sends the body and reads the whole answer. */
function answerTo(outgoing: ClientRequest, { body, timeoutMs }: WireRequest): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      outgoing.destroy(new Error(`no complete answer within ${timeoutMs} ms`));
    }, timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    outgoing.on("error", fail);
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > longestBodyBytes) outgoing.destroy(new Error("the answer is over 32 MiB"));
      });
      response.on("error", fail);
      response.on("close", () => {
        if (!response.complete) fail(new Error("the connection closed in the middle of the answer"));
      });
      response.on("end", () => {
        clearTimeout(timer);
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), text });
      });
    });
    outgoing.end(body);
  });
}

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

function flat(headers: NodeJS.Dict<string | string[]>): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return result;
}
