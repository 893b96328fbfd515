import * as z from "zod";
import { access } from "./access.js";
import { answer, ids, instant } from "./fields.js";
import { operation, type OperationTable } from "./operation.js";
import { rule } from "./failures.js";

/** Most passkeys of a person. */
export const mostPasskeys = 20;

const text = (description: string, example: string) => z.string().meta({ description, example });

/** Input of both ceremonies of WebAuthn. */
export const ceremony = {
  challenge: text(
    "What the passkey signs, in base64url: valid for five minutes, and once. Empty where passkeys cannot be used: they need https and a host name.",
    "x".repeat(72),
  ),
  rp_id: text("The host that the passkeys are for.", "calendars.example.com"),
};

const isObject = (value: string): boolean => {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
};
const credentialRule = rule("malformed", "must be a JSON object, as a browser makes of a credential");
const mostCharacters = 16_384;

export const credentialParameter = z
  .string()
  .max(mostCharacters, rule("too_long", `must be at most ${mostCharacters} characters`, mostCharacters))
  .refine(isObject, credentialRule)
  .meta({
    type: "object",
    additionalProperties: true,
    description:
      "The credential, as `toJSON()` of a PublicKeyCredential has it. In a form it is the text of the object.",
    example: { id: "x", type: "public-key" },
  });

const passkey = z
  .object({
    id: ids.calendar.meta({ description: "Id of the passkey: digits, as a string.", example: "1" }),
    device: text("The browser and system that added it, by its User-Agent.", "Firefox, Linux"),
    synced: z.boolean().meta({
      description: "Whether its provider copies it to other devices.",
      example: true,
    }),
    date_create: instant.meta({ description: "When it was added.", example: "2026-07-02T12:00:00Z" }),
    date_used: instant.meta({
      description: "When someone last signed in with it, or when it was added.",
      example: "2026-07-02T12:00:00Z",
    }),
  })
  .meta({ id: "Passkey", description: "A passkey of the person." });

const shared = {
  document: "extensions",
  codeType: "string",
  tag: "Sessions",
  section: "sessions",
  auth: "session",
  access: access.anyone,
} as const;
const read = { ...shared, kind: "read", methods: ["get"] } as const;
const write = { ...shared, kind: "write", methods: ["post"] } as const;

/** Passkeys of the person who has signed in (extensions X9.2). Only below /console/api/. */
export const passkeyOperations = {
  passkeysOptions: operation({
    ...read,
    path: "/console/api/passkeys/options/",
    summary: "Begin to add a passkey",
    returns: "What `navigator.credentials.create()` needs.",
    description: "Returns a challenge for a new passkey of the person.",
    params: z.object({}),
    payload: z.object({
      ...ceremony,
      user_id: text("What devices know a person by: base64url.", "x".repeat(43)),
      user_name: text("The name of the person.", "Ada"),
      known_ids: z.array(z.string()).meta({
        description: "Ids of the person's credentials, in base64url.",
        example: ["mPb1QTzc"],
      }),
    }),
    errors: ["person_not_found"],
  }),
  passkeysCreate: operation({
    ...write,
    path: "/console/api/passkeys/create/",
    summary: "Add a passkey",
    returns: "The passkey.",
    description: `Adds a passkey to the person who has signed in, at most ${mostPasskeys}. It must have verified the person, by a PIN or a fingerprint.`,
    params: z.object({ credential: credentialParameter }),
    structured: { credential: "object" },
    payload: z.object({ passkey }),
    errors: ["person_not_found", "passkey_refused", "passkey_limit_reached"],
    example: { mistake: { credential: "x" } },
  }),
  passkeysList: operation({
    ...read,
    path: "/console/api/passkeys/list/",
    summary: "List the passkeys",
    returns: "The passkeys of the person.",
    description: `Returns the passkeys of the person, at most ${mostPasskeys}, in the order in which they were added.`,
    params: z.object({}),
    payload: z.object({ passkeys: z.array(passkey).meta({ description: "The passkeys." }) }),
    errors: [],
  }),
  passkeysDelete: operation({
    ...write,
    path: "/console/api/passkeys/delete/",
    summary: "Remove a passkey",
    returns: "The id of the passkey.",
    description: "Removes a passkey of the person. Sessions that it has opened stay until they are ended.",
    params: z.object({ passkey_id: passkey.shape.id }),
    payload: z.object({
      passkey: z
        .object({ id: passkey.shape.id, status: answer.deleted })
        .meta({ id: "RemovedPasskey", description: "The id of a passkey that was removed." }),
    }),
    errors: ["passkey_not_found"],
    example: { mistake: { passkey_id: "0" } },
  }),
} satisfies OperationTable;
