import { payload } from "../calls.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { Form, Read, Shape } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";

/** The profile of the account, which its pages show. */
export interface AccountApi {
  /** Reads the account. */
  get(options?: RequestOptions): Promise<Account>;
  /** Changes the fields that are given; an empty value clears. */
  update(params: UpdateAccountParams, options?: RequestOptions): Promise<Account>;
}

/** The profile of an account, which its pages show. */
export interface Account extends Shape<Read<"account/details/">["account"]> {}
/** Parameters of an update of the account. */
export interface UpdateAccountParams extends Shape<Form<"account/update/">> {}

/** @internal */
export function accountApi(raw: RawExtensionsClient, send: Send): AccountApi {
  return {
    get: (options) =>
      payload(raw.GET("/api/kalends/v1/account/details/", { fetch: send(options) }), "account"),
    update: (params, options) =>
      payload(raw.POST("/api/kalends/v1/account/update/", { body: params, fetch: send(options) }), "account"),
  };
}
