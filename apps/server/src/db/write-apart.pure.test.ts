import { expect, test } from "vitest";
import { Overloaded } from "./database.js";
import { writeApart } from "./write-apart.js";

test("a row that cannot be written keeps no other from it", async () => {
  const written = new Set<number>();
  let transactions = 0;
  const bad = new Set([17, 500]);
  const rows = new Map(Array.from({ length: 1_000 }, (_, id) => [id, `${id}`]));
  const left = await writeApart(rows, (part) => {
    transactions++;
    if ([...part.keys()].some((id) => bad.has(id))) return Promise.reject(new Error("no"));
    for (const id of part.keys()) written.add(id);
    return Promise.resolve();
  });
  expect([...(left?.rows ?? [])]).toEqual([
    [17, "17"],
    [500, "500"],
  ]);
  expect(left?.error).toMatchObject({ message: "no" });
  expect(written.size).toBe(998);
  expect(transactions).toBeLessThan(50);
});

test("a database that is away is tried once", async () => {
  let transactions = 0;
  const left = await writeApart(
    new Map([
      [1, 1],
      [2, 2],
    ]),
    () => {
      transactions++;
      return Promise.reject(new Overloaded("busy"));
    },
  );
  expect([left?.rows.size, transactions]).toEqual([2, 1]);
});
