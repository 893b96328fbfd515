import { expect, test } from "vitest";
import { createReceivers } from "./receivers.js";

const now = 1_000;

test("a receiver that fails is left alone from its attempt on, for a second and then twice as long each time", () => {
  const receivers = createReceivers(8);
  for (const pause of [1, 2, 4]) {
    receivers.begin(1, 1, performance.now());
    receivers.attempted(1, "failed", now);
    expect(receivers.isFree(1, now + pause - 1)).toBe(false); // while its outcome is stored, too
    receivers.end(1);
    expect(receivers.isFree(1, now + pause - 1)).toBe(false);
    expect(receivers.isFree(1, now + pause)).toBe(true);
  }
  receivers.begin(1, 1, performance.now());
  receivers.attempted(1, "sent", now);
  receivers.end(1);
  receivers.begin(1, 1, performance.now());
  receivers.attempted(1, "failed", now);
  expect(receivers.isFree(1, now + 1)).toBe(true);
});

test("an endpoint of which nothing could be claimed is left alone for a while, but not when a run of it ended during the claim", () => {
  const receivers = createReceivers(8);
  receivers.begin(1, 0, performance.now());
  expect(receivers.isFree(1, now)).toBe(false);
  receivers.begin(2, 1, performance.now());
  const claimedAt = performance.now();
  receivers.end(2);
  receivers.begin(2, 0, claimedAt);
  expect(receivers.isFree(2, now)).toBe(true);
});

test("a clock that is set back does not make a pause longer", () => {
  const receivers = createReceivers(8);
  receivers.begin(1, 1, performance.now());
  receivers.attempted(1, "failed", now + 86_400);
  receivers.end(1);
  expect(receivers.isFree(1, now + 86_400)).toBe(false);
  expect(receivers.isFree(1, now)).toBe(true);
});
