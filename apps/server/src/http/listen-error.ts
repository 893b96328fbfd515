/** Thrown when the server cannot listen. A name of HOST fails with the codes of a name of PostgreSQL's, so codes do not tell which. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  readonly code: string | undefined;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code;
  }
}
