import type { SeriesDetails } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../texts/current.js";
import type { BodyProps } from "./body-props.js";
import { RepeatFields } from "./repeat-fields.js";
import { leftOutOf, readSeries, ruleOf } from "./rule-fields.js";
import { seriesInWords } from "./rule-words.js";

/** How an event of a series repeats, in words; its fields when someone wants to change it. */
export function SeriesFields(props: BodyProps & { readonly series: SeriesDetails }): JSX.Element {
  const { series, event } = props;
  const start = event?.start_date ?? "";
  const rule = readSeries(series, start);
  const { allDay } = props.fields;
  const isChanged =
    ruleOf({ ...rule, startDay: "", allDay }) !== ruleOf({ ...props.fields, startDay: "" }) ||
    leftOutOf(series) !== props.fields.except;
  const [isOpen, setOpen] = useState(isChanged);
  return (
    <section class="series">
      <h3>{t.series.repeat}</h3>
      {seriesInWords(rule, start.slice(0, 10), series).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {isOpen ? (
        <RepeatFields {...props} />
      ) : (
        <button type="button" class="quiet" onClick={() => setOpen(true)}>
          {t.series.change}
        </button>
      )}
    </section>
  );
}
