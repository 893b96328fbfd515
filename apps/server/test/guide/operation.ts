import { readdirSync, readFileSync, statSync } from "node:fs";
import sqlite3 from "sqlite3";
import { expect } from "vitest";
import { request } from "../harness.js";
import { readPage } from "../pages.js";
import { call, current, type Guide, type Step, titles, untilReady } from "./steps.js";

/** The blocks of docs/self-hosting.md about a service that runs. */
export const operation: readonly Step[] = [
  {
    heading: "Tokens",
    shows: "the first token is refused, and the new one works",
    check: async (guide, output) => {
      const first = guide.token;
      [guide.token = ""] = /\bkal_\w+/.exec(output) ?? [];
      const status = async () => (await call(guide, "list", {}, first)).status;
      await expect.poll(status, { timeout: 10_000 }).toBe(401); // within two seconds
      expect(await titles(guide)).toEqual(["First"]);
    },
  },
  {
    heading: "In a container",
    shows: "a container that keeps its data, and an account in it",
    check: (_guide, _output, calls) => {
      expect(calls[0]).toMatch(
        / --volume=kalends:\/data --publish=127\.0\.0\.1:8080:8080 .* kalends$|--name kalends/,
      );
      expect(calls[0]).toMatch(/ --env=PUBLIC_URL=http\S+ --env=TRUST_PROXY=1 /); // else the server warns of it
      expect(calls[1]).toMatch(/^docker exec kalends kalends account create --name \w/);
      expect(calls[2]).toMatch(/^docker exec kalends kalends person add --account 1 --name \w/);
    },
  },
  {
    heading: "Several servers",
    shows: "the files for two servers replace those for one",
    check: (guide, _output, calls) => {
      expect(calls).toEqual(["nginx -t", "systemctl reload nginx"]);
      expect(readdirSync(guide.machine.at("/etc/nginx/conf.d"))).toEqual([
        "kalends-two-servers.conf",
        "kalends.conf",
      ]);
    },
  },
  {
    heading: "Several servers on one machine",
    shows: "a template of the unit, whose instances have a port each",
    check: (guide, _output, calls) => {
      expect(calls).toEqual([
        "systemctl disable --now kalends",
        "systemctl daemon-reload",
        "systemctl enable --now kalends@8081 kalends@8082",
      ]);
      const [unit, port] = ["kalends@.service", "kalends@.service.d/port.conf"].map((name) =>
        readFileSync(guide.machine.at(`/etc/systemd/system/${name}`), "utf8"),
      );
      expect(unit).toBe(readPage("examples/systemd/kalends.service"));
      expect(port).toBe("[Service]\nEnvironment=PORT=%i\n");
    },
  },
  {
    heading: "Several servers on one machine",
    shows: "each server is out of nginx's list while it restarts, and all are in it afterwards",
    check: (guide, _output, calls) => {
      expect(calls.map((call) => call.replace(/^curl .* /, "curl "))).toEqual(
        ["8081", "8082"].flatMap((port) => [
          "systemctl reload nginx",
          `systemctl restart kalends@${port}`,
          `curl http://127.0.0.1:${port}/readyz`,
          "systemctl reload nginx",
        ]),
      );
      const list = "kalends-two-servers.conf"; // rolling-restart.deep.test.ts has the servers down meanwhile
      expect(readFileSync(guide.machine.at(`/etc/nginx/conf.d/${list}`), "utf8")).toBe(
        readPage(`examples/nginx/${list}`),
      );
    },
  },
  {
    heading: "SQLite",
    shows: "a backup that only its owner can read",
    check: async (guide) => {
      const file = guide.machine.at("/var/lib/kalends-backups/kalends-2026-11-21.sqlite");
      expect(statSync(file).mode & 0o777).toBe(0o600);
      await call(guide, "create", { title: "After the backup" });
    },
  },
  {
    heading: "SQLite",
    shows: "the restored database has what the backup has",
    check: async (guide) => {
      await untilReady(guide);
      expect(await titles(guide)).toEqual(["First"]);
    },
  },
  {
    heading: "PostgreSQL",
    shows: "the password is in a file that its owner alone can read, and the settings name it",
    check: async (guide) => {
      expect(statSync(guide.machine.at("/etc/kalends.pgpass")).mode & 0o777).toBe(0o600);
      const settings = readFileSync(guide.machine.at("/etc/kalends.env"), "utf8");
      expect(settings).toMatch(/^PGPASSFILE=\S*\/etc\/kalends\.pgpass$/m);
      await untilReady(guide);
    },
  },
  {
    heading: "PostgreSQL",
    shows: "pg_dump gets the database of the settings",
    check: (_guide, _output, calls) => {
      expect(calls).toEqual([
        expect.stringMatching(/^runuser --user=kalends -- pg_dump /),
        expect.stringMatching(/^pg_dump --format=custom .* sqlite:\/var\/lib\/kalends\/\S+$/),
      ]);
    },
  },
  {
    heading: "PostgreSQL",
    shows: "pg_restore gets the file of pg_dump once the server is stopped, and the feeds get new versions",
    check: async (guide, _output, calls) => {
      const dump = String.raw`/var/lib/kalends-backups/kalends-2026-11-21\.dump`;
      expect(calls.filter((call) => !call.startsWith("runuser "))).toEqual([
        "systemctl stop kalends",
        expect.stringMatching(new RegExp(`^pg_restore --file=/dev/null ${dump}$`)),
        expect.stringMatching(/^psql sqlite:\S+ --command=drop schema public cascade; create schema public$/),
        expect.stringMatching(new RegExp(`^pg_restore .*--single-transaction --dbname=sqlite:\\S+ ${dump}$`)),
        expect.stringMatching(
          /^psql sqlite:\S+ --command=update calendars set feed_version = feed_version \+ 1000000/,
        ),
        "systemctl start kalends",
      ]);
      await untilReady(guide);
    },
  },
  {
    heading: "Containers",
    shows: "the backup leaves the volume",
    check: (_guide, _output, calls) => {
      const file = "/data/kalends-2026-11-21.sqlite";
      expect(calls).toEqual([
        `docker exec kalends kalends backup ${file}`,
        `docker cp kalends:${file} .`,
        `docker exec kalends rm ${file}`,
      ]);
    },
  },
  {
    heading: "Containers",
    shows: "the file is restored while the server is stopped",
    check: (_guide, _output, calls) => {
      expect(calls).toEqual([
        "docker stop kalends",
        expect.stringMatching(
          /^docker run --rm --user=0 --volume=kalends:\/data --volume=\S*:\/backups kalends restore \/backups\/\S+\.sqlite$/,
        ),
        "docker start kalends",
      ]);
    },
  },
  {
    heading: "Containers",
    shows: "pg_dump runs where the database of compose.yaml does",
    check: (_guide, _output, calls) => {
      expect(readPage("compose.yaml")).toContain("POSTGRES_USER: kalends\n      POSTGRES_DB: kalends\n");
      expect(calls).toEqual([
        expect.stringMatching(/^docker compose exec --no-TTY database pg_dump .* kalends$/),
      ]);
    },
  },
  {
    heading: "Containers",
    shows: "the commands are those of PostgreSQL, between a stop and a start of the servers of compose.yaml",
    check: (_guide, _output, calls) => {
      const inDatabase = (call: string) => call.replace(/^docker compose exec --no-TTY database /, "");
      expect(calls.map(inDatabase)).toEqual([
        "docker compose stop server-1 server-2",
        "pg_restore --file=/dev/null",
        "psql --username=kalends --command=drop schema public cascade; create schema public",
        "pg_restore --username=kalends --no-owner --single-transaction --dbname=kalends",
        expect.stringMatching(
          /^psql .*--command=update calendars set feed_version = feed_version \+ 1000000/,
        ),
        "docker compose start server-1 server-2",
      ]);
    },
  },
];

/** Upgrades, and what comes after them on the page. */
export const upgrades: readonly Step[] = [
  {
    heading: "Upgrade and roll back",
    shows: "the new release is built beside the one that runs, and has no pending migration",
    check: (guide, output) => {
      expect(readdirSync(guide.machine.at("/opt/kalends/releases"))).toEqual(["v1.0.0", "v1.1.0"]);
      expect(current(guide)).toBe("v1.0.0");
      expect(output).toContain('"check":"migrations","status":"ok","detail":"none is pending"');
    },
  },
  {
    heading: "Upgrade and roll back",
    shows: "the new release runs",
    check: async (guide) => {
      expect(current(guide)).toBe("v1.1.0");
      await call(guide, "create", { title: "After the upgrade" });
    },
  },
  {
    heading: "Upgrade and roll back",
    shows: "without a migration the previous release keeps all data",
    check: async (guide) => {
      await untilReady(guide);
      expect(current(guide)).toBe("v1.0.0");
      expect(await titles(guide)).toEqual(["After the upgrade", "First"]);
      await migrateFurther(guide);
      await expect(
        guide.machine.run("systemctl stop kalends; kalends --env-file /etc/kalends.env migrate"),
      ).rejects.toThrow("The database has migrations of a newer version (9999_later)");
    },
  },
  {
    heading: "Upgrade and roll back",
    shows: "with a migration the previous release runs on the backup",
    check: async (guide) => {
      await untilReady(guide);
      expect(await titles(guide)).toEqual(["First"]);
    },
  },
  {
    heading: "A person asks for their data",
    shows: "all that is stored is printed, then deleted",
    before: async (guide) => {
      const { body } = await call(guide, "list");
      const fields = { app: "apple", name: "Ada", email: "Ada@example.com" };
      const followed = await fetch(`${guide.machine.url}/c/${body.calendars[0].uniquekey}/follow`, {
        method: "POST",
        body: new URLSearchParams(fields),
        redirect: "manual",
      });
      const page = await request(new URL(followed.headers.get("Location") ?? "", guide.machine.url).href);
      [guide.feed = ""] = /\/f\/[\w-]{22}\/[\w-]+\.ics/.exec(page.text) ?? [];
      expect((await request(`${guide.machine.url}${guide.feed}`)).status).toBe(200);
    },
    check: async (guide, output) => {
      expect(output).toContain("Ada@example.com");
      expect((await request(`${guide.machine.url}${guide.feed}`)).status).toBe(404);
    },
  },
];

/** What a newer release does, when it has a migration that this one does not know. */
function migrateFurther(guide: Guide): Promise<void> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(guide.machine.at("/var/lib/kalends/kalends.sqlite"), () => {
      database.exec("insert into migrations values ('9999_later', 0)", (failure) => {
        database.close(() => (failure === null ? resolve() : reject(failure)));
      });
    });
  });
}
