import type { PageCalendar } from "../../calendars/public.js";
import type { Response } from "express";
import { paths } from "../addresses.js";
import { code } from "./code.js";
import type { FollowView } from "./follow-page.js";
import { html, type Html } from "./html.js";
import { assets, kilobytes } from "./static-files.js";

/** The data of the embed page, as in FollowView. */
export interface EmbedView extends Pick<FollowView, "language" | "baseUrl" | "root"> {
  readonly calendar: PageCalendar;
}

const listLimit = 5;

/** Renders the part of the embed page about the list of next events. */
export function listSection({ calendar, language, baseUrl, root }: EmbedView): Html {
  const t = language.texts.embedList;
  const path = paths.page(calendar.uniquekey);
  const element = (address: string): Html => {
    const link = html`<a href="${address}">${calendar.title}</a>`;
    return html`<kalends-events calendar="${address}" limit="${listLimit}">${link}</kalends-events>`;
  };
  const list = html`<script type="module" src="${baseUrl}${assets.list}"></script>
    ${element(baseUrl + path)}`;
  const rule = html`kalends-events { display: block; min-height: calc(4.25em * ${listLimit}); }`;
  return html`<section class="card" aria-labelledby="list-title">
    <h2 id="list-title">${t.heading}</h2>
    <p class="note">${t.note(kilobytes.list)}</p>
    <div class="list-preview">${element(root + path)}</div>
    ${code(language, "list-code", list)}
    <p class="note">${t.height}</p>
    ${code(language, "list-style", rule)}
  </section>`;
}

/** Lets the list read its events: the policy of the pages allows no requests. */
export function allowRequests(res: Response): void {
  const policy = res.getHeader("Content-Security-Policy");
  res.setHeader("Content-Security-Policy", `${String(policy)};connect-src 'self'`);
}
