/** The author of a write, for the history (extensions X9.4). */
export interface Author {
  readonly kind: "token" | "person" | "command_line" | "sync";
  /** Id of the token, the person or the sync; 0 on the command line. */
  readonly id: number;
  /** Operation of the request; empty without one. */
  readonly operation: string;
}
