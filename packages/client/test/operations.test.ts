import { isExtension, operations, type Operation } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import { createExtensionsClient } from "../src/extensions/index.js";
import { type CalendarClientOptions, createCalendarClient } from "../src/index.js";

/** Calls each function of a client, without anything and with ids and empty objects. Returns the paths that were requested. */
async function pathsOf(create: (options: CalendarClientOptions) => object): Promise<readonly string[]> {
  const paths = new Set<string>();
  const fetch = async ({ url }: Request): Promise<Response> => {
    paths.add(new URL(url).pathname);
    return Response.json({ meta: { code: "400" } }, { status: 400 });
  };
  const client = create({ baseUrl: "https://calendars.example", token: "token", fetch });
  const { raw: _raw, ...resources }: Readonly<Record<string, unknown>> = { raw: undefined, ...client };
  for (const call of functionsIn(resources))
    for (const given of [[], ["1", {}, {}, {}], [["1"], {}], ["1", ["2027-01-10T10:00"]]])
      await finish(call, given).catch(() => undefined);
  return [...paths].toSorted();
}

type Call = (...given: readonly unknown[]) => unknown;

function functionsIn(value: unknown): readonly Call[] {
  if (typeof value === "function") return [(...given) => Reflect.apply(value, undefined, given)];
  return Object.values(Object(value)).flatMap(functionsIn);
}

/** Waits for what a function returns; a list is read to its end. */
async function finish(call: Call, given: readonly unknown[]): Promise<void> {
  const pending: unknown = call(...given);
  const items: unknown[] = [];
  if (Symbol.asyncIterator in Object(pending)) for await (const item of Object(pending)) items.push(item);
  else await pending;
}

describe.each([
  { title: "the client", create: createCalendarClient, ofExtensions: false },
  { title: "the client of the extensions", create: createExtensionsClient, ofExtensions: true },
])("$title", ({ create, ofExtensions }) => {
  test("has a function for each operation of its document", async () => {
    const own = Object.values<Operation>(operations).filter((op) => isExtension(op) === ofExtensions);
    expect(await pathsOf(create)).toEqual(own.map(({ path }) => path).toSorted());
  });
});
