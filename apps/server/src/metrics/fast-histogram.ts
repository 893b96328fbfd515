import { Histogram, type Registry } from "prom-client";

type Labels = Readonly<Record<string, string>>;

interface Series {
  readonly labels: Labels;
  /** By bucket; the last is for what is above all bounds. */
  readonly counts: number[];
  sum: number;
}

type Described = Awaited<ReturnType<Histogram["get"]>>;

/**
 * A histogram that takes a value in some nanoseconds. One of prom-client puts the labels together to a text for each value
 * (docs/metrics.md).
 */
export class FastHistogram extends Histogram {
  readonly #name: string;
  /** Name, help, type and aggregator. */
  readonly #described: Promise<Described>;
  readonly #bounds: readonly number[];
  readonly #series: Series[] = [];

  constructor(config: {
    readonly name: string;
    readonly help: string;
    readonly labelNames?: readonly string[];
    /** The upper bounds of the buckets, ascending. */
    readonly buckets: readonly number[];
    readonly registers: Registry[];
  }) {
    const buckets = [...config.buckets];
    super({ ...config, buckets });
    this.#described = new Histogram({ ...config, buckets, registers: [] }).get();
    this.#name = config.name;
    this.#bounds = config.buckets;
  }

  /** Returns the function that takes the values with these labels, which are printed from their first value on. */
  observer(labels: Labels = {}): (value: number) => void {
    const bounds = this.#bounds;
    const series: Series = { labels, counts: [...bounds.map(() => 0), 0], sum: 0 };
    this.#series.push(series);
    return (value) => {
      let bucket = 0;
      while (value > (bounds[bucket] ?? Infinity)) bucket++;
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
      series.sum += value;
    };
  }

  override async get(): Promise<Described> {
    const values = this.#series.flatMap((series) => this.#valuesOf(series));
    return { ...(await this.#described), values };
  }

  /** What prom-client prints, and what its own `get` is made from. */
  getForPromString(): Promise<Described> {
    return this.get();
  }

  #valuesOf({ labels, counts, sum }: Series): Described["values"] {
    let count = 0;
    const buckets = counts.map((own, index) => {
      count += own;
      const le = this.#bounds[index] ?? "+Inf";
      return { metricName: `${this.#name}_bucket`, labels: { ...labels, le }, value: count };
    });
    if (count === 0) return [];
    return [
      ...buckets,
      { metricName: `${this.#name}_sum`, labels, value: sum },
      { metricName: `${this.#name}_count`, labels, value: count },
    ];
  }
}
