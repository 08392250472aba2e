import type { XmlLimits } from "@bothends/xml";
import { XmlError } from "@bothends/xml/error";
import { XmlReader } from "@bothends/xml/reader";
import { DONE, END, START, TEXT } from "@bothends/xml/reader-events";
import type { DecodeError } from "../answer-errors.js";
import { missingAttributeReason, missingElementReason } from "../codec/schema-mismatch.js";
import { describeUnfitValue } from "../observe/unreadable-messages.js";
import type { RefusalInit } from "./server.js";

// Explains to the operator why an input does not fit the schema.

/** The message that contains an input. */
interface ReceivedMessage {
  readonly text: string;
  readonly limits: XmlLimits;
  /** The number of elements around the element of the input: 2 in SOAP, the envelope and the body. */
  readonly depth: number;
  readonly ignoredElements: { describeUndeclared(): string | undefined };
}

/**
 * Explains why an input does not fit the schema. If a required element or attribute is missing, the message is searched
 * for its name: usually, the client has omitted the namespace. Otherwise, the details name the undeclared elements and
 * attributes of the message.
 */
export function describeUnfitInput(
  error: DecodeError,
  message: ReceivedMessage,
): Pick<RefusalInit, "reason" | "details"> {
  const { path, reason } = error;
  if (reason !== missingElementReason && reason !== missingAttributeReason) {
    return { reason: describeUnfitValue(error) };
  }
  const names = path.split("/").slice(1);
  const name = names.at(-1)?.replace(/^@|\[\d+\]$/g, "") ?? "";
  const found = findInMessage(message, { name, parents: names.slice(0, -1) });
  const cause =
    reason === missingElementReason ? explainMissingElement(name, found) : explainMissingAttribute(name, found);
  return cause === undefined
    ? { reason, details: message.ignoredElements.describeUndeclared() }
    : { reason: `${reason} ${cause}` };
}

function explainMissingElement(name: string, { hasElement, hasAttribute, hasText }: FoundNodes): string | undefined {
  if (hasElement) {
    return `The message has an element ${name}, but in another namespace or at another place: the client may have omitted the namespace.`;
  }
  if (hasText) {
    return "The message has text instead of elements here: the client may have escaped its elements, or put them into a CDATA section.";
  }
  return hasAttribute
    ? `The message has an attribute ${name}, but it must be an element: the client may use another version of the WSDL.`
    : undefined;
}

function explainMissingAttribute(name: string, { hasElement, hasAttribute }: FoundNodes): string | undefined {
  if (hasAttribute) {
    return `The message has an attribute ${name}, but in another namespace or on another element: usually, attributes have no prefix.`;
  }
  return hasElement
    ? `The message has an element ${name}, but it must be an attribute: the client may use another version of the WSDL.`
    : undefined;
}

/** What a message contains that may replace a missing element or attribute. */
interface FoundNodes {
  readonly hasElement: boolean;
  readonly hasAttribute: boolean;
  /** Whether the parent of the missing element contains text. */
  readonly hasText: boolean;
}

/** Reads a message up to its end, or up to a syntax error, and searches for a name. */
function findInMessage(
  { text, limits, depth: outerDepth }: ReceivedMessage,
  { name, parents }: { readonly name: string; readonly parents: readonly string[] },
): FoundNodes {
  const found = { hasElement: false, hasAttribute: false, hasText: false };
  const parentNames = parents.map((step) => step.replace(/\[\d+\]$/, ""));
  // The number of open elements that are on the path to the parent.
  let openParents = 0;
  try {
    const reader = new XmlReader(text, limits);
    for (let event = reader.next(); event !== DONE; event = reader.next()) {
      const depth = reader.depth - outerDepth;
      if (event === START) {
        found.hasElement ||= reader.localName === name;
        found.hasAttribute ||= reader.attributes.some(({ localName }) => localName === name);
        if (depth === openParents + 1 && parentNames[openParents] === reader.localName) {
          openParents += 1;
        }
      } else if (event === END) {
        openParents = Math.min(openParents, Math.max(0, depth - 1));
      } else if (event === TEXT && openParents === parents.length && depth === openParents) {
        found.hasText ||= /\S/.test(reader.text);
      }
    }
  } catch (error) {
    if (!(error instanceof XmlError)) {
      throw error;
    }
  }
  return found;
}
