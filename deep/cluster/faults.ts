import { type Cluster, type DatabaseMachine, isWhole, members, primary, until } from "./cluster.js";
import { fillDisk } from "./machines.js";

// What happens to the cluster in a round. Each fault returns what ends it: what an operator, or the machine, does then.

type End = () => Promise<unknown>;

const nothing: End = () => Promise.resolve();

export const faults = {
  /** In turn: the machine of the primary loses its power, and PostgreSQL alone is killed. */
  kill: async ({ databases }, round) => {
    const machine = await primary(databases);
    const pid = await postmaster(machine);
    if (round % 2 === 0) {
      process.kill(pid, "SIGKILL");
      return nothing;
    }
    const services = [machine.patroni, machine.etcd];
    for (const service of services) service.cut();
    process.kill(pid, "SIGKILL");
    return async () => {
      for (const service of services) service.start();
    };
  },
  /** The network of the primary's machine is cut off: no packet leaves it or reaches it. */
  partition: async ({ databases }) => {
    const machine = await primary(databases);
    await machine.setLink("down");
    return () => machine.setLink("up");
  },
  /** The network of the standby is cut off that writes wait for. */
  standby: async ({ databases }) => {
    const [first] = databases;
    const found = first === undefined ? [] : await members(first);
    const name = found.find(({ role }) => role === "sync_standby")?.name;
    const machine = databases.find((one) => one.name === name);
    if (machine === undefined) throw new Error("There is no synchronous standby.");
    await machine.setLink("down");
    return () => machine.setLink("up");
  },
  /** The primary's machine is stopped and started again in good order, as the guide does it for an upgrade. */
  switchover: async ({ databases }) => {
    const machine = await primary(databases);
    await machine.run("runuser --user=postgres -- psql --quiet --command=checkpoint");
    machine.patroni.stop();
    return async () => machine.patroni.start();
  },
  /** etcd's leader is killed, and started again as by systemd. */
  etcd: async ({ databases }) => {
    const endpoints = databases.map(({ address }) => `http://${address}:2379`).join();
    const [first] = databases;
    const status = await first?.run(`ETCDCTL_API=3 etcdctl --endpoints=${endpoints} endpoint status`);
    const line = status?.split("\n").find((one) => one.split(", ")[4] === "true");
    const leader = databases.find(({ address }) => line?.includes(`//${address}:`));
    if (leader === undefined) throw new Error(`etcd has no leader: ${status}`);
    leader.etcd.kill();
    return nothing;
  },
  /** The disk with the data and the log of the primary is full until an operator makes room, and copies it again if need be. */
  disk: async ({ databases }) => {
    const machine = await primary(databases);
    const empty = await fillDisk(machine, "/var/lib/postgresql");
    return async () => {
      await empty();
      const reinit = `patronictl -c /etc/patroni/config.yml reinit --force kalends ${machine.name}`;
      await until("it joins again", 40, () => isWhole(databases)).catch(() => machine.run(reinit));
    };
  },
} satisfies Record<string, (cluster: Cluster, round: number) => Promise<End>>;

export type Kind = keyof typeof faults;

/** Reports whether another machine is the primary afterwards. PostgreSQL that is killed alone starts where it was. */
export function changesPrimary(kind: Kind, round: number): boolean {
  return ["partition", "switchover", "disk"].includes(kind) || (kind === "kill" && round % 2 === 1);
}

export function isKind(name: string): name is Kind {
  return Object.hasOwn(faults, name);
}

async function postmaster(machine: DatabaseMachine): Promise<number> {
  const [pid] = (await machine.run("cat /var/lib/postgresql/15/kalends/postmaster.pid")).split("\n");
  return Number(pid);
}
