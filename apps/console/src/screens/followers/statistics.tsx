import type { Statistics as Counts } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { shortDay } from "../../dates/words.js";
import { Failed, Loading } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";

/** The followers of the last days, which apps asked for the feed, and which categories were picked. It names no one. */
export function Statistics({ id }: { readonly id: string }): JSX.Element | null {
  const { value, error, reload } = useLoaded(["statistics", id], () => api.calendars.statistics(id));
  if (value === undefined) return error === null ? <Loading /> : <Failed error={error} onRetry={reload} />;
  const { days, apps, categories } = value;
  const polled = Object.entries(apps)
    .filter(([, count]) => count > 0)
    .map(([app, count]) => [appName(app), count] as const)
    .toSorted(([, a], [, b]) => b - a);
  const isEmpty = days.every(({ followed, unfollowed, active }) => followed + unfollowed + active === 0);
  if (isEmpty && polled.length === 0) return null;
  const picked = categories.map(({ name, picks }) => [name, picks] as const);
  return (
    <section class="statistics" aria-labelledby="statistics-title">
      <h2 id="statistics-title">{t.followers.lastDays(days.length)}</h2>
      <Chart days={days} />
      <details>
        <summary>{t.followers.asTable}</summary>
        <Table days={days} />
      </details>
      <Numbers label={t.followers.polls} numbers={polled} />
      <Numbers label={t.followers.picked} numbers={picked} />
    </section>
  );
}

type Days = Pick<Counts, "days">;

/** A bar for each day, between axes with their first and last numbers; the table has the same numbers in words. */
function Chart({ days }: Days): JSX.Element {
  const most = Math.max(1, ...days.map(({ active }) => active));
  const [first, last] = [days[0]?.date ?? "", days.at(-1)?.date ?? ""];
  return (
    <figure class="chart" role="img" aria-label={t.figures.chart}>
      <span class="chart-most">{most}</span>
      <span class="chart-least">0</span>
      <svg viewBox={`0 0 ${days.length * 8} 48`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ date, active }, index) => {
          const height = (48 * active) / most;
          return <rect key={date} x={index * 8} y={48 - height} width={6} height={height} />;
        })}
      </svg>
      <span class="chart-days">
        <span>{shortDay(locale, first)}</span>
        <span>{shortDay(locale, last)}</span>
      </span>
    </figure>
  );
}

/** Who follows now, and who came and went in the last 30 days. */
export function Figures({ id, active }: { readonly id: string; readonly active: number }): JSX.Element {
  const { value } = useLoaded(["statistics", id], () => api.calendars.statistics(id));
  const sum = (name: "followed" | "unfollowed"): number =>
    value?.days.reduce((all, day) => all + day[name], 0) ?? 0;
  return (
    <dl class="figures">
      {(
        [
          [t.figures.active, active],
          [t.figures.gained, sum("followed")],
          [t.figures.lost, sum("unfollowed")],
        ] as const
      ).map(([label, count]) => (
        <div key={label} class="card">
          <dd>{count}</dd>
          <dt>{label}</dt>
        </div>
      ))}
    </dl>
  );
}

/** The name of an app, as people know it. */
export function appName(app: string): string {
  const known: Readonly<Record<string, string>> = t.figures.apps;
  return known[app] ?? app;
}

function Table({ days }: Days): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          {t.followers.columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ date, followed, unfollowed, active }) => (
          <tr key={date}>
            <th scope="row">{shortDay(locale, date)}</th>
            <td>{followed}</td>
            <td>{unfollowed}</td>
            <td>{active}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface NumbersProps {
  readonly label: string;
  readonly numbers: readonly (readonly [name: string, count: number])[];
}

function Numbers({ label, numbers }: NumbersProps): JSX.Element | null {
  if (numbers.length === 0) return null;
  return (
    <>
      <h3>{label}</h3>
      <dl class="apps" aria-label={label}>
        {numbers.map(([name, count]) => (
          <div key={name}>
            <dt dir="auto">{name}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
