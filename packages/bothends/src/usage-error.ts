/** A command line that cannot be followed: exit code 2, and what to write instead. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
