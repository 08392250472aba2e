import { type BodyPart, MultipartError, readBodyParts } from "../../http/body-parts.js";
import type { MediaType, readMediaType } from "../../http/media-type.js";

// Clients load this module on first use, together with `client-unusual-messages.ts`. It imports only modules that no
// other part of a client needs; otherwise, a code-splitting bundler would create a third chunk for the shared modules.

/** The media type of a message with attachments (RFC 2387). */
export const relatedType = "multipart/related";

/** One part of a `multipart/related` message (RFC 2387). */
export interface RelatedPart {
  /** The value of `Content-ID` without angle brackets. */
  readonly id: string;
  readonly type: string;
  readonly content: Uint8Array;
  /** Why the content cannot be decoded, as the end of a sentence whose subject is the part. */
  readonly problem?: string | undefined;
}

/** A message and its attachments. */
export interface Related {
  readonly root: RelatedPart;
  readonly attachments: readonly RelatedPart[];
}

/**
 * A message from the root of a `multipart/related` package, and its attachments. A message without a package has no
 * attachments.
 */
export interface PackagedMessage {
  readonly body: Uint8Array;
  readonly mediaType: MediaType;
  readonly parts: readonly RelatedPart[];
}

/** The reason why a message cannot be extracted. */
export interface PackageProblem {
  readonly problem: string;
}

type ReadMediaType = typeof readMediaType;

/** Extracts a message from its package, or returns the problem if that is impossible. */
export function readRelatedMessageOrProblem(
  body: Uint8Array,
  mediaType: MediaType,
  readType: ReadMediaType,
): PackagedMessage | PackageProblem {
  try {
    return readRelatedMessage(body, mediaType, readType);
  } catch (error) {
    if (error instanceof MultipartError) {
      return { problem: error.message };
    }
    throw error;
  }
}

/** Extracts a message from its package. Throws `MultipartError`. */
export function readRelatedMessage(body: Uint8Array, mediaType: MediaType, readType: ReadMediaType): PackagedMessage {
  const { name, parameters } = mediaType;
  if (name !== relatedType) {
    return { body, mediaType, parts: [] };
  }
  const { root, attachments } = readRelated(body, parameters);
  // If the root has no media type of its own, the parameter `type` of the package contains it (RFC 2387 §3.1).
  const type = readType(root.type === "" ? parameters.get("type") : root.type);
  if (type.name === "application/xop+xml") {
    throw new MultipartError("The message uses XOP (MTOM), which is not supported.");
  }
  return { body: root.content, mediaType: type, parts: attachments };
}

/** The maximum number of parts in a package. This is a safety limit: no known WSDL binds so many parts. */
const maxParts = 256;

/**
 * Reads a `multipart/related` body. `parameters` are the parameters of its media type, such as the boundary. Throws
 * `MultipartError`.
 */
export function readRelated(body: Uint8Array, parameters: ReadonlyMap<string, string>): Related {
  const parts = readBodyParts(body, { boundary: parameters.get("boundary"), maxParts }).map(readRelatedPart);
  const start = parameters.get("start");
  const root = start === undefined ? parts[0] : parts.find(({ id }) => id === removeBrackets(start));
  if (root === undefined) {
    throw new MultipartError(
      start === undefined
        ? "The multipart message has no parts."
        : 'The multipart message has no part with the Content-ID that the parameter "start" of its Content-Type names.',
    );
  }
  if (root.problem !== undefined) {
    throw new MultipartError(`The root of the multipart message ${root.problem}`);
  }
  return { root, attachments: parts.filter((part) => part !== root) };
}

function readRelatedPart({ headers, content }: BodyPart): RelatedPart {
  return {
    id: removeBrackets(headers.get("content-id") ?? ""),
    type: headers.get("content-type") ?? "",
    ...decodeContent(content, headers.get("content-transfer-encoding") ?? "binary"),
  };
}

function decodeContent(content: Uint8Array, encoding: string): Pick<RelatedPart, "content" | "problem"> {
  switch (encoding.toLowerCase()) {
    case "binary":
    case "8bit":
    case "7bit":
      return { content };
    case "base64":
      return decodeBase64(content);
    default:
      throw new MultipartError(
        "A part of the multipart message has a transfer encoding other than binary, 8bit, 7bit and base64.",
      );
  }
}

/**
 * Decodes Base64 (RFC 2045 §6.8), in which white space has no meaning. Like a value of xs:base64Binary, it must have no
 * other characters outside its alphabet, must be padded, and its unused bits must be 0. Otherwise, it was damaged.
 */
function decodeBase64(content: Uint8Array): Pick<RelatedPart, "content" | "problem"> {
  const bytes = new Uint8Array(Math.floor((content.length * 3) / 4));
  let length = 0;
  let bitBuffer = 0;
  let bitCount = 0;
  let digitCount = 0;
  let paddingLength = 0;
  for (const byte of content) {
    if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) {
      continue;
    }
    if (byte === 0x3d) {
      paddingLength += 1;
      continue;
    }
    const value = base64Values[byte] ?? -1;
    if (value < 0) {
      return createBase64Problem('it contains characters other than letters, digits, "+", "/", "=" and white space.');
    }
    if (paddingLength > 0) {
      return createBase64Problem('other characters follow its padding ("=").');
    }
    digitCount += 1;
    bitBuffer = ((bitBuffer << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      bytes[length] = bitBuffer >> bitCount;
      length += 1;
    }
  }
  if ((digitCount + paddingLength) % 4 !== 0) {
    return createBase64Problem("its length is not a multiple of 4: it may have been cut off.");
  }
  if (paddingLength > 2) {
    return createBase64Problem('its padding ("=") is too long.');
  }
  if ((bitBuffer & ((1 << bitCount) - 1)) !== 0) {
    return createBase64Problem("the unused bits of its last character are not 0.");
  }
  return { content: bytes.subarray(0, length) };
}

function createBase64Problem(cause: string): Pick<RelatedPart, "content" | "problem"> {
  return { content: new Uint8Array(), problem: `is not valid Base64: ${cause}` };
}

const base64Values: readonly number[] = Array.from({ length: 128 }, (_, code) =>
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".indexOf(String.fromCharCode(code)),
);

function removeBrackets(id: string): string {
  return id.trim().replace(/^<(.*)>$/, "$1");
}
