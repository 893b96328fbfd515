import { apiDiff } from "api-smart-diff";

export type Json = Readonly<Record<string, unknown>>;
type Diff = ReturnType<typeof apiDiff>[number];

/** The object at these keys; empty when there is none. */
function member(holder: unknown, ...keys: readonly (string | number)[]): Json {
  const found = keys.reduce<unknown>((value, key) => (isJson(value) ? value[key] : undefined), holder);
  return isJson(found) ? found : {};
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

/**
 * Returns the changes that break a client of the document before them, one line each, such as
 * `createEvent: replace requestBody.content.application/json.schema.properties.title.maxLength 255 → 10`.
 */
export function breakingChanges(before: Json, after: Json): readonly string[] {
  const [old, now] = [comparable(before), comparable(after)];
  const diffs = apiDiff(old, now).filter((diff) => !isHarmless(diff));
  return [
    ...changedAddresses(old, now),
    ...diffs.map((diff) => line(diff, diff.action === "add" ? now : old)),
  ];
}

/**
 * Returns a copy, since api-smart-diff changes what it compares. It knows OpenAPI 3.0 alone; a webhook is compared like a response,
 * since clients read its message.
 */
function comparable(document: Json): Json {
  const { paths, webhooks, ...rest } = structuredClone(document);
  const messages = Object.entries(member(webhooks)).map(([name, item]) => {
    const responses = { 200: member(item, "post", "requestBody") };
    return [`/${name}`, { post: { operationId: name, responses } }] as const;
  });
  return { ...rest, openapi: "3.0.3", paths: { ...member(paths), ...Object.fromEntries(messages) } };
}

/** Operation ids are names in generated clients: no id may go, and the method and the path of each stay. */
function changedAddresses(before: Json, after: Json): readonly string[] {
  const now = addresses(after);
  return [...addresses(before)].flatMap(([id, address]) => {
    const moved = now.get(id);
    if (moved === undefined) return [`${id}: there is no operation of this name`];
    return moved === address ? [] : [`${id}: ${address} is now ${moved}`];
  });
}

function addresses(document: Json): ReadonlyMap<string, string> {
  const prefix = String(member(document, "servers", 0)["url"]).replace(/\/$/, "");
  const entries = Object.entries(member(document, "paths")).flatMap(([path, item]) =>
    Object.entries(member(item)).map(
      ([method, operation]) =>
        [String(member(operation)["operationId"]), `${method} ${prefix}${path}`] as const,
    ),
  );
  return new Map(entries);
}

/** Maps and lists to which a response, and a request, may get a member. */
const openInResponses = ["properties", "headers", "required"];
const openInRequests = ["properties", "parameters", "content", "security"];

/**
 * api-smart-diff judges all schemas as those of requests, and some wrongly: a field that is removed and a type that changes are
 * harmless to it. So of a response only additions pass. Of a request passes what it takes for harmless, except these two and new keywords.
 */
function isHarmless({ type, action, path }: Diff): boolean {
  const [root, , , part] = path;
  const [holder = "", key = ""] = path.slice(-2).map(String);
  const isAdded = action === "add";
  if (type === "annotation" || type === "deprecated" || path.some((name) => String(name).startsWith("x-")))
    return true;
  if (root === "components" && !path.includes("securitySchemes"))
    return type !== "breaking" || path.length > 3;
  if (root === "info" || root === "tags" || root === "servers") return true;
  if (root === "security") return type === "non-breaking" && isAdded;
  if (root === "paths" && part === undefined) return true; // a whole operation: changedAddresses
  if (part === "responses") return isAdded && (openInResponses.includes(holder) || key === "required");
  if (type !== "non-breaking" || key === "type") return false;
  if (action === "remove") return holder !== "properties" && part !== "security";
  return !isAdded || openInRequests.includes(holder) || (holder === "enum" && key !== "0");
}

/** @param document the one that has what the path leads to */
function line({ action, path, before, after }: Diff, document: Json): string {
  const shown = (value: unknown) => JSON.stringify(value) ?? "";
  const change = action === "replace" ? `${shown(before)} → ${shown(after)}` : shown(before ?? after);
  const value = action !== "replace" && isJson(before ?? after) ? "" : ` ${change}`;
  const [root, route = "", method = "", ...rest] = path;
  if (root !== "paths") return `document: ${action} ${path.join(".")}${value}`;
  const operation = member(document, "paths", route, method);
  const [part, index = 0] = rest;
  if (part === "parameters") {
    const { name, $ref } = member(operation, part, index);
    rest[1] = String(name ?? $ref).replace(/^.*\//, "");
  }
  return `${String(operation["operationId"])}: ${action} ${rest.join(".")}${value}`;
}

/** A breaking change that is meant: its line, and the reason for it. */
export interface Approval {
  readonly change: string;
  readonly reason: string;
}

/** Returns what is left to do: breaking changes without an approval, and approvals that are of no use. */
export function openQuestions(changes: readonly string[], approvals: readonly Approval[]): readonly string[] {
  const approved = approvals.map(({ change }) => change);
  return [
    ...changes.filter((change) => !approved.includes(change)).map((change) => `Breaking: ${change}`),
    ...approved.filter((change) => !changes.includes(change)).map((change) => `Approves nothing: ${change}`),
    ...approvals.flatMap(({ change, reason }) => (reason.length < 10 ? [`Gives no reason: ${change}`] : [])),
  ];
}
