import { useEffect, useState } from "preact/hooks";

/** A value that several parts show. */
export interface Store<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** The value, in a component that is drawn again when it changes. */
  readonly use: () => Value;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value) => {
      current = value;
      for (const listener of listeners) listener();
    },
    use: () => {
      const [value, setValue] = useState(() => current);
      useEffect(() => {
        const listener = (): void => setValue(() => current);
        listeners.add(listener);
        listener();
        return () => void listeners.delete(listener);
      }, []);
      return value;
    },
  };
}
