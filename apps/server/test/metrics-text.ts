// The text format of Prometheus, read as strictly as `promtool check metrics` does.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly type: string;
  readonly samples: readonly Sample[];
}

/** Returns the metrics by their name. @throws Error at the first fault */
export function parseMetrics(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line is not ended.");
  const families = new Map<string, Family>();
  for (const part of text.split(/^(?=# HELP )/m)) {
    const [help = "", kind = "", ...lines] = part.split("\n");
    const [, name = ""] = must(/^# HELP ([a-z][a-z0-9_]*) \S.*$/, help);
    const [, type = ""] = must(new RegExp(`^# TYPE ${name} (counter|gauge|histogram)$`), kind);
    if (families.has(name)) throw new Error(`${name} comes twice.`);
    const samples = lines.filter((line) => line !== "").map(parseSample);
    checkName(name, type);
    checkSamples(name, type, samples);
    families.set(name, { type, samples });
  }
  return families;
}

function parseSample(line: string): Sample {
  const [, name = "", labels = "", value = ""] = must(
    /^([a-z][a-z0-9_]*)(?:\{((?:[a-z][a-z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)+)\})? (NaN|[+-]Inf|-?\d\S*)$/,
    line,
  );
  if (value !== "NaN" && !value.endsWith("Inf") && Number.isNaN(Number(value))) throw new Error(line);
  const pairs = [...labels.matchAll(/([a-z0-9_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", text = ""]) => [
    label,
    text,
  ]);
  if (new Set(pairs.map(([label]) => label)).size < pairs.length)
    throw new Error(`A label comes twice: ${line}`);
  return { name, labels: Object.fromEntries(pairs), value: Number(value.replace("Inf", "Infinity")) };
}

/** The conventions of Prometheus for names and units. */
function checkName(name: string, type: string): void {
  if ((type === "counter") !== name.endsWith("_total")) throw new Error(`${name} is a ${type}.`);
  if (/_(?:count|sum|bucket|info_total)$/.test(name) || name.includes(type))
    throw new Error(`${name} is reserved.`);
  if (/(?:^|_)(?:ms|milliseconds|minutes|hours|kb|mb|kilobytes|megabytes|percent)(?:_|$)/.test(name))
    throw new Error(`${name} has no base unit.`);
}

function checkSamples(name: string, type: string, samples: readonly Sample[]): void {
  const series = samples.map((sample) => keyOf(sample));
  if (new Set(series).size < series.length) throw new Error(`${name} has the same series twice.`);
  const suffixes = type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  for (const sample of samples) {
    if (!suffixes.some((suffix) => sample.name === name + suffix)) throw new Error(sample.name);
    if ("le" in sample.labels !== sample.name.endsWith("_bucket")) throw new Error(keyOf(sample));
    if (type !== "gauge" && !(sample.value >= 0)) throw new Error(`${keyOf(sample)} is ${sample.value}.`);
  }
  for (const count of samples.filter(({ name }) => type === "histogram" && name.endsWith("_count")))
    checkBuckets(name, count, samples);
}

function checkBuckets(name: string, count: Sample, samples: readonly Sample[]): void {
  const own = samples.filter(({ labels }) =>
    Object.entries(count.labels).every(([label, text]) => labels[label] === text),
  );
  const buckets = own.filter(({ labels }) => "le" in labels);
  const bounds = buckets.map(({ labels: { le = "" } }) => Number(le.replace("Inf", "Infinity")));
  const values = [...buckets.map(({ value }) => value), count.value];
  const ascends = (list: readonly number[]): boolean =>
    list.every((value, index) => index === 0 || value >= (list[index - 1] ?? 0));
  const isComplete = bounds.at(-1) === Infinity && values.at(-1) === values.at(-2);
  if (own.length !== buckets.length + 2 || !ascends(bounds) || !ascends(values) || !isComplete)
    throw new Error(`${name} is no whole histogram: ${keyOf(count)}`);
}

/** A name for a series, which differs from that of every other one. */
export function keyOf({ name, labels }: Omit<Sample, "value">): string {
  const pairs = Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `${name}{${pairs.map(([label, text]) => `${label}="${text}"`).join(",")}}`;
}

function must(pattern: RegExp, line: string): RegExpExecArray {
  const match = pattern.exec(line);
  if (match === null) throw new Error(`${JSON.stringify(line)} is not ${String(pattern)}`);
  return match;
}

/** What may only grow: counters, and the parts of histograms. By the key of the series. */
export function countersOf(text: string): ReadonlyMap<string, number> {
  const families = [...parseMetrics(text).values()].filter(({ type }) => type !== "gauge");
  return new Map(
    families.flatMap(({ samples }) => samples.map((sample) => [keyOf(sample), sample.value] as const)),
  );
}
