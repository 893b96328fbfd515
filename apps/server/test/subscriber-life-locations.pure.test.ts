import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigError } from "../src/settings/config.js";
import { canonicalAddress, networkOf } from "../src/settings/ip-address.js";
import { storedAddress } from "../src/followers/subscribe.js";
import { openLocations, locationOf, unknownLocation } from "../src/followers/locations.js";
import { mmdb } from "./mmdb.js";
import { temporaryFolder } from "./temporary.js";

// A follower's address and its location (rulings R5.5).

const folder = temporaryFolder();

function file(name: string, bytes: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const geoLite2 = {
  continent: { code: "EU", names: { en: "Europe" } },
  country: { iso_code: "FR", names: { en: "France", fr: "France" } },
  subdivisions: [
    { iso_code: "IDF", names: { en: "Île-de-France", de: "Île-de-France" } },
    { iso_code: "75", names: { en: "Paris" } },
  ],
  city: { names: { en: "Paris", ja: "パリ" } },
  postal: { code: "75001" },
};
const dbIp = {
  country: { iso_code: "US", names: { en: "United States" } },
  subdivisions: [{ names: { en: "California" } }],
  city: { names: { en: "Mountain View" } },
};
const flatCity = {
  country_code: "JP",
  state1: "Tokyo",
  state2: "",
  city: "Chiyoda",
  postcode: "100-0001",
  timezone: "",
};

describe("a location is read from each kind of record", () => {
  const records = [
    ["GeoLite2 City", geoLite2, { country: "FR", state: "Île-de-France", city: "Paris", postal: "75001" }],
    ["DB-IP City", dbIp, { country: "US", state: "California", city: "Mountain View", postal: null }],
    ["flat city", flatCity, { country: "JP", state: "Tokyo", city: "Chiyoda", postal: "100-0001" }],
    ["flat country", { country_code: "NZ" }, { ...unknownLocation, country: "NZ" }],
    [
      "a state by its code alone",
      { subdivisions: [{ iso_code: "BY" }] },
      { ...unknownLocation, state: "BY" },
    ],
    ["no record", null, unknownLocation],
    ["another kind of database", { autonomous_system_number: 15_169 }, unknownLocation],
    ["a country that is no code", { country_code: "Freedonia" }, unknownLocation],
    ["odd types", { country: { iso_code: 7 }, city: [], postal: 12_345, subdivisions: "x" }, unknownLocation],
  ] as const;
  for (const [title, record, want] of records) {
    test(title, () => {
      expect(locationOf(record)).toEqual(want);
    });
  }
});

describe("an MMDB file that the operator names", () => {
  const path = file(
    "city.mmdb",
    mmdb({
      "8.8.8.0/24": dbIp,
      "1.1.1.0/24": geoLite2,
      "2606:4700:0:0:0:0:0:0/32": flatCity,
      "10.0.0.0/8": geoLite2,
    }),
  );
  const everywhere = file(
    "everywhere.mmdb",
    mmdb({ "0:0:0:0:0:0:0:0/1": flatCity, "8000:0:0:0:0:0:0:0/1": flatCity }),
  );
  const special = {
    unspecified: ["0.0.0.0", "0.1.2.3", "::"],
    private: ["10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd00::7"],
    shared: ["100.64.0.0", "100.127.255.255"],
    loopback: ["127.0.0.1", "127.255.255.255", "::1"],
    "link-local": ["169.254.1.1", "fe80::1", "febf::1"],
    documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.7", "2001:db8::1"],
    benchmarks: ["198.18.0.0", "198.19.255.255"],
    "multicast and reserved": ["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "ff02::1"],
  };
  for (const [range, members] of Object.entries(special)) {
    test(`addresses without a location are not looked up: ${range}`, async () => {
      const find = await openLocations(everywhere);
      for (const address of members)
        expect([address, await find(address)]).toEqual([address, unknownLocation]);
    });
  }
  test("all others are looked up, up to the edges of those ranges and through tunnels", async () => {
    const find = await openLocations(everywhere);
    for (const address of [
      ...["1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.0.0.1", "128.0.0.1"],
      ...["172.15.255.255", "172.32.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"],
      ...[
        "2606:4700::1111",
        "2001:db7::1",
        "2001:db9::1",
        "2002:808:808::1",
        "2001:0:808::1",
        "64:ff9b::808:808",
      ],
    ])
      expect([address, await find(address)]).toMatchObject([address, { country: "JP" }]);
  });
  const addresses = [
    ["8.8.8.8", "US"],
    ["1.1.1.200", "FR"],
    ["2606:4700::1111", "JP"],
    ["9.9.9.9", null],
    ["10.1.2.3", null],
    ["127.0.0.1", null],
    ["192.168.1.1", null],
    ["100.64.3.4", null],
    ["169.254.1.1", null],
    ["::1", null],
    ["fd00::7", null],
    ["fe80::1", null],
    [undefined, null],
  ] as const;
  for (const [address, country] of addresses) {
    test(`${address ?? "no address"} is in ${country ?? "no known country"}`, async () => {
      expect(await (await openLocations(path))(address)).toMatchObject({ country });
    });
  }
});

test("without a file every location is unknown", async () => {
  expect(await (await openLocations(undefined))("8.8.8.8")).toEqual(unknownLocation);
});

describe("the server does not start with an unusable file, and the error names the setting", () => {
  const whole = mmdb({ "8.8.8.0/24": dbIp });
  const bad = [
    ["does not exist", () => join(folder, "missing.mmdb")],
    ["is not an MMDB database", () => folder],
    ["is not an MMDB database", () => file("text.mmdb", "not a database")],
    ["is not an MMDB database", () => file("empty.mmdb", "")],
    ["is not an MMDB database", () => file("half.mmdb", whole.subarray(0, whole.length / 2))],
    ["is not an MMDB database", () => file("treeless.mmdb", whole.subarray(whole.length - 200))],
    ["is not an MMDB database", () => file("packed.mmdb", Buffer.from("1f8b0800", "hex"))],
  ] as const;
  for (const [why, make] of bad) {
    test(`${make().split("/").at(-1)}: ${why}`, async () => {
      const opening = openLocations(make());
      await expect(opening).rejects.toThrow(ConfigError);
      await expect(opening).rejects.toThrow(new RegExp(`GEOIP_DATABASE[^]*this file ${why}`));
    });
  }
});

describe("an address has one form", () => {
  const forms = [
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:cb00:7107", "203.0.113.7"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["fe80::1%eth0", "fe80::1"],
    ["2001:DB8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["0:0:1:1:0:0:1:1", "::1:1:0:0:1:1"],
    ["64:ff9b::203.0.113.7", "64:ff9b::cb00:7107"],
    ["::203.0.113.7", "::cb00:7107"],
    ["0:0:0:0:0:FFFF:203.0.113.7", "203.0.113.7"],
    ["::ffff:0:203.0.113.7", "::ffff:0:cb00:7107"],
    ["::", "::"],
    ["203.0.113.7:4711", "203.0.113.7"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["1.2.3", undefined],
    ["01.2.3.4", undefined],
    ["0x7f.0.0.1", undefined],
    ["2130706433", undefined],
    ["256.1.1.1", undefined],
    ["1::2::3", undefined],
    ["::ffff:1.2.3", undefined],
    ["2001:db8::00001", undefined],
    ["1.2.3.4.5", undefined],
    ["2001:db8::g", undefined],
    ["unknown", undefined],
    ["<b>", undefined],
    ["", undefined],
    ["1".repeat(70_000), undefined],
    [undefined, undefined],
  ] as const;
  for (const [given, want] of forms) {
    test(`${given?.slice(0, 40) ?? "none"} is ${want ?? "no address"}`, () => {
      expect(canonicalAddress(given)).toBe(want);
    });
  }
});

describe("what is stored of an address", () => {
  const stored = [
    ["203.0.113.7", "203.0.113.7", "203.0.113.0"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1::"],
    ["2001:db8::1", "2001:db8::1", "2001:db8::"],
    ["::1", "::1", "::"],
    [undefined, "", ""],
  ] as const;
  for (const [address, full, truncated] of stored) {
    test(`${address ?? "none"}: "${full}", truncated "${truncated}", off ""`, () => {
      expect(storedAddress(address, "full")).toBe(full);
      expect(storedAddress(address, "truncated")).toBe(truncated);
      expect(storedAddress(address, "off")).toBe("");
    });
  }
  test("the network of an IPv6 address is that of its household", () => {
    expect(networkOf("2001:db8:1:2:3:4:5:6", { ipv4: 32, ipv6: 64 })).toBe("2001:db8:1:2::");
    expect(networkOf("203.0.113.7", { ipv4: 32, ipv6: 64 })).toBe("203.0.113.7");
  });
});
