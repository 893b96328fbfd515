import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

// Machines of a network of their own: each has a network namespace with an address behind one bridge, and folders that are mounted
// where its programs expect theirs, so that the files of the guide are used as they are. All of it is inside of the namespaces that
// main.ts opens, and ends with them: processes, mounts, addresses.

const execute = promisify(execFile);

/** Where the folders of the machines are: in memory, and gone with the mount namespace. */
const folder = "/run/machines";

/** Runs a command of bash. @throws Error with its stderr, also when it takes over a minute */
export async function shell(command: string): Promise<string> {
  const { stdout } = await execute("bash", ["-euo", "pipefail", "-c", command], { timeout: 60_000 });
  return stdout;
}

export async function openNetwork(): Promise<void> {
  await shell(`mount -t tmpfs tmpfs /run && install -d /run/netns ${folder} && install -d -o postgres -g postgres /run/postgresql
    ip link set lo up && ip link add br0 type bridge && ip addr add 10.0.0.1/24 dev br0 && ip link set br0 up`);
}

export interface Machine {
  readonly name: string;
  readonly address: string;
  /** Writes a file of the machine, as `/etc/patroni/config.yml`, readable for one user. */
  readonly write: (path: string, text: string, owner?: string) => Promise<void>;
  /** Runs a command of bash on the machine. */
  readonly run: (command: string) => Promise<string>;
  readonly service: (name: string, command: string, restarts?: boolean) => Service;
  /** Cuts the machine off from all others, or connects it again. */
  readonly setLink: (state: "up" | "down") => Promise<string>;
}

/** @param folders those that it does not share with the other machines, with the size of a disk where one is limited */
export async function addMachine(
  name: string,
  address: string,
  folders: Readonly<Record<string, string>>,
): Promise<Machine> {
  const own = (path: string): string => join(folder, name, path);
  await shell(`ip netns add ${name}
    ip link add ${name} type veth peer name eth0 netns ${name}
    ip link set ${name} master br0 up
    ip -n ${name} addr add ${address}/24 dev eth0
    ip -n ${name} link set eth0 up && ip -n ${name} link set lo up`);
  for (const [path, disk] of Object.entries(folders)) {
    mkdirSync(own(path), { recursive: true });
    const owner = `chown --reference=${path} ${own(path)}`;
    await shell(disk === "" ? owner : `mount -t tmpfs -o size=${disk} tmpfs ${own(path)} && ${owner}`);
  }
  const mounts = Object.keys(folders).map((path) => `mount --bind ${own(path)} ${path}`);
  const inside = (command: string): readonly string[] => {
    const script = ["set -eu", ...mounts, command].join("\n");
    return ["netns", "exec", name, "bash", "-c", script];
  };
  return {
    name,
    address,
    write: async (path, text, owner = "root") => {
      writeFileSync(own(path), text, { mode: 0o600 });
      await shell(`chown ${owner}: ${own(path)}`);
    },
    run: async (command) => {
      const { stdout } = await execute("ip", inside(command), { timeout: 60_000 });
      return stdout;
    },
    service: (service, command, restarts = true) =>
      new Service(inside(`exec ${command}`), join(folder, `${name}-${service}.log`), restarts),
    setLink: (state) => shell(`ip link set ${name} ${state}`),
  };
}

/** A program of a machine that is started again when it ends, as systemd does, unless the machine is down or its service was stopped. */
export class Service {
  private child: ChildProcess | undefined;
  private isUp = false;
  private readonly command: readonly string[];
  private readonly log: string;
  private readonly restarts: boolean;

  constructor(command: readonly string[], log: string, restarts: boolean) {
    this.command = command;
    this.log = log;
    this.restarts = restarts;
  }

  start(): void {
    const output = openSync(this.log, "a");
    const child = spawn("ip", this.command, { stdio: ["ignore", output, output] });
    this.child = child;
    this.isUp = true;
    child.once("exit", () => {
      if (this.child !== child) return;
      this.child = undefined;
      setTimeout(() => {
        if (this.isUp && this.restarts) this.start();
      }, 200);
    });
  }

  isRunning(): boolean {
    return this.child !== undefined;
  }

  /** Kills the process; `restarts` says what comes then. */
  kill(): void {
    this.child?.kill("SIGKILL");
  }

  /** Ends the process in good order, as `systemctl stop` does. */
  stop(): void {
    this.isUp = false;
    this.child?.kill("SIGTERM");
  }

  /** Kills the process for good, as when its machine lost its power. */
  cut(): void {
    this.isUp = false;
    this.kill();
  }
}

/** Takes what is left of a disk. Returns a function that gives it back. */
export async function fillDisk(machine: Machine, path: string): Promise<() => Promise<void>> {
  const file = join(folder, machine.name, path, "filler");
  await shell(
    `dd if=/dev/zero of=${file} bs=1M status=none || true; dd if=/dev/zero of=${file}2 bs=4k status=none || true`,
  );
  return async () => {
    for (const one of [file, `${file}2`]) rmSync(one, { force: true });
  };
}
