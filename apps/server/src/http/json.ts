/** A list whose items are JSON already, with commas between them, to be sent as they are. */
export class PrintedList<Items extends readonly unknown[]> {
  readonly items: readonly Buffer[];
  /** Tells the compiler what they are; never there. */
  declare readonly value: Items;

  /** @param items to be sent one after the other */
  constructor(...items: readonly Buffer[]) {
    this.items = items;
  }
}

/** A payload whose lists may be JSON already. */
export type Printable<Payload> = {
  readonly [Name in keyof Payload]: Payload[Name] extends readonly unknown[]
    ? Payload[Name] | PrintedList<Payload[Name]>
    : Payload[Name];
};

/** A JSON body, in parts to be sent one after the other. */
export class PrintedBody {
  readonly parts: readonly Buffer[];
  readonly type = "application/json";
  /** Of a body that others may cache. */
  readonly etag: string | undefined;

  constructor(parts: readonly Buffer[], etag?: string) {
    this.parts = parts;
    this.etag = etag;
  }

  /** In bytes. */
  get length(): number {
    return this.parts.reduce((sum, part) => sum + part.length, 0);
  }
}

/** Prints an object as JSON in UTF-8. Lists that are JSON already are not copied (docs/decisions/0009-the-hot-path.md). */
export function printJson(body: object): readonly Buffer[] {
  const parts: Buffer[] = [];
  let text = "{";
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    text += `${text === "{" && parts.length === 0 ? "" : ","}${JSON.stringify(name)}:`;
    if (value instanceof PrintedList) {
      parts.push(Buffer.from(`${text}[`), ...value.items);
      text = "]";
    } else {
      text += JSON.stringify(value);
    }
  }
  parts.push(Buffer.from(`${text}}`));
  return parts;
}
