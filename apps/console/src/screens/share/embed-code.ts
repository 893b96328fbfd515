const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** The button to follow, for another site: as the calendar's own page for sites prints it (docs/embed.md). */
export function embedCode(base: string, page: string, title: string): string {
  const script = `<script type="module" src="${base}/assets/kalends-follow.js"></script>`;
  return `${script} <kalends-follow calendar="${page}"><a href="${page}">${escaped(title)}</a></kalends-follow>`;
}
