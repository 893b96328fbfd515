import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { statusOf, sayFailure } from "../../api/failures.js";
import { hasPasskeys, readWays, signInByPasskey } from "../../api/passkeys.js";
import { openSession } from "../../api/session.js";
import { useLoaded } from "../../api/loading.js";
import { TextField } from "../../parts/fields.js";
import { t } from "../../texts/current.js";

interface Props {
  readonly onOpened: () => void;
  /** Whether it is a page of its own, and not over another one. */
  readonly isPage?: boolean;
}

/** The secret of a link is after "#", which no server, proxy or log is sent. Opening the page uses nothing up: the click does. */
export function SignIn({ onOpened, isPage = false }: Props): JSX.Element {
  const [secret] = useState(() => location.hash.slice(1));
  const [typed, setTyped] = useState("");
  const [failure, setFailure] = useState("");
  const [isRunning, setRunning] = useState(false);
  const hasLink = isPage && secret !== "" && failure === "";
  useEffect(() => {
    document.title = `${t.signIn.title} · ${t.app}`;
  }, []);
  const { value: ways } = useLoaded(["ways"], readWays);
  const open = async (by: () => Promise<void>, refused: string): Promise<void> => {
    setRunning(true);
    try {
      await by();
      history.replaceState(undefined, "", location.pathname + location.search); // the secret is of no more use
      onOpened();
    } catch (error) {
      const status = statusOf(error) ?? (error instanceof DOMException ? 401 : 0);
      setFailure(status >= 400 && status < 429 ? refused : sayFailure(error));
      setRunning(false);
    }
  };
  return (
    <form
      class={isPage ? "card sign-in" : "sign-in"}
      onSubmit={(event) => {
        event.preventDefault();
        void open(() => openSession(hasLink ? secret : typed), t.signIn.refused);
      }}
    >
      {isPage ? <h1>{t.signIn.title}</h1> : undefined}
      <p>{lead(isPage, hasLink)}</p>
      {hasLink ? undefined : (
        <TextField label={t.signIn.link} value={typed} onChange={setTyped} error={failure} />
      )}
      <button type="submit" disabled={isRunning}>
        {t.signIn.button}
      </button>
      {hasPasskeys && ways !== undefined && ways.challenge !== "" ? (
        <button
          type="button"
          class="quiet"
          disabled={isRunning}
          onClick={() => void open(signInByPasskey, t.signIn.passkeyRefused)}
        >
          {t.signIn.passkey}
        </button>
      ) : undefined}
    </form>
  );
}

function lead(isPage: boolean, hasLink: boolean): string {
  if (!isPage) return t.signIn.over;
  return hasLink ? t.signIn.join : t.signIn.lead;
}
