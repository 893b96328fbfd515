import type { CalendarDetails, FoundEvent } from "@kalends/client/extensions";
import { mostOfBatch } from "@kalends/spec/limits";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../texts/current.js";
import { ManyDialog } from "./many-dialog.js";

export interface ManyProps {
  readonly calendar: CalendarDetails;
  /** The events of the list. */
  readonly events: readonly FoundEvent[];
  readonly chosen: ReadonlySet<string>;
  readonly onDone: () => void;
}

/** The line below a list in which events are selected. */
export function ManyBar({ calendar, events, chosen, onDone }: ManyProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const selected = events.filter(({ id }) => chosen.has(id));
  return (
    <div class="many-bar" role="group" aria-label={t.many.select}>
      <p class="soft" aria-live="polite">
        {t.many.selected(selected.length)}
      </p>
      {selected.length > mostOfBatch.events ? (
        <p class="wrong">{t.many.most(mostOfBatch.events)}</p>
      ) : undefined}
      <button
        type="button"
        disabled={selected.length === 0 || selected.length > mostOfBatch.events}
        onClick={() => setOpen(true)}
      >
        {t.many.change}
      </button>
      <button type="button" class="quiet" onClick={onDone}>
        {t.many.done}
      </button>
      {isOpen ? (
        <ManyDialog
          calendar={calendar}
          events={selected}
          onDone={() => {
            setOpen(false);
            onDone();
          }}
          onClose={() => setOpen(false)}
        />
      ) : undefined}
    </div>
  );
}
