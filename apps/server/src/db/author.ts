/** Who makes a write, as the history names them (extensions X9.4). */
export interface Author {
  readonly kind: "token" | "person" | "command_line" | "sync";
  /** Of the token, the person or the sync; 0 on the command line. */
  readonly id: number;
  /** Of the request; empty where there was none. */
  readonly operation: string;
}
