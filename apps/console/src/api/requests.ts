import { root } from "./root.js";

/** Requests of the session, which only /console/api/ reads (extensions X9.3). */
export const apiBase = `${root}/console/api/`;

const ofConsole = { "Kalends-Console": "1" } as const;

/** What went wrong with a request that no operation of the extensions is: its status, and what is wrong with its parameters. */
export class RequestFailure extends Error {
  readonly status: number | undefined;
  readonly parameters: readonly {
    readonly parameter: string;
    readonly code?: string;
    readonly limit?: number;
  }[];

  constructor(status: number | undefined, { meta }: Failed) {
    super(meta?.error_type ?? `HTTP ${status ?? "without an answer"}`);
    this.status = status;
    this.parameters = meta?.errors ?? [];
  }
}

interface Failed {
  readonly meta?: { readonly error_type?: string; readonly errors?: RequestFailure["parameters"] };
}

function failedOf(text: string): Failed {
  try {
    const failed: Failed = Object(JSON.parse(text));
    return failed;
  } catch {
    return {}; // a proxy's page
  }
}

/** Sends a request to /console/api/: a read, or a write where there is a body. @throws RequestFailure */
export async function request<Answer>(
  path: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const init: RequestInit =
    body === undefined
      ? { headers: ofConsole }
      : {
          method: "POST",
          headers: { ...ofConsole, "Content-Type": "application/json" },
          body: JSON.stringify(body),
        };
  const response = await fetch(`${apiBase}${path}`, { ...init, cache: "no-store" }).catch(() => undefined);
  const text = (await response?.text().catch(() => undefined)) ?? "";
  if (response?.ok === true) {
    const answer: Answer = JSON.parse(text);
    return answer;
  }
  throw new RequestFailure(response?.status, failedOf(text));
}

/**
 * Sends what the client of the extensions has made of a call: to the same operation below /console/api/, with the cookie instead of a
 * token, and with JSON instead of a form, which no page of another site can send.
 */
export async function sendAsSession(made: Request): Promise<Response> {
  const { method, signal, headers } = made;
  const { pathname, search } = new URL(made.url);
  const path = pathname.slice(`${root}/api/kalends/v1/`.length);
  headers.delete("Authorization");
  headers.set("Kalends-Console", "1");
  const init: RequestInit = { method, headers, signal, cache: "no-store" };
  if (method === "POST") {
    const isFile = /^(?:text\/calendar|image\/)/.test(headers.get("Content-Type") ?? "");
    if (!isFile) headers.set("Content-Type", "application/json");
    init.body = isFile
      ? await made.arrayBuffer()
      : JSON.stringify(Object.fromEntries(new URLSearchParams(await made.text())));
  }
  return fetch(`${apiBase}${path}${search}`, init);
}
