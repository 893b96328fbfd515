import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { statusOf } from "../api/failures.js";
import { loaded, useLoaded } from "../api/loading.js";
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
  const session = useLoaded(["session"], readSession);
  const [language, setLanguage] = useState(t.language);
  const wanted = session.value?.person.language;
  useEffect(() => {
    if (chosenLanguage() !== undefined || !isLanguage(wanted) || wanted === t.language) return;
    void loadTexts(wanted).then(() => setLanguage(wanted));
  }, [wanted]);
  return <Shown key={language} session={session.value} error={session.error} reload={session.reload} />;
}

interface ShownProps {
  readonly session: Session | undefined;
  readonly error: unknown;
  readonly reload: () => void;
}

function Shown({ session, error, reload }: ShownProps): JSX.Element {
  const { path } = useAddress();
  const isOver = isSignedOut.use();
  const opened = (): void => {
    loaded.clear();
    reload();
    if (routeOf(path).screen === "join") go("/", "replace");
  };
  const isOut = routeOf(path).screen === "join" || (session === undefined && statusOf(error) === 401);
  if (isOut)
    return (
      <main class="alone">
        <SignIn onOpened={opened} isPage />
      </main>
    );
  if (session === undefined)
    return (
      <main class="alone">{error === null ? <Loading /> : <Failed error={error} onRetry={reload} />}</main>
    );
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
