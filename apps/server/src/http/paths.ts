import type { Operation } from "@kalends/spec";

const prefix = "/api/v1/";

/** The paths of an operation without the slash at their end: its own, and the alias of older clients (rulings R1.10). */
export function pathsOf({ path }: Operation): readonly string[] {
  const own = withoutSlash(path);
  return [own, `${prefix}me/${own.slice(prefix.length)}`];
}

export function withoutSlash(path: string): string {
  return path.replace(/\/$/, "");
}
