import type { Palette } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { colorOf, usePalettes } from "../api/calendars.js";
import { t } from "../texts/current.js";

interface ColorsProps {
  readonly legend: string;
  readonly paletteId: string;
  readonly value: string;
  readonly onChange: (colorId: string) => void;
}

/** The colours of the palette, each with its number, since a colour alone says nothing to some. */
export function Colors({ legend, paletteId, value, onChange }: ColorsProps): JSX.Element {
  const palettes = usePalettes();
  const name = useId();
  const colors = palettes.find(({ id }) => id === paletteId)?.colors ?? [];
  return (
    <fieldset class="colors">
      <legend>{legend}</legend>
      {colors.map((_, index) => {
        const id = String(index + 1);
        return (
          <label key={id} class="color" style={{ "--color": colorOf(palettes, paletteId, id) }}>
            <input
              type="radio"
              name={name}
              aria-label={t.event.colorNumber(index + 1)}
              checked={value === id}
              onChange={() => onChange(id)}
            />
          </label>
        );
      })}
    </fieldset>
  );
}

/** The colours of a palette side by side. */
export function Sample({ palette }: { readonly palette: Palette | undefined }): JSX.Element {
  return (
    <div class="palette" aria-hidden="true">
      {palette?.colors.map((color) => (
        <span key={color} style={{ backgroundColor: color }} />
      ))}
    </div>
  );
}
