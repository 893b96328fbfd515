import { expect, test } from "vitest";
import { crc32 } from "node:zlib";
import { hashToken, isTokenShaped, newToken } from "./tokens.js";

test("a new token is kal_, 43 random characters and a checksum, and is unique", () => {
  const tokens = Array.from({ length: 500 }, newToken);
  for (const token of tokens) expect(token).toMatch(/^kal_[0-9A-Za-z]{49}$/);
  expect(new Set(tokens).size).toBe(500);
  expect(tokens.every(isTokenShaped)).toBe(true);
});

test("the last six characters are the CRC-32 of the 43 before, in base 62", () => {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const token = newToken();
  const value = Array.from(token.slice(47)).reduce(
    (sum, character) => sum * 62 + alphabet.indexOf(character),
    0,
  );
  expect(value).toBe(crc32(token.slice(4, 47)));
});

test("the stored hash is the SHA-256 of the token", () => {
  expect(hashToken("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
