import { describeValue } from "./value-problems.js";

// Reads thrown values for logs and messages. A program may throw any value, and an error may have a getter that throws,
// or members of other types: a library can replace stacks with lists of lines or of V8's call sites.

/** Returns a member of an object; undefined if reading it throws an exception. */
export function readMember(object: object, name: string): unknown {
  try {
    return Reflect.get(object, name);
  } catch {
    return undefined;
  }
}

/** Returns the name of an error; that of its class if the name is not text. */
export function getErrorName(error: Error): string {
  const name = readMember(error, "name");
  return typeof name === "string" ? name : getClassName(error) || "Error";
}

/** Returns the name of the class of an error; an empty text if it has none. */
export function getClassName(error: Error): string {
  const errorClass = readMember(error, "constructor");
  const name = typeof errorClass === "function" ? readMember(errorClass, "name") : undefined;
  return typeof name === "string" ? name : "";
}

/** Returns the message of an error; an empty text if it has none. */
export function getErrorMessage(error: Error): string {
  const message = readMember(error, "message");
  return typeof message === "object" || message === undefined ? "" : String(message);
}

/** Returns the heading of a stack: `TypeError: x is undefined`. */
export function formatHeading(error: Error): string {
  return `${getErrorName(error)}: ${getErrorMessage(error)}`;
}

/** Returns the stack of an error as text, which contains its message; undefined if it has none that can be read. */
export function getStack(error: Error): string | undefined {
  const stack = readMember(error, "stack");
  const text = Array.isArray(stack) ? joinFrames(stack) : stack;
  if (typeof text !== "string") {
    return undefined;
  }
  return text.includes(getErrorMessage(error)) ? text : `${formatHeading(error)}\n${text}`;
}

/** Joins the lines or call sites of a stack; undefined if they cannot be read. */
function joinFrames(frames: readonly unknown[]): string | undefined {
  try {
    return frames.map((frame) => (typeof frame === "string" ? frame : `    at ${String(frame)}`)).join("\n");
  } catch {
    return undefined;
  }
}

/**
 * Returns a thrown value as text. For an object, this is its code and message, otherwise its class, its status and the
 * names of its members, because the values of other members may be secret.
 */
export function formatThrown(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) {
    return String(thrown);
  }
  const [code, message, status] = ["code", "message", "status"].map((name) => readMember(thrown, name));
  const texts = [code, message].filter((part) => typeof part === "string" || typeof part === "number");
  if (texts.length > 0) {
    return texts.join(": ");
  }
  const form = describeValue(thrown);
  if (typeof status === "number") {
    return `${form}, status ${status}`;
  }
  const names = Object.keys(thrown).slice(0, maxMembers);
  return names.length === 0 ? `${form} without members` : `${form} with the members ${names.join(", ")}`;
}

/** The maximum number of names of members that are written for a thrown object. */
const maxMembers = 5;
