/** Gives a text, or the bytes of a picture, to the reader as a file. */
export function download(content: string | Blob, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // some browsers read it later
}
