import { isIP } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalIPv6 } from "../settings/ip-address.js";
import { canonicalAddress } from "../settings/ip-address.js";
import { guardedLookup, isPublicAddress } from "./ssrf-guard.js";

test("only addresses of the public Internet are public", () => {
  const refused =
    "0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 192.0.0.8 192.0.2.1 192.168.1.1 " +
    "198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:127.0.0.1 " +
    "::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::1 100::1 fc00::1 fd12::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 2001::1 " +
    "2001:db8::1 2002:7f00:1:: 3fff::1 4000::1 ::127.0.0.1 ::8.8.8.8 " +
    "::ffff:0:1.2.3.4 1::1.2.3.4 64:ff9b::8.8.8.8 64:ff9b:1:2::8.8.8.8 2606:4700::5efe:a00:1 2606:4700::200:5efe:8.8.8.8 " +
    "2606:4700:1:2:200:5efe:808:808 2001:0:4136:e378:8000:63bf:3fff:fdd2 2606:4700::1%1 host 1 0x7f000001";
  for (const address of refused.split(" "))
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
  const accepted =
    "8.8.8.8 93.184.216.34 2606:4700::1111 2a00:1450:4001::1 2001:4860:4860::8888 2606:4700::1.2.3.4 2606:4700:1:2:300:5efe::";
  for (const address of accepted.split(" "))
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
});

test("every text that is an IP address is read, in whatever form it is printed", () => {
  const groups = fc.array(fc.constantFrom("0", "1", "7f00", "5efe", "FFFF", "ff9b", "0000", "200"), {
    minLength: 0,
    maxLength: 8,
  });
  const tail = fc.constantFrom("", "1.2.3.4", "127.0.0.1", "0.0.0.0");
  const zone = fc.constantFrom("", "", "%eth0", "%1");
  let read = 0;
  fc.assert(
    fc.property(groups, groups, tail, zone, fc.boolean(), (before, after, last, name, isShort) => {
      const end = [...after, ...(last === "" ? [] : [last])].join(":");
      const text = `${before.join(":")}${isShort ? "::" : ":"}${end}${name}`;
      if (isIP(text) === 0) return;
      read++;
      expect(() => isPublicAddress(text)).not.toThrow();
      expect(canonicalAddress(text)).toBeDefined();
      if (name === "") expect(isPublicAddress(text)).toBe(isPublicAddress(canonicalIPv6(text)));
    }),
    { numRuns: 20_000, seed: 1 },
  );
  expect(read).toBeGreaterThan(2_000);
});

test("what fails in a look-up goes to its callback", async () => {
  const failing = guardedLookup(() => Promise.reject(new Error("no")), false);
  const throwing = guardedLookup(() => {
    throw new Error("no");
  }, false);
  for (const lookup of [failing, throwing]) {
    const error = await new Promise((resolve) => lookup("a.example", {}, resolve));
    expect(error).toMatchObject({ message: "no" });
  }
});
