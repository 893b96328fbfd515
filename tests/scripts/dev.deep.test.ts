import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { freePort } from "../../apps/server/test/free-port.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "kalends-dev-"));
let stop = async (): Promise<void> => {};
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

test("npm run dev starts again after a change of a source, with the same data and token", async () => {
  const port = String(await freePort());
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: port, KALENDS_DEV_FOLDER: folder };
  const child = spawn(process.execPath, ["scripts/run.mjs", "dev"], { cwd: root, env });
  const ended = new Promise((resolve) => child.once("close", resolve));
  stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const starts = (): number => output.split("Listening on ").length - 1;
  const patient = { timeout: 200_000, interval: 50 };
  await expect.poll(starts, patient).toBe(1);
  const [, token = ""] = /^Token: (\S+)$/m.exec(output) ?? [];
  const call = async (path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}/api/v1${path}token=${token}`)).text();
  expect(await call("/calendars/create/?title=Kept&timezone=UTC&")).toContain('"title":"Kept"');
  // tsx may begin to watch a file only after the server listens: a change that it has not seen is made again.
  const change = (): void => utimesSync(join(root, "apps/server/src/about.ts"), new Date(), new Date());
  const changing = setInterval(change, 60_000); // longer than a start takes on a busy machine, which it would end
  change();
  try {
    await expect.poll(starts, patient).toBeGreaterThan(1);
  } finally {
    clearInterval(changing);
  }
  // The last change may be seen only now, and start it once more.
  const list = (): Promise<string> => call("/calendars/list/?").catch(() => "");
  await expect.poll(list, patient).toContain('"title":"Kept"');
});
