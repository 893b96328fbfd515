import { allErrors, body, errorsOf, extensionErrorSchema, type Operation, operations } from "@kalends/spec";
import { concerning, expect, failure, notTestable, show } from "../engine/assert.js";
import { type Defined, reads, required, type Run } from "../engine/check.js";
import { isItem } from "../engine/item.js";
import { idOf, member, text } from "../engine/json.js";
import { fixture, type Kit } from "../engine/kit.js";
import { type ExtensionName, extensionNames, isWrite } from "../engine/operations.js";
import { type Answer, type CallOptions, metaCode, type Params } from "../engine/target.js";
import { problem } from "./schemas.js";

const documentPath = "/openapi-kalends.json";
const absent = "9007199254740991";

/** The document of the extensions, as the server sent it. */
const served = fixture((kit) => kit.raw(documentPath));

/** A check that runs where the document is served. A server that answers 404 has no extensions; any other failure fails the check. */
function unlessAbsent(run: Run): Run {
  return async (kit) => {
    const { status, body: document } = await served(kit);
    if (status === 404) throw notTestable(`the server has no extensions: ${documentPath} is not served (HTTP 404)`);
    const cause = `${documentPath}: HTTP ${status}`;
    if (status !== 200 || !isItem(document)) throw failure(`${documentPath}: expected a JSON object or HTTP 404, got HTTP ${status}.`, cause);
    await run(kit);
  };
}

/** Sends one call: writes as a form, reads as a query. */
async function send(kit: Kit, name: ExtensionName, params: Params, options: CallOptions = {}): Promise<Answer> {
  const form = isWrite(name) ? ({ send: "form" } as const) : {};
  return kit.session.target.call(kit.recorder, name, params, { ...form, ...options });
}

/** Parameters of the document's example whose items may not exist. */
function idsIn({ errors, example }: Operation): readonly string[] {
  const ids = errors.map((code) => code.replace(/_not_found$/, "_id"));
  return Object.keys(example.request).filter((name) => ids.some((id) => id === name));
}

/** The document's example with these values; undefined where one of them is not known. */
function requestOf({ example }: Operation, names: readonly string[], valueOf: (name: string) => string | undefined): Params | undefined {
  const params = Object.entries(example.request).map(([name, value]) => [name, names.includes(name) ? valueOf(name) : value] as const);
  return params.every(([, value]) => value !== undefined) ? Object.fromEntries(params) : undefined;
}

/** Fails unless the response has one of these statuses and matches the document. */
function fits(answer: Answer, op: Operation, statuses: readonly number[]): void {
  const { status, headers } = answer;
  concerning(answer.exchange, () => {
    expect(statuses.includes(status), `expected HTTP ${statuses.join(" or ")}, got HTTP ${status}: ${show(answer.text)}`);
    const isFile = status === 200 && op.fileAnswer !== undefined;
    const types = isFile ? Object.keys(op.fileAnswer) : ["application/json"];
    const [type = ""] = (headers["content-type"] ?? "").split(";");
    expect(types.includes(type), `Content-Type: expected ${types.join(" or ")}, got ${show(type)}.`);
    if (isFile) return;
    const { error } = (status === 200 ? body(op) : extensionErrorSchema).safeParse(answer.body);
    if (error !== undefined) throw failure(`HTTP ${status}: ${problem(error)}`);
    expect(metaCode(answer) === status, `meta.code: expected ${status}.`);
  });
}

/** Statuses that the document has for a request of the right form. */
function documented(op: Operation): readonly number[] {
  const refusals = errorsOf(op, op.methods[0]).map((code): number => allErrors[code].status);
  return [...new Set([200, ...refusals.filter((status) => status < 500)])];
}

/** A calendar and an event of its own, by the parameters that name them. */
async function newIds(kit: Kit): Promise<Readonly<Record<string, string>>> {
  const calendar_id = idOf(await kit.calendar());
  const event_id = idOf(await kit.event(calendar_id));
  return { calendar_id, event_id };
}

/** Refusals first, since they change nothing; then the example, where it reaches nothing but what the check made. */
function judge(name: ExtensionName): Run {
  return async (kit) => {
    const op: Operation = operations[name];
    const names = idsIn(op);
    const made = names.length > 0 ? await newIds(kit) : {};
    const own = requestOf(op, names, (name) => made[name]);
    const unknown = requestOf(op, names, () => absent) ?? {};
    const refuses = async (status: number, params: Params, options?: CallOptions) => fits(await send(kit, name, params, options), op, [status]);
    await refuses(401, own ?? unknown, { as: "none" });
    await refuses(401, own ?? unknown, { as: { token: `${kit.session.target.token}x` } });
    await refuses(405, own ?? unknown, isWrite(name) ? { send: "query", method: "GET" } : { send: "form" });
    if (!op.params.safeParse({}).success) await refuses(400, {});
    if (names.length > 0) await refuses(404, unknown);
    // A write without ids would stay in the account, and one with an address would make the server call it.
    const mayBeSent = !isWrite(name) || (names.length > 0 && !("url" in op.params.shape));
    if (own !== undefined && mayBeSent) fits(await send(kit, name, own), op, isWrite(name) ? documented(op) : [200]);
  };
}

/** extensions X1.1 and X1.2: the document, and each operation that it describes. */
export const checks: readonly Defined[] = [
  required(
    "extensions.document",
    ["X1.1", "X1.2"],
    "The document is OpenAPI 3.1 and has the operations, each with its method",
    reads,
    unlessAbsent(async (kit) => {
      const { body: document } = await served(kit);
      expect(text(member({ document }, "document"), "openapi").startsWith("3.1."), "openapi: expected 3.1.x.");
      const paths = member(document, "paths");
      for (const name of extensionNames) member(member(paths, operations[name].path), operations[name].methods[0]);
    }),
  ),
  ...extensionNames.map((name) => required(`extensions.${name}`, "X1.2", `The answers of ${name} fit the document`, unlessAbsent(judge(name)))),
];
