/** A value that is JSON already, to go out as it is. */
export class ReadyJson<Value> {
  readonly bytes: Buffer;
  /** Tells the compiler what the bytes say; never there. */
  declare readonly value: Value;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** A payload whose lists may be JSON already. */
export type Printable<Payload> = {
  readonly [Name in keyof Payload]: Payload[Name] extends readonly unknown[]
    ? Payload[Name] | ReadyJson<Payload[Name]>
    : Payload[Name];
};

/** The JSON text of an object in UTF-8. */
export function printJson(body: object): Buffer {
  const parts: Buffer[] = [];
  let text = "{";
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    text += `${text === "{" && parts.length === 0 ? "" : ","}${JSON.stringify(name)}:`;
    if (value instanceof ReadyJson) {
      parts.push(Buffer.from(text), value.bytes);
      text = "";
    } else {
      text += JSON.stringify(value);
    }
  }
  parts.push(Buffer.from(`${text}}`));
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only : Buffer.concat(parts);
}
