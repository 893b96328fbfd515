import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, isWhole, primary, root, token, until } from "./cluster.js";
import { shell } from "./machines.js";

// The backup and the restore of docs/high-availability.md: its commands are run as they are, on these machines.

/** Returns the commands under a heading, those of systemd left out, which do not run here. */
function commandsOf(heading: string): readonly string[] {
  const page = readFileSync(`${root}/docs/high-availability.md`, "utf8");
  const section = page.split(/^#+ /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  if (blocks.length !== 3) throw new Error(`The guide has ${blocks.length} blocks under ${heading}.`);
  return blocks.map((text) => text.replace(/^systemctl .*\n/gm, ""));
}

const asPostgres = "setpriv --reuid=postgres --regid=postgres --clear-groups --reset-env";
const inBash = (text: string): string => `${asPostgres} bash -euo pipefail <<'ALL'\n${text}\nALL`;

/** Deletes all events, and restores the moment before. @throws Error when what comes back is not what was there */
export async function restoreOnce(cluster: Cluster): Promise<string> {
  const [db1, ...others] = cluster.databases;
  const [app1] = cluster.servers;
  if (db1 === undefined || app1 === undefined) throw new Error("There is no machine.");
  const [prepare = "", receive = "", backUp = ""] = commandsOf("Backups");
  const [restore = "", forget = "", join = ""] = commandsOf("Restore to a point in time");
  await app1.run(prepare.replace(/^replication=\S+/, `replication=${cluster.replication}`));
  const wal = app1.service("wal", `${asPostgres} ${receive}`);
  wal.start();
  await app1.run(inBash(backUp));

  const calendar = await create(app1.url, "calendars", { title: "Restored", timezone: "UTC" });
  const { id: calendar_id } = JSON.parse(calendar).calendar;
  for (let n = 0; n < 20; n++)
    await create(app1.url, "events", { calendar_id, title: `Kept ${n}`, start_date: "07/04/2027 13:30" });
  const count = async (): Promise<string> => (await cluster.query("select count(*) from events")).trim();
  const before = await count();
  await delay(1_500);
  const moment = (await cluster.query("select now()")).trim();
  await delay(1_500);
  await cluster.query("delete from events");
  await delay(8_000); // until the receiver has it

  for (const { kalends } of cluster.servers) kalends.cut();
  for (const { patroni } of cluster.databases) patroni.stop();
  await delay(10_000);
  wal.cut();
  await shell(`cp -a /run/machines/app1/var/backups/. /run/machines/db1/var/backups/`);
  const date = (await app1.run("ls /var/backups/kalends/base")).trim();
  const here = restore.replace(/(base\/)\S+/, `$1${date}`).replace(/^moment=.*$/m, `moment="${moment}"`);
  await db1.run(inBash(here));
  await db1.run(inBash(forget));
  db1.patroni.start();
  await until("db1 leads", 60, async () => (await primary([db1])) === db1);
  for (const machine of others) {
    await machine.run(inBash(join));
    machine.patroni.start();
  }
  await until("the restored cluster is whole", 120, () => isWhole(cluster.databases));
  const after = await count();
  if (after !== before || Number(before) < 20) throw new Error(`${before} events before, ${after} after`);
  for (const { kalends } of cluster.servers) kalends.start();
  await until("a write is taken", 60, async () => {
    await create(app1.url, "events", { calendar_id, title: "After", start_date: "07/04/2027 13:30" });
    return true;
  });
  return `restored ${after} events to ${moment}`;
}

async function create(url: string, what: string, params: Readonly<Record<string, string>>): Promise<string> {
  const path = what === "calendars" ? "calendars" : "calendars/events";
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v1/${path}/create/`, {
    method: "POST",
    headers,
    body: new URLSearchParams(params),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.text();
}
