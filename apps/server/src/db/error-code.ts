/** Returns the code of an error, such as ENOENT or 40001; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
