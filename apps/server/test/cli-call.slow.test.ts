import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { operationIds, operations, body, type Operation } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import { freshItems, freshParams } from "./calls.js";
import { runHere } from "./command.js";
import { onPostgres } from "./databases.js";
import { testServer, withMail } from "./harness.js";
import { temporaryFolder } from "./temporary.js";

/** The server's clock is months behind that of the command. */
const ofBoth = { ...withMail, WEBHOOKS_PER_ACCOUNT: "1000", TRASH_DAYS: "3650" } as const;

const server = await testServer(ofBoth);
const account = await server.account();
const folder = temporaryFolder();

const settings = () => ({ DATABASE_URL: server.databaseUrl, ...ofBoth });
const kalends = (...args: readonly string[]) => runHere(args, settings());
const json = async (...args: readonly string[]) => JSON.parse((await kalends(...args, "--json")).stdout);

/** Values as options; that of a file is written to one. */
function optionsOf(op: Operation, values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (name !== op.file?.parameter) return [`--${name}`, value];
    writeFileSync(join(folder, "file.ics"), value, op.file.isBinary === true ? "base64" : "utf8");
    return ["--file", join(folder, "file.ics")];
  });
}

describe("kalends call", () => {
  for (const id of operationIds) {
    const op: Operation = operations[id];
    test(`${id} prints what the spec declares, for the account that is named`, async () => {
      const values = await freshParams(server, account, id);
      const of = op.auth === "token" ? ["--account", String(account.id)] : [];
      const { code, stdout, stderr } = await kalends("call", id, ...of, ...optionsOf(op, values));
      expect([code, stderr]).toEqual([0, ""]);
      if (op.fileAnswer) return expect(stdout).toMatch(/^(BEGIN:VCALENDAR\r\n|\uFEFF"id",)/);
      const answer: unknown = JSON.parse(stdout);
      return expect(body(op).parse(answer)).toStrictEqual(answer);
    });

    const mistakes = Object.entries(op.example.mistake ?? {}).filter(([name]) => name !== "token");
    test.runIf(mistakes.length > 0)(`${id} names each option that is refused`, async () => {
      const values = { ...(await freshParams(server, account, id)), ...op.example.mistake };
      const of = op.auth === "token" ? ["--account", String(account.id)] : [];
      const { code, stdout, stderr } = await kalends("call", id, ...of, ...optionsOf(op, values));
      expect([code, stdout]).toEqual([1, ""]);
      for (const [name] of mistakes) {
        const option = name === op.file?.parameter ? "file" : name;
        expect(stderr).toMatch(new RegExp(`^--${option}: .+\\.$`, "m"));
      }
    });

    test.skipIf(onPostgres)(`${id} --help lists every parameter`, async () => {
      const { stdout } = await kalends("call", id, "--help");
      const names = Object.keys(op.params.shape).map((name) => (name === op.file?.parameter ? "file" : name));
      for (const name of names) expect(stdout).toMatch(new RegExp(`^ +--${name} <.+> +\\S`, "m"));
    });
  }

  test.skipIf(onPostgres)("--help lists the operations in their groups", async () => {
    const { stdout } = await kalends("call", "--help");
    for (const id of operationIds) {
      const [, group = ""] = stdout.split(`\n${operations[id].tag}:\n`);
      expect(group.split("\n\n")[0]).toMatch(new RegExp(`^  ${id} .* ${operations[id].summary}$`, "m"));
    }
  });

  test("the account is that of what is named; another one does not find it", async () => {
    const { calendar_id = "" } = await freshItems(server, account);
    const named = await json("call", "calendarsDetails", "--calendar_id", calendar_id);
    expect(named.calendar.id).toBe(calendar_id);
    const other = String((await server.account()).id);
    expect(
      await kalends("call", "calendarsDetails", "--calendar_id", calendar_id, "--account", other),
    ).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "calendar_not_found: There is no such calendar in this account.\n",
    });
  });

  test.each([
    ["an unknown option", ["eventsDetails", "--event", "1"], 2, "(Did you mean --event_id?)"],
    ["an unknown operation", ["eventsDetals"], 2, "(Did you mean eventsDetails?)"],
    ["a missing parameter", ["eventsDetails"], 1, "--event_id: is required.\n"],
    [
      "a repeated parameter",
      ["eventsDetails", "--event_id", "1", "--event_id", "2"],
      1,
      "--event_id: must be given once",
    ],
    [
      "a control character",
      ["eventsDetails", "--event_id", "\u0007"],
      1,
      "--event_id: must hold no control characters",
    ],
    ["a missing account", ["listCalendars"], 2, "required option '--account <id>' not specified"],
    ["an unknown account", ["listCalendars", "--account", "999999"], 1, "There is no account 999999"],
    ["an unknown event", ["eventsDetails", "--event_id", "999999"], 1, "There is no event 999999"],
    [
      "a missing file",
      ["calendarsImport", "--calendar_id", "1", "--file", "/nowhere.ics"],
      1,
      "does not exist",
    ],
  ] as const)("%s is named", async (_what, args, code, stderr) => {
    const refused = await kalends("call", ...args);
    expect([refused.code, refused.stdout]).toEqual([code, ""]);
    expect(refused.stderr).toContain(stderr);
  });

  test("two rules that concern each other name both options", async () => {
    const { calendar_id = "" } = await freshItems(server, account);
    const late = ["--start_date", "2026-12-31 20:00", "--end_date", "2026-12-31 19:00"];
    const { stderr } = await kalends(
      "call",
      "createEvent",
      "--calendar_id",
      calendar_id,
      "--title",
      "x",
      ...late,
    );
    expect(stderr).toBe("--end_date: must not be before --start_date.\n");
  });

  test("a write keeps to the limits of its operation", async () => {
    const { calendar_id = "" } = await freshItems(server, account);
    const series = ["--calendar_id", calendar_id, "--title", "x", "--start_date", "2027-01-01 10:00"];
    const many = ["--rrule", "FREQ=DAILY;COUNT=366", "--description", "x".repeat(60_000)];
    expect((await kalends("call", "eventsSeriesCreate", ...series, ...many)).stderr).toMatch(
      /^write_too_large: /,
    );
    expect((await json("call", "eventsList", "--calendar_id", calendar_id)).events).toHaveLength(1);
  });
});
