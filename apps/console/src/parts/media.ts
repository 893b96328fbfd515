import { useEffect, useState } from "preact/hooks";

/** Whether a media query matches, in a component that is drawn again when that changes. */
export function useMedia(query: string): boolean {
  const [media] = useState(() => matchMedia(query));
  const [matches, setMatches] = useState(media.matches);
  useEffect(() => {
    const listener = (): void => setMatches(media.matches);
    media.addEventListener("change", listener);
    return () => media.removeEventListener("change", listener);
  }, []);
  return matches;
}
