import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./harness.js";
import { blocksOf, commandsOf, readPage } from "./pages.js";
import { argumentsOf } from "./process.js";

// docs/organizers.md, from top to bottom, in a folder that has nothing but the command.

const blocks = blocksOf(readPage("docs/organizers.md"));
const tour = blocks.filter(({ language }) => language === "console").flatMap(commandsOf);
const [file] = blocks.filter(({ language }) => language === "text");

let server: TestServer;
let folder = "";
beforeAll(async () => {
  server = await startTestServer();
  await server.account(); // the first start makes it
  folder = mkdtempSync(join(tmpdir(), "kalends organizers "));
  const program = [process.execPath, ...argumentsOf("cli.ts")].map((part) => `'${part}'`).join(" ");
  const command = `#!/bin/sh\nDATABASE_URL='${server.databaseUrl}' exec ${program} "$@"\n`;
  writeFileSync(join(folder, "kalends"), command);
  chmodSync(join(folder, "kalends"), 0o755);
  writeFileSync(join(folder, "festival.ics"), file?.text ?? "");
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Without keys and sizes, which differ from run to run, and the columns that are as wide as they. */
const steady = (text: string): string =>
  text
    .replace(/\/c\/\w{12}\b/g, "/c/{key}")
    .replace(/\d+ bytes/, "some bytes")
    .trimEnd();

describe("docs/organizers.md", () => {
  test("it makes, imports, shares, cancels, changes, repeats, exports and backs up", () => {
    const words = tour.map(({ command }) => command.split(" ").slice(1, 3).join(" "));
    expect([...new Set(words)]).toEqual([
      "calendar create",
      "event create",
      "calendar import",
      "event list",
      "calendar list",
      "event cancel",
      "event change",
      "series create",
      "series change",
      "calendar export",
      "backup ashcombe.sqlite",
    ]);
  });

  test.each(tour)("$command", ({ command, output }) => {
    const env = { PATH: process.env.PATH, HOME: folder };
    const printed = execFileSync("bash", ["--norc", "-ec", command], {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"], // the progress of an import
    });
    expect(steady(printed)).toBe(steady(output));
  });

  test("the page that is shared says that the event is cancelled", async () => {
    const { uniquekey } = await server.db.read("calendars").first("uniquekey");
    const { text } = await server.request(`/c/${uniquekey}?month=2027-07`);
    expect(text).toContain("<s>Opening concert</s>");
    expect(text).not.toContain("<s>Parade</s>");
  });
});
