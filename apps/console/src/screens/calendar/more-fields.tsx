import type { JSX } from "preact";
import { useZones } from "../../api/calendars.js";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { Colors } from "../../parts/colors.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { t } from "../../texts/current.js";
import type { BodyProps } from "./body-props.js";

/** What most events leave as it is. */
export function MoreFields({ calendar, fields, set, errors }: BodyProps): JSX.Element {
  const zones = useZones();
  const categories = useLoaded(["categories", calendar.id], () => api.categories.list(calendar.id));
  const known = zones.includes(fields.timezone) ? zones : [fields.timezone, ...zones];
  const hasError = ["categories", "organizer", "organizer_email", "timezone"].some((name) => name in errors);
  return (
    <details class="more" open={hasError}>
      <summary>{t.event.more}</summary>
      <TextField
        label={t.event.categories}
        hint={t.event.categoriesHint}
        value={fields.categories}
        list="known-categories"
        onChange={(value) => set({ categories: value })}
        error={errors["categories"]}
      />
      <datalist id="known-categories">
        {categories.value?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Colors
        legend={t.event.color}
        paletteId={calendar.palette_id}
        value={fields.color_id}
        onChange={(color_id) => set({ color_id })}
      />
      <ChoiceField
        label={t.event.reminder}
        value={fields.reminder}
        options={reminders(fields.reminder)}
        onChange={(reminder) => set({ reminder })}
        error={errors["reminder"]}
      />
      <ChoiceField
        label={t.event.zone}
        value={fields.timezone}
        options={known.map((zone) => [zone, zone.replaceAll("_", " ")])}
        onChange={(timezone) => set({ timezone })}
        error={errors["timezone"]}
      />
      <TextField
        label={t.event.organizer}
        value={fields.organizer}
        onChange={(organizer) => set({ organizer })}
        error={errors["organizer"]}
      />
      <TextField
        label={t.event.email}
        type="email"
        value={fields.organizer_email}
        onChange={(organizer_email) => set({ organizer_email })}
        error={errors["organizer_email"]}
      />
    </details>
  );
}

/** The usual reminders, and that of the event. */
function reminders(current: string): readonly (readonly [string, string])[] {
  const usual = Object.entries(t.event.reminders);
  const isUsual = usual.some(([minutes]) => minutes === current);
  return isUsual ? usual : [...usual, [current, t.event.reminderMinutes(current)]];
}
