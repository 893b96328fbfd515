import { describe, expect, test } from "vitest";
import { grantPerson, setDisabled } from "../cli/people.js";
import { testServer } from "../../test/harness.js";
import { callConsole, cookieOf, newPerson, signIn } from "../../test/people.js";

// Extensions X9.1: the people of an account, invited and changed by its owners.

const server = await testServer();

const errorOf = ({ body }: { readonly body: unknown }): unknown => Object(body).meta?.error_type;

/** An owner who has signed in, and a calendar. */
async function world() {
  const account = await server.account();
  const owner = await signIn(server, account.id);
  const { id: calendar_id }: { id: string } = (await owner.call("calendarsCreate", { title: "Concerts" }))
    .body.calendar;
  return { account, owner, calendar_id };
}

const secretOf = (link: string): string => link.slice(link.indexOf("#") + 1);

async function open(link: string) {
  const answer = await callConsole(server, "sessionOpen", { link: secretOf(link) });
  const headers = { Cookie: cookieOf(answer) };
  return {
    answer,
    call: (id: Parameters<typeof callConsole>[1], params = {}) => callConsole(server, id, params, headers),
  };
}

describe("a person who is invited", () => {
  test("joins by the link with the role that was given, and sees one calendar", async () => {
    const { owner, calendar_id } = await world();
    await owner.call("calendarsCreate", { title: "Council" });
    const invited = await owner.call("peopleInvite", {
      name: "Grace",
      role: "editor",
      calendar_ids: calendar_id,
    });
    expect(invited.body.person).toMatchObject({
      name: "Grace",
      status: "invited",
      grants: [{ calendar_id, role: "editor", sees_followers: false }],
    });
    expect(invited.body.link).toMatch(new RegExp(`^${server.url}/console/join#[\\w-]{43}$`));
    const grace = await open(invited.body.link);
    expect(grace.answer.body).toMatchObject({ role: "editor", person: { name: "Grace" } });
    expect((await grace.call("calendarsList")).body.calendars).toMatchObject([{ id: calendar_id }]);
    const people = (await owner.call("peopleList")).body.people;
    expect(people.map(({ status }: { status: string }) => status)).toEqual(["active", "active"]);
    expect(errorOf(await grace.call("peopleList"))).toBe("role_insufficient");
  });

  test("gets a link of 7 days before the first sign-in, of 15 minutes after it; the one before ends", async () => {
    const { owner } = await world();
    const { link: first, person } = (await owner.call("peopleInvite", { name: "Grace", role: "viewer" }))
      .body;
    const again = (await owner.call("peopleLink", { person_id: person.id })).body;
    expect(again.date_expires).toBe("2026-07-09T12:00:00Z");
    expect((await open(first)).answer.status).toBe(401);
    expect((await open(again.link)).answer.status).toBe(200);
    const later = (await owner.call("peopleLink", { person_id: person.id })).body;
    expect(later.date_expires).toBe("2026-07-02T12:15:00Z");
    server.now += 15 * 60;
    expect((await open(later.link)).answer.status).toBe(401);
    server.now -= 15 * 60;
  });

  test("has another role at once, in the session that is open, and is out when removed", async () => {
    const { owner, calendar_id } = await world();
    const { link, person } = (await owner.call("peopleInvite", { name: "Grace", role: "editor" })).body;
    const grace = await open(link);
    expect((await grace.call("calendarsUpdate", { calendar_id, title: "One" })).status).toBe(200);
    const person_id = person.id;
    const changed = await owner.call("peopleUpdate", { person_id, role: "viewer", name: "Grace H." });
    expect(changed.body.person).toMatchObject({
      name: "Grace H.",
      grants: [{ role: "viewer", calendar_id: "" }],
    });
    expect(errorOf(await grace.call("calendarsUpdate", { calendar_id, title: "Two" }))).toBe(
      "role_insufficient",
    );
    expect((await owner.call("peopleRemove", { person_id })).body.person.status).toBe("deleted");
    expect(errorOf(await grace.call("session"))).toBe("session_missing");
    expect(errorOf(await owner.call("peopleRemove", { person_id }))).toBe("person_not_found");
  });

  test("is out when removed while she signs in", async () => {
    const { owner } = await world();
    for (let round = 0; round < 10; round++) {
      const { link, person } = (await owner.call("peopleInvite", { name: "Grace", role: "viewer" })).body;
      const [grace, removed] = await Promise.all([
        open(link),
        owner.call("peopleRemove", { person_id: person.id }),
      ]);
      expect(removed.status, removed.text).toBe(200);
      expect(errorOf(await grace.call("session"))).toBe("session_missing");
    }
  });
});

describe("an account", () => {
  test("keeps an owner of all calendars, also when two go at once", async () => {
    const { owner } = await world();
    const { people } = (await owner.call("peopleList")).body;
    const person_id: string = people[0].id;
    for (const answer of [
      await owner.call("peopleRemove", { person_id }),
      await owner.call("peopleUpdate", { person_id, role: "editor" }),
    ])
      expect([answer.status, errorOf(answer)]).toEqual([409, "last_owner"]);
    const { link, person } = (await owner.call("peopleInvite", { name: "Grace", role: "owner" })).body;
    const grace = await open(link);
    const both = await Promise.all([
      owner.call("peopleRemove", { person_id: person.id }),
      grace.call("peopleRemove", { person_id }),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("keeps an owner who has signed in, also from the command line: one who was invited, or enabled again, is no other", async () => {
    const { account, owner } = await world();
    const person_id = String(owner.id);
    const { person: invited } = (await owner.call("peopleInvite", { name: "Grace", role: "owner" })).body;
    const { person: viewer } = (await owner.call("peopleInvite", { name: "Eve", role: "viewer" })).body;
    const ofCommand = `Person ${person_id} is the last owner of all calendars of account ${account.id}; give someone else that role first.`;
    const leave = async () => [
      errorOf(await owner.call("peopleRemove", { person_id })),
      errorOf(await owner.call("peopleUpdate", { person_id, role: "editor" })),
      await grantPerson(server.db, owner.id, { role: "editor" }).catch(({ message }) =>
        message === ofCommand ? "last_owner" : message,
      ),
    ];
    const stays = ["last_owner", "last_owner", "last_owner"];
    expect(await leave()).toEqual(stays);
    await grantPerson(server.db, owner.id, { role: "owner" });
    const { link } = (await owner.call("peopleLink", { person_id: invited.id })).body;
    const grace = await open(link);
    await setDisabled(server.db, Number(invited.id), server.now);
    expect(await leave()).toEqual(stays);
    await setDisabled(server.db, Number(invited.id), null);
    expect(await leave()).toEqual(stays);
    expect((await grace.call("session")).status).toBe(401);
    for (const { id } of [viewer, invited])
      expect((await owner.call("peopleRemove", { person_id: id })).status).toBe(200);
    expect(await leave()).toEqual(stays);
  });

  test("can lose its last owner by the command line, which reports it: that ends what someone else has opened", async () => {
    const { account, owner } = await world();
    const { link, person: other } = (await owner.call("peopleInvite", { name: "Grace", role: "owner" })).body;
    const left = `No other owner of account ${account.id} can sign in: run "person enable`;
    await open(link);
    const disable = async (id: number) => (await setDisabled(server.db, id, server.now)).warning ?? "";
    expect(await disable(Number(other.id))).not.toContain(left);
    expect(await disable(owner.id)).toContain(left);
    expect(await disable(owner.id)).not.toContain(left);
    expect((await owner.call("session")).status).toBe(401);
  });

  test("lets one in again who was disabled, by a new link alone; enabling who is not changes nothing", async () => {
    const { owner } = await world();
    const { link, person } = (await owner.call("peopleInvite", { name: "Grace", role: "viewer" })).body;
    const grace = await open(link);
    const own = { person_id: Number(person.id), created_at: 0 };
    const passkey = { used_at: 0, counter: 0, synced: 0, public_key: "", device: "", credential_id: link };
    await server.db.transaction(async (trx) => {
      await trx("passkeys").insert({ ...own, ...passkey });
      await trx("identities").insert({ ...own, issuer: "https://login.example", subject: link });
    });
    const rows = async (): Promise<readonly number[]> =>
      Promise.all(
        ["passkeys", "identities", "sessions", "sign_in_links"].map(
          async (table) => (await server.db.read(table).where({ person_id: own.person_id })).length,
        ),
      );
    await setDisabled(server.db, own.person_id, null);
    expect(await rows()).toEqual([1, 1, 1, 0]);
    const unused = (await owner.call("peopleLink", { person_id: person.id })).body.link;
    await setDisabled(server.db, own.person_id, server.now);
    expect(await rows()).toEqual([0, 0, 0, 0]);
    expect(errorOf(await owner.call("peopleLink", { person_id: person.id }))).toBe("person_not_found");
    await setDisabled(server.db, own.person_id, null);
    expect((await grace.call("session")).status).toBe(401);
    expect((await open(unused)).answer.status).toBe(401);
    const { link: later } = (await owner.call("peopleLink", { person_id: person.id })).body;
    expect((await open(later)).answer.status).toBe(200);
  });

  test("does not find people and calendars of others", async () => {
    const [one, two] = [await world(), await world()];
    const [{ id: person_id }] = (await two.owner.call("peopleList")).body.people;
    for (const id of ["peopleUpdate", "peopleLink", "peopleRemove"] as const) {
      const foreign = await one.owner.call(id, { person_id });
      const absent = await one.owner.call(id, { person_id: "9007199254740990" });
      expect([foreign.status, errorOf(foreign)]).toEqual([404, "person_not_found"]);
      expect(foreign.text.replace(/[0-9a-f]{32}/, "")).toBe(absent.text.replace(/[0-9a-f]{32}/, ""));
    }
    const { calendar_id } = two;
    const invited = await one.owner.call("peopleInvite", {
      name: "Eve",
      role: "owner",
      calendar_ids: calendar_id,
    });
    expect(errorOf(invited)).toBe("calendar_not_found");
  });

  test("has no person whose name is read as another one", async () => {
    const { owner } = await world();
    const inside = [
      "\u202e",
      "\u200b",
      "\u2028",
      "\u00ad",
      "\u034f",
      "\u200c",
      "\u2062",
      "\u2800",
      "\ufe00",
      "\ufff9",
      "\u{e0061}",
    ];
    for (const name of [
      "\u2066Ada",
      "Ada\ufeff",
      "\u3164",
      "\u200dAda",
      ...inside.map((one) => `A${one}a`),
    ]) {
      const invited = await owner.call("peopleInvite", { name, role: "viewer" });
      expect(invited.body.meta.errors).toMatchObject([{ parameter: "name", code: "forbidden_characters" }]);
      expect((await owner.call("sessionUpdate", { name })).status).toBe(400);
      expect((await owner.call("peopleUpdate", { person_id: String(owner.id), name })).status).toBe(400);
    }
    for (const name of [
      "\u05d0\u05d3\u05d4",
      "\u0645\u06cc\u200c\u062e",
      "\ud83d\udc69\u200d\ud83c\udf73",
      "\u845b\u{e0100}",
      "\u2764\ufe0f",
    ])
      expect((await owner.call("peopleInvite", { name, role: "viewer" })).status).toBe(200);
  });

  test("has 200 people at most", async () => {
    const { account, owner } = await world();
    const person = { name: "P", email: "", language: "", created_at: server.now, account_id: account.id };
    await server.db.transaction((trx) => trx("people").insert(Array.from({ length: 199 }, () => person)));
    expect(errorOf(await owner.call("peopleInvite", { name: "One more", role: "viewer" }))).toBe(
      "person_limit_reached",
    );
  });

  test("shows a link once: a repeated request has none", async () => {
    const { owner } = await world();
    const invite = () =>
      owner.call("peopleInvite", { name: "Grace", role: "viewer" }, { "Idempotency-Key": "invite" });
    const [first, again] = [await invite(), await invite()];
    expect(first.body.link).toContain("#");
    expect(again.body).toEqual({ ...first.body, link: "" });
    const kept: readonly { body: string }[] = await server.db.read("idempotency_keys").select("body");
    for (const { body } of kept) expect(body).not.toContain(secretOf(first.body.link));
    expect(server.logText()).not.toContain(secretOf(first.body.link));
  });
});

describe("guesses", () => {
  test("are limited for an address, and lock no one out who has a link", async () => {
    const account = await server.account();
    const statuses = new Set<unknown>();
    for (let guess = 0; guess < 50; guess++)
      statuses.add(errorOf(await callConsole(server, "sessionOpen", { link: `${guess}`.padStart(43, "x") })));
    expect(statuses).toEqual(new Set(["link_unknown", "rate_limited"]));
    const [reader, revoked] = [await server.account({ scope: "read" }), await server.account()];
    const expired = await server.account({ expiresAt: server.now });
    const { id, link } = await newPerson(server, account.id);
    await server.db.transaction(async (trx) => {
      await trx("tokens").where({ account_id: revoked.id }).update({ revoked_at: server.now });
      await trx("sign_in_links").where({ person_id: id }).update({ expires_at: server.now });
    });
    for (const sent of [
      { token: reader.token },
      { token: revoked.token },
      { token: expired.token },
      { link },
    ])
      expect(errorOf(await callConsole(server, "sessionOpen", sent)), "counts too").toBe("rate_limited");
    expect((await signIn(server, account.id)).cookie).toMatch(/^kalends=/);
  });
});
