import { mostPictureBytes } from "@kalends/spec/limits";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/client.js";
import { statusOf } from "../api/failures.js";
import { pictureAddress } from "../api/root.js";
import { type Submit, useSubmit } from "../api/submitting.js";
import { t } from "../texts/current.js";
import { TextField } from "./fields.js";
import { Failure } from "./states.js";

/** A picture as a form holds it: its id, and what it shows in words. */
export interface PictureValue {
  readonly id: string;
  readonly alt: string;
}

interface Props {
  readonly legend: string;
  readonly hint?: string;
  readonly value: PictureValue;
  readonly onChange: (value: PictureValue) => void;
  /** What is wrong with its words. */
  readonly error?: string | undefined;
  /** The words that a new picture begins with. */
  readonly words?: string;
}

/** A picture that is dropped, pasted, chosen or taken with the camera; then what it shows, in words. */
export function PictureField({ legend, hint, value, onChange, error, words = "" }: Props): JSX.Element {
  const submit = useSubmit();
  const latest = useRef(value); // words may be typed while the picture is on its way
  latest.current = value;
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const made = await submit.run(async (options) => api.pictures.create(await smallEnough(file), options));
    if (made !== undefined) onChange({ id: made.id, alt: latest.current.alt || words });
  };
  const ref = useRef<HTMLFieldSetElement>(null);
  useEffect(() => (submit.isRunning ? holdForm(ref.current?.form) : undefined), [submit.isRunning]);
  return (
    <fieldset ref={ref} class="picture-field" aria-busy={submit.isRunning}>
      <legend>{legend}</legend>
      {hint === undefined ? undefined : <p class="hint">{hint}</p>}
      <DropZone onFile={(file) => void take(file)}>
        {value.id === "" ? undefined : (
          <img
            src={pictureAddress(value.id, 320)}
            alt={value.alt}
            class={submit.isRunning ? "running" : ""}
          />
        )}
        <div class="picture-ways">
          <FileButton
            text={value.id === "" ? t.pictures.choose : t.pictures.replace}
            onFile={(file) => void take(file)}
          />
          <FileButton text={t.pictures.camera} isCamera onFile={(file) => void take(file)} />
          {value.id === "" ? undefined : (
            <button type="button" class="quiet danger" onClick={() => onChange({ id: "", alt: "" })}>
              {t.pictures.remove}
            </button>
          )}
          <p class="hint drop-hint">{submit.isRunning ? t.pictures.sending : t.pictures.drop}</p>
        </div>
      </DropZone>
      <Failure text={failureOf(submit)} />
      {value.id === "" ? undefined : (
        <TextField
          label={t.pictures.words}
          hint={t.pictures.wordsHint}
          value={value.alt}
          onChange={(alt) => onChange({ ...value, alt })}
          error={error !== undefined && value.alt.trim() === "" ? t.errors.required : error}
        />
      )}
    </fieldset>
  );
}

/** Keeps a form from being sent without the picture that is on its way. Returns what ends that. */
function holdForm(form: HTMLFormElement | null | undefined): () => void {
  const hold = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  form?.addEventListener("submit", hold, true);
  return () => form?.removeEventListener("submit", hold, true);
}

function failureOf({ error, failure }: Submit): string {
  const status = statusOf(error);
  if (status === 413) return t.pictures.tooLarge;
  if (status === 507) return t.pictures.full;
  return status === 400 || status === 422 ? t.pictures.unreadable : failure;
}

/** Pixels of the longer side of a picture that is made smaller. */
const longest = 2_560;

/** The file, made smaller where it is larger than the server takes. One that the browser cannot read stays, and the server says why. */
async function smallEnough(file: File): Promise<Blob> {
  if (file.size <= mostPictureBytes) return file;
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (bitmap === undefined) return file;
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (context === null) return file;
  context.fillStyle = "#fff"; // behind a logo: JPEG has no transparency, and pages show logos on white
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
}

interface FileProps {
  readonly onFile: (file: File | undefined) => void;
}

/** A place for a file that is dragged there, or pasted while the focus is in it. */
export function DropZone({
  onFile,
  children,
}: FileProps & { readonly children: ComponentChildren }): JSX.Element {
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={isOver ? "drop-zone over" : "drop-zone"}
      tabIndex={-1}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer?.files[0]);
      }}
      onPaste={(event) => {
        const file = event.clipboardData?.files[0];
        if (file === undefined) return; // a text, which a field takes
        event.preventDefault();
        onFile(file);
      }}
    >
      {children}
    </div>
  );
}

interface ButtonProps extends FileProps {
  readonly text: string;
  readonly isCamera?: boolean;
}

const pictureTypes = "image/jpeg,image/png,image/webp,image/avif,image/gif";

function FileButton({ text, isCamera = false, onFile }: ButtonProps): JSX.Element {
  return (
    <label class={isCamera ? "button quiet camera" : "button quiet"}>
      {text}
      <input
        class="unseen"
        type="file"
        accept={pictureTypes}
        {...(isCamera ? { capture: "environment" as const } : {})}
        onChange={({ currentTarget }) => {
          onFile(currentTarget.files?.[0]);
          currentTarget.value = ""; // the same file can be chosen again
        }}
      />
    </label>
  );
}
