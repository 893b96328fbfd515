import { hashToken } from "../accounts/tokens.js";
import { ApiError } from "../http/errors.js";
import type { Handlers } from "../http/handler.js";
import { knowsLink, takeLink, lockPersonOf, setIdentity } from "./queries.js";
import { openFor } from "./open.js";
import type { Provider } from "./oidc-provider.js";

/** Sign-in with an identity provider (extensions X9.2). It adds no person: a link assigns an identity to one. */
export function oidcHandlers(provider: Provider | undefined): Pick<Handlers, "oidcStart" | "oidcReturn"> {
  return {
    async oidcStart({ link = "" }, { db, now, base, session, error }) {
      if (!session.canSignIn) throw error("session_insecure");
      await session.countAttempt("oidc start");
      if (link !== "" && !(await knowsLink(db.read, hashToken(link), now))) {
        await session.countGuess();
        throw error("link_unknown");
      }
      if (provider === undefined) throw error("oidc_unavailable");
      const { url, flow } = await provider.begin(returnAddress(base)).catch(unavailable);
      const { state, nonce, verifier } = flow;
      session.setFlow([state, nonce, verifier, ...(link === "" ? [] : [link])].join("."), flowSeconds);
      return { url };
    },

    async oidcReturn({ query }, context) {
      const { db, now, base, session, error } = context;
      if (provider === undefined) throw error("oidc_unavailable");
      await session.countAttempt("oidc return");
      const [state = "", nonce = "", verifier = "", link = ""] = session.flow?.split(".") ?? [];
      const address = new URL(`${returnAddress(base)}?${query}`);
      const flow = { state, nonce, verifier };
      const identity =
        state === "" ? { reason: "no cookie" } : await provider.finish(address, flow).catch(unavailable);
      if ("reason" in identity) throw Object.assign(error("identity_refused"), identity);
      return db.transaction(async (trx) => {
        const person =
          link === "" ? await lockPersonOf(trx, identity) : await takeLink(trx, hashToken(link), now);
        const unknown = (reason: string) => Object.assign(error("identity_unknown"), { reason });
        if (person === undefined) throw link === "" ? unknown("not invited") : error("link_unknown");
        const { id: person_id, account_id } = person;
        if (link !== "" && !(await setIdentity(trx, { ...identity, person_id, created_at: now })))
          throw unknown("of another person");
        session.setFlow("", 0);
        return openFor(trx, { account_id, person_id, token_id: null }, context);
      });
    },
  };
}

/** @throws ApiError with the cause, which is logged */
function unavailable(cause: unknown): never {
  throw Object.assign(new ApiError("oidc_unavailable"), { cause });
}

/** Time limit at the provider, in seconds. */
const flowSeconds = 600;

/**
 * The provider redirects to a page of the console, so that only the console's own request opens a session (extensions X9.3).
 */
const returnAddress = (base: string): string => `${base}/console/oidc`;
