import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { statusOf } from "../api/failures.js";
import { loaded, useLoaded } from "../api/loading.js";
import { takeBack } from "../api/oidc.js";
import { readSession, type Session } from "../api/session.js";
import { isSignedOut, sessionOpened } from "../api/signing-in.js";
import { Dialog } from "../parts/dialog.js";
import { AccountId } from "../parts/form.js";
import { Notices } from "../parts/notices.js";
import { Failed, Loading } from "../parts/states.js";
import { go, hrefOf, useAddress } from "../router/location.js";
import { routeOf } from "../router/routes.js";
import { SignIn } from "../screens/sign-in/sign-in.js";
import { chosenLanguage, isLanguage, loadTexts, t } from "../texts/current.js";
import { Frame } from "./frame.js";
import { Screen } from "./screen.js";

/** The console: the sign-in, or the screens of who is signed in. */
export function App(): JSX.Element {
  const { path } = useAddress();
  // A link is opened without a look at the session, which would be refused.
  const isWayIn = ["join", "oidc"].includes(routeOf(path).screen);
  return isWayIn ? <SignInPage onOpened={() => go(takeBack(), "replace")} /> : <SignedIn />;
}

function SignedIn(): JSX.Element {
  const { value: session, error, reload } = useLoaded(["session"], readSession);
  const [language, setLanguage] = useState(t.language);
  const first = useRef(session);
  const isOther = session !== undefined && (first.current ?? session).account.id !== session.account.id;
  if (!isOther) first.current = session ?? first.current;
  useOtherTabs(session?.account.id, reload);
  const wanted = first.current?.person.language;
  useEffect(() => {
    if (chosenLanguage() !== undefined || !isLanguage(wanted) || wanted === t.language) return;
    void loadTexts(wanted).then(() => setLanguage(wanted));
  }, [wanted]);
  if (session !== undefined && first.current !== undefined)
    return <Shown key={language} session={first.current} other={isOther ? session : undefined} />;
  if (statusOf(error) === 401) return <SignInPage onOpened={() => undefined} />;
  return (
    <main class="alone">{error === null ? <Loading /> : <Failed error={error} onRetry={reload} />}</main>
  );
}

/** The tabs of a browser have one cookie: each looks for its session again when one of them has signed in. */
const tabs = new BroadcastChannel("kalends-session");

function useOtherTabs(accountId: string | undefined, reload: () => void): void {
  useEffect(() => {
    if (accountId === undefined) return undefined;
    tabs.addEventListener("message", reload);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    tabs.postMessage("");
    return () => tabs.removeEventListener("message", reload);
  }, [accountId]);
}

function SignInPage({ onOpened }: { readonly onOpened: () => void }): JSX.Element {
  const opened = (): void => {
    sessionOpened();
    void loaded.resetQueries(); // it may be another person
    onOpened();
  };
  return (
    <main class="alone">
      <SignIn onOpened={opened} isPage />
    </main>
  );
}

interface ShownProps {
  readonly session: Session;
  /** That of another account, to which someone has signed in under this page. */
  readonly other: Session | undefined;
}

function Shown({ session, other }: ShownProps): JSX.Element {
  const isOver = isSignedOut.use();
  return (
    <AccountId.Provider value={session.account.id}>
      <Frame session={session}>
        <Screen session={session} />
      </Frame>
      <Notices />
      {isOver || other !== undefined ? <SignInOver {...{ session, other }} /> : undefined}
    </AccountId.Provider>
  );
}

/** The sign-in over what is open, whose forms keep what was typed. What waits for it goes on in the same account only. */
function SignInOver({ session, other }: ShownProps): JSX.Element {
  const [tries, setTries] = useState(0);
  const opened = async (): Promise<void> => {
    const query = { queryKey: ["session"], queryFn: readSession, staleTime: 0 };
    const now = await loaded.fetchQuery(query).catch(() => undefined);
    if (now === undefined) return location.reload(); // what was typed is kept
    if (now.account.id !== session.account.id) return setTries(tries + 1);
    sessionOpened();
    void loaded.invalidateQueries();
  };
  return (
    <Dialog title={t.signIn.title} onClose={() => undefined} mustAnswer>
      {other === undefined ? undefined : (
        <p class="notice" role="alert">
          {t.join.other(other.account.name, session.account.name)}
        </p>
      )}
      <SignIn key={tries} onOpened={() => void opened()} />
      {other === undefined ? undefined : (
        <div class="dialog-foot">
          <button type="button" class="quiet" onClick={() => location.assign(hrefOf("/"))}>
            {t.join.goOn(other.account.name)}
          </button>
        </div>
      )}
    </Dialog>
  );
}
