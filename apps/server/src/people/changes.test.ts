import { describe, expect, test } from "vitest";
import { addFollower } from "../../test/calls.js";
import { testServer } from "../../test/harness.js";
import { type SignedInPerson, signIn } from "../../test/people.js";
import { grantPerson } from "../cli/people.js";
import type { Grant } from "../db/rows.js";

// Extensions X9.1: what a person may do is changed field by field, and an owner may see everything.

const server = await testServer();

interface World {
  readonly owner: SignedInPerson;
  /** Two calendars, each with a follower. */
  readonly calendars: readonly string[];
  /** A person with these grants. */
  person(grants: readonly Grant[]): Promise<SignedInPerson>;
}

async function world(): Promise<World> {
  const account = await server.account();
  const owner = await signIn(server, account.id);
  const calendars: string[] = [];
  for (const title of ["Concerts", "Council"]) {
    const { id } = (await owner.call("calendarsCreate", { title })).body.calendar;
    await addFollower(server, account, id, { name: "Ada Byron", email: "ada@example.com" });
    calendars.push(id);
  }
  return { owner, calendars, person: (grants) => signIn(server, account.id, grants) };
}

const on = (calendar: string | undefined, role: Grant["role"], sees_followers: 0 | 1 = 0): Grant => ({
  calendar_id: Number(calendar ?? 0),
  role,
  sees_followers,
});

const failuresOf = ({ body }: { readonly body: unknown }): unknown => Object(body).meta?.errors;

describe("people/update/", () => {
  test("withdraws the sight of followers alone, at once, and keeps role and calendars", async () => {
    const { owner, calendars, person } = await world();
    const grace = await person([on(calendars[0], "editor", 1)]);
    const list = () => grace.call("subscribersList", { calendar_id: calendars[0] ?? "" });
    expect((await list()).text).toContain("Ada Byron");
    const changed = await owner.call("peopleUpdate", {
      person_id: String(grace.id),
      sees_followers: "false",
    });
    expect(changed.body.person.grants).toEqual([
      { calendar_id: calendars[0], role: "editor", sees_followers: false },
    ]);
    expect((await list()).text).not.toContain("Ada Byron");
  });

  test("changes the role alone, where the person had one: a viewer of one calendar becomes no editor of all", async () => {
    const { owner, calendars, person } = await world();
    const grace = await person([on(calendars[0], "viewer", 1)]);
    const { body } = await owner.call("peopleUpdate", { person_id: String(grace.id), role: "editor" });
    expect(body.person.grants).toEqual([{ calendar_id: calendars[0], role: "editor", sees_followers: true }]);
    const rename = (id = "") => grace.call("calendarsUpdate", { calendar_id: id, description: "New" });
    expect([(await rename(calendars[0])).status, (await rename(calendars[1])).status]).toEqual([200, 404]);
  });

  test("changes the calendars alone, also to all, and gives none of them a higher role", async () => {
    const { owner, calendars, person } = await world();
    const [one = "", two = ""] = calendars;
    const grace = await person([on(one, "editor", 1), on(two, "viewer")]);
    const update = async (calendar_ids: string) =>
      (await owner.call("peopleUpdate", { person_id: String(grace.id), calendar_ids })).body.person.grants;
    const editor = { calendar_id: one, role: "editor", sees_followers: true };
    const viewer = { calendar_id: two, role: "viewer", sees_followers: false };
    expect(await update(`${two},${one}`)).toEqual([editor, viewer]);
    expect(await update("all")).toEqual([{ ...viewer, calendar_id: "" }]);
    expect(await update(one)).toEqual([{ ...viewer, calendar_id: one }]);
  });

  test("changes nothing that is not sent", async () => {
    const { owner, calendars, person } = await world();
    const { id } = await person([on(calendars[1], "viewer", 1)]);
    const person_id = String(id);
    const found = async () =>
      (await owner.call("peopleList")).body.people.find((one: { id: string }) => one.id === person_id);
    for (const sent of [
      { name: "Grace" },
      { email: "grace@example.com" },
      { email: "" },
      { language: "fr" },
      { language: "" },
    ]) {
      const before = await found();
      expect((await owner.call("peopleUpdate", { person_id, ...sent })).status).toBe(200);
      expect(await found()).toEqual({ ...before, ...sent });
    }
  });

  test("refuses an empty value of what must have one, and a role for someone without a calendar", async () => {
    const { owner, person } = await world();
    const person_id = String((await person([])).id);
    for (const [parameter, value = ""] of [
      ["name"],
      ["role"],
      ["calendar_ids"],
      ["sees_followers"],
      ["calendar_ids", "all,1"],
    ] as const) {
      const refused = await owner.call("peopleUpdate", { person_id, [parameter]: value });
      expect([refused.status, failuresOf(refused)], parameter).toMatchObject([400, [{ parameter }]]);
    }
    for (const sent of [{ role: "viewer" }, { sees_followers: "true" }]) {
      const refused = await owner.call("peopleUpdate", { person_id, ...sent });
      expect(failuresOf(refused)).toMatchObject([{ parameter: "calendar_ids", code: "missing" }]);
    }
    const refused = await owner.call("peopleUpdate", { person_id, calendar_ids: "all" });
    expect(failuresOf(refused)).toMatchObject([{ parameter: "role", code: "missing" }]);
    expect((await owner.call("sessionUpdate", { name: "" })).status).toBe(400);
    const invited = { name: "Eve", role: "viewer", calendar_ids: "" };
    expect(failuresOf(await owner.call("peopleInvite", invited))).toMatchObject([
      { parameter: "calendar_ids" },
    ]);
  });

  test("leaves an owner: neither fewer calendars nor another role takes the last one away", async () => {
    const { owner, calendars } = await world();
    const person_id = String(owner.id);
    for (const sent of [{ calendar_ids: calendars[0] ?? "" }, { role: "viewer" }]) {
      const { status, body } = await owner.call("peopleUpdate", { person_id, ...sent });
      expect([status, body.meta.error_type]).toEqual([409, "last_owner"]);
    }
  });
});

describe("an owner", () => {
  test("sees followers, whichever way that role came, and no more than was given when it ends", async () => {
    const { owner, calendars, person } = await world();
    const calendar_id = calendars[0] ?? "";
    const [updated, granted, stored] = [
      await person([on(calendar_id, "viewer")]),
      await person([on(calendar_id, "viewer")]),
      await person([on(calendar_id, "owner")]),
    ];
    await owner.call("peopleUpdate", { person_id: String(updated.id), role: "owner" });
    await grantPerson(server.db, granted.id, { role: "owner" });
    for (const one of [updated, granted, stored]) {
      expect((await one.call("subscribersList", { calendar_id })).text).toContain("ada@example.com");
      expect((await one.call("session")).body.grants).toMatchObject([{ sees_followers: true }]);
      const person_id = String(one.id);
      const hidden = await owner.call("peopleUpdate", { person_id, sees_followers: "false" });
      expect(failuresOf(hidden)).toMatchObject([{ parameter: "sees_followers", code: "not_allowed" }]);
      const { body } = await owner.call("peopleUpdate", { person_id, role: "editor" });
      expect(body.person.grants).toEqual([{ calendar_id, role: "editor", sees_followers: false }]);
    }
    const eve = { name: "Eve", role: "owner", sees_followers: "false" };
    expect((await owner.call("peopleInvite", eve)).status).toBe(400);
    const { body } = await owner.call("peopleInvite", { name: "Eve", role: "owner" });
    expect(body.person.grants).toEqual([{ calendar_id: "", role: "owner", sees_followers: true }]);
  });
});

test("the command line changes a role in the calendars that the person has, and others when they are named", async () => {
  const { calendars, person } = await world();
  const { id } = await person([on(calendars[0], "viewer", 1)]);
  const grant = async (options: Parameters<typeof grantPerson>[2]) =>
    Object(await grantPerson(server.db, id, options)).grants;
  const calendar_id = calendars[0];
  expect(await grant({ role: "editor" })).toEqual([{ calendar_id, role: "editor", sees_followers: true }]);
  expect(await grant({ role: "editor", seesFollowers: false })).toEqual([
    { calendar_id, role: "editor", sees_followers: false },
  ]);
  expect(await grant({ role: "viewer", allCalendars: true })).toEqual([
    { calendar_id: "", role: "viewer", sees_followers: false },
  ]);
  expect(await grant({ role: "viewer", calendar: [Number(calendars[1])] })).toMatchObject([
    { calendar_id: calendars[1] },
  ]);
});
