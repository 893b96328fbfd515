import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { statusOf, sayFailure } from "../../api/failures.js";
import { leaveForProvider, signInByProvider, takeReturned } from "../../api/oidc.js";
import { hasPasskeys, readWays, signInByPasskey } from "../../api/passkeys.js";
import { root } from "../../api/root.js";
import { type LinkPurpose, openSession, readLink } from "../../api/session.js";
import { useLoaded } from "../../api/loading.js";
import { TextField } from "../../parts/fields.js";
import { t } from "../../texts/current.js";
import { Invitation } from "./invitation.js";

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
  const [purpose, setPurpose] = useState<LinkPurpose>();
  const hasLink = isPage && secret !== "" && failure === "";
  const isInvited = hasLink && purpose !== undefined;
  const open = async (by: () => Promise<void>, refused: string): Promise<void> => {
    setRunning(true);
    try {
      await by();
      history.replaceState(undefined, "", location.pathname + location.search); // the secret is of no more use
      onOpened();
    } catch (error) {
      const status = statusOf(error) ?? (error instanceof DOMException ? 401 : 0);
      const known = status === 409 ? t.signIn.providerAway : refused;
      setFailure(status >= 400 && status < 429 ? known : sayFailure(error));
      setRunning(false);
    }
  };
  useEffect(() => {
    document.title = `${t.signIn.title} · ${t.app}`;
    const returned = isPage ? takeReturned() : "";
    if (returned !== "") void open(() => signInByProvider(returned), t.signIn.providerRefused);
    // Without an answer the button is there as before. Not by useLoaded, which would read the link again after it is used up.
    else if (hasLink)
      readLink(secret).then(setPurpose, (error: unknown) => {
        if (statusOf(error) === 404) setFailure(t.signIn.refused);
      });
  }, []);
  return (
    <form
      class={isPage ? "card sign-in" : "sign-in"}
      onSubmit={(event) => {
        event.preventDefault();
        void open(() => openSession(hasLink ? secret : typed), t.signIn.refused);
      }}
    >
      {isPage ? (
        <>
          <p class="brand">
            <img src={`${root}/favicon.ico`} alt="" width="28" height="28" />
            {t.app}
          </p>
          {isInvited ? undefined : <h1>{t.signIn.title}</h1>}
        </>
      ) : undefined}
      {isInvited ? <Invitation of={purpose} /> : <p>{lead(isPage, hasLink)}</p>}
      {hasLink ? undefined : (
        <TextField label={t.signIn.link} value={typed} onChange={setTyped} error={failure} />
      )}
      <button type="submit" disabled={isRunning}>
        {t.signIn.button}
      </button>
      <OtherWays isRunning={isRunning} open={open} link={hasLink ? secret : ""} />
    </form>
  );
}

interface OtherWaysProps {
  readonly isRunning: boolean;
  readonly open: (by: () => Promise<void>, refused: string) => Promise<void>;
  /** The secret of a link; "" without one. */
  readonly link: string;
}

/** What this server and this browser have beside links. */
function OtherWays({ isRunning, open, link }: OtherWaysProps): JSX.Element {
  const { challenge, oidc } = useLoaded(["ways"], readWays).value ?? { challenge: "", oidc: "" };
  const ways = [
    hasPasskeys && challenge !== ""
      ? ([t.signIn.passkey, signInByPasskey, t.signIn.passkeyRefused] as const)
      : undefined,
    oidc === ""
      ? undefined
      : ([t.signIn.provider(oidc), () => leaveForProvider(link), t.signIn.providerRefused] as const),
  ];
  return (
    <>
      {ways.map((way) =>
        way === undefined ? undefined : (
          <button type="button" class="quiet" disabled={isRunning} onClick={() => void open(way[1], way[2])}>
            {way[0]}
          </button>
        ),
      )}
    </>
  );
}

function lead(isPage: boolean, hasLink: boolean): string {
  if (!isPage) return t.signIn.over;
  return hasLink ? t.signIn.join : t.signIn.lead;
}
