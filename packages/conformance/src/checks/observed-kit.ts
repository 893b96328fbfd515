import { idOf, isItem, type Item } from "../engine/json.js";
import { fixture, type Kit, someStart } from "../engine/kit.js";
import type { Answer } from "../engine/target.js";

export const reads = { writes: false };

/** "200", or "400 parameter_invalid". */
export function outcome({ status, body }: Answer): string {
  const meta = isItem(body) && isItem(body["meta"]) ? body["meta"] : {};
  return `HTTP ${status}${typeof meta["error_type"] === "string" ? ` ${meta["error_type"]}` : ""}`;
}

export const calendar = fixture((kit) => kit.calendar());

export async function event(kit: Kit, params: Readonly<Record<string, string>>): Promise<string> {
  const id = idOf(await calendar(kit));
  return outcome(
    await kit.call("createEvent", { calendar_id: id, title: "Probe", start_date: someStart, ...params }),
  );
}

export const show = (item: Item | undefined, field: string): string =>
  `${field} ${JSON.stringify(item?.[field] ?? null)}`;
