import { mostOfPeople } from "@kalends/spec";
import { expect, test } from "vitest";
import { runHere } from "./command.js";
import { testServer } from "./harness.js";

// What the command line refuses about people and tokens.

const server = await testServer();
const kalends = (...args: readonly string[]) => runHere(args, { DATABASE_URL: server.databaseUrl });
const newAccount = async (): Promise<string> => String((await server.account()).id);
const refused = (message: string) => ({ code: 1, stdout: "", stderr: `${message}\n` });

test("a person is added with an e-mail address that the API takes, and with no other", async () => {
  const add = ["person", "add", "--account", await newAccount(), "--name", "Ada", "--email"];
  for (const email of ["Ada <ada@example.com>", "none", "ada@example.com, grace@example.com"])
    expect(await kalends(...add, email), email).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("It must be an e-mail address."),
    });
  expect(await kalends(...add, "ada@example.com")).toMatchObject({ code: 0, stderr: "" });
});

test("an account has as many people as in the API, and a person as many calendars", async () => {
  const account_id = await newAccount();
  const person = { name: "P", email: "", language: "", created_at: server.now, account_id };
  const others = Array.from({ length: mostOfPeople.people - 1 }, () => person);
  await server.db.transaction((trx) => trx("people").insert(others));
  const add = ["person", "add", "--account", account_id, "--name", "Ada"];
  const calendars = Array.from({ length: mostOfPeople.calendars + 1 }, (_, index) => String(index + 1));
  expect(await kalends(...add, "--calendar", ...calendars)).toEqual(
    refused("Give at most 100 calendars, or --all-calendars."),
  );
  expect((await kalends(...add)).code).toBe(0);
  expect(await kalends(...add)).toEqual(
    refused(`Account ${account_id} has 200 people, as many as it may have.`),
  );
});

test("a disabled account gets no token and no link, which would be refused", async () => {
  const account = await newAccount();
  const of = ["--account", account];
  const added = await kalends("person", "add", ...of, "--name", "Ada");
  const { person_id } = JSON.parse(added.stdout);
  await kalends("account", "disable", account);
  for (const args of [
    ["token", "create", ...of],
    ["person", "add", ...of, "--name", "Grace"],
    ["person", "link", person_id],
  ])
    expect(await kalends(...args), args.join(" ")).toEqual(
      refused(`Account ${account} is disabled; run "account enable ${account}" first.`),
    );
  await kalends("account", "enable", account);
  expect((await kalends("person", "link", person_id)).code).toBe(0);
});
