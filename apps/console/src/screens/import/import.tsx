import type { CalendarDetails } from "@kalends/client/extensions";
import { mostFileBytes } from "@kalends/spec/limits";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { roleOn, type Session } from "../../api/session.js";
import { CalendarPage } from "../../parts/calendar-page.js";
import { download } from "../../parts/download.js";
import { TextField } from "../../parts/fields.js";
import { useForm } from "../../parts/form.js";
import { notifyFailure } from "../../parts/notices.js";
import { DropZone } from "../../parts/pictures.js";
import { forSpreadsheet } from "../../parts/spreadsheet.js";
import { Failure } from "../../parts/states.js";
import { hrefOf } from "../../router/location.js";
import { calendarPath, printAddress } from "../../router/routes.js";
import { locale, t } from "../../texts/current.js";
import { type Imported, Preview } from "./preview.js";
import { Syncs } from "./syncs.js";
import { type Chosen, chosenOf, chosenOfFile } from "./table.js";
import { TableImport } from "./table-import.js";

interface Props {
  readonly session: Session;
  readonly id: string;
}

/** Takes events over from a file or a table, and gives all of them out as a file. */
export function Import({ session, id }: Props): JSX.Element {
  return (
    <CalendarPage id={id} current="import">
      {(calendar) => (
        <div class="sections">
          {roleOn(session, id) === "viewer" ? undefined : <TakeOver calendar={calendar} />}
          {roleOn(session, id) === "owner" ? <Syncs calendar={calendar} /> : undefined}
          <Export calendar={calendar} />
        </div>
      )}
    </CalendarPage>
  );
}

function TakeOver({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element {
  const [ofFile, setOfFile] = useState<Chosen>();
  const [failure, setFailure] = useState("");
  const [imported, setImported] = useState<Imported>();
  const form = useForm(`import ${calendar.id}`, { pasted: "" });
  const { pasted } = form.fields;
  // Read once: when the calendar is loaded again, the table is the one that was looked at.
  const ofText = useMemo(() => (pasted.trim() === "" ? undefined : chosenOf(pasted)), [pasted]);
  const chosen = ofFile ?? ofText;
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setImported(undefined);
    const isTooLarge = file.size > mostFileBytes;
    const found = isTooLarge ? "tooLarge" : chosenOfFile(new Uint8Array(await file.arrayBuffer()));
    setOfFile(typeof found === "string" ? undefined : found);
    if (found === "tooLarge") setFailure(t.import.tooLarge(Math.ceil(file.size / 1e6), mostFileBytes / 1e6));
    else setFailure(typeof found === "string" ? t.import[found] : "");
  };
  const done = (found: Imported): void => {
    setImported(found);
    if (ofFile === undefined) form.reset();
    else setOfFile(undefined);
  };
  return (
    <section class="card section">
      <h2>{t.import.title}</h2>
      <p class="soft">{t.import.lead}</p>
      {imported === undefined ? undefined : <Done calendar={calendar} {...imported} />}
      <ChooseFile onFile={(file) => void take(file)} />
      <Failure text={failure} />
      <TextField
        label={t.import.paste}
        hint={t.import.pasteHint}
        isLong
        value={pasted}
        onChange={(text) => {
          form.set({ pasted: text });
          setImported(undefined);
          setOfFile(undefined);
          setFailure("");
        }}
      />
      {chosen === undefined ? undefined : "file" in chosen ? (
        <Preview key={chosen.file} calendar={calendar} file={chosen.file} onDone={done} />
      ) : (
        <TableImport
          key={JSON.stringify(chosen.rows[0])}
          calendar={calendar}
          rows={chosen.rows}
          onDone={done}
        />
      )}
    </section>
  );
}

/** A file that is chosen, or dropped. */
function ChooseFile({ onFile }: { readonly onFile: (file: File | undefined) => void }): JSX.Element {
  return (
    <DropZone onFile={onFile}>
      <label class="file">
        {t.import.file}
        <input
          type="file"
          accept=".ics,.ical,.csv,.tsv,.txt,.xlsx,.xls,.ods,text/calendar,text/csv"
          onClick={({ currentTarget }) => {
            currentTarget.value = ""; // the same file can be chosen again, such as when it was corrected
          }}
          onChange={(event) => onFile(event.currentTarget.files?.[0])}
        />
      </label>
      <p class="hint drop-hint">{t.import.drop}</p>
    </DropZone>
  );
}

/** What was imported, and the way to it. */
function Done({ calendar, text, day }: Imported & { readonly calendar: CalendarDetails }): JSX.Element {
  const ref = useRef<HTMLDivElement>(null);
  // The button that was pressed stood below a list that is gone.
  useEffect(() => ref.current?.scrollIntoView({ block: "center" }), []);
  return (
    <div ref={ref} class="notice done">
      <p>{text}</p>
      <a class="button" href={hrefOf(printAddress(calendarPath(calendar.id), { day }))}>
        {t.import.see}
      </a>
    </div>
  );
}

const mediaTypes = { ics: "text/calendar", csv: "text/csv" } as const;

function Export({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element {
  const save = async (format: keyof typeof mediaTypes): Promise<void> => {
    try {
      const text = await api.calendars.export(calendar.id, format);
      const file = format === "csv" ? forSpreadsheet(text, locale, t.history.fields) : text;
      download(file, `${calendar.title}.${format}`, mediaTypes[format]);
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <section class="card section">
      <h2>{t.import.exportTitle}</h2>
      <p class="soft">{t.import.exportText}</p>
      <p class="row-actions section-foot">
        <button type="button" class="quiet" onClick={() => void save("ics")}>
          {t.import.exportIcs}
        </button>
        <button type="button" class="quiet" onClick={() => void save("csv")}>
          {t.import.exportCsv}
        </button>
      </p>
    </section>
  );
}
