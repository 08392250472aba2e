/** Why a call cannot be served now, although nothing is wrong with it. */
export interface Outage {
  /** For callers. */
  readonly reason: string;
  /** For operators. */
  readonly cause: string;
}

/** Thrown before a call that the disk may have no space for. */
export class NoSpaceError extends Error {
  readonly code = "ENOSPC";
}

const full = "There is no space left to store data. Try again later.";
const unreachable = "The database cannot be reached. Try again later.";
const slow = "The database takes too long to answer. Try again later.";

/** The outage behind an error; undefined if the error has another cause. */
export function outageOf(error: unknown): Outage | undefined {
  const cause = deepest(error);
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const reason = reasonOf(code, cause.message);
  return reason === undefined ? undefined : { reason, cause: `${code} ${cause.message}`.trim() };
}

function reasonOf(code: string, message: string): string | undefined {
  if (["ENOSPC", "EDQUOT", "53100"].includes(code)) {
    return full;
  }
  // PostgreSQL, Appendix A: query_canceled, which is the code of a statement's timeout.
  if (code === "57014" || message.startsWith("Query read timeout")) {
    return slow;
  }
  // The same: connection exceptions, too few resources, a server that stops or starts, failures of its system.
  const isServer = /^(?:08|53|58)...$/.test(code) || ["57P01", "57P02", "57P03", "25006"].includes(code);
  const isNetwork = /^E(?:CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)$/.test(code);
  // The errors of the driver have no codes.
  const isDriver = /^(?:Connection terminated|timeout exceeded|Client has encountered)/.test(message);
  return isServer || isNetwork || isDriver ? unreachable : undefined;
}

/** An error for logs. The message of the mapper has the values of the query, which may be secrets; that of the database has none. */
export function withoutValues(error: unknown): unknown {
  return error instanceof Error && error.message.startsWith("Failed query:") ? deepest(error) : error;
}

function deepest(error: unknown): Error {
  if (!(error instanceof Error)) {
    return new Error(String(error));
  }
  return error.cause instanceof Error ? deepest(error.cause) : error;
}
