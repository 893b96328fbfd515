import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { readConfig, useEnvFile, parseEnvFile } from "./config.js";
import { temporaryFolder } from "../../test/temporary.js";

test("is read as systemd reads it: comments, quotes, continued lines, and a # inside a value", () => {
  const text = [
    "# comment",
    "; comment",
    "",
    "PLAIN=a b # not a comment",
    " SPACED = x ",
    "SINGLE='a \"b\" \\n'",
    'DOUBLE="a \\"b\\" \\$c \\\\d"',
    "LONG=one,\\",
    "two",
    "URL=postgres://u:p#w=1@h/d?a=b",
    "EMPTY=",
    "TWICE=1",
    "TWICE=2",
  ];
  for (const end of ["\n", "\r\n"])
    expect(Object.fromEntries(parseEnvFile(text.join(end)))).toEqual({
      PLAIN: "a b # not a comment",
      SPACED: "x",
      SINGLE: 'a "b" \\n',
      DOUBLE: 'a "b" $c \\d',
      LONG: "one,two",
      URL: "postgres://u:p#w=1@h/d?a=b",
      EMPTY: "",
      TWICE: "2",
    });
});

test("a line of another form is named by its number, never by its content", () => {
  for (const line of ["secret", "export A=secret", "=secret", "A-B=secret"])
    expect(() => parseEnvFile(`A=1\n${line}\n`)).toThrow(/^Line 2 must have the form NAME=value\.$/);
});

test("of the installed service is used where it exists and no other is named; a folder is refused", () => {
  const folder = temporaryFolder();
  const installed = join(folder, "kalends.env");
  const sizeWith = (named: string | undefined): number => {
    vi.stubEnv("PAGE_SIZE", undefined);
    useEnvFile(named, installed);
    return readConfig().PAGE_SIZE;
  };
  expect(sizeWith(undefined)).toBe(100);
  writeFileSync(installed, "PAGE_SIZE=7\n");
  expect(sizeWith(undefined)).toBe(7);
  writeFileSync(join(folder, "other.env"), "PAGE_SIZE=8\n");
  expect(sizeWith(join(folder, "other.env"))).toBe(8);
  expect(() => sizeWith(folder)).toThrow(`${folder} is a folder: name a file in it with --env-file.`);
  expect(() => sizeWith("/dev/zero"), "a file without end").toThrow("It is larger than 1 MiB.");
  vi.unstubAllEnvs();
});
