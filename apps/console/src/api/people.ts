import { request } from "./requests.js";
import type { Session } from "./session.js";

/** A person of the account, and what she may do where. */
export interface Person {
  readonly id: string;
  readonly name: string;
  /** `invited` until the person first signs in. */
  readonly status: "active" | "invited" | "disabled";
  readonly grants: Session["grants"];
}

export async function listPeople(): Promise<readonly Person[]> {
  const { people } = await request<{ readonly people: readonly Person[] }>("people/list/");
  return people;
}

export type Invitation = {
  readonly name: string;
  readonly role: string;
  /** Ids of the calendars with commas between them; empty for all. */
  readonly calendars: string;
  readonly sees: string;
};

interface WithLink {
  readonly link: string;
}

/** Makes a person. Returns the link by which she joins. */
export async function invitePerson({ name, role, calendars, sees }: Invitation): Promise<string> {
  const sight = role === "owner" ? {} : { sees_followers: sees === "true" };
  const body = { name, role, calendar_ids: calendars === "" ? "all" : calendars, ...sight };
  return (await request<WithLink>("people/invite/", body)).link;
}

/** Changes what is not as before: the name, the role, the calendars, or whether the person sees followers, as each owner does. */
export async function updatePerson(personId: string, before: Invitation, after: Invitation): Promise<void> {
  const { name, role, calendars, sees } = after;
  await request("people/update/", {
    person_id: personId,
    ...(name === before.name ? {} : { name }),
    ...(role === before.role ? {} : { role }),
    ...(calendars === before.calendars ? {} : { calendar_ids: calendars === "" ? "all" : calendars }),
    ...(sees === before.sees || role === "owner" ? {} : { sees_followers: sees === "true" }),
  });
}

/** Returns a new link by which the person signs in. */
export async function renewLink(personId: string): Promise<string> {
  return (await request<WithLink>("people/link/", { person_id: personId })).link;
}

export async function removePerson(personId: string): Promise<void> {
  await request("people/remove/", { person_id: personId });
}
