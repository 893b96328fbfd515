import type { Answered, Exchange } from "./exchange.js";
import { extensionOperations } from "./extension-operations.js";

export const documentPath = "/openapi-kalends.json";

/** The document of the extensions (extensions.md X1.1): which operations there are, no more. */
export function documentAnswer({ headers }: Exchange): Answered {
  const paths = Object.fromEntries(
    extensionOperations.map(({ id, path, isPostOnly = false }) => [
      path,
      { [isPostOnly ? "post" : "get"]: { operationId: id, responses: {} } },
    ]),
  );
  const body = JSON.stringify({ openapi: "3.1.0", info: { title: "Extensions", version: "1.0.0" }, paths });
  return { status: 200, headers: { ...headers, "Content-Type": "application/json" }, body };
}
