import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../free-port.js";
import { repository } from "../pages.js";

/** What stand-ins.sh stands in for. All other programs are this machine's. */
const standIns = [
  ...["apt-get", "certbot", "curl", "docker", "git", "install", "journalctl", "nginx", "npm"],
  ...["pg_dump", "pg_restore", "psql", "runuser", "systemctl", "useradd"],
];

/** A machine on which the blocks of docs/self-hosting.md are run: its folders lie in a temporary one. */
export interface Machine {
  /** The address of its service. */
  readonly url: string;
  /** A path of the machine, such as /etc/kalends.env, as it is here. */
  at(path: string): string;
  /** Runs a block as it is, except for its absolute paths and addresses. Returns what it prints. */
  run(block: string): Promise<string>;
  /** The calls of stand-ins since the last look, with the paths of the machine. */
  calls(): readonly string[];
  /** Ends its service, which writes to its folders until then, and removes them. */
  remove(): Promise<void>;
}

export async function newMachine(): Promise<Machine> {
  if (!existsSync(join(repository, "apps/server/dist/cli.js")))
    throw new Error("A release is made of apps/server/dist: run npm run build first.");
  const root = mkdtempSync(join(tmpdir(), "kalends-guide-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const at = (path: string): string => join(root, path);
  const folders = [
    "/bin",
    "/root",
    "/usr/local/bin",
    "/usr/local/src",
    "/etc/systemd/system",
    "/etc/nginx/conf.d",
  ];
  for (const folder of folders) mkdirSync(at(folder), { recursive: true });
  for (const name of standIns)
    symlinkSync(fileURLToPath(new URL("stand-ins.sh", import.meta.url)), at(`/bin/${name}`));
  const realPath = `${dirname(process.execPath)}:${process.env.PATH}`;
  const env = {
    PATH: `${at("/bin")}:${at("/usr/local/bin")}:${realPath}`,
    ...{
      REAL_PATH: realPath,
      ROOT: root,
      REPOSITORY: repository,
      NODE: process.execPath,
      PORT: String(port),
    },
  };
  const placed = (text: string): string =>
    text
      .replace(/(?<![\w./-])\/(?=(?:etc|opt|root|usr\/local|var)\/)/g, `${root}/`)
      .replace(/https:\/\/calendars\.example\.com|http:\/\/127\.0\.0\.1:8080/g, url);
  let seen = 0;
  return {
    url,
    at,
    run: async (block) => {
      const script = ["set -eu", placed(block)].join("\n");
      const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", script], { cwd: root, env });
      return stdout;
    },
    calls: () => {
      const lines = readFileSync(at("/calls"), "utf8").replaceAll(root, "").trimEnd().split("\n");
      const fresh = lines.slice(seen);
      seen = lines.length;
      return fresh;
    },
    remove: async () => {
      if (existsSync(at("/pid")) && !existsSync(at("/ended"))) {
        process.kill(Number(readFileSync(at("/pid"), "utf8")));
        while (!existsSync(at("/ended"))) await setTimeout(50);
      }
      rmSync(root, { recursive: true });
    },
  };
}
