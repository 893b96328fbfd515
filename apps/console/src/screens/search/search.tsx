import type { CalendarDetails, FindEventsParams, FoundEvent } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useCalendars, useEventColors } from "../../api/calendars.js";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { isDay, todayIn } from "../../dates/days.js";
import { dayInWords } from "../../dates/words.js";
import { EventRow } from "../../month/agenda.js";
import { mostCalendars } from "../../month/reading.js";
import { ChoiceField, Field, TextField } from "../../parts/fields.js";
import { Empty, Failed, Loading } from "../../parts/states.js";
import { useTitle } from "../../parts/title.js";
import { go, useAddress } from "../../router/location.js";
import { calendarPath, printAddress } from "../../router/routes.js";
import { locale, t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";

/** Events that are listed. */
const most = 200;

const names = ["q", "calendar", "category", "status", "from"] as const;
type Filters = Readonly<Record<(typeof names)[number], string>>;

/** Finds events of all calendars. The address has what is looked for, so that a reload and "back" keep it. */
export function Search(): JSX.Element {
  useTitle(t.search.title);
  const { query } = useAddress();
  const asked: Filters = {
    q: query["q"] ?? "",
    calendar: query["calendar"] ?? "",
    category: query["category"] ?? "",
    status: query["status"] ?? "",
    from: isDay(query["from"] ?? "") ? (query["from"] ?? "") : "",
  };
  const { value: calendars, error, reload } = useCalendars();
  if (calendars === undefined)
    return error === null ? <Loading /> : <Failed error={error} onRetry={reload} />;
  return (
    <div class="page">
      <div class="page-head">
        <h1>{t.search.title}</h1>
      </div>
      <Form key={JSON.stringify(asked)} asked={asked} calendars={calendars} />
      {names.some((name) => asked[name] !== "") ? <Found asked={asked} calendars={calendars} /> : undefined}
    </div>
  );
}

interface FormProps {
  readonly asked: Filters;
  readonly calendars: readonly CalendarDetails[];
}

function Form({ asked, calendars }: FormProps): JSX.Element {
  const [filters, setFilters] = useState(asked);
  const set = (more: Partial<Filters>): void => setFilters({ ...filters, ...more });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (names.every((name) => asked[name] === "")) form.current?.querySelector("input")?.focus();
  }, []);
  return (
    <form
      ref={form}
      class="card section filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        go(printAddress("/search", filters));
      }}
    >
      <TextField label={t.search.query} maxLength={100} value={filters.q} onChange={(q) => set({ q })} />
      <Choices {...{ filters, set, calendars }} />
      <p class="section-foot">
        <button type="submit">{t.search.find}</button>
      </p>
    </form>
  );
}

interface ChoicesProps extends Pick<FormProps, "calendars"> {
  readonly filters: Filters;
  readonly set: (more: Partial<Filters>) => void;
}

/** What narrows a search. */
function Choices({ filters, set, calendars }: ChoicesProps): JSX.Element {
  const known = useLoaded(["categories", filters.calendar], async () =>
    filters.calendar === "" ? [] : api.categories.list(filters.calendar),
  );
  return (
    <div class="columns">
      <ChoiceField
        label={t.search.calendar}
        value={filters.calendar}
        options={[["", t.search.all], ...calendars.map(({ id, title }) => [id, shownTitle(title)] as const)]}
        onChange={(calendar) => set({ calendar })}
      />
      <ChoiceField
        label={t.search.status}
        value={filters.status}
        options={Object.entries(t.search.statuses)}
        onChange={(status) => set({ status })}
      />
      <TextField
        label={t.search.category}
        list="search-categories"
        value={filters.category}
        onChange={(category) => set({ category })}
      />
      <datalist id="search-categories">
        {known.value?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Field label={t.search.from} hint={filters.from === "" ? undefined : dayInWords(locale, filters.from)}>
        {(control) => (
          <input
            {...control}
            type="date"
            value={filters.from}
            onInput={(event) => set({ from: event.currentTarget.value })}
          />
        )}
      </Field>
    </div>
  );
}

/** What the server looks for, without the order and the days. */
function paramsOf(
  { q, calendar, category, status }: Filters,
  calendars: FormProps["calendars"],
): FindEventsParams {
  const ids = calendars.map(({ id }) => id).slice(0, mostCalendars);
  const state = (["confirmed", "tentative", "cancelled"] as const).find((each) => each === status);
  return {
    calendar_id: calendar === "" ? ids : calendar,
    wall: "calendar",
    ...(q.trim() === "" ? {} : { q }),
    ...(category === "" ? {} : { category }),
    ...(state === undefined ? {} : { status: state }),
    ...(status === "draft" ? { published: "false" } : {}),
  };
}

/** Reads what was found from a day on; without one what comes next, and then what was last. */
async function find({ asked, calendars }: FormProps): Promise<readonly FoundEvent[]> {
  if (calendars.length === 0) return [];
  const params = paramsOf(asked, calendars);
  const today = todayIn(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const next = { ...params, from: asked.from === "" ? today : asked.from, order_by: "date-asc" } as const;
  const found = await api.events.list(next).toArray({ limit: most });
  if (asked.from !== "" || found.length === most) return found;
  const past = api.events.list({ ...params, to: today, order_by: "date-desc" });
  const all = [...found, ...(await past.toArray({ limit: most }))];
  return [...new Map(all.map((event) => [event.id, event])).values()].slice(0, most);
}

function Found({ asked, calendars }: FormProps): JSX.Element {
  const { value, error, reload } = useLoaded(["search", JSON.stringify(asked), calendars.length], () =>
    find({ asked, calendars }),
  );
  const colorOf = useEventColors(calendars, value ?? []);
  if (value === undefined) return error === null ? <Loading /> : <Failed error={error} onRetry={reload} />;
  if (value.length === 0)
    return (
      <div role="status">
        <Empty title={t.search.none} />
      </div>
    );
  const open = ({ id, calendar_id, start_date, shown_start = start_date }: FoundEvent): void =>
    go(printAddress(calendarPath(calendar_id), { day: shown_start.slice(0, 10), event: id }));
  return (
    <section class="found">
      <div role="status">
        <h2>{t.search.found(value.length, value.length === most)}</h2>
      </div>
      <ul>
        {value.map((event) => {
          const calendar = calendars.find(({ id }) => id === event.calendar_id);
          const day = (event.shown_start ?? event.start_date).slice(0, 10);
          return (
            <EventRow
              key={event.id}
              event={event}
              day={day}
              where={`${dayInWords(locale, day)} · ${calendar === undefined ? "" : shownTitle(calendar.title)}`}
              color={colorOf(event)}
              onOpen={open}
            />
          );
        })}
      </ul>
    </section>
  );
}
