import type { AnyOperationId } from "@kalends/spec";
import type { Author, Grant, Scope } from "../db/rows.js";

export interface Principal {
  readonly accountId: number;
  /** Undefined for a session. */
  readonly tokenId: number | undefined;
  readonly scope: Scope;
  /** Unix seconds; null for never. */
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  /** Undefined for a token. */
  readonly session?: SignedIn;
}

/** Returns the author of a write for the history. A session that a token has opened counts as that token. */
export function authorOf({ session, tokenId }: Principal, operation: AnyOperationId): Author {
  const { personId } = session ?? {};
  if (personId !== undefined) return { kind: "person", id: personId, operation };
  return { kind: "token", id: session?.tokenId ?? tokenId ?? 0, operation };
}

/** Returns the calendars that these grants let a person read; undefined for all. */
export function readableCalendars(grants: SignedIn["grants"]): ReadonlySet<number> | undefined {
  const ids = new Set(grants.map(({ calendar_id }) => calendar_id));
  return ids.has(0) ? undefined : ids;
}

/** Reports whether a grant shows the names and addresses of followers (extensions X9.1). That of an owner always does. */
export function showsFollowers({ role, sees_followers }: Pick<Grant, "role" | "sees_followers">): boolean {
  return role === "owner" || sees_followers === 1;
}

/** Reports whether the principal sees the followers of a calendar. A token and the command line see all. */
export function seesFollowers(principal: Principal | undefined, calendarId: number): boolean {
  const { session } = principal ?? {};
  const isOn = ({ calendar_id }: Grant): boolean => calendar_id === 0 || calendar_id === calendarId;
  return session === undefined || session.grants.some((grant) => isOn(grant) && showsFollowers(grant));
}

export type TokenPrincipal = Principal & { readonly tokenId: number };

export interface SignedIn {
  readonly id: number;
  /** Undefined where a token has signed in. */
  readonly personId: number | undefined;
  readonly tokenId: number | undefined;
  readonly name: string;
  readonly language: string;
  readonly accountName: string;
  /** The grants as text: principals with the same grants share cached responses. */
  readonly grantsKey: string;
  readonly grants: readonly Grant[];
}
