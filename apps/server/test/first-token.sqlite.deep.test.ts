import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { freePort } from "./free-port.js";
import { request } from "./harness.js";
import { run } from "./process.js";
import { temporaryFolder } from "./temporary.js";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

const token = "0123456789abcdef";

test("the token of a fresh database is accepted from the first 200 of /readyz on (rulings R6.1)", async () => {
  for (let round = 0; round < 4; round++) {
    const PORT = String(await freePort());
    const DATABASE_URL = `sqlite:${join(folder, `${round}.sqlite`)}`;
    const server = run("main.ts", [], folder, { PORT, DATABASE_URL, CALENDAR_TOKEN: token });
    const url = `http://127.0.0.1:${PORT}`;
    const isReady = (): Promise<boolean> =>
      request(`${url}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      );
    while (!(await isReady())) await setTimeout(3); // the window was some 100 ms wide
    const { status } = await request(`${url}/api/v1/calendars/list/?token=${token}`);
    server.child.kill("SIGKILL");
    await server.finished;
    expect(status).toBe(200);
  }
});

const advice = /^ {2}kalends (account create) --name "My organization"$/gm;

describe("in production the first start makes no account and no token, and says how to create them (rulings R6.1)", () => {
  const settings = [{ NODE_ENV: "Production" }, { DATABASE_URL: "sqlite:./own.sqlite" }];
  test.each(settings)("%o", async (given) => {
    const server = run("main.ts", [], folder, { PORT: "0", ...given });
    const [, url = ""] = await server.until(/^Listening on (\S+)$/m);
    const made = await run("cli.ts", ["account", "create", "--name", "Parks", "--json"], folder, given)
      .finished;
    const created: { account_id: string; token: string } = JSON.parse(made.stdout);
    expect(created.account_id).toBe("1");
    expect((await request(`${url}/api/v1/calendars/list/?token=${created.token}`)).status).toBe(200);
    server.child.kill("SIGTERM");
    const { stdout } = await server.finished;
    expect(stdout.match(advice)).toHaveLength(1);
    expect(stdout).not.toContain("kal_");
  });
});
