import { describeValue } from "../../describe-value.js";
import type { AttachmentDescriptor } from "../../descriptor.js";
import { DecodeError, EncodeError } from "../../errors.js";
import { MultipartError, type BodyPart as RawPart, readBodyParts } from "../../http/body-parts.js";
import { type MediaType, parseMediaType, readMediaType } from "../../http/media-type.js";

/** The attachments of one direction of an operation, by member name. */
export type Attachments = Readonly<Record<string, AttachmentDescriptor>>;

/** One part of a `multipart/related` message (RFC 2387). */
export interface BodyPart {
  /** Without its angle brackets. */
  readonly id: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** A value without its attachments, and the attachments as parts. */
export interface Detached {
  readonly value: unknown;
  readonly parts: readonly BodyPart[];
}

/** Separates the attachments of a value from its other members, which are written to the body. */
export function detach(value: unknown, attachments: Attachments): Detached {
  if (typeof value !== "object" || value === null) {
    throw new EncodeError(`The value must be an object with the attachments, not ${describeValue(value)}.`, {
      path: "/",
    });
  }
  const parts = Object.entries(attachments).map(([key, attachment]) => {
    const content: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
    if (content instanceof Uint8Array) {
      return { id: contentId(attachment.part), type: sentType(attachment), content };
    }
    throw new EncodeError(`/${key}: The attachment must be a Uint8Array, not ${describeValue(content)}.`, {
      path: `/${key}`,
    });
  });
  const others = Object.entries(value).filter(([key]) => !Object.hasOwn(attachments, key));
  return { value: Object.fromEntries(others), parts };
}

/** Adds the attachments of a message to its value: by their ids if these contain the part's name, else in order. */
export function attach(value: unknown, attachments: Attachments, parts: readonly BodyPart[]): object {
  const remaining = new Set(parts);
  const byKey = new Map<string, BodyPart>();
  for (const [key, { part }] of Object.entries(attachments)) {
    const partByName = [...remaining].find(({ id }) => isNamed(id, part));
    if (partByName === undefined) {
      continue;
    }
    byKey.set(key, partByName);
    remaining.delete(partByName);
  }
  const inOrder = remaining.values();
  const members = Object.entries(attachments).map(([key, { part }]): [string, Uint8Array] => {
    const received = byKey.get(key) ?? inOrder.next().value;
    if (received === undefined) {
      throw new DecodeError(`/${key}: The attachment "${part}" is missing.`, { path: `/${key}` });
    }
    // A copy: the value must not keep the message in memory, nor share a buffer with it.
    return [key, new Uint8Array(received.content)];
  });
  return { ...(typeof value === "object" ? value : {}), ...Object.fromEntries(members) };
}

/** WS-I Attachments Profile 1.0 §3.8: the id of a part begins with the WSDL part's name. */
function isNamed(id: string, part: string): boolean {
  return id.startsWith(`${encodeURIComponent(part)}=`);
}

function contentId(part: string): string {
  return `${encodeURIComponent(part)}=${crypto.randomUUID()}@bothends`;
}

/** The first media type without a wildcard. */
function sentType({ types }: AttachmentDescriptor): string {
  return types.find((type) => !type.includes("*")) ?? "application/octet-stream";
}

/** Writes an envelope and its attachments as one package. */
export function writeAttached(
  envelope: string,
  type: string,
  parts: readonly BodyPart[],
): { readonly contentType: string; readonly body: Uint8Array } {
  const id = crypto.randomUUID();
  const root = { id: `root=${id}@bothends`, type, content: new TextEncoder().encode(envelope) };
  return writeRelated({ root, others: parts }, `part-${id}`);
}

/** A message with its attachments, if it is the root of a `multipart/related`. */
export interface Packaged {
  readonly body: Uint8Array;
  readonly mediaType: MediaType;
  readonly parts: readonly BodyPart[];
}

/** Extracts a message from its package. Throws `MultipartError`. */
export function readPackage(body: Uint8Array, mediaType: MediaType): Packaged {
  if (mediaType.name !== "multipart/related") {
    return { body, mediaType, parts: [] };
  }
  const { root, others } = readRelated(body, mediaType.parameters);
  const type = rootType(root.type === "" ? undefined : readMediaType(root.type), mediaType);
  if (type.name === "application/xop+xml") {
    throw new MultipartError("The message uses XOP (MTOM), which is not supported.");
  }
  return { body: root.content, mediaType: type, parts: others };
}

/** Extracts a message from its package, or says why that is not possible. */
export function readPackageOrProblem(body: Uint8Array, mediaType: MediaType): Packaged | { readonly problem: string } {
  try {
    return readPackage(body, mediaType);
  } catch (error) {
    if (error instanceof MultipartError) {
      return { problem: error.message };
    }
    throw error;
  }
}

/** RFC 2387 §3.1: the package has the type of its root as a parameter. */
export function rootType(type: MediaType | undefined, { parameters }: MediaType): MediaType {
  return type ?? readMediaType(parameters.get("type"));
}

/** A message and its attachments. */
export interface Related {
  readonly root: BodyPart;
  readonly others: readonly BodyPart[];
}

/** More parts than any WSDL binds. */
const maxParts = 256;
/** Writes a message with its attachments (SOAP Messages with Attachments §3). None of them may contain `boundary`. */
export function writeRelated({ root, others }: Related, boundary: string): { contentType: string; body: Uint8Array } {
  const pieces = [root, ...others].flatMap(({ id, type, content }, index) => [
    bytesOf(
      `${index === 0 ? "" : "\r\n"}--${boundary}\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <${id}>\r\n\r\n`,
    ),
    content,
  ]);
  const rootType = parseMediaType(root.type)?.name ?? root.type;
  return {
    contentType: `multipart/related; type="${rootType}"; start="<${root.id}>"; boundary="${boundary}"`,
    body: joined([...pieces, bytesOf(`\r\n--${boundary}--\r\n`)]),
  };
}

/** Reads a `multipart/related` body by the parameters of its media type. Throws `MultipartError`. */
export function readRelated(body: Uint8Array, parameters: ReadonlyMap<string, string>): Related {
  const parts = readBodyParts(body, { boundary: parameters.get("boundary"), maxParts }).map(relatedPart);
  const start = parameters.get("start");
  const root = start === undefined ? parts[0] : parts.find(({ id }) => id === withoutBrackets(start));
  if (root === undefined) {
    throw new MultipartError("The multipart message has no root part.");
  }
  return { root: root, others: parts.filter((part) => part !== root) };
}

function relatedPart({ headers, content }: RawPart): BodyPart {
  return {
    id: withoutBrackets(headers.get("content-id") ?? ""),
    type: headers.get("content-type") ?? "",
    content: decoded(content, headers.get("content-transfer-encoding") ?? "binary"),
  };
}

function decoded(content: Uint8Array, encoding: string): Uint8Array {
  switch (encoding.toLowerCase()) {
    case "binary":
    case "8bit":
    case "7bit":
      return content;
    case "base64":
      return base64Bytes(content);
    default:
      throw new MultipartError("A part of the multipart message has an unsupported transfer encoding.");
  }
}

/** RFC 2045 §6.8: characters outside the alphabet are skipped. */
function base64Bytes(content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.floor((content.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let count = 0;
  for (const byte of content) {
    const value = base64Values[byte] ?? -1;
    if (value < 0) {
      continue;
    }
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count < 8) {
      continue;
    }
    count -= 8;
    bytes[length] = (bits >> count) & 0xff;
    length += 1;
  }
  return bytes.subarray(0, length);
}

const base64Values: readonly number[] = Array.from({ length: 128 }, (_, code) =>
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".indexOf(String.fromCharCode(code)),
);

function withoutBrackets(id: string): string {
  return id.trim().replace(/^<(.*)>$/, "$1");
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
