import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storageFailure } from "../failures.js";
import { startFailure } from "../../process/start-failure.js";
import { openDatabase } from "../open-database.js";
import { postgresAddress } from "./tls.js";
import { temporaryFolder } from "../../../test/temporary.js";

const folder = temporaryFolder();
const file = join(folder, "authority.pem");
writeFileSync(file, "an authority");

const far = "postgres://me:secret@db.example.com/kalends";
const verified = { rejectUnauthorized: true };

test.each([
  [far, verified],
  [`${far}?sslmode=verify-full`, verified],
  [`${far}?sslmode=verify-ca`, verified],
  [`${far}?sslmode=require`, verified], // pg and libpq would believe anybody, or will one day
  [`${far}?sslmode=require&uselibpqcompat=true`, verified],
  [`${far}?sslmode=prefer`, verified],
  [`${far}?ssl=true`, verified],
  [`${far}?sslmode=disable`, false],
  [`${far}?ssl=0`, false],
  ["postgres://me@10.0.0.1/kalends", verified],
  ["postgres://me@127.0.0.1.example.com/kalends", verified],
  ["postgres://me@localhost.example.com/kalends", verified],
  ["postgres://localhost/kalends?host=db.example.com", verified],
  ["postgres://me@localhost:5433/kalends", false],
  ["postgres://127.0.0.1/kalends", false],
  ["postgres://me@[::1]/kalends", false],
  ["postgres:///kalends?host=/var/run/postgresql", false],
  ["postgres://me@%2Fvar%2Frun%2Fpostgresql/kalends", false],
  ["postgres://localhost/kalends?sslmode=prefer", false],
  ["postgres://localhost/kalends?sslmode=verify-full", verified],
])("%s", (url, ssl) => {
  expect(postgresAddress(url).ssl).toStrictEqual(ssl);
});

test("what concerns TLS is taken out of the address, the rest stays as it was", () => {
  const { connectionString, ssl } = postgresAddress(
    `${far}?sslmode=verify-full&sslrootcert=${file}&options=-c%20a%3Db`,
  );
  expect(connectionString).toBe(`${far}?options=-c+a%3Db`);
  expect(ssl).toStrictEqual({ ...verified, ca: Buffer.from("an authority") });
  expect(postgresAddress(far).connectionString).toBe(far);
});

test("connect_timeout is taken out of the address too", () => {
  expect(postgresAddress(`${far}?connect_timeout=10&application_name=x`)).toStrictEqual({
    connectionString: `${far}?application_name=x`,
    connectMs: 10_000,
    limits: {},
    ssl: verified,
  });
});

test("an address that would believe any server, or that cannot be followed, is refused without showing the password", () => {
  expect(() => postgresAddress(`${far}?sslmode=no-verify`)).toThrow(/^(?!.*secret).*verify-full/s);
  expect(() => postgresAddress(`${far}?sslmode=verify`)).toThrow("unknown sslmode");
  expect(() => postgresAddress(`${far}?sslrootcert=${folder}/none.pem`)).toThrow("none.pem");
});

test.each([
  ["postgres://localhost:1/kalends", "ECONNREFUSED"],
  ["postgres:///kalends?host=/nowhere", "ENOENT"], // of a server whose socket file exists only while it runs
])("the failure to reach the server of %s says what to check", async (url, code) => {
  const failure: unknown = await openDatabase(url).catch((error: unknown) => error);
  expect(startFailure(failure)).toMatch(new RegExp(`${code}.*\\n.*DATABASE_URL`));
  expect(storageFailure(failure)).toBe("storage_unavailable");
});

test("the failure to have an address to reach a server from says what to check", () => {
  const message = "connect EADDRNOTAVAIL 2001:db8::1:5432";
  const failure = Object.assign(new Error(message), { code: "EADDRNOTAVAIL" });
  expect(startFailure(failure)).toMatch(/EADDRNOTAVAIL.*\n.*DATABASE_URL/);
  expect(storageFailure(failure)).toBe("storage_unavailable");
});

test("the time limits of the URL are no parameters of a connection: a pooler refuses those", () => {
  const limits = "statement_timeout=300&lock_timeout=200&query_timeout=500";
  expect(postgresAddress(`${far}?sslmode=disable&${limits}`)).toStrictEqual({
    connectionString: `${far}?query_timeout=500`,
    ssl: false,
    limits: { statement_timeout: 300, lock_timeout: 200 },
  });
});
