/** The path of the service before /console, such as "/kalends"; "" when it has none. */
export const root = document.documentElement.dataset["root"] ?? "";

/** The address of a stored picture, of a width that the server has. */
export function pictureAddress(id: string, width: 320 | 640): string {
  return `${root}/p/${id}-${width}.webp`;
}
