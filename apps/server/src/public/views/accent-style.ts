import { accentColors, type AccentColors, defaultAccent } from "@kalends/spec";

/** The same accent has the same stylesheet for ever, whoever has chosen it. */
export function accentStylePath(accent: string): string {
  return `/assets/accent-${(accent || defaultAccent).slice(1)}.css`;
}

/** Returns the stylesheet of a path as above; undefined when the path is another one. */
export function accentStyle(path: string): string | undefined {
  const [, digits] = /^\/assets\/accent-([0-9a-f]{6})\.css$/.exec(path) ?? [];
  if (digits === undefined) return undefined;
  const { light, dark } = accentColors(`#${digits}`);
  const dimmed = `@media screen and (prefers-color-scheme: dark) {\n${properties(dark)}}\n`;
  return `${properties(light)}${dimmed}`;
}

function properties(colors: AccentColors): string {
  const lines = Object.entries(colors).map(
    ([name, color]) => `--${name.replaceAll("_", "-")}: ${String(color)};`,
  );
  return `:root { ${lines.join(" ")} }\n`;
}
