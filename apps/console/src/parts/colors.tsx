import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { usePalettes } from "../api/calendars.js";
import { colorName } from "../texts/color-words.js";
import { t } from "../texts/current.js";

interface ColorsProps {
  readonly legend: string;
  readonly paletteId: string;
  readonly value: string;
  readonly onChange: (colorId: string) => void;
}

/** The colours of the palette, each with its name and number, since a colour alone says nothing to some. */
export function Colors({ legend, paletteId, value, onChange }: ColorsProps): JSX.Element {
  const palettes = usePalettes();
  const name = useId();
  const colors = palettes.find(({ id }) => id === paletteId)?.colors ?? [];
  return (
    <fieldset class="colors">
      <legend>{legend}</legend>
      {colors.map((color, index) => {
        const id = String(index + 1);
        const words = `${colorName(color)} (${id})`;
        return (
          <label key={id} class="color" title={words} style={{ "--color": color }}>
            <input
              type="radio"
              name={name}
              aria-label={words}
              checked={value === id}
              onChange={() => onChange(id)}
            />
          </label>
        );
      })}
    </fieldset>
  );
}

interface PalettesProps {
  readonly value: string;
  readonly onChange: (paletteId: string) => void;
}

/** Colours that name a palette. */
const naming = 4;

/** The palettes that a calendar can have, each by its colours and their names. */
export function Palettes({ value, onChange }: PalettesProps): JSX.Element {
  const palettes = usePalettes();
  const name = useId();
  return (
    <fieldset class="palettes">
      <legend>{t.calendars.palette}</legend>
      {palettes.map(({ id, colors }) => (
        <label key={id} class="check">
          <input type="radio" name={name} checked={value === id} onChange={() => onChange(id)} />
          <span class="palette" aria-hidden="true">
            {colors.map((color, index) => (
              <span key={index} style={{ backgroundColor: color }} />
            ))}
          </span>
          <span class="unseen">
            {[...new Set(colors.map((color) => colorName(color)))].slice(0, naming).join(", ")}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
