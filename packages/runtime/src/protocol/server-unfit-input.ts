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
  /** The path of the element that contains the element of the input: empty if it is the root. */
  readonly parentPath: string;
  readonly ignoredElements: { describeUndeclared(): string | undefined };
}

/**
 * Explains why an input does not fit the schema. If a required element or attribute is missing, its parent is searched
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
  const steps = `${message.parentPath}${path}`.split("/").slice(1).map(readStep);
  const name = steps.at(-1)?.name ?? "";
  const found = findInMessage(message, { name, parents: steps.slice(0, -1) });
  const explain = reason === missingElementReason ? explainMissingElement : explainMissingAttribute;
  const cause = explain(name, found);
  return cause === undefined
    ? { reason, details: message.ignoredElements.describeUndeclared() }
    : { reason: `${reason} ${cause}` };
}

/** A step of a path: the local name, and the number of the element among those with this name. */
interface Step {
  readonly name: string;
  readonly position: number;
}

function readStep(text: string): Step {
  const [, name = "", position = "1"] = /^@?(.*?)(?:\[(\d+)\])?$/.exec(text) ?? [];
  return { name, position: Number(position) };
}

function explainMissingElement(name: string, found: FoundNodes): string | undefined {
  if (found.elementNamespace !== undefined) {
    return found.elementNamespace === ""
      ? `The message has an element ${name} here, but without a namespace: the client may have omitted it.`
      : `The message has an element ${name} here, but in another namespace: the client may use another version of the WSDL, or have set the prefix or the default namespace of another element.`;
  }
  if (found.hasText) {
    return "The message has text instead of elements here: the client may have escaped its elements, or put them into a CDATA section.";
  }
  return found.hasAttribute
    ? `The message has an attribute ${name} here, but it must be an element: the client may use another version of the WSDL.`
    : undefined;
}

function explainMissingAttribute(name: string, found: FoundNodes): string | undefined {
  if (found.hasAttribute) {
    return `The message has an attribute ${name} here, but in another namespace: usually, attributes have no prefix.`;
  }
  return found.elementNamespace === undefined
    ? undefined
    : `The message has an element ${name} here, but it must be an attribute: the client may use another version of the WSDL.`;
}

/** What the parent of a missing element or attribute has in its place. */
interface FoundNodes {
  /** The namespace of a child with the same local name. */
  elementNamespace: string | undefined;
  hasAttribute: boolean;
  hasText: boolean;
}

/** Reads a message up to the end of an element, or up to a syntax error, and searches this element for a name. */
function findInMessage(
  { text, limits }: ReceivedMessage,
  { name, parents }: { readonly name: string; readonly parents: readonly Step[] },
): FoundNodes {
  const found: FoundNodes = { elementNamespace: undefined, hasAttribute: false, hasText: false };
  // The number of open elements on the path to the parent, and of the siblings that have the name of the next step.
  let openCount = 0;
  let siblingCount = 0;
  try {
    const reader = new XmlReader(text, limits);
    for (let event = reader.next(); event !== DONE; event = reader.next()) {
      const { depth } = reader;
      const next = parents[openCount];
      if (event === START && depth === openCount + 1) {
        if (next === undefined) {
          found.elementNamespace ??= reader.localName === name ? reader.namespace : undefined;
        } else if (reader.localName === next.name) {
          siblingCount += 1;
          if (siblingCount === next.position) {
            openCount += 1;
            siblingCount = 0;
            found.hasAttribute =
              openCount === parents.length && reader.attributes.some(({ localName }) => localName === name);
          }
        }
      } else if (event === END && depth === openCount) {
        break;
      } else if (event === TEXT && next === undefined && depth === openCount) {
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
