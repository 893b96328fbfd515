import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { isIP } from "node:net";
import * as z from "zod";
import { settingsFile } from "../about.js";
import { databaseUrlFault } from "../db/url.js";
import { isLoopback } from "./ip-address.js";
import leven from "leven";

const off = z.literal("off").transform(() => false as const);

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const publicUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL, such as https://calendars.example.com" })
  .refine((url) => !/[?#]/.test(url), "must have no query and no fragment")
  // Every feed, page and response would show user name and password.
  .refine((url) => !/^[a-z]+:\/+[^/\\]*@/i.test(url), "must have no user name and no password")
  .transform((url) => url.replace(/\/+$/, ""));

/** URL of an identity provider. It decides who signs in, so its responses must be protected in transit. */
const oidcIssuer = publicUrl.refine(
  (url) => url.startsWith("https:") || isLoopback(new URL(url).hostname),
  "must begin with https://, except on this machine",
);

/** Reports whether a text is an IP address, with or without a prefix length or, for IPv4, a mask such as 255.255.0.0. */
function isAddressOrRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined || (version === 4 && isIP(prefix) === 4)) return true;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

const trustProxy = z.union(
  [
    off,
    z
      .string()
      .regex(/^[1-9]$/)
      .transform(Number),
    z
      .string()
      .transform((list) => list.split(","))
      .refine((list) => list.every(isAddressOrRange)),
  ],
  "must be off, the number of proxies (1 to 9), or their addresses, such as 10.0.0.0/8,192.168.1.7",
);

const maxConnections = z.union([z.literal("auto"), wholeNumber(1, 1_000_000)], {
  error: "must be auto or a whole number from 1 to 1000000",
});

/** Where messages are given to for sending; a password may be in it. */
const smtpUrl = z
  .url({
    protocol: /^smtps?$/,
    error: "must be an smtp or smtps URL, such as smtps://user:password@mail.example.com",
    abort: true, // the next checks read it as a URL
  })
  .refine(
    (url) => new URL(url).hostname !== "" && /^\/?$/.test(new URL(url).pathname),
    "must have a host and no path",
  )
  .refine((url) => !/[?#]/.test(url), "must have no query and no fragment")
  .refine(hasEncodedUser, "must have a user and a password that are percent-encoded (% is %25)");

/** Reports whether the user and the password of a URL can be decoded. The URL standard keeps a stray %. */
function hasEncodedUser(url: string): boolean {
  const { username, password } = new URL(url);
  try {
    return decodeURIComponent(`${username}:${password}`) !== "";
  } catch {
    return false;
  }
}

const databaseUrl = z.string().superRefine((url, context) => {
  const message = databaseUrlFault(url);
  if (message !== undefined) context.addIssue({ code: "custom", message, continue: false });
});

const urls: ReadonlySet<string> = new Set(["DATABASE_URL"]);

const defaultDatabaseUrl = "sqlite:./data/kalends.sqlite";

/** Every setting with its rule and default. Names end in the unit where there is one. */
const fields = z.object({
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535).default(8080),
  DATABASE_URL: databaseUrl.default(defaultDatabaseUrl),
  MAX_CONNECTIONS: maxConnections.default("auto"),
  PUBLIC_URL: publicUrl.optional(),
  // Not HOME, which is the user's own folder in every process: pg reads its passwords there.
  HOME_PAGE: z
    .string()
    .regex(/^(?:auto|door|\/o\/[a-z0-9-]{3,40})$/, "must be auto, door or a portal such as /o/my-club")
    .default("auto"),
  CONSOLE_INSECURE: z.enum(["on", "off"]).default("off"),
  OIDC_ISSUER: oidcIssuer.optional(),
  OIDC_CLIENT_ID: z.string().max(255).optional(),
  OIDC_CLIENT_SECRET: z.string().max(1024).optional(),
  OIDC_NAME: z.string().max(100).optional(),
  CALENDAR_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,128}$/, "must be 16 to 128 characters of A-Z, a-z, 0-9, _ and -")
    .optional(),
  METRICS_TOKEN: z
    .string()
    .regex(
      /^(?=.{16,256}$)[A-Za-z0-9._~+/-]+=*$/,
      "must be 16 to 256 characters of A-Z, a-z, 0-9 and . _ ~ + / - (= only at its end), such as from: openssl rand -hex 24",
    )
    .optional(),
  PAGE_SIZE: wholeNumber(1, 1000).default(100),
  PAGE_CACHE_MB: wholeNumber(0, 65_536).default(32),
  CORS_ORIGINS: z
    .string()
    .regex(
      /^(?:\*|https?:\/\/[^\s,/]+(?:,https?:\/\/[^\s,/]+)*)$/,
      "must be * or origins such as https://a.example,https://b.example",
    )
    .default("*"),
  TRUST_PROXY: trustProxy.default(false),
  RATE_LIMIT: wholeNumber(0, 1_000_000).default(0),
  FOLLOW_LIMIT_PER_ADDRESS: wholeNumber(0, 1_000_000).default(60),
  FOLLOW_LIMIT_PER_CALENDAR: wholeNumber(0, 1_000_000).default(300),
  INACTIVE_AFTER_DAYS: wholeNumber(1, 3650).default(30),
  FEED_REFRESH_MINUTES: wholeNumber(15, 1440).default(60),
  FOLLOWER_COUNT: z.enum(["on", "off"]).default("on"),
  MAP_URL: z
    .union([off, z.string().regex(/^https:\/\/[^\s"<>#]+$/)], {
      error: "must be off or an https URL that a place can stand behind, such as https://maps.example/?q=",
    })
    .default("https://www.openstreetmap.org/search?query="),
  FEED_GZIP: z.enum(["on", "off"]).default("on"),
  STORE_IP: z.enum(["full", "truncated", "off"]).default("full"),
  GEOIP_DATABASE: z.string().optional(),
  SYNC_USER_AGENT: z
    .string()
    .regex(/^[ -~]{1,255}$/, "must be at most 255 ASCII characters")
    .optional(),
  WEBHOOKS_PER_ACCOUNT: wholeNumber(0, 1000).default(10),
  WEBHOOK_TIMEOUT_MS: wholeNumber(100, 60_000).default(10_000),
  WEBHOOK_ALLOW_PRIVATE: z.enum(["on", "off"]).default("off"),
  WEBHOOK_MAX_PAYLOAD: wholeNumber(8_192, 1_048_576).default(16_384),
  WEBHOOK_KEEP_DAYS: wholeNumber(1, 365).default(30),
  WEBHOOK_KEEP_DELIVERIES: wholeNumber(100, 10_000_000).default(100_000),
  SMTP_URL: smtpUrl.optional(),
  SMTP_FROM: z
    .string()
    .max(254)
    .regex(/^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/, "must be an e-mail address")
    .optional(),
  SMTP_RATE: wholeNumber(1, 100_000).default(300),
  MAX_ACCOUNT_BYTES: z
    .union([off, wholeNumber(1_000_000, Number.MAX_SAFE_INTEGER)], {
      error: "must be off or a whole number of bytes from 1000000",
    })
    .default(false),
  TRASH_DAYS: wholeNumber(0, 3650).default(30),
  SLOW_MS: wholeNumber(0, 3_600_000).default(1_000),
  LOG_LEVEL: z.enum(["silent", "fatal", "error", "warn", "info", "debug", "trace"]).default("info"),
});

const settings = fields
  .refine(
    ({ SMTP_URL, SMTP_FROM, PUBLIC_URL }) =>
      SMTP_URL === undefined || (SMTP_FROM !== undefined && PUBLIC_URL !== undefined),
    { path: ["SMTP_URL"], message: "needs SMTP_FROM and, for the links in messages, PUBLIC_URL" },
  )
  .refine(
    ({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }) =>
      new Set([OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET].map((one) => one === undefined)).size === 1,
    { path: ["OIDC_ISSUER"], message: "needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and they need it" },
  );

export type Config = Readonly<z.output<typeof settings>>;

/** Thrown for invalid settings; the message names each setting and its rule, never its value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Reads and validates the settings from environment variables. An empty variable counts as absent. White space around a value
 * is removed: secret files end with a newline, and settings files of Windows have carriage returns. Around a database URL it is
 * refused: programs differ in whether it is a part of the name.
 * @throws ConfigError that names every invalid setting
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => {
      const value = environment[name] ?? "";
      const used = urls.has(name) ? value : value.trim();
      return value.trim() === "" ? [] : [[name, used]];
    }),
  );
  const result = settings.safeParse(given);
  if (result.success) return Object.freeze(result.data);
  const lines = result.error.issues.map((issue) => `  ${issue.path.join(".")} ${issue.message}`);
  const parts = ["These settings are not accepted:", ...lines, ...settingWarnings(environment)];
  throw new ConfigError(`${parts.join("\n")}\nSee ${settingsFile}.`);
}

export function settingWarnings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  return misspelledSettings(Object.keys(settings.shape), environment);
}

/** Reports whether the server runs in production, where only an operator creates an account (rulings R6.1). */
export function isProduction(
  { DATABASE_URL }: Config,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  return environment.NODE_ENV?.trim().toLowerCase() === "production" || DATABASE_URL !== defaultDatabaseUrl;
}

/** The settings of an installed service (examples/systemd). */
const serviceFile = "/etc/kalends.env";

/** Largest settings file, in bytes: a larger one is something else, such as a device. */
const mostBytes = 1_048_576;

/** Reads a file, which may be a pipe. @throws Error when it is larger than `mostBytes` */
function readSettings(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(mostBytes + 1);
    let [length, read] = [0, 0];
    do length += read = readSync(descriptor, bytes, length, bytes.length - length, null);
    while (read > 0);
    if (length > mostBytes) throw new Error("It is larger than 1 MiB.");
    return bytes.toString("utf8", 0, length);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Adds the settings of a file to the environment, which has precedence. Default: the file of the installed service, if it
 * exists.
 * @throws ConfigError when the file cannot be read
 */
export function useEnvFile(named: string | undefined, installed = serviceFile): void {
  if (named === undefined && !existsSync(installed)) return;
  const file = named ?? installed;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new ConfigError(`${file} is a folder: name a file in it with --env-file.`);
  try {
    for (const [name, value] of parseEnvFile(readSettings(file))) {
      if (process.env[name] === undefined || process.env[name] === "") process.env[name] = value;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `The settings in ${file} cannot be read: ${reason}\nRun the command as the user of the service, or give --env-file.`,
    );
  }
}

/** One typing error is allowed for this many characters of a name: short names resemble those of other programs. */
const charactersPerError = 6;
const mostErrors = 2;

/**
 * Returns a warning for each environment variable whose name resembles that of a setting: in another case, with the prefix
 * KALENDS_, or with a typing error. Never shows the value. Empty variables count as absent.
 */
export function misspelledSettings(
  settings: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = ""]) => {
    // Kubernetes and Docker set KALENDS_PORT to an address for a service named kalends.
    if (settings.includes(name) || value.trim() === "" || /^(?:tcp|udp|sctp):\/\//.test(value)) return [];
    const meant = settings.find((setting) => isSimilar(name.toUpperCase(), setting));
    return meant === undefined ? [] : [`${name} is not a setting and has no effect: did you mean ${meant}?`];
  });
}

function isSimilar(name: string, setting: string): boolean {
  const most = Math.min(mostErrors, Math.floor(setting.length / charactersPerError));
  return [name, name.replace(/^KALENDS_/, "")].some((text) => leven(text, setting) <= most);
}

/**
 * Parses settings as systemd reads an EnvironmentFile, so that commands have the settings of the service: one `NAME=value` per
 * line, comments begin with # or ; at the start of a line, and the value may be quoted.
 * @throws Error that names the number of an invalid line, never its content
 */
export function parseEnvFile(text: string): ReadonlyMap<string, string> {
  const joined = text.replace(/\\\r?\n/g, ""); // a backslash at the end of a line continues it
  const found = new Map<string, string>();
  for (const [index, raw] of joined.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === "" || /^[#;]/.test(line)) continue;
    const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new Error(`Line ${index + 1} must have the form NAME=value.`);
    found.set(name, unquoted(value));
  }
  return found;
}

function unquoted(value: string): string {
  const [, single] = /^'([^']*)'$/.exec(value) ?? [];
  if (single !== undefined) return single;
  const [, double] = /^"((?:[^"\\]|\\.)*)"$/.exec(value) ?? [];
  return double === undefined ? value : double.replace(/\\(["\\`$])/g, "$1");
}
