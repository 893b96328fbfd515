import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeCertificate, makesCertificates } from "./certificates.js";
import { freePort } from "./free-port.js";

/** A proxy at work with the example's configuration. */
export interface RunningProxy {
  readonly url: string;
  /** The same over TLS, with a certificate of its own; undefined where the proxy would get one from outside. */
  readonly tls: { readonly url: string; readonly certificate: string } | undefined;
  /** Takes a server out of its list before a planned restart, or puts it back; undefined where that is not needed. */
  readonly list: ((server: string, isIn: boolean) => Promise<void>) | undefined;
  /** All that it has written so far. */
  log(): string;
  stop(): Promise<void>;
}

export interface ProxyProgram {
  readonly name: string;
  readonly isInstalled: boolean;
  /** Starts it before one or two servers, each "127.0.0.1:8081". */
  start(servers: readonly string[]): Promise<RunningProxy>;
}

const example = (path: string): string =>
  fileURLToPath(new URL(`../../../examples/${path}`, import.meta.url));
const runs = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;
const isRoot = process.getuid?.() === 0;

/** nginx with the files of examples/nginx: only addresses and folders are others. */
const nginx: ProxyProgram = {
  name: "nginx",
  isInstalled: runs("nginx", "-v") && makesCertificates,
  start: async ([first = "", second]) => {
    const folder = mkdtempSync(join(tmpdir(), "kalends-nginx-"));
    const [port, tlsPort, redirectPort] = [await freePort(), await freePort(), await freePort()];
    const file = (name: string): string => join(folder, name);
    makeCertificate(file("privkey.pem"), file("fullchain.pem"));
    const servers = second === undefined ? "kalends-one-server.conf" : "kalends-two-servers.conf";
    const upstream = readFileSync(example(`nginx/${servers}`), "utf8")
      .replace(/127\.0\.0\.1:808[01]/, first)
      .replace("127.0.0.1:8082", second ?? "");
    const site = readFileSync(example("nginx/kalends.conf"), "utf8")
      .replace(/^ +listen \[::\].*\n/gm, "")
      .replace("listen 80;", `listen 127.0.0.1:${redirectPort};`)
      .replace("listen 443 ssl http2;", `listen 127.0.0.1:${tlsPort} ssl http2; listen 127.0.0.1:${port};`)
      .replaceAll("/var/log/nginx", folder)
      .replaceAll("/etc/letsencrypt/live/calendars.example.com", folder);
    writeFileSync(file("kalends.conf"), upstream + site);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${file(name)};`)
      .join(" ");
    writeFileSync(
      file("nginx.conf"),
      `${isRoot ? "user root;" : ""} worker_processes 1; daemon off; pid ${file("pid")}; error_log ${file("main.log")} notice;
       events {} http { ${temporary} include ${file("kalends.conf")}; }`,
    );
    const running = start(folder, ["nginx", "-p", folder, "-c", file("nginx.conf")]);
    await untilAnswers(port, running);
    return {
      url: `http://127.0.0.1:${port}`,
      tls: { url: `https://127.0.0.1:${tlsPort}`, certificate: readFileSync(file("fullchain.pem"), "utf8") },
      list: async (server, isIn) => {
        const text = readFileSync(file("kalends.conf"), "utf8");
        const entry = new RegExp(`^( +server ${server} [^;]*?)(?: down)?;`, "m");
        if (!entry.test(text)) throw new Error(`nginx has no server ${server}.`);
        writeFileSync(file("kalends.conf"), text.replace(entry, isIn ? "$1;" : "$1 down;"));
        const count = () => readFileSync(file("main.log"), "utf8").split("gracefully shutting down").length;
        const before = count();
        process.kill(Number(readFileSync(file("pid"), "utf8")), "SIGHUP");
        while (count() === before) await setTimeout(pollMs);
      },
      log: () =>
        ["kalends-access.log", "kalends-error.log", "main.log", "output"]
          .map((name) => readFileSync(file(name), "utf8"))
          .join(""),
      stop: running.stop,
    };
  },
};

/** Caddy with examples/caddy/Caddyfile, without TLS, which would need a certificate authority. */
const caddy: ProxyProgram = {
  name: "caddy",
  isInstalled: runs("caddy", "version"),
  start: async (servers) => {
    const folder = mkdtempSync(join(tmpdir(), "kalends-caddy-"));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    mkdirSync(join(folder, "home"));
    // Its own port of administration is switched off, so that several can run on one machine.
    const text = readFileSync(example("caddy/Caddyfile"), "utf8").replace(/^\{$/m, "{\n\tadmin off");
    writeFileSync(join(folder, "Caddyfile"), text);
    const settings = { HOME: join(folder, "home"), KALENDS_SITE: url, KALENDS_SERVERS: servers.join(" ") };
    const running = start(folder, ["caddy", "run", "--config", "Caddyfile"], settings);
    await untilAnswers(port, running);
    return {
      url,
      tls: undefined,
      list: undefined, // it sends a write whose connection is refused to the other one
      log: () => readFileSync(join(folder, "output"), "utf8"),
      stop: running.stop,
    };
  },
};

export const proxyPrograms: readonly ProxyProgram[] = [nginx, caddy];

interface Program {
  readonly folder: string;
  stop(): Promise<void>;
}

/** Starts a program in a folder, where its output goes to the file "output". `stop` ends it and removes the folder. */
function start(
  folder: string,
  command: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Program {
  const child = spawn("sh", ["-c", 'exec "$@" > output 2>&1', "sh", ...command], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...settings },
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true });
  };
  return { folder, stop };
}

/** Resolves when the proxy passes requests on. */
async function untilAnswers(port: number, { folder, stop }: Program): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answered = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) return;
    await setTimeout(pollMs);
  }
  const output = readFileSync(join(folder, "output"), "utf8");
  await stop();
  throw new Error(`The proxy does not answer:\n${output}`);
}

const pollMs = 25;
