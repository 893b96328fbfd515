/** A value of an MMDB database; numbers are written as unsigned 32-bit. */
export type Value = string | number | readonly Value[] | { readonly [name: string]: Value };

const marker = Buffer.from("\xAB\xCD\xEFMaxMind.com", "latin1");

/** Writes an MMDB database (MaxMind DB file format 2.0): IPv6 tree, 24-bit records. Keys are networks as "8.8.8.0/24". */
export function mmdb(networks: Readonly<Record<string, Value>>, type = "Test"): Buffer {
  const nodes: [Entry, Entry][] = [[undefined, undefined]];
  const data: Buffer[] = [];
  let length = 0;
  for (const [network, value] of Object.entries(networks)) {
    insert(nodes, bitsOf(network), { offset: length });
    const bytes = encode(value);
    data.push(bytes);
    length += bytes.length;
  }
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [index, node] of nodes.entries()) {
    for (const side of [0, 1] as const) {
      const entry = node[side];
      const pointer = typeof entry === "object" ? nodes.length + 16 + entry.offset : (entry ?? nodes.length);
      tree.writeUIntBE(pointer, index * 6 + side * 3, 3);
    }
  }
  const metadata = encode({
    node_count: nodes.length,
    record_size: 24,
    ip_version: 6,
    database_type: type,
    languages: ["en"],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_782_993_600,
    description: { en: "test" },
  });
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata]);
}

/** A node number, an offset in the data, or nothing. */
type Entry = number | { readonly offset: number } | undefined;

function insert(nodes: [Entry, Entry][], bits: readonly (0 | 1)[], value: { readonly offset: number }): void {
  let at = 0;
  for (const [index, bit] of bits.entries()) {
    const node = nodes[at];
    if (node === undefined) return;
    if (index === bits.length - 1) {
      node[bit] = value;
      return;
    }
    const next = node[bit];
    if (typeof next === "number") at = next;
    else {
      node[bit] = nodes.length;
      at = nodes.length;
      nodes.push([undefined, undefined]);
    }
  }
}

function bitsOf(network: string): readonly (0 | 1)[] {
  const [address = "", length = "0"] = network.split("/");
  const isIPv4 = address.includes(".");
  const bytes = isIPv4
    ? [...Array.from({ length: 12 }, () => 0), ...address.split(".").map(Number)]
    : address
        .split(":")
        .flatMap((group) => [
          Number.parseInt(group || "0", 16) >> 8,
          Number.parseInt(group || "0", 16) & 255,
        ]);
  const bits = bytes.flatMap((byte) =>
    Array.from({ length: 8 }, (_, index) => ((byte >> (7 - index)) & 1 ? 1 : 0)),
  );
  return bits.slice(0, Number(length) + (isIPv4 ? 96 : 0));
}

function encode(value: Value): Buffer {
  if (typeof value === "string")
    return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === "number") {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(6, 4), bytes]);
  }
  if (isList(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([control(7, entries.length), ...entries.flatMap((entry) => entry.map(encode))]);
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Type and size; sizes from 29 to 284 take a byte more, types past 7 another. */
function control(type: number, size: number): Buffer {
  const small = Math.min(size, 29);
  return Buffer.from([
    (type > 7 ? 0 : type << 5) | small,
    ...(type > 7 ? [type - 7] : []),
    ...(small === 29 ? [size - 29] : []),
  ]);
}
