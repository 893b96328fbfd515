import { createSocket } from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";

/** A name server on 127.0.0.1 that answers for all names. */
export interface NameServer {
  /** As `dns.Resolver.setServers` takes it. */
  readonly address: string;
  /** The names that were asked for, each with the type of its record. */
  readonly questions: readonly string[];
  close(): Promise<void>;
}

const types: Readonly<Record<number, "A" | "AAAA">> = { 1: "A", 28: "AAAA" };

/** Starts a name server. @param addressesOf returns the addresses of a name; called for each question */
export async function startNameServer(addressesOf: (name: string) => readonly string[]): Promise<NameServer> {
  const questions: string[] = [];
  const socket = createSocket("udp4", (query, from) => {
    const { name, end } = readName(query);
    const type = types[query.readUInt16BE(end)];
    questions.push(`${type ?? "other"} ${name}`);
    const records = addressesOf(name)
      .map((address) => ipaddr.parse(address))
      .filter((address) => (address.kind() === "ipv4" ? "A" : "AAAA") === type)
      .map((address) => recordOf(query.readUInt16BE(end), address.toByteArray()));
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2); // the id of the question
    head.writeUInt16BE(0x8180, 2); // a response without an error
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...records]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}

/** The name of the first question, and where it ends (RFC 1035 4.1.2). */
function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("ascii", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join("."), end: at + 1 };
}

/** A record of the name in the question, which is valid for no time (RFC 1035 4.1.3). */
function recordOf(type: number, address: readonly number[]): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc0_0c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(address.length, 10);
  return Buffer.concat([head, Buffer.from(address)]);
}
