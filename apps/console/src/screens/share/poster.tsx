import type { Account, CalendarDetails } from "@kalends/client/extensions";
import { accentColors } from "@kalends/spec/accent";
import type { JSX } from "preact";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { pictureAddress } from "../../api/root.js";
import { shortDay } from "../../dates/words.js";
import { locale, t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";
import { QrPicture } from "./qr-code.js";

/** Events of the preview, and those read for them, since none that is cancelled is on a poster. */
const [most, mostRead] = [3, 12];

interface Props {
  readonly calendar: CalendarDetails;
  readonly account: Account;
  /** The address of the calendar's page. */
  readonly page: string;
}

/** A small picture of the poster, as followers' pages print it. */
export function PosterPreview({ calendar, account, page }: Props): JSX.Element {
  const { value: events } = useLoaded(["poster", calendar.id], async () => {
    const from = `${new Date().toISOString().slice(0, 19)}Z`;
    const query = { calendar_id: calendar.id, from, order_by: "date-asc", wall: "calendar" } as const;
    const next = await api.events.list(query).toArray({ limit: mostRead });
    return next.filter(({ status }) => status !== "cancelled").slice(0, most);
  });
  const { accent, on_accent: on } = accentColors(
    calendar.accent === "" ? account.accent : calendar.accent,
  ).light;
  return (
    <div
      class="poster"
      role="img"
      aria-label={t.poster.label}
      style={{ "--page-accent": accent, "--page-on": on }}
    >
      <div class="poster-top">
        {account.logo_id === "" ? undefined : <img src={pictureAddress(account.logo_id, 320)} alt="" />}
        <span>
          <span dir="auto">{account.name}</span>
          <strong dir="auto">{shownTitle(calendar.title)}</strong>
        </span>
      </div>
      <QrPicture text={page} name="poster-code" />
      {events?.map(({ id, title, start_date, shown_start = start_date }) => (
        <span key={id} class="poster-event">
          <b>{shortDay(locale, shown_start.slice(0, 10))}</b> <span dir="auto">{shownTitle(title)}</span>
        </span>
      ))}
    </div>
  );
}
