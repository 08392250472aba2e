import { DecodeError, EncodeError } from "../../answer-errors.js";
import type { AttachmentDescriptor } from "../../descriptor.js";
import { joinBytes } from "../../http/bytes.js";
import { type MediaType, parseMediaType, readMediaType } from "../../http/media-type.js";
import { describeValue } from "../../value-problems.js";
import { createUuid } from "./addressing.js";
import type { Related, RelatedPart } from "./related.js";

/** The attachments of an operation's input or output, by member name. */
export type Attachments = Readonly<Record<string, AttachmentDescriptor>>;

/** A value without its attachments, and the attachments as parts of a package. */
export interface DetachedValue {
  readonly value: unknown;
  readonly parts: readonly RelatedPart[];
}

/** Separates the attachments of a value from its other members. Only the other members go into the body. */
export function detach(value: unknown, attachments: Attachments): DetachedValue {
  if (typeof value !== "object" || value === null) {
    throw new EncodeError(`The value must be an object with the attachments, not ${describeValue(value)}.`, {
      path: "/",
    });
  }
  const parts = Object.entries(attachments).map(([key, attachment]) => {
    const content: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
    if (content instanceof Uint8Array) {
      return { id: createContentId(attachment.part), type: chooseSentType(attachment), content };
    }
    const reason = `The attachment must be a Uint8Array, not ${describeValue(content)}.`;
    throw new EncodeError(`/${key}: ${reason}`, { path: `/${key}`, reason });
  });
  const bodyMembers = Object.entries(value).filter(([key]) => !Object.hasOwn(attachments, key));
  return { value: Object.fromEntries(bodyMembers), parts };
}

/**
 * Adds the attachments of a message to its value. An attachment whose id begins with the name of a WSDL part belongs to
 * that part; the other attachments belong to the remaining parts, in order.
 */
export function attach(value: unknown, attachments: Attachments, parts: readonly RelatedPart[]): object {
  const remainingParts = new Set(parts);
  const partsByKey = new Map<string, RelatedPart>();
  for (const [key, { part }] of Object.entries(attachments)) {
    const partByName = [...remainingParts].find(({ id }) => isIdOfPart(id, part));
    if (partByName === undefined) {
      continue;
    }
    partsByKey.set(key, partByName);
    remainingParts.delete(partByName);
  }
  const remainingInOrder = remainingParts.values();
  const members = Object.entries(attachments).map(([key, { part }]): [string, Uint8Array] => {
    const receivedPart = partsByKey.get(key) ?? remainingInOrder.next().value;
    if (receivedPart === undefined) {
      throw new DecodeError(`/${key}: The attachment "${part}" is missing.`, { path: `/${key}` });
    }
    if (receivedPart.problem !== undefined) {
      throw new DecodeError(`/${key}: The attachment "${part}" ${receivedPart.problem}`, { path: `/${key}` });
    }
    // Copies the content, so that the value neither keeps the message in memory nor shares a buffer with the message.
    return [key, new Uint8Array(receivedPart.content)];
  });
  return { ...(typeof value === "object" ? value : {}), ...Object.fromEntries(members) };
}

/** Whether the id of an attachment begins with the name of a WSDL part (WS-I Attachments Profile 1.0 §3.8). */
function isIdOfPart(id: string, part: string): boolean {
  return id.startsWith(`${encodeURIComponent(part)}=`);
}

function createContentId(part: string): string {
  return `${encodeURIComponent(part)}=${createUuid()}@bothends`;
}

/** Returns the media type with which an attachment is sent: the first declared type without a wildcard. */
function chooseSentType({ types }: AttachmentDescriptor): string {
  return types.find((type) => !type.includes("*")) ?? "application/octet-stream";
}

/** Writes an envelope and its attachments as one package. */
export function writeAttached(
  envelope: string,
  type: string,
  parts: readonly RelatedPart[],
): { readonly contentType: string; readonly body: Uint8Array } {
  const id = createUuid();
  const root = { id: `root=${id}@bothends`, type, content: new TextEncoder().encode(envelope) };
  return writeRelated({ root, attachments: parts }, `part-${id}`);
}

/** Returns the media type of a package's root (RFC 2387 §3.1). */
export function findRootType({ parameters }: MediaType): MediaType {
  return readMediaType(parameters.get("type"));
}

/** Writes a message with its attachments (SOAP Messages with Attachments §3). `boundary` must not occur in any part. */
export function writeRelated(
  { root, attachments }: Related,
  boundary: string,
): { contentType: string; body: Uint8Array } {
  const pieces = [root, ...attachments].flatMap(({ id, type, content }, index) => [
    getBytes(
      `${index === 0 ? "" : "\r\n"}--${boundary}\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <${id}>\r\n\r\n`,
    ),
    content,
  ]);
  const rootType = parseMediaType(root.type)?.name ?? root.type;
  return {
    contentType: `multipart/related; type="${rootType}"; start="<${root.id}>"; boundary="${boundary}"`,
    body: joinBytes([...pieces, getBytes(`\r\n--${boundary}--\r\n`)]),
  };
}

function getBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
