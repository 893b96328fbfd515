import type { Call } from "./state.js";

/** What is kept of `custom_data`: an empty text is an empty object (extensions.md X2.4). */
export function storedCustomData(text: string): string {
  return text === "" ? "{}" : JSON.stringify(JSON.parse(text));
}

/** Whether the filters `custom_data_key` and `custom_data_value` match: names at the top level, and no objects or lists. */
export function hasCustomData(json: string, { params, faulty }: Call): boolean {
  const { custom_data_key: name, custom_data_value: wanted } = params;
  if (name === undefined) return true;
  const data: unknown = JSON.parse(json);
  if (typeof data !== "object" || data === null || !Object.hasOwn(data, name)) return false;
  if (wanted === undefined || faulty("X12")) return true;
  const value = new Map<string, unknown>(Object.entries(data)).get(name);
  if (typeof value === "object" && value !== null) return false;
  return (typeof value === "string" ? value : JSON.stringify(value)) === wanted;
}
