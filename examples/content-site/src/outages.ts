/** A temporary failure of the database, because of which a valid call cannot be served. */
export interface Outage {
  /** A sentence for callers. */
  readonly reason: string;
  /** The database's error message, for operators. */
  readonly cause: string;
}

/** Thrown before a call that stores data if the disk is almost full. */
export class NoSpaceError extends Error {
  readonly code = "ENOSPC";
}

const noSpace = "There is no space left to store data. Try again later.";
const unreachable = "The database cannot be reached. Try again later.";
const slow = "The database takes too long to answer. Try again later.";

/** Returns the outage that caused an error; undefined if the error has another cause. */
export function findOutage(error: unknown): Outage | undefined {
  const cause = findRootCause(error);
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const reason = findReason(code, cause.message);
  return reason === undefined ? undefined : { reason, cause: `${code} ${cause.message}`.trim() };
}

function findReason(code: string, message: string): string | undefined {
  if (["ENOSPC", "EDQUOT", "53100"].includes(code)) {
    return noSpace;
  }
  // PostgreSQL, Appendix A: query_canceled, which is the code of a statement's timeout.
  if (code === "57014" || message.startsWith("Query read timeout")) {
    return slow;
  }
  // PostgreSQL, Appendix A: connection exceptions, insufficient resources, a server that stops or starts, system errors.
  const isServer = /^(?:08|53|58)...$/.test(code) || ["57P01", "57P02", "57P03", "25006"].includes(code);
  const isNetwork = /^E(?:CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)$/.test(code);
  // The driver's own errors have no codes.
  const isDriver = /^(?:Connection terminated|timeout exceeded|Client has encountered)/.test(message);
  return isServer || isNetwork || isDriver ? unreachable : undefined;
}

/**
 * Returns the database's error for logs. The mapper's error, which wraps it, contains the values of the query, which may be
 * secrets.
 */
export function withoutValues(error: unknown): unknown {
  return error instanceof Error && error.message.startsWith("Failed query:") ? findRootCause(error) : error;
}

function findRootCause(error: unknown): Error {
  if (!(error instanceof Error)) {
    return new Error(String(error));
  }
  return error.cause instanceof Error ? findRootCause(error.cause) : error;
}
