import type { RequestOptions } from "../options.js";

/** What one call that followers may be told of by e-mail may set for itself. */
export interface TellOptions extends RequestOptions {
  /** `false`: followers are not told of it. */
  readonly tell?: boolean | "true" | "false" | undefined;
  /** One sentence that followers read beside it. */
  readonly note?: string | undefined;
}

interface TellParams {
  readonly tell?: "true" | "false";
  readonly note?: string;
}

/** Parameters that say how followers are told. @internal */
export function tellParams({ tell, note }: TellOptions): TellParams {
  return {
    ...(tell === undefined ? {} : { tell: `${tell}` }),
    ...(note === undefined ? {} : { note }),
  };
}
