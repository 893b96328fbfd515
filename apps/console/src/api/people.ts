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
  /** Id of the one calendar; empty for all. */
  readonly calendars: string;
  readonly sees: string;
};

interface WithLink {
  readonly link: string;
}

/** Makes a person. Returns the link by which she joins. */
export async function invitePerson({ name, role, calendars, sees }: Invitation): Promise<string> {
  const where = calendars === "" ? {} : { calendar_ids: calendars };
  const body = { name, role, ...where, sees_followers: sees === "true" };
  return (await request<WithLink>("people/invite/", body)).link;
}

/** Gives a person another name, role or calendars. */
export async function updatePerson(
  personId: string,
  { name, role, calendars, sees }: Invitation,
): Promise<void> {
  const where = calendars === "" ? {} : { calendar_ids: calendars };
  await request("people/update/", {
    person_id: personId,
    name,
    role,
    ...where,
    sees_followers: sees === "true",
  });
}

/** Returns a new link by which the person signs in. */
export async function renewLink(personId: string): Promise<string> {
  return (await request<WithLink>("people/link/", { person_id: personId })).link;
}

export async function removePerson(personId: string): Promise<void> {
  await request("people/remove/", { person_id: personId });
}
