import { formatHeading, formatThrown, getErrorMessage, getErrorName, getStack, readMember } from "../thrown-values.js";
import { isError } from "../value-problems.js";

// Errors of clients contain texts of other services and values of calls, which must not reach the log of a server whose
// handler called a client.

/** The parts of a client's error without values. `client/errors/error-messages.ts` adds them to the error. */
interface MessageParts {
  readonly reason: string;
  readonly hint: string;
  readonly context: string;
}

type ClientError = Error & {
  readonly messageParts?: MessageParts;
  readonly operation?: unknown;
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly path?: unknown;
};

interface LoggedErrors {
  /** Whether the text of a fault or an error may be written. */
  readonly reasons: boolean;
}

/** The maximum depth of causes, and of errors in an `AggregateError`, that are searched. */
const maxDepth = 20;
/** The maximum length of a text of another service, in UTF-16 units. */
const maxReasonLength = 200;

/** The members of a client's error that contain no values, besides its name, message and stack. */
const safeMembers = ["operation", "method", "address", "status", "requestId", "milliseconds", "path"] as const;

/**
 * Returns an exception for a log. If it is, or contains, an error of a client, returns a copy in which these errors
 * have no values: with the operation, the address and the status, but without the answer and its texts.
 */
export function omitReceivedValues(error: unknown, settings: LoggedErrors): unknown {
  try {
    return omitValues(error, settings, 0);
  } catch {
    // Reading the exception threw another one. No error of a client does.
    return error;
  }
}

/**
 * Returns an exception for a logger that writes objects. The logger would write all members of an error, and of the
 * errors in them, and libraries store received errors and answers in any member. So the copy has, besides the members
 * that every error has, only errors and short values that cannot be a text of another service. If an error has no
 * other members, it is returned itself.
 */
export function copyLoggedError(error: unknown, settings: LoggedErrors): unknown {
  try {
    return isError(error) ? copyError(error, settings, new Map()) : formatThrown(error);
  } catch {
    return "The exception cannot be logged: reading one of its members threw another exception.";
  }
}

function copyError(error: Error, settings: LoggedErrors, copies: Map<Error, Error>): Error {
  const knownCopy = copies.get(error);
  if (knownCopy !== undefined) {
    return knownCopy;
  }
  if (readMember(error, "messageParts") !== undefined || copies.size >= maxCopies) {
    const copy = omitValues(error, settings, 0) as Error;
    copies.set(error, copy);
    return copy;
  }
  const texts = {
    name: getErrorName(error),
    message: getErrorMessage(error),
    stack: typeof readMember(error, "stack") === "string" ? error.stack : (getStack(error) ?? formatHeading(error)),
  };
  const copy: Error = Object.create(
    Object.getPrototypeOf(error),
    Object.fromEntries(Object.entries(texts).map(([member, value]) => [member, { value }])),
  );
  copies.set(error, copy);
  let isChanged = Object.entries(texts).some(([member, text]) => readMember(error, member) !== text);
  const copyInner = (inner: unknown) => {
    const innerCopy = isError(inner) ? copyError(inner, settings, copies) : formatThrown(inner);
    isChanged ||= innerCopy !== inner;
    return innerCopy;
  };
  const [cause, errors] = [readMember(error, "cause"), readMember(error, "errors")];
  if (cause !== undefined) {
    Object.defineProperty(copy, "cause", { value: copyInner(cause) });
  }
  if (Array.isArray(errors)) {
    Object.defineProperty(copy, "errors", { value: errors.map(copyInner) });
  }
  for (const member of Object.keys(error).filter((each) => !standardMembers.has(each))) {
    const value = readMember(error, member);
    if (isError(value) || isSafeValue(member, value)) {
      Object.defineProperty(copy, member, { value: isError(value) ? copyInner(value) : value, enumerable: true });
    } else {
      isChanged = true;
    }
  }
  if (isChanged) {
    return copy;
  }
  copies.set(error, error);
  return error;
}

/** The members that are copied in any case, even if an error has them as enumerable members. */
const standardMembers: ReadonlySet<string> = new Set(["name", "message", "stack", "cause", "errors"]);

/** The maximum number of errors that are copied with their members. */
const maxCopies = 50;

/** The members of a client's errors that contain values of the call or texts of the server. */
const receivedMembers: ReadonlySet<string> = new Set([
  ...["value", "reason", "body", "detail", "data", "headers", "wireCode", "subcodes", "actor", "role", "node"],
]);

/** Whether a member of an error is a number, or looks like an identifier or an address: `syscall`, `errno`, `port`. */
function isSafeValue(member: string, value: unknown): boolean {
  const isShort = typeof value === "string" ? /^[\w.:-]{1,64}$/.test(value) : /^(?:number|boolean)$/.test(typeof value);
  return isShort && !receivedMembers.has(member);
}

function omitValues(error: unknown, settings: LoggedErrors, depth: number): unknown {
  if (!isError(error) || depth > maxDepth) {
    return error;
  }
  const messageParts = readMember(error, "messageParts") as MessageParts | undefined;
  // The cause of an error about a value can name the value.
  const cause =
    messageParts !== undefined && isAboutContent(error)
      ? undefined
      : omitValues(readMember(error, "cause"), settings, depth + 1);
  if (messageParts !== undefined) {
    return createCopy(error, messageParts, { ...settings, cause });
  }
  const errors = readMember(error, "errors");
  const innerErrors = Array.isArray(errors) ? errors.map((inner) => omitValues(inner, settings, depth + 1)) : [];
  const hasOtherErrors = innerErrors.some((inner, index) => inner !== (errors as readonly unknown[])[index]);
  if (cause === readMember(error, "cause") && !hasOtherErrors) {
    return error;
  }
  return Object.create(error, {
    cause: { value: cause },
    ...(hasOtherErrors && { errors: { value: innerErrors } }),
  });
}

/** Whether an error is about a value. Its reason then names no value. Other reasons are texts of a server. */
function isAboutContent({ name }: Error): boolean {
  return name === "DecodeError" || name === "EncodeError";
}

function createCopy(
  error: ClientError,
  messageParts: MessageParts,
  { reasons, cause }: LoggedErrors & { readonly cause: unknown },
): Error {
  const message = formatMessage(error, messageParts, reasons);
  const [, ...frames] = (getStack(error) ?? "").split("\n    at ");
  const stack = [`${error.name}: ${message}`, ...frames].join("\n    at ");
  const copy: Error = Object.create(Object.getPrototypeOf(error), {
    name: { value: error.name },
    message: { value: message },
    stack: { value: stack },
    cause: { value: cause },
  });
  for (const name of safeMembers) {
    const value: unknown = Reflect.get(error, name);
    if (value !== undefined) {
      Object.defineProperty(copy, name, { value, enumerable: true });
    }
  }
  const code = findCode(error);
  return code === undefined ? copy : Object.defineProperty(copy, "code", { value: code, enumerable: true });
}

function formatMessage(error: ClientError, { reason, hint, context }: MessageParts, reasons: boolean): string {
  const { operation } = error;
  const code = findCode(error);
  // A reason that is a text of the server is left out of the parts.
  const answered = code === undefined ? "The server answered with an error." : `The server answered with ${code}.`;
  const isText = reasons && typeof error.reason === "string" && !isAboutContent(error);
  const text = isText ? String(error.reason).slice(0, maxReasonLength) : "";
  const path = typeof error.path === "string" && error.path !== "" ? `${error.path}: ` : "";
  const texts = [path + (reason || answered), text, hint, context].filter((part) => part !== "");
  return `${typeof operation === "string" ? `${operation}: ` : ""}${texts.join(" ")}`;
}

/** Returns the code of an error if it looks like an identifier. The codes of REST errors can be any text. */
function findCode({ code }: ClientError): string | undefined {
  return typeof code === "string" && /^[\w.-]{1,64}$/.test(code) ? code : undefined;
}
