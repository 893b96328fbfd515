/** A value that is JSON already, to go out as it is. */
export class ReadyJson<Value> {
  /** To be sent one after the other. */
  readonly parts: readonly Buffer[];
  /** Tells the compiler what they say; never there. */
  declare readonly value: Value;

  constructor(parts: readonly Buffer[]) {
    this.parts = parts;
  }
}

/** A list whose items are JSON already, with commas between them. */
export function readyList<Items extends readonly unknown[]>(items: Buffer): ReadyJson<Items> {
  return new ReadyJson([openList, items, closeList]);
}

const [openList, closeList] = [Buffer.from("["), Buffer.from("]")];

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
      parts.push(Buffer.from(text), ...value.parts);
      text = "";
    } else {
      text += JSON.stringify(value);
    }
  }
  parts.push(Buffer.from(`${text}}`));
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only : Buffer.concat(parts);
}
