import { accentColors, defaultAccent } from "@kalends/spec/accent";

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** The button to follow, for another site: as the calendar's own page for sites prints it (docs/embed.md). @param accent `#rrggbb`, or "" */
export function embedCode(base: string, page: string, title: string, accent: string): string {
  const { accent: background, on_accent: color } = accentColors(accent).light;
  const isOwn = background !== defaultAccent;
  const style = isOwn ? ` style="--kalends-background:${background};--kalends-color:${color}"` : "";
  const script = `<script type="module" src="${base}/assets/kalends-follow.js"></script>`;
  return `${script} <kalends-follow calendar="${page}"${style}><a href="${page}">${escaped(title)}</a></kalends-follow>`;
}
