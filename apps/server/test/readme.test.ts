import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestAccount, type TestServer } from "./harness.js";

/** The tours of the pages: commands after "$ ", each with the one line that it prints. */
const tours = [
  { page: "README.md", commands: 5 },
  { page: "docs/from-addevent.md", commands: 2 },
].map(({ page, commands }) => {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8");
  const tour = [...text.matchAll(/^\$ (curl .*)\n(\{.*\})$/gm)].map(([, command = "", output = ""]) => ({
    command,
    output,
  }));
  return { page, commands, tour };
});

let server: TestServer;
let account: TestAccount;

/** What differs from run to run: keys, times and request ids. */
function steady(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) =>
    ["uniquekey", "request_id"].includes(key) || /^date_(create|modified)$/.test(key) ? key : value,
  );
}

function shell(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, TOKEN: account.token };
    execFile("bash", ["-c", command], { env }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(new Error(error.message)),
    );
  });
}

describe.each(tours)("the commands of $page print what it shows", ({ commands, tour }) => {
  beforeAll(async () => {
    server = await startTestServer();
    account = await server.account();
  });
  afterAll(() => server.stop());

  test("it has its commands", () => {
    expect(tour).toHaveLength(commands);
  });

  for (const { command, output } of tour) {
    test(command, async () => {
      const printed = await shell(command.replace("http://127.0.0.1:8080", server.url));
      expect(steady(printed)).toEqual(steady(output));
    });
  }
});
