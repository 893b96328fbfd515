/** An address as people type it: one without https:// means that. */
export function completed(address: string): string {
  const text = address.trim();
  return text === "" || /^[a-z]+:/i.test(text) ? text.replace(/^http:/i, "https:") : `https://${text}`;
}
