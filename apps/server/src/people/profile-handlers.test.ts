import { expect, test } from "vitest";
import { findByKey } from "../accounts/profile-queries.js";
import { deleteAccount } from "../cli/accounts.js";
import { testServer } from "../../test/harness.js";
import { ownerGrant, signIn } from "../../test/people.js";

const server = await testServer();
const yearSeconds = 365 * 86_400;

const profile = {
  name: "Musikverein Bergholz",
  website: "https://musikverein.example",
  imprint_url: "https://musikverein.example/imprint",
  privacy_url: "https://musikverein.example/privacy?lang=de",
  accent: "#B8412C",
};

/** The key that a key leads to now. */
async function keyAt(key: string): Promise<string | undefined> {
  return (await findByKey(server.db, key, server.now))?.key;
}

test("an account has a name and nothing else until its profile is set (extensions X11.1)", async () => {
  const owner = await server.account();
  const { account } = (await owner.call("accountDetails")).body;
  const nothing = { key: "", website: "", imprint_url: "", privacy_url: "", accent: "" };
  expect(account).toMatchObject({ id: String(owner.id), name: "Test", ...nothing });
  expect(account.colors.light).toMatchObject({ accent: "#17594f", on_accent: "#ffffff" });
});

test("an update changes what is sent, an empty value clears it, and a name is never cleared", async () => {
  const owner = await server.account();
  const { account } = (await owner.call("accountUpdate", profile)).body;
  expect(account).toMatchObject({ ...profile, accent: "#b8412c" });
  expect(account.colors.light).toMatchObject({ accent: "#b8412c", on_accent: "#ffffff" });
  const cleared = (await owner.call("accountUpdate", { website: "", accent: "" })).body.account;
  expect(cleared).toMatchObject({ ...profile, website: "", accent: "" });
  expect((await owner.call("accountUpdate", { name: "" })).body.meta).toMatchObject({ code: "400" });
  expect((await owner.call("accountDetails")).body.account).toEqual(cleared);
});

test.each([
  ["accent", "red"],
  ["accent", "#12345"],
  ["accent", "#17594f;}"],
  ["website", "http://musikverein.example"],
  ["website", "javascript:alert(1)"],
  ["website", "https://"],
  ["imprint_url", "https://user:secret@musikverein.example"],
  ["imprint_url", 'https://musikverein.example/"><script>'],
  ["privacy_url", `https://musikverein.example/${"a".repeat(1_000)}`],
  ["key", "ab"],
  ["key", "Bergholz"],
  ["key", "a".repeat(41)],
  ["key", "a/b"],
])("the %s %j is refused by its name, and changes nothing", async (name, value) => {
  const owner = await server.account();
  const { body } = await owner.call("accountUpdate", { name: "Changed", [name]: value });
  expect(body.meta).toMatchObject({ code: "400", errors: [{ parameter: name }] });
  expect((await owner.call("accountDetails")).body.account.name).toBe("Test");
});

test("a key leads to its account, and the ones before redirect for a year", async () => {
  const [owner, other] = [await server.account(), await server.account()];
  const set = async (key: string, account = owner) => (await account.call("accountUpdate", { key })).status;
  expect([await set("first-key"), await set("second-key"), await set("third-key")]).toEqual([200, 200, 200]);
  expect(await Promise.all(["first-key", "second-key", "third-key", "no-key"].map(keyAt))).toEqual([
    "third-key",
    "third-key",
    "third-key",
    undefined,
  ]);
  for (const taken of ["first-key", "third-key"]) expect(await set(taken, other)).toBe(409);
  expect((await other.call("accountDetails")).body.account.key).toBe("");
  expect(await set("first-key")).toBe(200); // its own one again
  expect([await keyAt("first-key"), await keyAt("third-key")]).toEqual(["first-key", "first-key"]);
  server.now += yearSeconds;
  expect([await keyAt("first-key"), await keyAt("third-key")]).toEqual(["first-key", undefined]);
  expect([await set("third-key", other), await set("first-key", other)]).toEqual([200, 409]);
});

test("who changes the key again and again keeps ten from others, not all of them", async () => {
  const [owner, other] = [await server.account(), await server.account()];
  for (let number = 0; number < 14; number++) {
    server.now++;
    await owner.call("accountUpdate", { key: `squatted-${number}` });
  }
  expect(await Promise.all([2, 3, 13].map((number) => keyAt(`squatted-${number}`)))).toEqual([
    undefined,
    "squatted-13",
    "squatted-13",
  ]);
  expect((await other.call("accountUpdate", { key: "squatted-0" })).status).toBe(200);
});

test("of two accounts that choose one key at once, one has it and the other a 409", async () => {
  const both = [await server.account(), await server.account()];
  const answers = await Promise.all(both.map((account) => account.call("accountUpdate", { key: "at-once" })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test("a change of the profile is in the history of the account, with what it was before (extensions X9.4)", async () => {
  const owner = await server.account();
  await owner.call("accountUpdate", { accent: "#b8412c", key: "with-history" });
  await owner.call("accountUpdate", { accent: "#b8412c" });
  const { history } = (await owner.call("historyList")).body;
  expect(history).toEqual([
    expect.objectContaining({
      operation: "accountUpdate",
      action: "changed",
      calendar_id: "",
      event_id: "",
      changes: [
        { field: "accent", before: "", after: "#b8412c" },
        { field: "key", before: "", after: "with-history" },
      ],
    }),
  ]);
});

test("a token that only reads, and a person who owns one calendar, read the profile and change nothing", async () => {
  const reader = await server.account({ scope: "read" });
  expect((await reader.call("accountDetails")).status).toBe(200);
  expect((await reader.call("accountUpdate", { name: "Changed" })).status).toBe(403);
  const calendar = (await (await server.account()).call("createCalendar", { title: "One" })).body.calendar;
  const person = await signIn(server, reader.id, [{ ...ownerGrant, calendar_id: Number(calendar.id) }]);
  expect((await person.call("accountDetails")).status).toBe(200);
  expect((await person.call("accountUpdate", { name: "Changed" })).status).toBe(403);
  const all = await signIn(server, reader.id);
  expect((await all.call("accountUpdate", { name: "Changed" })).status).toBe(200);
});

test("a deleted account has no profile, and its key leads nowhere", async () => {
  const owner = await server.account();
  await owner.call("accountUpdate", { ...profile, key: "deleted-key" });
  await deleteAccount(server.db, owner.id, { yes: true }, server.now);
  expect(await keyAt("deleted-key")).toBeUndefined();
  const row: unknown = await server.db.read("accounts").where({ id: owner.id }).first();
  expect(JSON.stringify(row)).not.toContain("musikverein");
});

test("the stylesheet of an accent holds its colours, is immutable, and there is none of anything else", async () => {
  const answer = await server.request("/assets/accent-b8412c.css");
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "text/css; charset=utf-8"]);
  expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  expect(answer.text).toMatch(
    /^:root \{ --accent: #b8412c; --on-accent: #ffffff; --accent-ink: #[0-9a-f]{6};/,
  );
  for (const path of ["accent-red.css", "accent-B8412C.css", "accent-b8412c%7D.css", "accent-.css"])
    expect([path, (await server.request(`/assets/${path}`)).status]).toEqual([path, 404]);
});
