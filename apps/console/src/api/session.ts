import { request } from "./requests.js";

export type Role = "owner" | "editor" | "viewer";

/** Who is signed in, and what she may do. The server decides both. */
export interface Session {
  readonly person: { readonly id: string; readonly name: string; readonly language: string };
  readonly account: { readonly id: string; readonly name: string };
  readonly role: Role;
  readonly grants: readonly {
    readonly calendar_id: string | null;
    readonly role: Role;
    readonly sees_followers: boolean;
  }[];
  readonly version: string;
}

export function readSession(): Promise<Session> {
  return request<Session>("session/");
}

/** Opens a session by a sign-in link or its secret, or by a token. */
export function openSession(text: string): Promise<Session> {
  const pasted = text.trim();
  const secret = pasted.slice(pasted.lastIndexOf("#") + 1);
  return request<Session>("session/open/", pasted.startsWith("kal_") ? { token: pasted } : { link: secret });
}

export async function endSession(): Promise<void> {
  await request("session/end/", {});
}

/** The role on one calendar. */
export function roleOn({ role, grants }: Session, calendarId: string): Role {
  return grants.find((grant) => grant.calendar_id === calendarId)?.role ?? role;
}
