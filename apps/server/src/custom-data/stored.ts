/** Returns `custom_data` as it is stored, from a parameter that is checked; an empty one clears. */
export function storedData(parameter: string): string {
  return parameter === "" ? "{}" : JSON.stringify(JSON.parse(parameter));
}

/** Returns `custom_data` as it is answered. */
export function shownData(stored: string): Record<string, unknown> {
  const data: Record<string, unknown> = JSON.parse(stored);
  return data;
}
