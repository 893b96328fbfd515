import { isWrite, type AnyOperationId, allOperations, type Operation } from "@kalends/spec";
import { consolePathOf } from "../src/http/cookies.js";
import { issueLink } from "../src/people/links.js";
import { insertPerson, putGrant } from "../src/people/queries.js";
import type { GrantRow } from "../src/db/rows.js";
import { exchange, type RequestHeaders } from "./calls.js";
import type { Answer, TestServer } from "./harness.js";

/** What the console's own page sends from a browser, without its cookie. */
export const ownPage: Readonly<Record<string, string>> = {
  "Sec-Fetch-Site": "same-origin",
  "Kalends-Console": "1",
  "Content-Type": "application/json",
};

/** Calls an operation below /console/api/. */
export function callConsole(
  server: TestServer,
  id: AnyOperationId,
  params: Readonly<Record<string, string>> = {},
  headers: RequestHeaders = {},
): Promise<Answer> {
  const op: Operation = allOperations[id];
  const path = consolePathOf(op) ?? op.path;
  const sent = { ...ownPage, ...headers };
  if (isWrite(op))
    return exchange(server, path, { method: "POST", headers: sent, body: JSON.stringify(params) });
  return exchange(server, `${path}?${new URLSearchParams(params).toString()}`, { headers: sent });
}

/** The name and value of the cookie that an answer sets. */
export function cookieOf({ headers }: Answer): string {
  return headers.get("Set-Cookie")?.split(";")[0] ?? "";
}

export const ownerGrant: Omit<GrantRow, "person_id"> = { calendar_id: 0, role: "owner", sees_followers: 1 };

/** A new person of an account, with a link that was not used. */
export async function newPerson(
  { db, now }: TestServer,
  account_id: number,
  grants: readonly Omit<GrantRow, "person_id">[] = [ownerGrant],
): Promise<{ readonly id: number; readonly link: string }> {
  return db.transaction(async (trx) => {
    const person = { account_id, name: "Ada", email: "", language: "de", created_at: now };
    const { id } = await insertPerson(trx, person);
    for (const grant of grants) await putGrant(trx, { ...grant, person_id: id });
    const { secret: link } = await issueLink(trx, id, "join", now);
    return { id, link };
  });
}

/** Someone who has signed in. */
export interface SignedInPerson {
  readonly id: number;
  readonly cookie: string;
  call(
    id: AnyOperationId,
    params?: Readonly<Record<string, string>>,
    headers?: RequestHeaders,
  ): Promise<Answer>;
}

export async function signIn(
  server: TestServer,
  accountId: number,
  grants: readonly Omit<GrantRow, "person_id">[] = [ownerGrant],
): Promise<SignedInPerson> {
  const { id, link } = await newPerson(server, accountId, grants);
  const answer = await callConsole(server, "sessionOpen", { link });
  if (answer.status !== 200) throw new Error(answer.text);
  const cookie = cookieOf(answer);
  return {
    id,
    cookie,
    call: (operation, params, headers = {}) =>
      callConsole(server, operation, params, { Cookie: cookie, ...headers }),
  };
}
