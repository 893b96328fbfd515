import { daySeconds } from "../time/formats.js";
import { settingTokenName } from "./first-start.js";
import { issueToken } from "../accounts/queries.js";
import * as queries from "../accounts/queries.js";
import { pageOf, rowsOf } from "../db/paging.js";
import { ApiError } from "../http/errors.js";
import type { Handlers } from "../http/handler.js";
import { lockSession } from "./queries.js";
import * as serialize from "./token-serialize.js";

/** Most valid tokens of an account. */
const mostValid = 100;

/** Newest tokens that are kept even when invalid: each creation counts all rows. */
const mostKept = 1_000;

export const tokenHandlers = {
  async tokensList(_params, { db, accountId, principal, now, page }) {
    const rows = await db.list(accountId, ({ read }) => queries.pageOfTokens(read, accountId, rowsOf(page)));
    const { items, paging } = pageOf(page, rows);
    return { tokens: items.map((row) => serialize.token(row, now, principal?.tokenId)), paging };
  },

  async tokensCreate({ name, scope = "read", expires_in_days: days }, context) {
    const { db, accountId, principal, now, error } = context;
    const refused = (parameter: string, message: string, code: "not_allowed" | "too_late") =>
      error("parameter_invalid", [{ parameter, message, code }]);
    if (name === settingTokenName)
      throw refused("name", `must not be ${settingTokenName}, the name of a setting`, "not_allowed");
    // A token creates none that outlasts it.
    const latest = principal?.expiresAt ?? null;
    const expires_at = days === undefined ? latest : now + Number(days) * daySeconds;
    if (latest !== null && expires_at !== null && expires_at > latest)
      throw refused("expires_in_days", "must not outlast the token of the request", "too_late");
    return db.transaction(async (trx) => {
      if (!(await queries.lockAccount(trx, accountId))) throw new ApiError("token_unknown");
      // A cached token is accepted for some time after its revocation; a token that it created would be valid for longer.
      const { session } = principal ?? {};
      const tokenId = principal?.tokenId ?? session?.tokenId;
      if (tokenId !== undefined && !(await queries.lockValidToken(trx, tokenId, now)))
        throw new ApiError("token_unknown");
      if (session !== undefined && !(await lockSession(trx, session.id)))
        throw new ApiError("session_missing");
      if ((await queries.countValidTokens(trx, accountId, now)) >= mostValid)
        throw error("token_limit_reached");
      const fields = { account_id: accountId, name, scope, created_at: now, expires_at };
      const { row, token } = await issueToken(trx, fields);
      await queries.forgetEndedTokens(trx, accountId, now, mostKept);
      return { token: serialize.token(row, now, principal?.tokenId), secret: token };
    });
  },

  async tokensRevoke({ token_id }, { db, accountId, principal, now, error }) {
    return db.transaction(async (trx) => {
      const row = await queries.revokeToken(trx, Number(token_id), now, accountId);
      if (row === undefined) throw error("token_not_found");
      return { token: serialize.token(row, now, principal?.tokenId) };
    });
  },
} satisfies Partial<Handlers>;
