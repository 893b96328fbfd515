import * as z from "zod";
import type { Operation } from "./operation.js";

/** A parameter of an operation, as a help page shows it. */
export interface DescribedParameter {
  readonly name: string;
  readonly description: string;
  /** Whether the document marks it mandatory. */
  readonly isRequired: boolean;
  /** Whether its values are `true` and `false`. */
  readonly isFlag: boolean;
  /** Its values if it is an enumeration. */
  readonly choices: readonly string[];
}

/** Describes the parameters of an operation, in the order of the table. */
export function describeParameters({ params }: Operation): readonly DescribedParameter[] {
  return Object.entries(params.shape).map(([name, schema]) => {
    const plain = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    const inner = plain instanceof z.ZodType ? plain.meta()?.description : undefined;
    const accepts = (value: string): boolean => schema.safeParse(value).success;
    return {
      name,
      description: schema.meta()?.description ?? inner ?? "",
      isRequired: !schema.safeParse(undefined).success,
      isFlag: accepts("true") && accepts("false") && !accepts("other"),
      choices: plain instanceof z.ZodEnum ? plain.options.map(String).filter((value) => value !== "") : [],
    };
  });
}
