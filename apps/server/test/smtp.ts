import type { AddressInfo } from "node:net";
import { partsOf } from "./mail-parts.js";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A message as a real SMTP server has received it. */
export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

export interface TestSmtpServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Messages that it has accepted. */
  readonly received: Received[];
}

/** What a receiver says to an address or a message: nothing, or the reply that refuses it. */
export type Refuse = (address: string, size?: number) => string | undefined | Promise<string | undefined>;

interface Choice extends SMTPServerOptions {
  readonly refuseAddress?: Refuse;
  readonly refuseMessage?: Refuse;
  readonly port?: number;
}

function refusal(reply: string): Error {
  const [, code = "550", text = ""] = /^(\d{3}) (.*)$/.exec(reply) ?? [];
  return Object.assign(new Error(text), { responseCode: Number(code) });
}

/** Starts an SMTP server of the package smtp-server in this process, on a free port of 127.0.0.1. */
export async function startSmtp({
  refuseAddress,
  refuseMessage,
  port = 0,
  ...options
}: Choice = {}): Promise<TestSmtpServer> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key === undefined ? ["STARTTLS", "AUTH"] : ["AUTH"],
    ...options,
    onRcptTo: (address, _session, done) => {
      void Promise.resolve(refuseAddress?.(address.address)).then((reply) =>
        done(reply === undefined ? null : refusal(reply)),
      );
    },
    onData: (stream, { envelope }, done) => {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => {
        const raw = Buffer.concat(pieces).toString();
        const to = envelope.rcptTo.map(({ address }) => address);
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        void Promise.resolve(refuseMessage?.(to[0] ?? "", raw.length)).then((reply) => {
          if (reply !== undefined) return done(refusal(reply));
          received.push({ from, to, raw, ...partsOf(raw) });
          done();
        });
      });
    },
  });
  server.on("error", () => undefined); // a client that went away
  const listening = server.listen(port, "127.0.0.1");
  await new Promise((resolve) => listening.once("listening", resolve));
  const address: AddressInfo | string | null = listening.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `${options.secure === true ? "smtps" : "smtp"}://127.0.0.1:${address.port}`,
    port: address.port,
    received,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
