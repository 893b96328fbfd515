import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isProduction, readConfig, settingWarnings } from "./config.js";
import { postgresAddress } from "../db/postgres/tls.js";

function readExample(): Record<string, string> {
  const text = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
  return Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
}

describe("settings", () => {
  test("an empty environment gives the documented defaults", () => {
    expect(readConfig({})).toEqual({
      HOST: "127.0.0.1",
      PORT: 8080,
      DATABASE_URL: "sqlite:./data/kalends.sqlite",
      MAP_URL: "https://www.openstreetmap.org/search?query=",
      MAX_ACCOUNT_BYTES: false,
      TRASH_DAYS: 30,
      MAX_CONNECTIONS: "auto",
      PAGE_SIZE: 100,
      PAGE_CACHE_MB: 32,
      CORS_ORIGINS: "*",
      TRUST_PROXY: false,
      RATE_LIMIT: 0,
      FOLLOW_LIMIT_PER_ADDRESS: 60,
      FOLLOW_LIMIT_PER_CALENDAR: 300,
      INACTIVE_AFTER_DAYS: 30,
      FEED_REFRESH_MINUTES: 60,
      FOLLOWER_COUNT: "on",
      FEED_GZIP: "on",
      STORE_IP: "full",
      CONSOLE_INSECURE: "off",
      HOME_PAGE: "auto",
      WEBHOOKS_PER_ACCOUNT: 10,
      WEBHOOK_TIMEOUT_MS: 10_000,
      WEBHOOK_ALLOW_PRIVATE: "off",
      WEBHOOK_MAX_PAYLOAD: 16_384,
      WEBHOOK_KEEP_DAYS: 30,
      WEBHOOK_KEEP_DELIVERIES: 100_000,
      SMTP_RATE: 300,
      SLOW_MS: 1000,
      LOG_LEVEL: "info",
    });
  });

  test("every setting is listed in .env.example, with the same default", () => {
    const example = readExample();
    expect(readConfig(example)).toEqual(readConfig({}));
    expect(Object.keys(example).toSorted()).toEqual(
      [
        ...Object.keys(readConfig({})),
        "PUBLIC_URL",
        "OIDC_ISSUER",
        "OIDC_CLIENT_ID",
        "OIDC_CLIENT_SECRET",
        "OIDC_NAME",
        "CALENDAR_TOKEN",
        "METRICS_TOKEN",
        "GEOIP_DATABASE",
        "SYNC_USER_AGENT",
        "SMTP_URL",
        "SMTP_FROM",
      ].toSorted(),
    );
  });

  const refused = [
    ["PORT", "65536"],
    ["PORT", "http"],
    ["PAGE_SIZE", "0"],
    ["PAGE_SIZE", "1001"],
    ["DATABASE_URL", "mysql://host/db"],
    ["DATABASE_URL", "sqlite::memory:"],
    ["DATABASE_URL", "sqlite://"],
    ["DATABASE_URL", "sqlite: ./data/kalends.sqlite"],
    ["DATABASE_URL", "sqlite:./data/kalends.sqlite?mode=ro"],
    ["DATABASE_URL", "sqlite:./data/kalends.sqlite#new"],
    ["MAX_CONNECTIONS", "0"],
    ["MAX_CONNECTIONS", "all"],
    ["PUBLIC_URL", "calendars.example.com"],
    ["PUBLIC_URL", "https://calendars.example.com/?a=1"],
    ["PUBLIC_URL", "https://me@calendars.example.com"],
    ["OIDC_ISSUER", "http://login.example.com"],
    ["OIDC_ISSUER", "https://login.example.com"], // needs the other two
    ["CALENDAR_TOKEN", "short"],
    ["CALENDAR_TOKEN", "has blanks in its middle"],
    ["METRICS_TOKEN", "fifteen-letters"],
    ["METRICS_TOKEN", "has blanks in its middle"],
    ["CORS_ORIGINS", "example.com"],
    ["TRUST_PROXY", "true"],
    ["TRUST_PROXY", "0"],
    ["TRUST_PROXY", "10"],
    ["TRUST_PROXY", "10.0.0.0/99"],
    ["TRUST_PROXY", "10.0.0.0/0"],
    ["TRUST_PROXY", "10.0.0.0/8/8"],
    ["TRUST_PROXY", "1.2.3"],
    ["TRUST_PROXY", ":"],
    ["TRUST_PROXY", "::1,"],
    ["RATE_LIMIT", "-1"],
    ["FOLLOW_LIMIT_PER_ADDRESS", "many"],
    ["FOLLOW_LIMIT_PER_CALENDAR", "1000001"],
    ["INACTIVE_AFTER_DAYS", "0"],
    ["INACTIVE_AFTER_DAYS", "3651"],
    ["FEED_REFRESH_MINUTES", "14"],
    ["FEED_REFRESH_MINUTES", "1441"],
    ["FEED_GZIP", "true"],
    ["FOLLOWER_COUNT", "no"],
    ["HOME_PAGE", "/c/5j2c9mta7xkw"],
    ["STORE_IP", "no"],
    ["SMTP_URL", "mail.example.com"],
    ["SMTP_URL", "http://mail.example.com"],
    ["SMTP_URL", "smtp://mail.example.com"], // needs two others
    ["LOG_LEVEL", "loud"],
  ] as const;
  for (const [name, value] of refused) {
    test(`${name}=${value} is refused by name`, () => {
      expect(() => readConfig({ [name]: value })).toThrow(name);
    });
  }

  test("the password of a PUBLIC_URL is not shown by the error that refuses it", () => {
    const PUBLIC_URL = "https://me:xyzzy@calendars.example.com";
    expect(() => readConfig({ PUBLIC_URL })).toThrow(/^(?!.*xyzzy).*PUBLIC_URL must have no user/s);
  });

  test.each(["smtps://me:50%off@mail.example.com", "smtp://m%e9@mail.example.com"])(
    "%s, which no mail could be sent by, is refused by name, without its password",
    (SMTP_URL) => {
      const sends = { SMTP_FROM: "news@example.com", PUBLIC_URL: "https://calendars.example.com" };
      const read = (url: string) => readConfig({ ...sends, SMTP_URL: url });
      expect(() => read(SMTP_URL)).toThrow(/^(?!.*off).*SMTP_URL must have .*percent-encoded \(% is %25\)/s);
      const encoded = SMTP_URL.replace("%", "%25");
      expect(read(encoded).SMTP_URL).toBe(encoded);
    },
  );

  test("the path of a SQLite file is not a file: URI", () => {
    expect(() => readConfig({ DATABASE_URL: "sqlite:file:/x/y.db" })).toThrow("sqlite:/x/y.db");
  });

  test.each([
    "postgres://me:se#cret@db.example.com/kalends",
    "postgres://me:1#cret@db.example.com/kalends", // the URL of a server "me" at port 1, with a fragment
    "postgres://me:se/cret@db.example.com/kalends",
    "postgres://me:se?cret@db.example.com/kalends",
    "postgres://me:se%e9cret@db.example.com/kalends",
    "postgres://me:secret@db.example.com:port/kalends",
    "postgres://me:secret@db.example.com:65536/kalends",
  ])("%s is refused by name, without its password", (url) => {
    const read = (): unknown => readConfig({ DATABASE_URL: url });
    expect(read).toThrow(/^ {2}DATABASE_URL must be postgres:\/\/.*percent-encoded/m);
    expect(read).not.toThrow(/cret/);
  });

  test.each([
    "postgres://me:p@ss@db.example.com/kalends",
    "postgres://me:50%off@db.example.com/kalends",
    "postgres://me:a%23%2F%40@db.example.com:5432/kalends?sslmode=disable",
    "postgresql://me@/kalends?host=/run/postgresql",
    "postgres:///kalends?host=/run/postgresql",
    "postgres://me@%2Frun%2Fpostgresql/kalends",
    "postgres://[::1]:5432/kalends",
  ])("%s, which pg can read, is accepted", (url) => {
    expect(readConfig({ DATABASE_URL: url }).DATABASE_URL).toBe(url);
    expect(() => postgresAddress(url)).not.toThrow();
  });

  test("the message does not contain the refused value, which may be a secret", () => {
    expect(() => readConfig({ CALENDAR_TOKEN: "my secret" })).not.toThrow(/my secret/);
  });

  test("one message names every invalid setting", () => {
    expect(() => readConfig({ PORT: "x", PAGE_SIZE: "x" })).toThrow(/PORT[^]*PAGE_SIZE/);
  });

  const accepted = [
    ["PUBLIC_URL", "https://calendars.example.com/", "https://calendars.example.com"],
    ["TRUST_PROXY", "2", 2],
    ["PUBLIC_URL", "https://calendars.example.com/@me/", "https://calendars.example.com/@me"],
    ["TRUST_PROXY", "10.0.0.0/8,::1", ["10.0.0.0/8", "::1"]],
    ["TRUST_PROXY", "172.16.0.0/255.240.0.0,fd00::/8", ["172.16.0.0/255.240.0.0", "fd00::/8"]],
    ["CORS_ORIGINS", "https://a.example,http://b.example:3000", "https://a.example,http://b.example:3000"],
  ] as const;
  test("white space around a value, as secret files and files of Windows have it, is no part of it", () => {
    const clean = {
      HOST: "::1",
      PUBLIC_URL: "https://calendars.example.com",
      CALENDAR_TOKEN: "0123456789abcdef",
      METRICS_TOKEN: "0123456789abcdef",
      GEOIP_DATABASE: "/x/places.mmdb",
      PORT: "8081",
    };
    for (const [before, after] of [
      ["", "\n"],
      ["", "\r\n"],
      [" ", "\t"],
    ] as const) {
      const given = Object.fromEntries(
        Object.entries(clean).map(([name, value]) => [name, before + value + after]),
      );
      expect(readConfig(given)).toEqual(readConfig(clean));
    }
    expect(readConfig({ PUBLIC_URL: " \n" })).toEqual(readConfig({}));
  });

  test.each([" ", "\t", "\n", "\r\n", "\r", "\u00a0"])(
    "%j around the address of a database is refused",
    (space) => {
      const addresses = [
        "sqlite:/x/y.sqlite",
        "postgres://me:secret@db/kalends",
        "postgres://db/x?sslmode=disable",
      ];
      for (const address of addresses)
        for (const url of [`${address}${space}`, `${space}${address}`, `${address}${space}${space}`]) {
          const read = (): unknown => readConfig({ DATABASE_URL: url });
          expect(read).toThrow(
            /^ {2}DATABASE_URL must have no blank and no line break at its beginning or end$/m,
          );
          expect(read).not.toThrow(/secret/);
        }
      expect(readConfig({ DATABASE_URL: space }).DATABASE_URL).toBe("sqlite:./data/kalends.sqlite");
    },
  );

  test.each([
    ["WEBHOOK_ALLOW_PRIVAT", "WEBHOOK_ALLOW_PRIVATE"],
    ["WEBHOOKALLOWPRIVATE", "WEBHOOK_ALLOW_PRIVATE"],
    ["KALENDS_PORT", "PORT"],
    ["kalends_trust_proxi", "TRUST_PROXY"],
    ["DATABASE_URl", "DATABASE_URL"],
    ["DATABSAE_URL", "DATABASE_URL"],
    ["CORS_ORIGIN", "CORS_ORIGINS"],
    ["host", "HOST"],
  ])("the variable %s is reported as a misspelled %s, without its value", (name, meant) => {
    const warning = `${name} is not a setting and has no effect: did you mean ${meant}?`;
    expect(settingWarnings({ [name]: "xyzzy" })).toEqual([warning]);
    expect(() => readConfig({ [name]: "xyzzy", PORT: "none" })).toThrow(warning);
    expect(settingWarnings({ [name]: " " })).toEqual([]);
  });

  test("variables of other programs are not reported", () => {
    const names =
      "PATH HOME HOSTNAME HOSTS PORTS POST SHELL LOGNAME LANG TERM TZ PWD USER NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS " +
      "PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE DATABASE_USER DATABASE_PASSWORD DATABASE_HOST DATABASE_NAME PUBLIC_IP " +
      "TEST_DATABASE_URL HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy LOG_FORMAT LOG_FILE REDIS_URL TOKEN GITHUB_TOKEN " +
      "WEB_CONCURRENCY MAX_MEMORY INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET KALENDS_SERVICE_HOST KALENDS_SERVICE_PORT " +
      "KALENDS_SEED KALENDS_TEST_POSTGRES npm_config_cache npm_package_name";
    const environment = Object.fromEntries(names.split(" ").map((name) => [name, "x"]));
    // What Kubernetes sets where a service has the name kalends.
    expect(
      settingWarnings({ ...environment, ...readExample(), KALENDS_PORT: "tcp://10.0.0.1:8080" }),
    ).toEqual([]);
  });

  test.each([
    ["production", true],
    ["Production", true],
    [" PRODUCTION\r\n", true],
    ["development", false],
    [undefined, false],
  ])("NODE_ENV=%j counts as production: %j", (NODE_ENV, want) => {
    expect(isProduction(readConfig({}), { NODE_ENV })).toBe(want);
  });

  for (const [name, value, want] of accepted) {
    test(`${name}=${value} is accepted`, () => {
      expect(readConfig({ [name]: value })).toMatchObject({ [name]: want });
    });
  }
});
