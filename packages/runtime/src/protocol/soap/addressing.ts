import type { AnyElement } from "../../descriptor.js";
import { createMustUnderstand, type SoapVersion } from "./envelope.js";

const namespaces = {
  "2005/08": "http://www.w3.org/2005/08/addressing",
  "2004/08": "http://schemas.xmlsoap.org/ws/2004/08/addressing",
} as const;
const anonymousAddresses = {
  "2005/08": "http://www.w3.org/2005/08/addressing/anonymous",
  "2004/08": "http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous",
} as const;

/** The contents of a message's addressing headers. */
export interface Addressing {
  /** The action of the message. Default: the binding's `soapAction`. */
  readonly action: string;
  /** The address of the receiver. */
  readonly to: string;
  /** A URI that is unique to the message. */
  readonly messageId: string;
  /** The address to which the answer is sent. Default: the answer returns over the connection of the request. */
  readonly replyTo?: string | undefined;
  /**
   * The version of WS-Addressing: the recommendation of August 2005, or the submission of August 2004. Default
   * `2005/08`.
   */
  readonly version?: keyof typeof namespaces | undefined;
}

/** Creates the header blocks of WS-Addressing (Core §3.2): action, message id, reply address and destination. */
export function addressingHeaders(
  { action, to, messageId, replyTo, version = "2005/08" }: Addressing,
  soapVersion: SoapVersion,
): readonly AnyElement[] {
  const createAddressingElement = (name: string, content: readonly (string | AnyElement)[]): AnyElement => ({
    name: `{${namespaces[version]}}${name}`,
    content,
  });
  return [
    { ...createAddressingElement("Action", [action]), attributes: [createMustUnderstand(soapVersion)] },
    createAddressingElement("MessageID", [messageId]),
    createAddressingElement("ReplyTo", [createAddressingElement("Address", [replyTo ?? anonymousAddresses[version]])]),
    { ...createAddressingElement("To", [to]), attributes: [createMustUnderstand(soapVersion)] },
  ];
}

/** Creates the id of a message: a URI that no other message has. */
export function createMessageId(): string {
  return `urn:uuid:${createUuid()}`;
}

/**
 * Creates a random UUID. Does not use `randomUUID`, because browsers have it only on pages with HTTPS (W3C Web Crypto
 * §10.1.2).
 */
export function createUuid(): string {
  if (typeof crypto.randomUUID === "function") {
    return crypto.randomUUID();
  }
  // Random bytes. The bits for version 4 and for the variant are set below (RFC 9562 §5.4).
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-a$4-");
}

const namespace = namespaces["2005/08"];

/** The header blocks of WS-Addressing 1.0 that a receiver understands (Core §3.2). */
export const addressingBlocks: readonly string[] = [
  "Action",
  "MessageID",
  "To",
  "From",
  "ReplyTo",
  "FaultTo",
  "RelatesTo",
].map((name) => `{${namespace}}${name}`);

/** The addressing headers of a request. */
export interface RequestAddressing {
  readonly messageId: string | undefined;
  /** Where the answer must be sent. Only the request's own connection and `none` are supported. */
  readonly replyTarget: "sameConnection" | "none" | "otherAddress";
}

/** Reads the addressing headers of a request. Returns undefined for a request without an Action block. */
export function readAddressing(blocks: readonly AnyElement[]): RequestAddressing | undefined {
  const findBlock = (name: string) => blocks.find((block) => block.name === `{${namespace}}${name}`);
  if (findBlock("Action") === undefined) {
    return undefined;
  }
  const messageId = findBlock("MessageID");
  const addresses = ["ReplyTo", "FaultTo"].map((name) => getAddressIn(findBlock(name)));
  const replyTarget = addresses.some((address) => address !== anonymousAddresses["2005/08"] && address !== noneAddress)
    ? "otherAddress"
    : addresses[0] === noneAddress
      ? "none"
      : "sameConnection";
  return { messageId: messageId && getText(messageId), replyTarget };
}

/** Creates the WS-Addressing headers of an answer (Core §3.4). */
export function createAnswerBlocks(action: string, { messageId }: RequestAddressing): readonly AnyElement[] {
  const blocks = [{ name: `{${namespace}}Action`, content: [action] }];
  return messageId === undefined ? blocks : [...blocks, { name: `{${namespace}}RelatesTo`, content: [messageId] }];
}

/** The action of a fault that the operation does not declare (SOAP Binding §6). */
export const faultAction = `${namespace}/soap/fault`;

/** The fault for a request whose answer must go to another address (SOAP Binding §6.4.1). */
export const onlyAnonymousFault = {
  code: "Client",
  wireCode: `{${namespace}}InvalidAddressingHeader`,
  subcodes: [`{${namespace}}OnlyAnonymousAddressSupported`],
  reason: "The answer can only be sent over the connection of the request.",
} as const;

const noneAddress = `${namespace}/none`;

function getAddressIn(endpoint: AnyElement | undefined): string {
  const address = endpoint?.content?.find((item) => typeof item !== "string" && item.name === `{${namespace}}Address`);
  return address === undefined || typeof address === "string" ? anonymousAddresses["2005/08"] : getText(address);
}

function getText({ content = [] }: AnyElement): string {
  return content
    .filter((item) => typeof item === "string")
    .join("")
    .trim();
}
