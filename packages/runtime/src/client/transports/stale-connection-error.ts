/**
 * Thrown if the server closes an idle connection while a request is being sent, without an answer. `cause` is the
 * system error.
 */
export class StaleConnectionError extends Error {
  readonly isStale = true;
  constructor(cause: Error) {
    super("The server closed the idle connection that the request had reused", { cause });
    this.name = "StaleConnectionError";
  }
}
