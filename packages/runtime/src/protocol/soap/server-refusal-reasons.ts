import type { XmlReader } from "@bothends/xml/reader";
import type { RefusalInit, ServedOperation } from "../server.js";
import { envelopeNamespace, type SoapVersion } from "./envelope.js";
import type { Envelope } from "./read-envelope.js";
import { hasSecondBody } from "./server-bodies.js";

// The reasons, for operators, why no operation of a service fits a message. They contain only names from the schema.
// The name that the client sent is in the details, which follow the reason, and only if no other cause is found.

/** The maximum length of a name from a request in details, in UTF-16 units. It is limited because clients choose it. */
const maxNameLength = 120;

/** Why no operation fits a message, for operators. */
type UnknownReason = Pick<RefusalInit, "reason" | "details">;

/** Names the action or the element of a message. Clients choose this text. */
function describeSentName(part: "action" | "element", name: string): string {
  const shownName = name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`;
  return `The ${part} is ${JSON.stringify(shownName)}.`;
}

/** The actions of a service. */
interface KnownActions {
  readonly actions: Readonly<Record<SoapVersion, ReadonlySet<string>>>;
  /** Returns the name of the operation with an action. */
  findOperation(version: SoapVersion, action: string | undefined): string | undefined;
}

/** Explains why an action of SOAP 1.1 matches no operation. */
export function describeUnknownAction(action: string, known: KnownActions): UnknownReason {
  if (action === "") {
    return { reason: "The SOAPAction is empty: the client sends none, or a proxy has removed its value." };
  }
  const actions = known.actions.soap11;
  if (actions.has(unquoteAction(action))) {
    const problem = "its quotation marks are wrong, or it is repeated: the client or a proxy has changed the header";
    return { reason: `The SOAPAction names an operation, but ${problem}.` };
  }
  const similarAction = findSimilar(actions, action, (text) => getLastSegment(text).toLowerCase());
  const name = known.findOperation("soap11", similarAction);
  if (name !== undefined) {
    const difference = `Only the namespace, or upper and lower case, differ from the SOAPAction of ${name}.`;
    return { reason: `The SOAPAction is unknown. ${difference} ${wireNamesAdvice}` };
  }
  return {
    reason: `The SOAPAction is unknown. ${otherVersionAdvice}`,
    details: describeSentName("action", action),
  };
}

/** Explains why an action does not fit the body, which could be for any of the candidates. */
export function describeOtherAction(
  operationOfAction: string | undefined,
  candidates: readonly ServedOperation[],
): string {
  const bodyNames = candidates.map(({ descriptor }) => descriptor.name).join(" or ");
  return `The action and the body name different operations: the action ${operationOfAction ?? "an unknown one"}, the body ${bodyNames}. ${otherActionAdvice}`;
}

const otherActionAdvice =
  "The client, or a proxy, may send the same SOAPAction (in SOAP 1.2, the parameter action) with all calls: each operation has its own. If the message is right, leave out the action, because the body names the operation.";

/** Explains why a message without an action, which could be for any of the candidates, needs one. */
export function describeMissingAction(candidates: readonly ServedOperation[]): string {
  const names = candidates.map(({ descriptor }) => descriptor.name).join(" and ");
  return `The operations ${names} have this element as their body, and only the action says which of them is called. The request has no action: the client sends none, or a proxy has removed it.`;
}

/** The namespace of XML Encryption, which WS-Security uses for encrypted bodies (XML Encryption 1.0 §1.3). */
const encryptionNamespace = "http://www.w3.org/2001/04/xmlenc#";

/** Explains why a body is not that of an operation. `knownNames` are the names of the operations' elements. */
export function describeUnknownBody(envelope: Envelope, knownNames: readonly string[]): UnknownReason {
  const { firstChild, reader } = envelope;
  if (firstChild !== undefined) {
    const reason = explainElement(firstChild, knownNames);
    return reason === undefined
      ? { reason: `${unknownElement} ${otherVersionAdvice}`, details: describeSentName("element", firstChild) }
      : { reason };
  }
  const reason = describeBodyWithoutElement(reader);
  return { reason: hasSecondBody(envelope) ? `${reason} ${secondBodyReason}` : reason };
}

const unknownElement = "No operation has this element as its body.";

const otherVersionAdvice = "The client may use another version of the WSDL, or another service.";

/** Explains why the first element in a body is not that of an operation, if there is another cause than its name. */
function explainElement(name: string, knownNames: readonly string[]): string | undefined {
  if (name.startsWith(`{${encryptionNamespace}}`)) {
    return "The body of the message (soap:Body) is encrypted with WS-Security, which this server does not support: the client must send the element of the operation, over TLS.";
  }
  if (Object.values(envelopeNamespace).some((namespace) => name === `{${namespace}}Fault`)) {
    return "The body of the message (soap:Body) is a fault: the client, or a proxy, has sent an answer as a request.";
  }
  const sameName = findSimilar(knownNames, name, getLastSegment);
  if (sameName !== undefined) {
    return `${unknownElement} The service has an element of the same name in another namespace: ${sameName}. ${wireNamesAdvice}`;
  }
  const requestName = findSimilar(knownNames, name.replace(/Response$/, ""), getLastSegment);
  if (requestName !== undefined) {
    return `${unknownElement} Its name is that of the answer to ${requestName}: the client, or a proxy, has sent an answer as a request.`;
  }
  const similarName = findSimilar(knownNames, name, (text) => getLastSegment(text).toLowerCase());
  return similarName === undefined
    ? undefined
    : `${unknownElement} The service has an element whose name differs in upper and lower case: ${similarName}. ${wireNamesAdvice}`;
}

/** Follows the reason why the first body of a message is not that of an operation if the message has a second one. */
const secondBodyReason =
  "The message has a second body, which is not read: the client must write one body, with the element of the operation.";

/** The number of characters before the end of a body that are examined. */
const maxBodyEndChars = 200;

/** Explains why a body without an element is not that of an operation. `reader` must be at the end of the body. */
function describeBodyWithoutElement({ source, offset }: XmlReader): string {
  const end = source.startsWith("</", offset)
    ? source.slice(Math.max(0, offset - maxBodyEndChars), offset).trimEnd()
    : "";
  const tagStart = end.lastIndexOf("<");
  const text = end.endsWith("]]>") || tagStart < 0 ? end : end.slice(end.indexOf(">", tagStart) + 1).trim();
  if (text === "") {
    return "The body of the message (soap:Body) is empty, but no operation has an empty body: the client has not written the element of the operation.";
  }
  return /&(?:lt|#60|#x3c);|>\s*\]\]>$/i.test(text)
    ? "The body of the message (soap:Body) is XML that was escaped or put into a CDATA section: the client must send the elements themselves."
    : "The body of the message (soap:Body) contains text instead of the element of an operation.";
}

export const wireNamesAdvice =
  'The client may use another version of the WSDL. If the names on the wire differ from those of the WSDL, set the option "wireNames" of the routes.';

/**
 * Returns an action without marks that clients and proxies add by mistake: escaped or repeated quotation marks, or a
 * repeated header.
 */
function unquoteAction(action: string): string {
  return action.replace(/&quot;|%22|[\\"'\s]/g, "").split(",")[0] ?? "";
}

/** Finds the action or element name of which a part, such as the last segment, equals the same part of `name`. */
function findSimilar(names: Iterable<string>, name: string, getPart: (text: string) => string): string | undefined {
  return [...names].find((candidate) => getPart(candidate) === getPart(name));
}

/** Returns an action or element name without its namespace. */
function getLastSegment(text: string): string {
  return text.replace(/^.*[/:#}]/s, "");
}

export const packageTypeReason =
  'The parameter "type" of multipart/related must be text/xml (SOAP 1.1) or application/soap+xml (SOAP 1.2).';

export const mtomReason =
  "The client uses MTOM (application/xop+xml), which the server does not support: turn MTOM off in the client.";
