import type { XmlLimits } from "@bothends/xml";
import type { DecodeError } from "../answer-errors.js";
import { describeUnfitValue } from "../observe/unreadable-messages.js";
import { explainMissingNode, isAboutMissingNode } from "./missing-nodes.js";
import type { RefusalInit } from "./server.js";

/** The message that contains an input. */
interface ReceivedMessage {
  readonly text: string;
  readonly limits: XmlLimits;
  /** The path of the element that contains the element of the input: empty if it is the root. */
  readonly parentPath: string;
  readonly ignoredElements: { describeUndeclared(): string | undefined };
}

/**
 * Explains to the operator why an input does not fit the schema. If a required element or attribute is missing and the
 * cause is not found, the details name the undeclared elements and attributes of the message.
 */
export function describeUnfitInput(
  error: DecodeError,
  message: ReceivedMessage,
): Pick<RefusalInit, "reason" | "details"> {
  const { reason } = error;
  if (!isAboutMissingNode(error)) {
    return { reason: describeUnfitValue(error) };
  }
  const cause = explainMissingNode(error, { ...message, sender: "client" });
  return cause === undefined
    ? { reason, details: message.ignoredElements.describeUndeclared() }
    : { reason: `${reason} ${cause}` };
}
