import { type Instruction, DockerfileParser } from "dockerfile-ast";

/** One line of a Dockerfile, with its continuations. */
export interface Step {
  /** Such as RUN. */
  readonly keyword: string;
  /** The text after the keyword and its flags, on one line. */
  readonly text: string;
}

/** The steps from one FROM to the next. */
export interface Stage {
  /** The image that it starts from. */
  readonly from: string;
  readonly name: string | undefined;
  readonly steps: readonly Step[];
}

/** Returns the stages of a Dockerfile, in order. */
export function readStages(text: string): readonly Stage[] {
  const stages: { from: string; name: string | undefined; steps: Step[] }[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const step = readStep(instruction);
    const [from = "", , name] = step.text.split(" ");
    if (step.keyword === "FROM") stages.push({ from, name, steps: [] });
    else stages.at(-1)?.steps.push(step);
  }
  return stages;
}

function readStep(instruction: Instruction): Step {
  const text = (instruction.getArgumentsContent() ?? "").replace(/\s*\\\n\s*/g, " ");
  return { keyword: instruction.getKeyword(), text };
}

/** Returns the steps with a keyword, as text. */
export function textsOf({ steps }: Stage, keyword: string): readonly string[] {
  return steps.filter((step) => step.keyword === keyword).map(({ text }) => text);
}

/** Returns the arguments of a step in exec form, such as ["serve"]. */
export function argumentsOf(stage: Stage, keyword: string): readonly string[] {
  const [text = "[]"] = textsOf(stage, keyword);
  const args: readonly string[] = JSON.parse(text.replace(/^CMD /, ""));
  return args;
}

/** Names and values of the ENV lines. */
export function environmentOf(stage: Stage): Readonly<Record<string, string>> {
  const pairs = textsOf(stage, "ENV").flatMap((text) => text.split(" "));
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/, 2)));
}
