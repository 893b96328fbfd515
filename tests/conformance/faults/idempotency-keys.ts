import type { Ask, Faults, Planted } from "./proxy.js";

/** The key of a write; undefined where there is none. */
const keyOf = ({ headers, params }: Ask, ofAll = false): string | undefined => {
  const key = headers["idempotency-key"];
  return typeof key === "string" ? `${ofAll ? "" : (params.get("token") ?? "")} ${key}` : undefined;
};

/** Answers a key that is used again as it was answered first, where `applies` says so. */
const firstAnswer =
  (
    applies: (seen: { readonly path: string; readonly status: number }, ask: Ask, status: number) => boolean,
    ofAll = false,
  ): NonNullable<Planted["instead"]> =>
  async (ask, { pass, memory }) => {
    const key = keyOf(ask, ofAll);
    const seen = key === undefined ? undefined : memory.get(key);
    const answered = await pass(ask);
    if (seen !== undefined && applies(seen, ask, answered.status)) return seen.answered;
    if (key !== undefined && seen === undefined)
      memory.set(key, { path: ask.path, status: answered.status, answered });
    return answered;
  };

/** Faults of writes that come again (extensions X2.1). */
export const faults: Faults = {
  X1: {
    clause: "extensions.md X2.1",
    foundBy: "extensions.idempotency.create-event-query",
    title: "a repeated write is done again",
    instead: async (ask, { pass, memory }) => {
      const key = keyOf(ask);
      if (key !== undefined && memory.has(key)) {
        const { "idempotency-key": _key, ...headers } = ask.headers;
        await pass({ ...ask, headers });
      }
      if (key !== undefined) memory.set(key, true);
      return pass(ask);
    },
  },
  X2: {
    clause: "extensions.md X2.1",
    foundBy: "extensions.idempotency.create-event-query",
    title: "a repeated answer does not say so",
    send: (answered) => {
      const { "idempotency-replayed": _replayed, ...headers } = answered.headers;
      return { ...answered, headers };
    },
  },
  X3: {
    clause: "extensions.md X2.1",
    foundBy: "extensions.idempotency.other-parameters",
    title: "a key that is used again with other parameters gets the old answer",
    instead: firstAnswer(({ path }, ask, status) => status === 422 && path === ask.path),
  },
  X4: {
    clause: "extensions.md X2.1",
    foundBy: "extensions.idempotency.other-operation",
    title: "a key that is used again with another operation gets the old answer",
    instead: firstAnswer(({ path }, ask, status) => status === 422 && path !== ask.path),
  },
  X5: {
    clause: "extensions.md X2.1",
    foundBy: "extensions.idempotency.invalid-keys",
    title: "any text is a key",
    ask: ({ headers }) => {
      if (!/^[!-~]{1,255}$/.test(String(headers["idempotency-key"]))) delete headers["idempotency-key"];
    },
  },
  X6: {
    clause: "extensions.md X2.1",
    foundBy: "extensions.idempotency.refused",
    title: "a refused request uses up its key",
    instead: firstAnswer((seen) => seen.status >= 400),
  },
  X20: {
    clause: "extensions.md X2.1",
    foundBy: "extensions.idempotency.accounts",
    title: "accounts share their keys",
    instead: firstAnswer(({ path }, ask) => path === ask.path, true),
  },
};
