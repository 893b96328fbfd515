import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { FastHistogram } from "./fast-histogram.js";

test("a FastHistogram prints what prom-client's own prints, of the same values", async () => {
  const config = { name: "x_seconds", help: "x", labelNames: ["kind"], buckets: [0.001, 0.25, 1] };
  const [ours, theirs] = [new Registry(), new Registry()];
  const fast = new FastHistogram({ ...config, registers: [ours] });
  const slow = new Histogram({ ...config, registers: [theirs] });
  const values = { one: [0, 0.001, 0.0011, 0.25, 0.5, 1, 1.0001, 60], other: [0.2] };
  for (const [kind, ofKind] of Object.entries(values)) {
    const observe = fast.observer({ kind });
    for (const value of ofKind) {
      observe(value);
      slow.observe({ kind }, value);
    }
  }
  fast.observer({ kind: "never" });
  const lines = async (registry: Registry) => (await registry.metrics()).split("\n").map(sorted);
  expect(await lines(ours)).toEqual(await lines(theirs));
  expect((await ours.getMetricsAsJSON())[0]?.values).toHaveLength(2 * 6);
});

/** The labels of a line in one order, since theirs has none. */
function sorted(line: string): string {
  return line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(",").toSorted().join(",")}}`);
}
