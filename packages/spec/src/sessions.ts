import * as z from "zod";
import { access, roles } from "./access.js";
import { rule } from "./failures.js";
import { answer, ids, instant, parameter } from "./fields.js";
import { operation, type OperationTable, pagingSchema } from "./operation.js";
import { ceremony, credentialParameter } from "./passkeys.js";

/** The languages of the console. */
export const languages = ["de", "en", "es", "fr"] as const;

const text = (description: string, example: string) => z.string().meta({ description, example });

export const role = z.enum(roles).meta({
  description: "`owner` may do everything, `editor` change events and texts, `viewer` read.",
  example: "owner",
});

export const grant = z
  .object({
    calendar_id: text("Id of the calendar; empty for all calendars of the account.", ""),
    role,
    sees_followers: z.boolean().meta({
      description: "Whether the person sees the names and the addresses of followers, as each owner does.",
      example: true,
    }),
  })
  .meta({ id: "Grant", description: "What a person may do in one calendar, or in all." });

const person = z
  .object({
    id: text("Id of the person; empty when a token has signed in.", "1"),
    name: text("Name of the person, or of the token.", "Ada"),
    language: text("Language of the console; empty for that of the browser.", "en"),
  })
  .meta({ id: "SignedInPerson", description: "Who has signed in." });

const session = z.object({
  person,
  account: z
    .object({ id: text("Id of the account.", "1"), name: text("Name of the account.", "Concerts") })
    .meta({ id: "Account", description: "The account." }),
  role: role.meta({
    description: "The role in all calendars; without one, the highest in any.",
    example: "owner",
  }),
  grants: z.array(grant).meta({ description: "What the person may do, by calendar." }),
  can: z
    .object({
      mail: z.boolean().meta({ description: "Whether the server sends e-mail.", example: false }),
      passkeys: z.boolean().meta({ description: "Whether passkeys can be used.", example: false }),
      oidc: z.boolean().meta({ description: "Whether OpenID Connect is configured.", example: false }),
    })
    .meta({ id: "SignInWays", description: "What this server has been set up for." }),
  version: text("Version of the server.", "0.1.0"),
});

const listedSession = z
  .object({
    id: ids.calendar.meta({ description: "Id of the session: digits, as a string.", example: "1" }),
    device: text("The browser and system that opened it, by its User-Agent.", "Firefox, Linux"),
    current: z.boolean().meta({ description: "Whether this request belongs to it.", example: true }),
    date_create: instant.meta({ description: "When it was opened.", example: "2026-07-02T12:00:00Z" }),
    date_used: instant.meta({
      description: "When it was last used, up to an hour late.",
      example: "2026-07-02T12:00:00Z",
    }),
  })
  .meta({ id: "OpenSession", description: "A session of the person." });

const invitation = z
  .object({
    account: z
      .object({
        name: text("Name of the account, as its pages show it.", "TSV Bergholz"),
        logo_id: text("Id of its logo; empty without one.", ""),
      })
      .meta({ id: "InvitingAccount", description: "The account." }),
    person: text("Name of the person whom the link signs in.", "Grace"),
    invited_by: text("Name of the person who sent the invitation; empty when unknown or removed.", "Ada"),
    joined: z.boolean().meta({ description: "Whether the person has signed in before.", example: false }),
    grants: z
      .array(
        z
          .object({
            calendar: text("Title of the calendar; empty for all calendars of the account.", ""),
            role,
            sees_followers: grant.shape.sees_followers,
          })
          .meta({ id: "InvitationGrant", description: "A role in one calendar, or in all." }),
      )
      .meta({ description: "What the person may do, by calendar." }),
    date_expires: instant.meta({ description: "When the link expires.", example: "2026-07-09T12:00:00Z" }),
  })
  .meta({ id: "Invitation", description: "What a sign-in link is for." });

const ended = z.object({
  session: z
    .object({ id: listedSession.shape.id, status: answer.deleted })
    .meta({ id: "EndedSession", description: "The id of a session that has ended." }),
});

/** The empty value is not printed: some generators name a member of an enum after it. */
export const languageParameter = z
  .enum(["", ...languages], "must be de, en, es or fr")
  .optional()
  .meta({
    enum: [...languages],
    description: "Language of the console. An empty value, and none on creation, mean that of the browser.",
    example: "en",
  });

/**
 * Direction controls, invisible characters, and characters without effect: joiners after letters that never join, selectors
 * after characters without variants.
 */
const invisible = new RegExp(
  [
    "[\\p{Bidi_Control}\\p{Zl}\\p{Zp}\\u2800\\ufff9-\\ufffb]",
    "(?![\\u200c\\u200d\\p{Variation_Selector}])\\p{Default_Ignorable_Code_Point}",
    "(?<=^|[\\s\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}])[\\u200c\\u200d]",
    "(?<![\\p{Script=Han}\\p{Script=Mongolian}\\p{Emoji}])\\p{Variation_Selector}",
  ].join("|"),
  "u",
);

/** Names are in the list of people with access: none may hide a part of it, or look like another. */
export const personName = parameter.title.refine(
  (value) => !invisible.test(value),
  rule(
    "forbidden_characters",
    "must hold no invisible characters, and none that change the direction of text",
  ),
);

const shared = { document: "extensions", codeType: "string", tag: "Sessions", section: "sessions" } as const;
const read = { ...shared, kind: "read", methods: ["get"], auth: "session" } as const;
const write = { ...shared, kind: "write", methods: ["post"] } as const;

/** The secret of a link, or a token. */
const secret = z
  .string()
  .regex(
    /^[A-Za-z0-9_-]{16,128}$/,
    rule("malformed", "must be 16 to 128 characters of A-Z, a-z, 0-9, _ and -"),
  );

/** Longest query of a provider's redirect, in characters. */
const mostOfQuery = 8_192;

const linkText = { description: "What stands after `#` in the link.", example: "x".repeat(43) };
const link = secret.optional().meta(linkText);

/** Operations of the console's cookie, which no token can call (extensions X9.2, X9.3). They are only below /console/api/. */
export const sessionOperations = {
  sessionOpen: operation({
    ...write,
    auth: "link",
    access: access.anyone,
    path: "/console/api/session/open/",
    summary: "Sign in",
    returns: "The session, and its cookie.",
    description:
      "Opens a session with one of these: the secret of a one-time link, which is then used up, a passkey, or a token of the scope `write`, for an hour at most.",
    params: z.object({
      link,
      passkey: credentialParameter.optional(),
      token: secret.optional().meta({
        description: "A token.",
        example: `kal_${"0".repeat(49)}`,
      }),
    }),
    structured: { passkey: "object" },
    payload: session,
    errors: ["link_unknown", "passkey_unknown", "session_insecure"],
    example: { sends: ["link"], mistake: { link: "short" } },
  }),
  sessionLink: operation({
    ...write,
    auth: "link",
    access: access.anyone,
    path: "/console/api/session/link/",
    summary: "Read what a sign-in link is for",
    returns: "The account, who invited, and what the person may do.",
    description:
      "Reads a one-time link and does not use it up. It takes a POST, so that the secret is in no address and no log.",
    params: z.object({ link: secret.meta(linkText) }),
    payload: z.object({ invitation }),
    errors: ["invitation_not_found"],
    example: { mistake: { link: "short" } },
  }),
  sessionWays: operation({
    ...read,
    auth: "link",
    access: access.anyone,
    path: "/console/api/session/ways/",
    summary: "Read how one can sign in",
    returns: "A challenge for a passkey, and the name of the identity provider.",
    description: "Returns what the sign-in page needs beside a link.",
    params: z.object({}),
    payload: z.object({
      ...ceremony,
      oidc: text(
        "The name of the identity provider, or its host; empty when there is none.",
        "login.example.com",
      ),
    }),
    errors: [],
  }),
  oidcStart: operation({
    ...write,
    auth: "link",
    access: access.anyone,
    path: "/console/api/oidc/start/",
    summary: "Begin to sign in with the identity provider",
    returns: "Where to send the browser.",
    description:
      "Sets a cookie of ten minutes, and returns the address of the identity provider. With the secret of a one-time link the person of the link is " +
      "the one whom the provider names from then on.",
    params: z.object({ link }),
    payload: z.object({
      url: text(
        "The address of the provider, which sends the browser back to the console.",
        "https://login.example.com/auth?state=x",
      ),
    }),
    errors: ["link_unknown", "session_insecure", "oidc_unavailable"],
    example: { mistake: { link: "short" } },
  }),
  oidcReturn: operation({
    ...write,
    auth: "link",
    access: access.anyone,
    path: "/console/api/oidc/return/",
    summary: "Sign in with the identity provider",
    returns: "The session, and its cookie.",
    description:
      "Opens a session for the person whom the provider names by its issuer and subject. Who was not invited is refused.",
    params: z.object({
      query: z
        .string()
        .max(mostOfQuery, rule("too_long", `must be at most ${mostOfQuery} characters`, mostOfQuery))
        .meta({
          description: "The query of the address that the provider has sent the browser to.",
          example: "code=x&state=y",
        }),
    }),
    payload: session,
    errors: ["link_unknown", "identity_refused", "identity_unknown", "session_insecure", "oidc_unavailable"],
    example: { mistake: { query: "" } },
  }),
  session: operation({
    ...read,
    access: access.anyone,
    path: "/console/api/session/",
    summary: "Read the session",
    returns: "The session.",
    description: "Returns who has signed in and what that person may do.",
    params: z.object({}),
    payload: session,
    errors: [],
  }),
  sessionUpdate: operation({
    ...write,
    auth: "session",
    access: access.anyone,
    path: "/console/api/session/update/",
    summary: "Change the own name and language",
    returns: "The session.",
    description: "Changes what is sent. A token that has signed in is no person, and is not found.",
    params: z.object({
      name: personName.optional().meta({ description: "Name of the person.", example: "Ada" }),
      language: languageParameter,
    }),
    clearable: ["name", "language"],
    partial: true,
    payload: session,
    errors: ["person_not_found"],
    example: { mistake: { language: "xx" } },
  }),
  sessionEnd: operation({
    ...write,
    auth: "session",
    access: access.anyone,
    path: "/console/api/session/end/",
    summary: "Sign out",
    returns: "The id of the session.",
    description: "Ends the session of the request and clears its cookie.",
    params: z.object({}),
    payload: ended,
    errors: [],
  }),
  sessionsList: operation({
    ...read,
    access: access.anyone,
    path: "/console/api/sessions/list/",
    summary: "List the sessions",
    returns: "A page of the sessions of the person.",
    description: "Returns the open sessions of the person in pages, newest first.",
    params: z.object({ page: parameter.page.optional() }),
    payload: z.object({
      sessions: z.array(listedSession).meta({ description: "The sessions of this page." }),
      paging: pagingSchema,
    }),
    errors: [],
    example: { mistake: { page: "0" } },
  }),
  sessionsEnd: operation({
    ...write,
    auth: "session",
    access: access.anyone,
    path: "/console/api/sessions/end/",
    summary: "End a session",
    returns: "The id of the session.",
    description: "Ends a session of the person, such as that of a lost device.",
    params: z.object({ session_id: listedSession.shape.id }),
    payload: ended,
    errors: ["session_not_found"],
    example: { mistake: { session_id: "0" } },
  }),
} satisfies OperationTable;
