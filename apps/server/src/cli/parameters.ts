import { type DescribedParameter, describeParameters, type Operation } from "@kalends/spec";
import { type Command, Option } from "commander";
import { notBlank } from "./arguments.js";
import type { OperationRequest } from "./run-operation.js";

interface ParameterOptions {
  readonly parameters: readonly DescribedParameter[];
  /** Name of the option of a parameter, without its dashes. */
  readonly nameOf: (parameter: string) => string;
  readonly describe: (parameter: DescribedParameter) => string;
  /** Whether flags take no value, and the parser reports what is missing. */
  readonly isShort: boolean;
  /** Whether something is changed, so that a flag can also be taken away. */
  readonly changes?: boolean;
}

/** Adds an option for each parameter, and returns what finds the values of the parameters in those of the options. */
export function addParameters(
  to: Command,
  { parameters, nameOf, describe, isShort, changes = false }: ParameterOptions,
): (options: Readonly<Record<string, unknown>>) => OperationRequest["values"] {
  const attributes = parameters.map((parameter) => {
    const { name, isFlag, isRequired, choices } = parameter;
    const isSwitch = isShort && isFlag;
    const option = new Option(
      isSwitch ? `--${nameOf(name)}` : `--${nameOf(name)} <${placeOf(parameter)}>`,
      describe(parameter),
    );
    if (!isSwitch)
      option.argParser(isShort && isRequired ? (text, all) => collect(notBlank(text), all) : collect);
    if (choices.length > 0 && !isSwitch) option.argChoices = [...choices];
    option.makeOptionMandatory(isShort && isRequired);
    if (!isShort) option.helpGroup(isRequired ? "Required parameters:" : "Parameters:");
    to.addOption(option);
    if (isSwitch && changes) to.option(`--no-${nameOf(name)}`, `the opposite of --${nameOf(name)}`);
    return [name, option.attributeName()] as const;
  });
  return (options) =>
    Object.fromEntries(attributes.map(([name, attribute]) => [name, textOf(options[attribute])]));
}

type Collected = readonly string[] | undefined;

function collect(text: string, before: Collected): Collected {
  return [...(before ?? []), text];
}

function placeOf({ name, isFlag, choices }: DescribedParameter): string {
  if (isFlag) return "true|false";
  if (choices.length > 0) return "choice";
  return name.endsWith("_id") ? "id" : "value";
}

function textOf(value: unknown): string | readonly string[] | undefined {
  if (typeof value === "boolean") return String(value);
  return Array.isArray(value) ? value.map(String) : undefined;
}

export function parametersWithout(op: Operation, names: readonly string[]): readonly DescribedParameter[] {
  return describeParameters(op).filter(({ name }) => !names.includes(name));
}

/** A text of the spec without its marks of code. */
export function plain(markdown: string): string {
  return markdown.replaceAll("`", "");
}
