import type { CalendarDetails } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { whenInWords } from "../../dates/words.js";
import { ChoiceField } from "../../parts/fields.js";
import { locale, t } from "../../texts/current.js";
import { type Imported, Preview } from "./preview.js";
import { eventsOf, printFile, type RowEvent } from "./rows.js";
import { columnFields, guessColumns, isMonthFirst, isOrderOpen, type TableRow } from "./table.js";

interface Props {
  readonly calendar: CalendarDetails;
  readonly rows: readonly TableRow[];
  readonly onDone: (done: Imported) => void;
}

/** Events that are shown as sentences. */
const most = 5;

/** A table: what each column is, how its dates are meant, and its first events in words. */
export function TableImport({ calendar, rows, onDone }: Props): JSX.Element {
  const [head, ...body] = rows;
  const heads = head?.cells ?? [];
  const [columns, setColumns] = useState(() => guessColumns(heads, body));
  const ofDates = (["date", "endDate"] as const).map((field) => columns.indexOf(field));
  const dates = body.flatMap(({ cells }) => ofDates.map((index) => cells[index] ?? ""));
  const isOpen = isOrderOpen(dates);
  const [order, setOrder] = useState("");
  const [lookedAt, setLookedAt] = useState<readonly RowEvent[]>();
  const monthFirst = isOpen ? order === "month" : isMonthFirst(dates);
  const events = useMemo(() => eventsOf(body, columns, monthFirst), [rows, columns, monthFirst]);
  const right = events.filter((event) => !("wrong" in event));
  const looked = lookedAt === events;
  const file = useMemo(() => (looked ? printFile(events, calendar.timezone) : ""), [looked, events]);
  if (body.length === 0) return <p class="wrong">{t.import.empty}</p>;
  const canLook = right.length > 0 && (!isOpen || order !== "");
  return (
    <>
      <fieldset>
        <legend>{t.import.columns}</legend>
        <div class="columns">
          {heads.map((name, index) => (
            <ChoiceField
              key={index}
              label={t.import.column(name)}
              value={columns[index] ?? ""}
              options={[
                ["", t.import.ignore],
                ...columnFields.map((field) => [field, t.import.fields[field]] as const),
              ]}
              onChange={(value) =>
                setColumns(columns.with(index, columnFields.find((field) => field === value) ?? ""))
              }
            />
          ))}
        </div>
      </fieldset>
      {isOpen ? <Order value={order} onChange={setOrder} /> : undefined}
      {looked ? undefined : <FirstEvents events={right} />}
      <ul class="report">
        {events.map((event) =>
          "wrong" in event ? (
            <li key={event.line} class="wrong">
              {t.import.row(event.line, t.import[event.wrong])}
            </li>
          ) : undefined,
        )}
      </ul>
      {looked ? (
        <Preview key={file} {...{ calendar, file, onDone }} unread={events.length - right.length} />
      ) : (
        <p class="section-foot">
          <button type="button" disabled={!canLook} onClick={() => setLookedAt(events)}>
            {t.import.look}
          </button>
        </p>
      )}
    </>
  );
}

function Order({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (order: string) => void;
}): JSX.Element {
  return (
    <fieldset>
      <legend>{t.import.order}</legend>
      {(["day", "month"] as const).map((order) => (
        <label key={order} class="check">
          <input type="radio" name="order" checked={value === order} onChange={() => onChange(order)} />
          {order === "day" ? t.import.dayFirst : t.import.monthFirst}
        </label>
      ))}
    </fieldset>
  );
}

/** What the choice of the columns means, until the list of all events is there. */
function FirstEvents({ events }: { readonly events: readonly RowEvent[] }): JSX.Element | null {
  if (events.length === 0) return null;
  return (
    <div class="published">
      <h3>{t.import.first}</h3>
      <ul>
        {events.slice(0, most).map((event) =>
          "wrong" in event ? undefined : (
            <li key={event.line}>
              <strong dir="auto">{event.title}</strong> · {whenInWords(locale, event.when)}
              {event.place === "" ? "" : ` · ${event.place}`}
            </li>
          ),
        )}
      </ul>
    </div>
  );
}
