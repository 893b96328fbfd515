import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const child = new URL("../../scripts/lib/child.mjs", import.meta.url).href;

/** Runs a program that prints on both streams and ends with `code`, by the function of the scripts. */
function runQuietly(code: number) {
  const program = `console.log("built"); console.error("warned"); process.exitCode = ${code};`;
  const script = `import { run } from "${child}";
    process.exitCode = await run(process.execPath, ["-e", ${JSON.stringify(program)}], { quiet: true });`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("what ./kalends runs before its command, such as the build, prints only when it fails, and never on stdout", () => {
  expect(runQuietly(0)).toEqual({ status: 0, stdout: "", stderr: "" });
  const failed = runQuietly(3);
  expect(failed).toMatchObject({ status: 3, stdout: "" });
  expect(failed.stderr.split("\n").toSorted()).toEqual(["", "built", "warned"]);
});

test("./kalends and npm run kalends take --env-file themselves and do not leave it to Node, which would not refuse a folder", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const args = ["doctor", "--env-file", root];
  for (const [command, ...first] of [["./kalends"], ["npm", "run", "--silent", "kalends", "--"]] as const) {
    const { status, stderr } = spawnSync(command, [...first, ...args], { cwd: root, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${root} is a folder`)]);
  }
});
