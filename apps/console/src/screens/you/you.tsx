import type { JSX } from "preact";
import { useLoaded } from "../../api/loading.js";
import { addPasskey, hasPasskeys, listPasskeys, removePasskey } from "../../api/passkeys.js";
import { endOneSession, listSessions, type Session } from "../../api/session.js";
import { useSubmit } from "../../api/submitting.js";
import { instantInWords } from "../../dates/words.js";
import { notify } from "../../parts/notices.js";
import { Failed, Failure, Loading } from "../../parts/states.js";
import { useTitle } from "../../parts/title.js";
import { locale, t } from "../../texts/current.js";

/** How the person signs in, and where she has. */
export function You({ session }: { readonly session: Session }): JSX.Element {
  useTitle(session.person.name);
  return (
    <div class="page">
      <div class="page-head">
        <h1>{session.person.name}</h1>
      </div>
      <div class="sections">
        {session.person.id === "" ? undefined : <Passkeys canAdd={session.can.passkeys && hasPasskeys} />}
        <Sessions />
      </div>
    </div>
  );
}

function Passkeys({ canAdd }: { readonly canAdd: boolean }): JSX.Element {
  const { value, error, reload } = useLoaded(["passkeys"], listPasskeys);
  const submit = useSubmit();
  const add = async (): Promise<void> => {
    const done = await submit.run(() => addPasskey().then(() => true));
    if (done !== undefined) notify(t.passkeys.added);
  };
  return (
    <section class="card section">
      <h2>{t.passkeys.title}</h2>
      <p class="soft">{canAdd ? t.passkeys.lead : t.passkeys.none}</p>
      <Failure text={submit.error instanceof DOMException ? t.passkeys.failed : submit.failure} />
      {canAdd ? (
        <button type="button" disabled={submit.isRunning} onClick={() => void add()}>
          {t.passkeys.add}
        </button>
      ) : undefined}
      <Rows
        rows={value}
        error={error}
        reload={reload}
        action={() => t.passkeys.remove}
        onAction={removePasskey}
        done={t.passkeys.removed}
      />
    </section>
  );
}

function Sessions(): JSX.Element {
  const { value, error, reload } = useLoaded(["sessions"], listSessions);
  return (
    <section class="card section">
      <h2>{t.sessions.title}</h2>
      <p class="soft">{t.sessions.lead}</p>
      <Rows
        rows={value}
        error={error}
        reload={reload}
        action={({ current }) => (current === true ? "" : t.sessions.end)}
        onAction={endOneSession}
        done={t.sessions.ended}
      />
    </section>
  );
}

/** A passkey, or a session. */
interface Way {
  readonly id: string;
  readonly device: string;
  readonly date_create: string;
  readonly date_used: string;
  readonly current?: boolean;
}

interface RowsProps {
  readonly rows: readonly Way[] | undefined;
  readonly error: unknown;
  readonly reload: () => void;
  /** What ends one; "" where nothing does. */
  readonly action: (way: Way) => string;
  readonly onAction: (id: string) => Promise<void>;
  readonly done: string;
}

function Rows({ rows, error, reload, action, onAction, done }: RowsProps): JSX.Element | null {
  const submit = useSubmit();
  if (rows === undefined) return error === null ? <Loading /> : <Failed error={error} onRetry={reload} />;
  if (rows.length === 0) return null;
  const end = async (id: string): Promise<void> => {
    const isDone = await submit.run(() => onAction(id).then(() => true));
    if (isDone !== undefined) notify(done);
  };
  return (
    <>
      <Failure text={submit.failure} />
      <ul class="plain-rows">
        {rows.map((way) => (
          <li key={way.id} class="row">
            <div>
              <p class="row-title" dir="auto">
                {deviceOf(way.device)}{" "}
                {way.current === true ? <span class="badge">{t.sessions.current}</span> : undefined}
              </p>
              <p class="soft">{t.sessions.used(at(way.date_create), at(way.date_used))}</p>
            </div>
            {action(way) === "" ? undefined : (
              <button type="button" class="quiet" onClick={() => void end(way.id)}>
                {action(way)}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** What browsers and systems call themselves in User-Agent, those first whose names others use too. */
const known = {
  browsers: {
    "Edg/": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
  },
  systems: {
    Windows: "Windows",
    Android: "Android",
    iPhone: "iPhone",
    iPad: "iPad",
    "Mac OS X": "macOS",
    Linux: "Linux",
  },
};

/** "Chrome · Linux" of a User-Agent; another text as it is. */
function deviceOf(text: string): string {
  const names = Object.values(known).flatMap((signs) => {
    const sign = Object.entries(signs).find(([part]) => text.includes(part));
    return sign === undefined ? [] : [sign[1]];
  });
  return names.length === 0 ? text : names.join(" · ");
}

const at = (instant: string): string => instantInWords(locale, instant);
