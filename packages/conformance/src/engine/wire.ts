import { Agent } from "undici";

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

const limits = { maxResponseSize: 32 * 1024 * 1024, headersTimeout: 0, bodyTimeout: 0 };

/** Sends requests as written: no redirect is followed, no path is normalized, every wait ends. */
export function openWire(): Wire {
  const [kept, fresh] = [new Agent(limits), new Agent({ ...limits, pipelining: 0 })];
  return {
    send: async (request) => {
      const end = new AbortController();
      const abort = (): void => end.abort(request.signal?.reason);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        end.abort();
      }, request.timeoutMs);
      if (request.signal?.aborted === true) abort();
      request.signal?.addEventListener("abort", abort);
      try {
        return await exchange(kept, fresh, request, end.signal);
      } catch (error) {
        if (isLate) throw new Error(`no complete answer within ${request.timeoutMs} ms`, { cause: error });
        throw error;
      } finally {
        clearTimeout(timer);
        request.signal?.removeEventListener("abort", abort);
      }
    },
    close: () => {
      void kept.destroy();
      void fresh.destroy();
    },
  };
}

async function exchange(
  kept: Agent,
  fresh: Agent,
  { method, origin, path, headers, body }: WireRequest,
  signal: AbortSignal,
): Promise<WireResponse> {
  const all = { Accept: "application/json", ...headers };
  const options = { origin: origin.origin, path, method, headers: all, body: body ?? null, signal };
  // A server may close a kept connection just as it is reused, which is no finding.
  const answer = await kept.request(options).catch((error: unknown) => {
    if (!isReset(error) || signal.aborted) throw error;
    return fresh.request(options);
  });
  const text = Buffer.from(await answer.body.arrayBuffer()).toString("utf8");
  return { status: answer.statusCode, headers: flat(answer.headers), text };
}

function isReset(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET";
}

function flat(headers: NodeJS.Dict<string | string[]>): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(headers))
    result[name] = typeof value === "string" ? value : value.join(", ");
  return result;
}
