import type { App } from "../../subscribers/agents.js";
import { html, type Html } from "./html.js";

const page = html`<path d="M7 9.5h18M11 4v5M21 4v5" /><rect x="5" y="6.5" width="22" height="20" rx="4.5" />`;

/** Our own drawings, because the logos of the apps are trademarks. */
const drawings: Readonly<Record<App, Html>> = {
  apple: html`<rect x="9" y="4" width="14" height="24" rx="3.5" /><path d="M14 24.5h4" />`,
  google: html`<circle cx="16" cy="16" r="11" /><path d="M5 16h22M16 5c8 7 8 15 0 22M16 5c-8 7-8 15 0 22" />`,
  outlookcom: html`<rect x="4.5" y="8" width="23" height="17" rx="3.5" /><path d="m6 10.5 10 8 10-8" />`,
  office365: html`<rect x="4.5" y="10.5" width="23" height="15" rx="3.5" /><path
      d="M12 10.5v-2a3 3 0 0 1 3-3h2a3 3 0 0 1 3 3v2M4.5 17h23"
    />`,
  outlook: html`<rect x="4.5" y="6" width="23" height="15.5" rx="3" /><path d="M11 27h10M16 21.5V27" />`,
  yahoo: html`${page}<path d="M12 18h8M16 14v8" />`,
  ical: html`<path
    d="M14 18a4.5 4.5 0 0 0 6.4 0l4.3-4.3a4.5 4.5 0 0 0-6.4-6.4L16.5 9M18 14a4.5 4.5 0 0 0-6.4 0l-4.3 4.3a4.5 4.5 0 0 0 6.4 6.4l1.8-1.7"
  />`,
};

export function appIcon(app: App): Html {
  return icon(drawings[app]);
}

export const calendarIcon: Html = icon(page);

function icon(drawing: Html): Html {
  return html`<svg class="icon" viewBox="0 0 32 32" aria-hidden="true">${drawing}</svg>`;
}
