/** A request, as far as the service reads it. */
export interface Received {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** What stands before the path in addresses of pages, such as `https://example.com`. */
  readonly base: string;
}
