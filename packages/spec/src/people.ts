import * as z from "zod";
import { access, roles } from "./access.js";
import { answer, flag, ids, instant, parameter } from "./fields.js";
import { operation, type OperationTable } from "./operation.js";
import { grant, languageParameter, personName } from "./sessions.js";
import { rule } from "./failures.js";

/** Most people of an account, and most calendars for which a person has single grants. */
export const mostOfPeople = { people: 200, calendars: 100 } as const;

const personId = ids.calendar.meta({ description: "Id of the person: digits, as a string.", example: "2" });

const person = z
  .object({
    id: personId,
    name: z.string().meta({ description: "Name of the person.", example: "Grace" }),
    email: z
      .string()
      .meta({ description: "E-mail address; empty when unknown.", example: "grace@example.com" }),
    language: z
      .string()
      .meta({ description: "Language of the console; empty for that of the browser.", example: "en" }),
    status: z.enum(["active", "invited", "disabled"]).meta({
      description: "`invited` until the person first signs in; `disabled` when the operator refuses sign-in.",
      example: "invited",
    }),
    grants: z.array(grant).meta({ description: "What the person may do, by calendar." }),
    date_create: instant.meta({ description: "When the person was added.", example: "2026-07-02T12:00:00Z" }),
  })
  .meta({ id: "Person", description: "A person of the account." });

const idsRule = rule(
  "not_an_id",
  `must be up to ${mostOfPeople.calendars} ids with commas between them, or all`,
);
const fields = {
  email: parameter.email.optional().meta({ description: "E-mail address.", example: "grace@example.com" }),
  language: languageParameter,
  calendar_ids: z
    .string()
    .regex(/^(all|[1-9][0-9]{0,15}(,[1-9][0-9]{0,15})*)$/, idsRule)
    .refine((text) => text.split(",").length <= mostOfPeople.calendars, idsRule)
    .optional()
    .meta({
      type: "array",
      items: { type: "string" },
      description:
        "The calendars that the role is for; `all` means all of the account, later ones too, as does its absence on invitation.",
      example: ["1"],
    }),
  sees_followers: flag.optional().meta({
    description:
      "Whether the person sees the names and the addresses of followers; `false` when absent on invitation. An owner always does.",
    example: "false",
  }),
};
const role = z.enum(roles, "must be owner, editor or viewer").meta({
  description: "`owner` may do everything, `editor` change events and texts, `viewer` read.",
  example: "editor",
});
const name = personName.meta({ description: "Name of the person.", example: "Grace" });

const one = z.object({ person });
/** Of what makes a link (extensions X9.2). */
const byMail = {
  send_mail: flag.optional().meta({
    description: "`true`: the person also gets a link of their own by e-mail. Without a value, `false`.",
    example: "false",
  }),
};
const withLink = z.object({
  person,
  link: z.string().meta({
    description: "The address of the sign-in page, with the secret behind `#`. Shown this once.",
    example: `https://calendars.example.com/console/join#${"x".repeat(43)}`,
  }),
  date_expires: instant.meta({ description: "When the link expires.", example: "2026-07-09T12:00:00Z" }),
});

const shared = {
  document: "extensions",
  codeType: "string",
  tag: "People",
  section: "people",
  auth: "session",
  access: access.ownerOfAll,
} as const;
const write = { ...shared, kind: "write", methods: ["post"] } as const;

/** The people of the account (extensions X9.1). Only below /console/api/. */
export const peopleOperations = {
  peopleList: operation({
    ...shared,
    kind: "read",
    methods: ["get"],
    path: "/console/api/people/list/",
    summary: "List people",
    returns: "The people of the account.",
    description: `Returns the people of the account, at most ${mostOfPeople.people}, in the order in which they were added.`,
    params: z.object({}),
    payload: z.object({ people: z.array(person).meta({ description: "The people." }) }),
    errors: [],
  }),
  peopleInvite: operation({
    ...write,
    path: "/console/api/people/invite/",
    summary: "Invite a person",
    returns: "The person, and a link.",
    description: "Adds a person with a role, and returns a link that signs in once within 7 days.",
    params: z.object({ name, role, ...fields, ...byMail }),
    structured: { calendar_ids: "list" },
    clearable: ["calendar_ids"], // an empty list is kept to be refused: it does not mean all
    partial: true,
    payload: withLink,
    shownOnce: "link",
    errors: ["calendar_not_found", "mail_not_set_up", "person_limit_reached"],
    example: { mistake: { role: "admin" } },
  }),
  peopleUpdate: operation({
    ...write,
    path: "/console/api/people/update/",
    summary: "Change a person",
    returns: "The changed person.",
    description:
      "Changes the fields that are sent, and no others: `role` and `sees_followers` in the calendars that the person has, or in " +
      "`calendar_ids` where it is sent, in the place of those.",
    params: z.object({ person_id: personId, name: name.optional(), role: role.optional(), ...fields }),
    structured: { calendar_ids: "list" },
    clearable: ["name", "email", "language", "role", "calendar_ids", "sees_followers"],
    partial: true,
    payload: one,
    errors: ["calendar_not_found", "person_not_found", "last_owner"],
    example: { mistake: { role: "admin" } },
  }),
  peopleLink: operation({
    ...write,
    path: "/console/api/people/link/",
    summary: "Make a link for a person",
    returns: "The person, and a link.",
    description:
      "Returns a link that signs in once: within 7 days before the first sign-in, within 15 minutes after it. Earlier links end.",
    params: z.object({ person_id: personId, ...byMail }),
    payload: withLink,
    shownOnce: "link",
    errors: ["person_not_found", "mail_not_set_up"],
    example: { mistake: { person_id: "0" } },
  }),
  peopleRemove: operation({
    ...write,
    path: "/console/api/people/remove/",
    summary: "Remove a person",
    returns: "The id of the person.",
    description: "Removes a person, whose sessions and links end at once.",
    params: z.object({ person_id: personId }),
    payload: z.object({
      person: z
        .object({ id: personId, status: answer.deleted })
        .meta({ id: "RemovedPerson", description: "The id of a person who was removed." }),
    }),
    errors: ["person_not_found", "last_owner"],
    example: { mistake: { person_id: "0" } },
  }),
} satisfies OperationTable;
