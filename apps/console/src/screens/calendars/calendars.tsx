import type { CalendarDetails } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useCalendars, useNextEvent } from "../../api/calendars.js";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { isOwner, roleOn, type Session } from "../../api/session.js";
import { shortDay, whenInWords, zoneInWords } from "../../dates/words.js";
import { Empty, Failed, Loading } from "../../parts/states.js";
import { useTitle } from "../../parts/title.js";
import { hrefOf } from "../../router/location.js";
import { calendarPath } from "../../router/routes.js";
import { locale, t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";
import { NewCalendar } from "./new-calendar.js";

/** The calendars of the account: who follows, what comes next, what is wrong. */
export function Calendars({ session }: { readonly session: Session }): JSX.Element {
  useTitle(t.calendars.title);
  const { value, error, reload } = useCalendars();
  const [isAdding, setAdding] = useState(false);
  const [search, setSearch] = useState("");
  const words = search.toLocaleLowerCase(locale);
  const found = value?.filter(({ title }) => title.toLocaleLowerCase(locale).includes(words)) ?? [];
  const add = (
    <button type="button" onClick={() => setAdding(true)}>
      {t.calendars.add}
    </button>
  );
  const canAdd = isOwner(session);
  return (
    <div class="page">
      <div class="page-head">
        <h1>{t.calendars.title}</h1>
        {value !== undefined && value.length > 1 ? (
          <a class="to-overview" href={hrefOf("/month")}>
            {t.overview.link}
          </a>
        ) : undefined}
        {canAdd && value !== undefined && value.length > 0 ? add : undefined}
      </div>
      {value !== undefined && value.length > 8 ? (
        <input
          type="search"
          class="search"
          aria-label={t.calendars.search}
          placeholder={t.calendars.search}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      ) : undefined}
      {value === undefined && error === null ? <Loading /> : undefined}
      {error !== null && value === undefined ? <Failed error={error} onRetry={reload} /> : undefined}
      {value?.length === 0 ? (
        <Empty title={t.calendars.empty}>
          <p>{t.start.welcome}</p>
          <ol class="first-steps">
            {t.start.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {canAdd ? add : undefined}
        </Empty>
      ) : undefined}
      <ul class="calendars">
        {found.map((calendar) => (
          <CalendarCard key={calendar.id} {...{ calendar, session }} />
        ))}
      </ul>
      {isAdding ? <NewCalendar onClose={() => setAdding(false)} /> : undefined}
    </div>
  );
}

interface CardProps {
  readonly calendar: CalendarDetails;
  readonly session: Session;
}

function CalendarCard({ calendar, session }: CardProps): JSX.Element {
  const { followers_active: active, followers_total: total } = calendar;
  return (
    <li class="card calendar-card">
      <h2>
        <a href={hrefOf(calendarPath(calendar.id))} dir="auto">
          {shownTitle(calendar.title)}
        </a>
      </h2>
      <p class="soft">
        {t.calendars.followers(active)}
        {total > active ? ` · ${t.calendars.ofTotal(total)}` : ""} · {zoneInWords(calendar.timezone)}
      </p>
      <NextEvent calendarId={calendar.id} />
      {calendar.feed_omits === "nothing" ? undefined : <p class="wrong">{t.calendars.wrong.omits}</p>}
      {roleOn(session, calendar.id) === "owner" ? <FailingSyncs {...{ calendar, session }} /> : undefined}
    </li>
  );
}

function NextEvent({ calendarId }: { readonly calendarId: string }): JSX.Element {
  const { value: next } = useNextEvent(calendarId);
  if (next === undefined) return <p class="next soft"> </p>;
  if (next === null) return <p class="next soft">{t.calendars.noNext}</p>;
  const {
    shown_start: start = next.start_date,
    shown_end: end = next.end_date,
    all_day_event: allDay,
  } = next;
  return (
    <p class="next">
      <span class="next-label soft">{t.calendars.next}</span>
      <time dateTime={start} title={whenInWords(locale, { start, end, allDay })}>
        {shortDay(locale, start.slice(0, 10))}
      </time>
      <span class="next-title" dir="auto">
        {shownTitle(next.title)}
      </span>
    </p>
  );
}

/** What cannot be fetched; only owners see syncs, and one of all calendars asks once for all cards. */
function FailingSyncs({ calendar, session }: CardProps): JSX.Element {
  const of = isOwner(session) ? undefined : calendar.id;
  const syncs = useLoaded(["syncs", of], () => api.syncs.list(of));
  const own = syncs.value?.filter(({ calendar_id }) => calendar_id === calendar.id) ?? [];
  const failing = own.filter(({ status }) => status === "failing");
  return (
    <>
      {failing.map((sync) => (
        <p key={sync.id} class="wrong">
          {t.calendars.wrong.sync(sync.url)}
        </p>
      ))}
    </>
  );
}
