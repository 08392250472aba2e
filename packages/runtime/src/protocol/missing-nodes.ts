import type { XmlLimits } from "@bothends/xml";
import { XmlError } from "@bothends/xml/error";
import { XmlReader } from "@bothends/xml/reader";
import { DONE, END, START, TEXT } from "@bothends/xml/reader-events";
import type { DecodeError } from "../answer-errors.js";
import { missingAttributeReason, missingElementReason } from "../codec/schema-mismatch.js";

// Explains to the operator of a server or a client why a message lacks a required element or attribute.

/** The program that has sent a message. */
export type Sender = "client" | "server";

/** A message that lacks a required element or attribute. */
export interface MessageWithProblem {
  readonly text: string;
  readonly limits: XmlLimits;
  /** The path of the element in which the path of the error begins; empty if it begins with the root. */
  readonly parentPath: string;
  readonly sender: Sender;
}

/** Whether a message does not fit the schema because a required element or attribute is missing. */
export function isAboutMissingNode({ reason }: DecodeError): boolean {
  return reason === missingElementReason || reason === missingAttributeReason;
}

/**
 * Searches the parent of a missing element or attribute for its name: usually, the sender has omitted the namespace.
 * Returns a sentence with the cause, if it is found.
 */
export function explainMissingNode({ path, reason }: DecodeError, message: MessageWithProblem): string | undefined {
  const steps = `${message.parentPath}${path}`.split("/").slice(1).map(readStep);
  const name = steps.at(-1)?.name ?? "";
  const found = findInMessage(message, { name, parents: steps.slice(0, -1) });
  const explain = reason === missingElementReason ? explainMissingElement : explainMissingAttribute;
  return explain(name, found, message.sender);
}

/** The maximum length of an undeclared name in a log, in characters. */
const maxNameLength = 64;

/**
 * Returns a sentence with the undeclared elements and attributes of a message, given their paths, because one of them
 * may be the missing one under another name. The names come from the message.
 */
export function describeUndeclaredNames(paths: readonly string[], sender: Sender): string | undefined {
  const names = paths.map((path) => path.slice(path.lastIndexOf("/") + 1).slice(0, maxNameLength));
  return names.length === 0
    ? undefined
    : `The message has other elements or attributes, which the WSDL does not declare: ${names.join(", ")}. The ${sender} may use another version of the WSDL.`;
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

function explainMissingElement(name: string, found: FoundNodes, sender: Sender): string | undefined {
  if (found.elementNamespace !== undefined) {
    return found.elementNamespace === ""
      ? `The message has an element ${name} here, but without a namespace: the ${sender} may have omitted it.`
      : `The message has an element ${name} here, but in another namespace: the ${sender} may use another version of the WSDL, or have set the prefix or the default namespace of another element.`;
  }
  if (found.hasText) {
    return `The message has text instead of elements here: the ${sender} may have escaped its elements, or put them into a CDATA section.`;
  }
  return found.hasAttribute
    ? `The message has an attribute ${name} here, but it must be an element: the ${sender} may use another version of the WSDL.`
    : undefined;
}

function explainMissingAttribute(name: string, found: FoundNodes, sender: Sender): string | undefined {
  if (found.hasAttribute) {
    return `The message has an attribute ${name} here, but in another namespace: usually, attributes have no prefix.`;
  }
  return found.elementNamespace === undefined
    ? undefined
    : `The message has an element ${name} here, but it must be an attribute: the ${sender} may use another version of the WSDL.`;
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
  { text, limits }: MessageWithProblem,
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
