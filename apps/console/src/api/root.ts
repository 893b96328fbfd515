/** The path of the service before /console, such as "/kalends"; "" when it has none. */
export const root = document.documentElement.dataset["root"] ?? "";
