import { payload, success } from "../calls.js";
import { pagesOf, type CalendarPages } from "../lists.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { Form, FirstPage, Read, Shape } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";

/** The tokens of the account. */
export interface TokensApi {
  /** Lists the tokens of the account, newest first, without the tokens themselves. */
  list(params?: ListTokensParams, options?: RequestOptions): CalendarPages<Token>;
  /** Creates a token. Store its secret: no other call returns it. */
  create(params: CreateTokenParams, options?: RequestOptions): Promise<TokenWithSecret>;
  /** Revokes a token, also the one of this client. */
  revoke(tokenId: string, options?: RequestOptions): Promise<Token>;
}

/** A token of the account, without the token itself. */
export interface Token extends Shape<Read<"tokens/list/">["tokens"][number]> {}
/** A token, and the token itself. */
export interface TokenWithSecret {
  /** The token. */
  readonly token: Token;
  /** The token itself; empty where the call repeats one that was done. */
  readonly secret: string;
}

/** Parameters of a new token. */
export interface CreateTokenParams extends Omit<Form<"tokens/create/">, "expires_in_days"> {
  /** How many days it is valid. */
  readonly expires_in_days?: number | string | undefined;
}

/** Where the list of tokens starts. */
export interface ListTokensParams extends FirstPage {}

/** @internal */
export function tokensApi(raw: RawExtensionsClient, send: Send): TokensApi {
  return {
    list: (params = {}, options) =>
      pagesOf(params, "tokens", (query) =>
        raw.GET("/api/kalends/v1/tokens/list/", { params: { query }, fetch: send(options) }),
      ),
    create: async ({ expires_in_days, ...params }, options) => {
      const body = {
        ...params,
        ...(expires_in_days !== undefined && { expires_in_days: `${expires_in_days}` }),
      };
      const call = raw.POST("/api/kalends/v1/tokens/create/", { body, fetch: send(options) });
      const { token, secret } = await success(call, "token", "object");
      return { token, secret };
    },
    revoke: (token_id, options) =>
      payload(
        raw.POST("/api/kalends/v1/tokens/revoke/", { body: { token_id }, fetch: send(options) }),
        "token",
      ),
  };
}
