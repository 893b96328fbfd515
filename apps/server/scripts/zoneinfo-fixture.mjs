// Writes test/fixtures/zoneinfo.json from the TZif files (RFC 9636) of a zoneinfo folder: the second source that
// src/time/zones.pure.test.ts holds our zone data against.
//
//   node apps/server/scripts/zoneinfo-fixture.mjs [folder, default /usr/share/zoneinfo]
//
// Zones with the same history since 1970 share an entry. `history` is the offset before the first change, in seconds east
// of UTC, then each change of the offset: the quarter hours since the change before (the first: since 1970) in base 36,
// "." with the seconds left over, if any, and ":" with the new offset, unless it is that of two changes ago.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2] ?? "/usr/share/zoneinfo";
const lastYear = 2037;
const end = Date.UTC(lastYear + 1, 0, 1) / 1000;

const version = /^# version (\S+)/.exec(readFileSync(join(folder, "tzdata.zi"), "utf8"))[1];
const zoneTab = readFileSync(join(folder, "zone.tab"), "utf8");
const listed = zoneTab
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => line.split("\t")[2]);
listed.push("Etc/UTC");

const groups = new Map();
for (const name of [...zoneNames("")].sort()) {
  const text = encode(changes(readFileSync(join(folder, name))));
  const group = groups.get(text) ?? { zones: [], aliases: [] };
  groups.set(text, group);
  (listed.includes(name) ? group.zones : group.aliases).push(name);
}

const lines = [...groups].map(([history, { zones, aliases }]) =>
  JSON.stringify({ zones: zones.join(" "), aliases: aliases.join(" "), history }),
);
const target = new URL("../test/fixtures/zoneinfo.json", import.meta.url);
const json = `{"version":"${version}","lastYear":${lastYear},"groups":[\n${lines.join(",\n")}\n]}\n`;
writeFileSync(target, json);
console.log(`${version}: ${listed.length} listed zones, ${groups.size} histories, ${json.length} bytes`);

/** Names of the TZif files, without the copies that are no zones. */
function* zoneNames(under) {
  for (const entry of readdirSync(join(folder, under), { withFileTypes: true })) {
    const name = under + entry.name;
    if (["posix", "right", "Factory", "localtime", "posixrules"].includes(name)) continue;
    if (entry.isDirectory()) yield* zoneNames(`${name}/`);
    else if (readFileSync(join(folder, name)).subarray(0, 4).toString("latin1") === "TZif") yield name;
  }
}

/** The offset at the end of 1969, and the changes from 1970 on as [Unix second, offset after]. */
function changes(file) {
  // The second block has 64-bit times; the first, with 32 bits, is skipped.
  const first = counts(file, 0);
  const start = 44 + first.times * 5 + first.types * 6 + first.chars + first.leaps * 8 + first.std + first.ut;
  const count = counts(file, start);
  const times = start + 44;
  const indices = times + count.times * 8;
  const types = indices + count.times;
  const footer = types + count.types * 6 + count.chars + count.leaps * 12 + count.std + count.ut;
  const offset = (type) => file.readInt32BE(types + type * 6);
  const all = Array.from({ length: count.times }, (_, i) => [
    Number(file.readBigInt64BE(times + i * 8)),
    offset(file[indices + i]),
  ]);
  const tableEnd = all.at(-1)?.[0] ?? -Infinity;
  all.push(...footerChanges(file.subarray(footer).toString("latin1").trim()).filter(([at]) => at > tableEnd));

  const before = all.filter(([at]) => at < 0).at(-1)?.[1] ?? offset(0);
  const since = all.filter(([at]) => at >= 0 && at < end);
  // Some changes are of the abbreviation only.
  return { before, found: since.filter(([, after], i) => after !== (since[i - 1]?.[1] ?? before)) };
}

function counts(file, start) {
  const [ut, std, leaps, times, types, chars] = [20, 24, 28, 32, 36, 40].map((at) =>
    file.readUInt32BE(start + at),
  );
  return { ut, std, leaps, times, types, chars };
}

/** The changes that a POSIX TZ string describes, such as "EST5EDT,M3.2.0,M11.1.0". */
function footerChanges(text) {
  if (!text.includes(",")) return [];
  const name = "(?:<[^>]+>|[A-Za-z]+)";
  const parts = new RegExp(`^${name}([-+:\\d]+)${name}([-+:\\d]*),([^,]+),([^,]+)$`).exec(text);
  if (!parts) throw new Error(`Unknown footer ${text}`);
  const standard = -clock(parts[1]);
  const summer = parts[2] ? -clock(parts[2]) : standard + 3600;
  const years = Array.from({ length: lastYear - 1969 }, (_, i) => 1970 + i);
  return years
    .flatMap((year) => [
      [day(year, parts[3]) - standard, summer],
      [day(year, parts[4]) - summer, standard],
    ])
    .sort(([a], [b]) => a - b);
}

/** The wall clock of "M3.2.0/2": the second Sunday of March at 02:00; week 5 is the last. */
function day(year, rule) {
  const [, month, week, weekday, time = "2"] = /^M(\d+)\.(\d)\.(\d)(?:\/(.+))?$/.exec(rule);
  const first = Date.UTC(year, month - 1, 1) / 1000;
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  let date = 1 + ((Number(weekday) - new Date(first * 1000).getUTCDay() + 7) % 7) + 7 * (week - 1);
  if (date > length) date -= 7;
  return first + (date - 1) * 86_400 + clock(time);
}

/** Seconds of "[-]H[:MM[:SS]]". */
function clock(text) {
  const [hours, minutes = 0, seconds = 0] = text.replace(/^[-+]/, "").split(":").map(Number);
  return (text.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
}

function encode({ before, found }) {
  const offsets = [undefined, before];
  let last = 0;
  const words = found.map(([at, after]) => {
    const quarters = Math.floor((at - last) / 900).toString(36);
    const rest = (at - last) % 900 === 0 ? "" : `.${(at - last) % 900}`;
    last = at;
    offsets.push(after);
    return quarters + rest + (after === offsets.at(-3) ? "" : `:${after}`);
  });
  return [before, ...words].join(" ");
}
