import { isItem, type Item } from "../engine/item.js";
import type { Answer } from "../engine/target.js";

/** "HTTP 200", or "HTTP 400 parameter_invalid". */
export function outcome({ status, body }: Pick<Answer, "status" | "body">): string {
  const meta = isItem(body) && isItem(body["meta"]) ? body["meta"] : {};
  return `HTTP ${status}${typeof meta["error_type"] === "string" ? ` ${meta["error_type"]}` : ""}`;
}

export const show = (item: Item | undefined, field: string): string =>
  `${field} ${JSON.stringify(item?.[field] ?? null)}`;
