import { Counter, Gauge, type Registry } from "prom-client";

interface Shown {
  readonly name: string;
  readonly help: string;
  /** Without a label the metric is a single number. */
  readonly label?: string;
}

/** A number, or numbers by label value; undefined for no value. */
type Value = number | Readonly<Record<string, number>> | undefined;

/** Adds a counter that is read at each scrape. */
export function showCounts(register: Registry, metric: Shown, read: () => Value): void {
  void new Counter({
    ...described(register, metric),
    collect() {
      fill(this, metric, read());
    },
  });
}

/** Adds a gauge that is read at each scrape. */
export function showGauge(register: Registry, metric: Shown, read: () => Value | Promise<Value>): void {
  void new Gauge({
    ...described(register, metric),
    async collect() {
      fill(this, metric, await read());
    },
  });
}

function described(register: Registry, { name, help, label }: Shown) {
  return { name, help, labelNames: label === undefined ? [] : [label], registers: [register] };
}

function fill(
  metric: Pick<Gauge | Counter, "reset" | "remove" | "inc">,
  { label }: Shown,
  value: Value,
): void {
  metric.reset();
  if (typeof value === "number") metric.inc({}, value);
  else if (label === undefined) metric.remove();
  else for (const [name, number] of Object.entries(value ?? {})) metric.inc({ [label]: name }, number);
}
