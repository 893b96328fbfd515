import { expect, test } from "vitest";
import { judgeModel } from "./support/gate.js";

test("every check that fails shows the requests to try by hand, also what a shared preparation sent", async () => {
  const { results } = await judgeModel(["M24", "M30", "M31", "M57", "K17", "K23"]);
  const failed = results.filter(({ status }) => status === "failed");
  expect(failed.length).toBeGreaterThan(20);
  for (const { id, message, exchanges } of failed) {
    expect(message, id).toMatch(/\ncurl -sS .*'http:/s);
    expect(exchanges.length, id).toBeGreaterThan(0);
  }
}, 180_000);
