import type { FunctionComponent, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { NewVersion } from "./states.js";

/** A component that is loaded when it is first shown. */
export function lazy<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let known: FunctionComponent<Props> | undefined;
  return function Lazy(props: Props): JSX.Element | null {
    const [Shown, setShown] = useState(() => known);
    const [isGone, setGone] = useState(false);
    useEffect(() => {
      load().then(
        (component) => {
          known = component;
          setShown(() => component);
        },
        () => setGone(true),
      );
    }, []);
    if (isGone) return <NewVersion />;
    return Shown === undefined ? null : <Shown {...props} />;
  };
}
