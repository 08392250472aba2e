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

function omitValues(error: unknown, settings: LoggedErrors, depth: number): unknown {
  if (!isError(error) || depth > maxDepth) {
    return error;
  }
  const { messageParts } = error as ClientError;
  // The cause of an error about a value can name the value.
  const cause =
    messageParts !== undefined && isAboutContent(error) ? undefined : omitValues(error.cause, settings, depth + 1);
  if (messageParts !== undefined) {
    return createCopy(error, messageParts, { ...settings, cause });
  }
  const { errors } = error as { readonly errors?: unknown };
  const innerErrors = Array.isArray(errors) ? errors.map((inner) => omitValues(inner, settings, depth + 1)) : [];
  const hasOtherErrors = innerErrors.some((inner, index) => inner !== (errors as readonly unknown[])[index]);
  if (cause === error.cause && !hasOtherErrors) {
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
  const [, ...frames] = (error.stack ?? "").split("\n    at ");
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
