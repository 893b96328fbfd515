import { expect, test } from "vitest";
import { startTestServer, testServer } from "../../test/harness.js";
import { callConsole, newPerson, signIn } from "../../test/people.js";

// What a sign-in link shows before it is used (extensions X9.2).

const server = await testServer();

const errorOf = ({ status, body }: { readonly status: number; readonly body: unknown }): unknown => [
  status,
  Object(body).meta?.error_type,
];
/** An answer without what differs in each: the id of the request. */
const said = ({ text }: { readonly text: string }): string => text.replace(/"request_id":"\w+"/, "");
const missing = [404, "invitation_not_found"];
const linkOf = ({ body }: { readonly body: { readonly link: string } }): string =>
  body.link.split("#")[1] ?? "";
const read = (link: string) => callConsole(server, "sessionLink", { link });

test("names the account, who invited, and the roles, as often as it is read, and is not used up by it", async () => {
  const club = await server.account();
  const owner = await signIn(server, club.id);
  await owner.call("accountUpdate", { name: "TSV Bergholz" });
  const titles = ["Training", "Konzerte"];
  const made = await Promise.all(
    titles.map((title) => club.call("createCalendar", { title, timezone: "Europe/Berlin" })),
  );
  const calendar_ids = made.map(({ body }) => String(body.calendar.id)).join(",");
  const link = linkOf(await owner.call("peopleInvite", { name: "Grace", role: "editor", calendar_ids }));
  for (let look = 0; look < 2; look++)
    expect((await read(link)).body.invitation).toMatchObject({
      account: { name: "TSV Bergholz", logo_id: "" },
      person: "Grace",
      invited_by: "Ada",
      joined: false,
    });
  const { grants } = (await read(link)).body.invitation;
  expect(
    grants.map((grant: { calendar: string; role: string }) => [grant.calendar, grant.role]).toSorted(),
  ).toEqual([
    ["Konzerte", "editor"],
    ["Training", "editor"],
  ]);
  await club.call("calendarsDelete", { calendar_id: calendar_ids.split(",")[0] ?? "" });
  expect((await read(link)).body.invitation.grants).toHaveLength(1);
  expect((await callConsole(server, "sessionOpen", { link })).status).toBe(200);
  expect(errorOf(await read(link))).toEqual(missing);
});

test("names no one when the inviter was removed, or when it was the operator", async () => {
  const { id } = await server.account();
  await signIn(server, id);
  const leaving = await signIn(server, id);
  const link = linkOf(await leaving.call("peopleInvite", { name: "Grace", role: "owner" }));
  expect((await read(link)).body.invitation).toMatchObject({
    invited_by: "Ada",
    grants: [{ calendar: "", role: "owner", sees_followers: true }],
  });
  expect((await leaving.call("peopleRemove", { person_id: String(leaving.id) })).status).toBe(200);
  expect((await read(link)).body.invitation.invited_by).toBe("");
  const { link: ofOperator } = await newPerson(server, id);
  expect((await read(ofOperator)).body.invitation.invited_by).toBe("");
});

test("says the same of a link that is unknown, has expired, was replaced, or is of someone who was disabled", async () => {
  const { id: accountId } = await server.account();
  const owner = await signIn(server, accountId);
  const invited = await owner.call("peopleInvite", { name: "Grace", role: "viewer" });
  const person_id = String(invited.body.person.id);
  const newer = linkOf(await owner.call("peopleLink", { person_id }));
  const [answer, unknown] = [await read(linkOf(invited)), await read("x".repeat(43))];
  expect(errorOf(answer)).toEqual(missing);
  expect(said(unknown)).toBe(said(answer));
  const before = server.now;
  server.now += 7 * 86_400;
  expect(said(await read(newer))).toBe(said(unknown));
  server.now = before;
  expect((await read(newer)).status).toBe(200);
  await server.db.transaction((trx) =>
    trx("people")
      .where({ id: Number(person_id) })
      .update({ disabled_at: server.now }),
  );
  expect(said(await read(newer))).toBe(said(unknown));
});

test("says the same of a link of an account that was disabled, which signs no one in", async () => {
  const { id } = await server.account();
  const { link } = await newPerson(server, id);
  const change = (disabled_at: number | null) =>
    server.db.transaction((trx) => trx("accounts").where({ id }).update({ disabled_at }));
  await change(server.now);
  expect(said(await read(link))).toBe(said(await read("x".repeat(43))));
  expect((await callConsole(server, "sessionOpen", { link })).status).toBe(401);
  await change(null);
  expect((await read(link)).status).toBe(200);
  expect((await callConsole(server, "sessionOpen", { link })).status).toBe(200);
});

test("guesses are limited together with those of signing in, and refuse no link that is right", async () => {
  const own = await startTestServer();
  const { link } = await newPerson(own, (await own.account()).id);
  const statuses = new Set<number>();
  for (let guess = 0; guess < 50; guess++)
    statuses.add((await callConsole(own, "sessionLink", { link: `${guess}`.padStart(43, "x") })).status);
  expect([...statuses]).toEqual([404, 429]);
  expect((await callConsole(own, "sessionOpen", { link: "y".repeat(43) })).status).toBe(429);
  expect((await callConsole(own, "sessionLink", { link })).status).toBe(200);
  await own.stop();
});

test("is read by a POST of the console's own page alone", async () => {
  const { link } = await newPerson(server, (await server.account()).id);
  const foreign = await callConsole(server, "sessionLink", { link }, { "Sec-Fetch-Site": "cross-site" });
  expect(errorOf(foreign)).toEqual([403, "request_foreign"]);
  const { status } = await server.request(`/console/api/session/link/?link=${link}`, {
    headers: { "Sec-Fetch-Site": "same-origin", "Kalends-Console": "1" },
  });
  expect(status).toBe(405);
});
