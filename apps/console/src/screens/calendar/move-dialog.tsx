import type { CalendarDetails, FoundEvent, SeriesScope } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { statusOf } from "../../api/failures.js";
import { useSubmit } from "../../api/submitting.js";
import { type When, whenInWords } from "../../dates/words.js";
import { Dialog } from "../../parts/dialog.js";
import { Failure } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";
import { shownTitle } from "../../texts/titles.js";
import { droppedFields } from "./dropped.js";
import { Questions } from "./editor.js";
import { fieldsOf, whenOf } from "./event-fields.js";
import { Published } from "./published.js";
import { saveEvent, type Saving } from "./saving.js";
import { ScopeChoices } from "./scope-question.js";
import { useSoonOfSeries, useTelling } from "../../parts/telling.js";
import { isTold } from "./told-fields.js";

interface Props {
  readonly calendar: CalendarDetails;
  /** As it is saved. */
  readonly event: FoundEvent;
  /** When it was dropped, on the calendar's wall clock. */
  readonly when: When;
  readonly onClose: () => void;
}

/** Says what followers will see of an event that was dragged, before it is stored. Escape leaves it where it was. */
export function MoveDialog({ calendar, event, when, onClose }: Props): JSX.Element {
  const [initial] = useState(() => fieldsOf(event));
  const [fields] = useState(() => droppedFields(event, when, calendar.timezone));
  const [scope, setScope] = useState<SeriesScope>("this");
  const submit = useSubmit();
  const hasSoon = useSoonOfSeries(calendar, event.series_id);
  const concerns = isTold({ event, initial, fields }, hasSoon);
  const telling = useTelling({ calendarIds: [calendar.id], concerns });
  const saving = { calendar, event, series: undefined, initial, fields, scope, telling };
  const save = async (more: Partial<Saving> = {}): Promise<void> => {
    const done = await submit.run((options) => saveEvent({ ...saving, ...more }, options));
    if (done !== undefined) onClose();
  };
  const choose = (chosen: SeriesScope): Promise<void> => {
    setScope(chosen); // kept for the question about another's changes
    return save({ scope: chosen });
  };
  const isOfSeries = event.series_id !== "";
  const isMoved = initial.startDay !== fields.startDay || initial.startTime !== fields.startTime;
  const title = shownTitle(event.title);
  const followers = calendar.followers_active;
  return (
    <Dialog title={isMoved ? t.drag.move(title) : t.drag.end(title)} onClose={onClose}>
      {event.sync_id === "" ? undefined : <p class="notice">{t.syncs.note}</p>}
      <p class="soft">{t.drag.was(whenInWords(locale, whenOf(initial)))}</p>
      <Published {...{ calendar, event, fields }} series={undefined} errors={{}} set={() => undefined} />
      {event.published && followers > 0 ? <p>{t.drag.followed(followers)}</p> : undefined}
      {telling.question}
      {isOfSeries ? (
        <>
          <h3>{t.series.which}</h3>
          <ScopeChoices {...{ saving, event }} onChoose={choose} />
        </>
      ) : undefined}
      <div class="dialog-foot">
        <Failure text={statusOf(submit.error) === 412 ? "" : submit.failure} />
        <button type="button" class="quiet" onClick={onClose}>
          {t.cancel}
        </button>
        {isOfSeries ? undefined : (
          <button type="button" disabled={submit.isRunning} onClick={() => void save()}>
            {t.save}
          </button>
        )}
      </div>
      <Questions {...{ saving, submit, save, setScope }} asksScope={false} onClose={submit.clear} />
    </Dialog>
  );
}
