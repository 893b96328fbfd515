import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { statusOf } from "../api/failures.js";
import { loaded, useLoaded } from "../api/loading.js";
import { takeBack } from "../api/oidc.js";
import { readSession, type Session } from "../api/session.js";
import { isSignedOut, sessionOpened } from "../api/signing-in.js";
import { Dialog } from "../parts/dialog.js";
import { Notices } from "../parts/notices.js";
import { Failed, Loading } from "../parts/states.js";
import { go, useAddress } from "../router/location.js";
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
  const wanted = session?.person.language;
  useEffect(() => {
    if (chosenLanguage() !== undefined || !isLanguage(wanted) || wanted === t.language) return;
    void loadTexts(wanted).then(() => setLanguage(wanted));
  }, [wanted]);
  if (session !== undefined) return <Shown key={language} session={session} />;
  if (statusOf(error) === 401) return <SignInPage onOpened={() => undefined} />;
  return (
    <main class="alone">{error === null ? <Loading /> : <Failed error={error} onRetry={reload} />}</main>
  );
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

function Shown({ session }: { readonly session: Session }): JSX.Element {
  const isOver = isSignedOut.use();
  return (
    <>
      <Frame session={session}>
        <Screen session={session} />
      </Frame>
      <Notices />
      {isOver ? <SignInOver /> : undefined}
    </>
  );
}

/** The sign-in over what is open, whose forms keep what was typed. */
function SignInOver(): JSX.Element {
  const opened = (): void => {
    sessionOpened();
    void loaded.invalidateQueries();
  };
  return (
    <Dialog title={t.signIn.title} onClose={() => undefined} mustAnswer>
      <SignIn onOpened={opened} />
    </Dialog>
  );
}
