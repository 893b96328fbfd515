import { Counter, Gauge, type Registry } from "prom-client";

interface Described {
  readonly name: string;
  readonly help: string;
}

interface Labelled extends Described {
  readonly label: string;
}

type Values = Readonly<Record<string, number>>;

/** Adds a counter that is read at each scrape. */
export function showCount(registers: Registry[], described: Described, read: () => number): void {
  void new Counter({
    ...described,
    registers,
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Adds a counter whose values, by a label, are read at each scrape. */
export function showCounts(
  registers: Registry[],
  { label, ...described }: Labelled,
  read: () => Values,
): void {
  void new Counter({
    ...described,
    labelNames: [label],
    registers,
    collect() {
      this.reset();
      for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
    },
  });
}

/** Adds a gauge that is read at each scrape, which lacks it while that is undefined. */
export function showGauge(
  registers: Registry[],
  described: Described,
  read: () => number | undefined | Promise<number | undefined>,
): void {
  void new Gauge({
    ...described,
    registers,
    async collect() {
      const value = await read();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

/** Adds a gauge whose values, by a label, are read at each scrape. */
export function showGauges(
  registers: Registry[],
  { label, ...described }: Labelled,
  read: () => Values | Promise<Values>,
): void {
  void new Gauge({
    ...described,
    labelNames: [label],
    registers,
    async collect() {
      const values = await read();
      this.reset();
      for (const [value, number] of Object.entries(values)) this.set({ [label]: value }, number);
    },
  });
}
