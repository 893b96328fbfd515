import { Agent as HttpAgent, request as httpRequest } from "node:http";
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

  function attempt(
    request: WireRequest,
    connection: "kept" | "new",
  ): { readonly answer: Promise<WireResponse>; reused(): boolean } {
    const secure = request.origin.protocol === "https:";
    const agent = (kept: HttpAgent): HttpAgent | false => (connection === "kept" ? kept : false);
    const options = {
      method: request.method,
      hostname: request.origin.hostname.replace(/^\[|\]$/g, ""),
      port: request.origin.port === "" ? (secure ? 443 : 80) : Number(request.origin.port),
      path: request.path,
      headers: { Accept: "application/json", ...request.headers },
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    };
    const outgoing = secure
      ? httpsRequest({ ...options, agent: agent(agents.https) })
      : httpRequest({ ...options, agent: agent(agents.http) });
    const answer = new Promise<WireResponse>((resolve, reject) => {
      const timer = setTimeout(() => {
        outgoing.destroy(new Error(`no complete answer within ${request.timeoutMs} ms`));
      }, request.timeoutMs);
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
          resolve({
            status: response.statusCode ?? 0,
            headers: flat(response.headers),
            text: Buffer.concat(chunks).toString("utf8"),
          });
        });
      });
      outgoing.end(request.body);
    });
    return { answer, reused: () => outgoing.reusedSocket };
  }

  return {
    send: async (request) => {
      const first = attempt(request, "kept");
      try {
        return await first.answer;
      } catch (error) {
        // A kept connection may be closed by the server just as it is used again: that is no fault of the server.
        if (first.reused() && isReset(error) && request.signal?.aborted !== true)
          return attempt(request, "new").answer;
        throw error;
      }
    },
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
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
