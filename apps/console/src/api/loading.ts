import { QueryClient, QueryObserver, type QueryKey, type QueryObserverResult } from "@tanstack/query-core";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { statusOf } from "./failures.js";
import { sessionEnded } from "./signing-in.js";

/** What was loaded, by what it is: after a write all of it is loaded again, since a write may show anywhere. */
export const loaded = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: false, // the client repeats what can be repeated
      networkMode: "always",
    },
  },
});
loaded.mount();

export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Loads a value, and again when it may have changed. What was shown stays until the new one is there. */
export function useLoaded<Value>(key: QueryKey, load: () => Promise<Value>): Loaded<Value> {
  const options = { queryKey: key, queryFn: load };
  const [observer] = useState(() => new QueryObserver<Value>(loaded, options));
  const [result, setResult] = useState<QueryObserverResult<Value>>(() => observer.getCurrentResult());
  // Preact cleans effects up after the next paint, when a write has long had read again what is no longer shown.
  useLayoutEffect(() => observer.subscribe(setResult), [observer]);
  // Before anything can be clicked: until then the value is that of another key.
  useLayoutEffect(() => {
    observer.setOptions(options);
    setResult(observer.getCurrentResult());
  }, [JSON.stringify(key)]);
  useEffect(() => {
    if (statusOf(result.error) === 401) void sessionEnded();
  }, [result.error]);
  return {
    value: result.data,
    error: result.error,
    isLoading: result.isFetching,
    reload: () => void observer.refetch(),
  };
}

/** Has everything loaded again, after a write. */
export function loadAgain(): Promise<void> {
  return loaded.invalidateQueries();
}
