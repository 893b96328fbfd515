import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { promisify } from "node:util";

/** A message as a receiver got it. */
export interface Received {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  /** The parsed body. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into payloads whose shape they assert
  readonly payload: any;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Requests that are being answered. */
  readonly open: () => number;
  close(): Promise<void>;
}

/** How a receiver answers: a status, or by itself. */
export type Answering = (message: Received, res: ServerResponse) => number | Promise<number> | undefined;

/** Starts a receiver of webhooks on 127.0.0.1. It answers 204 by default. */
export async function startReceiver(answer: Answering = () => 204): Promise<Receiver> {
  const received: Received[] = [];
  let open = 0;
  const server = createServer((req, res) => {
    open++;
    res.once("close", () => open--);
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.once("end", () => {
      const body = Buffer.concat(chunks).toString();
      const header = (name: string): string => String(req.headers[`webhook-${name}`]);
      const [id, timestamp, signature] = [header("id"), header("timestamp"), header("signature")];
      const message = { id, timestamp, signature, body, payload: JSON.parse(body) };
      received.push(message);
      void Promise.resolve(answer(message, res)).then((status) => {
        if (status !== undefined) res.writeHead(status).end();
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    open: () => open,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Another implementation of Standard Webhooks: it prints for each message whether each signature is right. */
const verifier = `
import base64, hashlib, hmac, json, sys
for secret, message in json.load(sys.stdin):
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    signed = ".".join([message["id"], message["timestamp"], message["body"]]).encode()
    right = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    print(json.dumps([hmac.compare_digest(right, each) for each in message["signature"].split(" ")]))
`;

/** Verifies messages with Python's hmac. Returns for each of them which of its signatures its secret made. */
export async function verifyWithPython(
  signed: readonly (readonly [secret: string, message: Received])[],
): Promise<readonly (readonly boolean[])[]> {
  const running = promisify(execFile)("python3", ["-c", verifier]);
  running.child.stdin?.end(JSON.stringify(signed));
  const { stdout } = await running;
  return stdout
    .trimEnd()
    .split("\n")
    .map((line): boolean[] => JSON.parse(line));
}
