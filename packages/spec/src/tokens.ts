import * as z from "zod";
import { access } from "./access.js";
import { rule } from "./failures.js";
import { ids, instant, instantOrNone, parameter } from "./fields.js";
import { extensionRead, extensionWrite, operation, type OperationTable, pagingSchema } from "./operation.js";

/** The longest validity that a token can be given, in days. */
const mostDays = 3_650;

const tokenId = ids.calendar.meta({ description: "Id of the token: digits, as a string.", example: "1" });
const scopes = ["read", "write"] as const;

const token = z
  .object({
    id: tokenId,
    name: z.string().meta({ description: "What the token is for.", example: "Console" }),
    scope: z
      .enum(scopes)
      .meta({ description: "What the token may do: `read`, or `write` too.", example: "write" }),
    ends_in: z.string().meta({ description: "The last four characters of the token.", example: "x7Qa" }),
    status: z.enum(["valid", "expired", "revoked"]).meta({
      description: "Whether the token is accepted: only when `valid`.",
      example: "valid",
    }),
    current: z.boolean().meta({ description: "Whether this request was made with it.", example: false }),
    date_create: instant.meta({ description: "Time of creation.", example: "2026-07-02T12:00:00Z" }),
    date_expires: instantOrNone.meta({
      description: "When it expires; empty when it does not.",
      example: "2026-09-30T12:00:00Z",
    }),
    date_used: instantOrNone.meta({
      description: "When it was last used, up to an hour late; empty when it was not.",
      example: "",
    }),
  })
  .meta({ id: "Token", description: "A token of the account, without the token itself." });

const createParams = z.object({
  name: parameter.title.meta({ description: "What the token is for.", example: "Console" }),
  scope: z.enum(scopes, "must be read or write").optional().meta({
    description: "What the token may do: `read`, or `write` too. Without a value, `read`.",
    example: "write",
  }),
  expires_in_days: z
    .string()
    .regex(
      /^(?:[1-9][0-9]{0,2}|[12][0-9]{3}|3[0-5][0-9]{2}|36[0-4][0-9]|3650)$/,
      rule("out_of_range", `must be a whole number of days, 1 to ${mostDays}`, mostDays),
    )
    .optional()
    .meta({
      description:
        `How many days the token is valid, 1 to ${mostDays}. Without a value it does not expire, or when the token of this request ` +
        "does. It cannot outlast that token.",
      example: "90",
    }),
});

const shared = { tag: "Tokens", section: "tokens" } as const;

export const tokenOperations = {
  tokensList: operation({
    ...extensionRead,
    ...shared,
    access: access.ownerOfAll,
    path: "/api/kalends/v1/tokens/list/",
    summary: "List tokens",
    returns: "A page of the tokens of the account.",
    description: "Returns the tokens of the account in pages, newest first, without the tokens themselves.",
    params: z.object({ page: parameter.page.optional() }),
    payload: z.object({
      tokens: z.array(token).meta({ description: "The tokens of this page." }),
      paging: pagingSchema,
    }),
    errors: [],
    example: { mistake: { page: "0" } },
  }),
  tokensCreate: operation({
    ...extensionWrite,
    ...shared,
    access: access.ownerOfAll,
    path: "/api/kalends/v1/tokens/create/",
    summary: "Create a token",
    returns: "The token, and the token itself, which is shown only in this response.",
    description:
      "Creates a token of the account. It is stored as a hash: no other response shows it, nor does one that is repeated by " +
      "`Idempotency-Key`, whose `secret` is empty.",
    params: createParams,
    shownOnce: "secret",
    payload: z.object({
      token,
      secret: z.string().meta({
        description: "The token itself. It is shown only in this response.",
        example: "kal_0000000000000000000000000000000000000000000x7Qa",
      }),
    }),
    errors: ["token_limit_reached"],
    example: { mistake: { expires_in_days: "0" } },
  }),
  tokensRevoke: operation({
    ...extensionWrite,
    ...shared,
    access: access.ownerOfAll,
    path: "/api/kalends/v1/tokens/revoke/",
    summary: "Revoke a token",
    returns: "The revoked token.",
    description:
      "Revokes a token of the account, also the one of this request. Every server refuses it within two seconds.",
    params: z.object({ token_id: tokenId }),
    payload: z.object({ token }),
    errors: ["token_not_found"],
    example: {
      answers: { token: { status: "revoked" } },
      mistake: { token_id: "abc" },
    },
  }),
} satisfies OperationTable;
