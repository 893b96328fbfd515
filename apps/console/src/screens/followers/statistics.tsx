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
  const sum = (name: "followed" | "unfollowed"): number => days.reduce((all, day) => all + day[name], 0);
  const polled = Object.entries(apps)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a);
  const isEmpty = days.every(({ followed, unfollowed, active }) => followed + unfollowed + active === 0);
  if (isEmpty && polled.length === 0) return null;
  const picked = categories.map(({ name, picks }) => [name, picks] as const);
  return (
    <section class="statistics" aria-labelledby="statistics-title">
      <h2 id="statistics-title">{t.followers.lastDays(days.length)}</h2>
      <p>{t.followers.change(sum("followed"), sum("unfollowed"))}</p>
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

/** A bar for each day; the table has the same numbers in words. */
function Chart({ days }: Days): JSX.Element {
  const most = Math.max(1, ...days.map(({ active }) => active));
  return (
    <svg viewBox={`0 0 ${days.length * 8} 48`} preserveAspectRatio="none" aria-hidden="true">
      {days.map(({ date, active }, index) => {
        const height = (48 * active) / most;
        return <rect key={date} x={index * 8} y={48 - height} width={6} height={height} />;
      })}
    </svg>
  );
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
