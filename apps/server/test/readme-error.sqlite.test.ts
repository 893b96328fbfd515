import { operations } from "@kalends/spec";
import { expect, test } from "vitest";
import { testServer } from "./harness.js";
import { blocksOf, commandsOf, readPage } from "./pages.js";

// The error that README.md shows. deep/server/readme.deep.test.ts runs the whole page; this is what changes with a message.

const server = await testServer();
const account = await server.account();

test("README.md shows the error that the server answers", async () => {
  const commands = blocksOf(readPage("README.md"))
    .filter(({ language }) => language === "console")
    .flatMap(commandsOf);
  const shown = commands.filter(({ command }) => command.endsWith("| jq .meta.errors"));
  expect(shown).toHaveLength(1);
  for (const { command, output } of shown) {
    const [, path = ""] = /\$API(\S+)/.exec(command) ?? [];
    const fields = [...command.matchAll(/-d (\w+)=(\w+)/g)].map(([, name = "", value = ""]) => [name, value]);
    const { calendar } = (await account.call("createCalendar", { title: "Concerts", timezone: "Etc/UTC" }))
      .body;
    expect(operations.createEvent.path).toBe(`/api/v1/calendars${path}`);
    const { meta } = (
      await account.call("createEvent", { ...Object.fromEntries(fields), calendar_id: calendar.id })
    ).body;
    expect(meta.errors).toEqual(JSON.parse(output));
  }
});
