import type { CalendarContent } from "../calendar-page.js";
import { paths } from "../public-paths.js";
import { eventRows } from "./event-rows.js";
import { html, type Html } from "./html.js";
import { layout, type PageContext } from "./layout.js";
import { monthView } from "./month.js";
import { assets } from "./static-files.js";

export interface FrameView extends PageContext, CalendarContent {
  readonly shows: "list" | "month";
}

/** The next events or a month for a frame of another site. Its links open the pages of the calendar beside that site. */
export function framePage(view: FrameView): Html {
  const { calendar, upcoming, month, language, root, shows } = view;
  const calendars = [calendar];
  const rows = { calendars, namesCalendars: false, today: month.today, language, root };
  const list =
    upcoming.entries.length === 0
      ? html`<p class="note">${language.texts.portal.none}</p>`
      : eventRows(upcoming.entries, rows);
  const months = () =>
    monthView({
      ...view,
      // Its list is open: there is no list of the next events above it.
      month: { ...month, isNamed: true },
      calendars,
      query: "view=month&",
    });
  return layout(view, {
    title: calendar.title,
    kind: "frame",
    head: html`<base target="_blank" />
      <link rel="stylesheet" href="${root}${assets.portal.path}" />
      <script src="${root}${assets.frameScript.path}" defer></script>`,
    body: html`<main>
      <h1 class="unseen" dir="auto">${calendar.title}</h1>
      ${shows === "month" ? months() : list}
      <p>
        <a class="button quiet" rel="noopener" href="${root}${paths.page(calendar.uniquekey)}"
          >${language.texts.follow.heading}</a
        >
      </p>
    </main>`,
  });
}
