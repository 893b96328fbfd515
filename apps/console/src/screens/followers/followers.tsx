import type { CalendarDetails, SubscriberDetails } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { roleOn, type Session, seesFollowers } from "../../api/session.js";
import { useSubmit } from "../../api/submitting.js";
import { instantInWords } from "../../dates/words.js";
import { CalendarPage } from "../../parts/calendar-page.js";
import { Confirm } from "../../parts/dialog.js";
import { download } from "../../parts/download.js";
import { useLongList } from "../../parts/long-list.js";
import { notify, notifyFailure } from "../../parts/notices.js";
import { forSpreadsheet } from "../../parts/spreadsheet.js";
import { Empty, Failed, Failure, Loading } from "../../parts/states.js";
import { hrefOf } from "../../router/location.js";
import { calendarPath } from "../../router/routes.js";
import { locale, t } from "../../texts/current.js";
import { appName, Figures, Statistics } from "./statistics.js";

interface Props {
  readonly session: Session;
  readonly id: string;
}

/** How many follow, and with which app; who, with the permission to see it. */
export function Followers({ session, id }: Props): JSX.Element {
  const canWrite = roleOn(session, id) === "owner";
  return (
    <CalendarPage id={id} current="followers">
      {(calendar) => (
        <>
          {calendar.followers_total === 0 ? (
            <Empty title={t.followers.none}>
              <a class="button" href={hrefOf(calendarPath(id, "share"))}>
                {t.calendar.tabs.share}
              </a>
            </Empty>
          ) : (
            <Figures id={id} active={calendar.followers_active} />
          )}
          <Statistics id={id} />
          {calendar.followers_total === 0 ? undefined : (
            <List key={id} calendar={calendar} canWrite={canWrite} sees={seesFollowers(session, id)} />
          )}
        </>
      )}
    </CalendarPage>
  );
}

interface ListProps {
  readonly calendar: CalendarDetails;
  readonly canWrite: boolean;
  /** Whether the names and addresses are shown; without, the server leaves them out. */
  readonly sees: boolean;
}

/** Followers that are listed at first. */
const first = 1_000;

function List({ calendar, canWrite, sees }: ListProps): JSX.Element {
  const { value, error, reload, more } = useLongList(["followers", calendar.id], first, (limit) =>
    api.subscribers.list({ calendar_id: calendar.id, order_by: "date-desc" }).toArray({ limit }),
  );
  if (value === undefined) return error === null ? <Loading /> : <Failed error={error} onRetry={reload} />;
  return (
    <>
      {more === undefined ? <Apps followers={value} /> : undefined}
      {sees ? <Export calendar={calendar} /> : <p class="soft">{t.followers.hidden}</p>}
      <ul class="card rows">
        {value.map((follower) => (
          <Row key={follower.id} follower={follower} canWrite={canWrite} />
        ))}
      </ul>
      {more}
    </>
  );
}

/** With how many each app is used, the most used first. */
function Apps({ followers }: { readonly followers: readonly SubscriberDetails[] }): JSX.Element {
  const counts = new Map<string, number>();
  for (const { active, calendar_type: app } of followers)
    if (active) counts.set(app, (counts.get(app) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return (
    <dl class="apps" aria-label={t.followers.apps}>
      {sorted.map(([app, count]) => (
        <div key={app}>
          <dt>{appName(app)}</dt>
          <dd>{count}</dd>
        </div>
      ))}
    </dl>
  );
}

function Export({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element {
  const save = async (): Promise<void> => {
    try {
      const text = forSpreadsheet(await api.subscribers.export(calendar.id), locale);
      download(text, `${calendar.title}.csv`, "text/csv");
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <button type="button" class="quiet" onClick={() => void save()}>
      {t.followers.exportCsv}
    </button>
  );
}

function Row({
  follower,
  canWrite,
}: {
  readonly follower: SubscriberDetails;
  readonly canWrite: boolean;
}): JSX.Element {
  const submit = useSubmit();
  const [asks, setAsks] = useState(false);
  const name = follower.name === "" ? t.followers.unnamed : follower.name;
  const block = async (): Promise<void> => {
    const { subscribers } = api;
    const [act, back] = follower.blocked ? (["unblock", "block"] as const) : (["block", "unblock"] as const);
    const done = await submit.run((options) => subscribers[act](follower.id, options));
    const said = follower.blocked ? t.followers.unblockedNow(name) : t.followers.blockedNow(name);
    if (done !== undefined) notify(said, () => subscribers[back](follower.id));
  };
  const erase = async (): Promise<void> => {
    setAsks(false);
    const done = await submit.run((options) => api.subscribers.delete(follower.id, options));
    if (done !== undefined) notify(t.followers.erased);
  };
  return (
    <li class="row">
      <div>
        <p class="row-title" dir="auto">
          <bdi>{name}</bdi> <span class="badge">{stateOf(follower)}</span>
        </p>
        <p class="soft">
          {[follower.email, appName(follower.calendar_type), instantInWords(locale, follower.date_subscribed)]
            .filter((text) => text !== "")
            .join(" · ")}
        </p>
        <Failure text={submit.failure} />
      </div>
      {canWrite ? (
        <div class="row-actions">
          <button type="button" class="quiet" onClick={() => void block()}>
            {follower.blocked ? t.followers.unblock : t.followers.block}
          </button>
          <button type="button" class="quiet danger" onClick={() => setAsks(true)}>
            {t.followers.erase}
          </button>
        </div>
      ) : undefined}
      {asks ? (
        <Confirm
          title={t.followers.erase}
          text={t.followers.eraseSure(name)}
          action={t.followers.erase}
          isDanger
          onConfirm={() => void erase()}
          onClose={() => setAsks(false)}
        />
      ) : undefined}
    </li>
  );
}

function stateOf({ blocked, active }: SubscriberDetails): string {
  if (blocked) return t.followers.blocked;
  return active ? t.followers.active : t.followers.inactive;
}
