import { request } from "./requests.js";

export type Role = "owner" | "editor" | "viewer";

/** Who is signed in, and what she may do. The server decides both. */
export interface Session {
  readonly person: { readonly id: string; readonly name: string; readonly language: string };
  readonly account: { readonly id: string; readonly name: string };
  readonly grants: readonly {
    /** Empty for all calendars of the account. */
    readonly calendar_id: string;
    readonly role: Role;
    readonly sees_followers: boolean;
  }[];
  /** What this server has been set up for. */
  readonly can: { readonly mail: boolean; readonly passkeys: boolean; readonly oidc: boolean };
  readonly version: string;
}

/** Where the person has signed in. */
export interface OpenSession {
  readonly id: string;
  readonly device: string;
  /** Whether it is that of this page. */
  readonly current: boolean;
  readonly date_create: string;
  readonly date_used: string;
}

export function readSession(): Promise<Session> {
  return request("session/");
}

/** Opens a session by a sign-in link or its secret, or by a token. */
export async function openSession(text: string): Promise<void> {
  const pasted = text.trim();
  const secret = pasted.slice(pasted.lastIndexOf("#") + 1);
  await request("session/open/", pasted.startsWith("kal_") ? { token: pasted } : { link: secret });
}

/** What a sign-in link is for. */
export interface LinkPurpose {
  readonly account: { readonly name: string; readonly logo_id: string };
  readonly person: string;
  /** Empty when unknown. */
  readonly invited_by: string;
  /** Whether the person has signed in before. */
  readonly joined: boolean;
  readonly grants: readonly {
    /** Title of the calendar; empty for all. */
    readonly calendar: string;
    readonly role: Role;
    readonly sees_followers: boolean;
  }[];
  readonly date_expires: string;
}

/** Reads what the link of a secret is for, which does not use it up. */
export async function readLink(link: string): Promise<LinkPurpose> {
  return (await request<{ readonly invitation: LinkPurpose }>("session/link/", { link })).invitation;
}

export async function endSession(): Promise<void> {
  await request("session/end/", {});
}

export async function listSessions(): Promise<readonly OpenSession[]> {
  const { sessions } = await request<{ readonly sessions: readonly OpenSession[] }>("sessions/list/");
  return sessions;
}

export async function endOneSession(id: string): Promise<void> {
  await request("sessions/end/", { session_id: id });
}

/** Whether the person may do everything in all calendars. */
export function isOwner({ grants }: Session): boolean {
  return grants.some(({ calendar_id, role }) => calendar_id === "" && role === "owner");
}

/** The role on one calendar: that of its own grant, else that on all. */
export function roleOn({ grants }: Session, calendarId: string): Role {
  const grant =
    grants.find(({ calendar_id }) => calendar_id === calendarId) ??
    grants.find(({ calendar_id }) => calendar_id === "");
  return grant?.role ?? "viewer";
}

/** Whether names and addresses of the followers of a calendar may be seen: a permission of its own (extensions X9.1). */
export function seesFollowers({ grants }: Session, calendarId: string): boolean {
  const own = grants.filter(({ calendar_id }) => calendar_id === "" || calendar_id === calendarId);
  return own.some((grant) => grant.sees_followers);
}
