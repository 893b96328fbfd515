import { mostOfMessage } from "@kalends/spec/limits";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../api/client.js";
import { useLoaded } from "../api/loading.js";
import { useMail, useReceivers } from "../api/mail.js";
import { addDays, todayIn } from "../dates/days.js";
import { TextField } from "./fields.js";
import { t } from "../texts/current.js";
import { toldDays } from "./soon.js";

/** What a write says of whether followers are told of it; what takes it back says the same. */
export interface Told {
  readonly tell?: "false";
}

export interface Telling {
  readonly told: Told;
  /** What followers read beside it; empty where they are not told. */
  readonly note: { readonly note?: string };
  /** The question; undefined where it would reach no one. */
  readonly question: JSX.Element | undefined;
  /** Whether it is known whether there is a question. */
  readonly isKnown: boolean;
}

interface Choice {
  /** The calendars whose followers may be told. */
  readonly calendarIds: readonly string[];
  /** Whether they are told of such a write. */
  readonly concerns: boolean;
  /** Whether a sentence is asked for elsewhere. */
  readonly hasNote?: boolean;
}

/** Asks whether followers are told by e-mail, and with which sentence (extensions X12.1). */
export function useTelling({ calendarIds, concerns, hasNote = false }: Choice): Telling {
  const { value, error } = useReceivers(calendarIds);
  const receivers = value ?? 0;
  const isUnknown = error !== null; // then they are asked about without their number
  const isKnown = !concerns || value !== undefined || isUnknown;
  const [isQuiet, setQuiet] = useState(false);
  const [note, setNote] = useState("");
  if (!concerns || (receivers === 0 && !isUnknown))
    return { told: {}, note: {}, question: undefined, isKnown };
  const asksNote = !isQuiet && !hasNote;
  const question = (
    <div class="telling">
      <label class="check">
        <input
          type="checkbox"
          checked={!isQuiet}
          onChange={({ currentTarget }) => setQuiet(!currentTarget.checked)}
        />
        {isUnknown ? t.news.tellThem : t.news.tell(receivers)}
      </label>
      <p class="hint">{t.news.tellHint}</p>
      {asksNote ? (
        <TextField
          label={t.news.note}
          hint={t.news.noteHint}
          isOptional
          maxLength={mostOfMessage.note}
          value={note}
          onChange={setNote}
        />
      ) : undefined}
    </div>
  );
  const sentence = note.trim();
  return {
    told: isQuiet ? { tell: "false" } : {},
    note: asksNote && sentence !== "" ? { note: sentence } : {},
    question,
    isKnown,
  };
}

/** Whether a series has events soon of which followers know; false while that is not known. */
export function useSoonOfSeries(
  { id, timezone }: { readonly id: string; readonly timezone: string },
  seriesId = "",
): boolean {
  const hasMail = useMail();
  const today = todayIn(timezone);
  const { value = false } = useLoaded(["soon", hasMail, seriesId, today], async () => {
    if (!hasMail || seriesId === "") return false;
    const range = { from: today, to: addDays(today, toldDays + 1) };
    const found = await api.events
      .list({ calendar_id: id, series_id: seriesId, ...range })
      .toArray({ limit: 50 });
    return found.some(({ status }) => status !== "cancelled");
  });
  return value;
}
