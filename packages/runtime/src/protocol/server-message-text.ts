import { decodeXml, findUnsupportedEncoding } from "@bothends/xml/decode";
import { XmlError } from "@bothends/xml/error";
import type { OnError } from "../observe/events.js";
import { report } from "../observe/incidents.js";
import { RepeatedProblem, RepeatedReports } from "../observe/repeated-incidents.js";
import { headReasons, Refusal, type ServedService, type ServiceCall } from "./server.js";

/** Reports calls in which bytes that the encoding does not allow were replaced, once a minute for each operation. */
export class ReplacedBytes {
  readonly #onError: OnError | undefined;
  readonly #reports = new RepeatedReports();

  constructor({ onError }: Pick<ServedService, "onError">) {
    this.#onError = onError;
  }

  report({ operation, protocol, request }: Pick<ServiceCall, "operation" | "protocol" | "request">): void {
    const source = { operation: operation.descriptor.name, protocol };
    const message =
      "Bytes that the encoding of the request does not allow were read as U+FFFD or as a question mark, as ASMX reads them, so texts may be wrong. The client probably sends another encoding, such as ISO-8859-1, than the charset or the XML declaration names. This is reported once a minute for each operation.";
    const repeated = new RepeatedProblem(this.#reports, `${protocol} ${source.operation}`);
    report(this.#onError, { kind: "request", message, ...source }, request, { endsCall: false, repeated });
  }
}

/**
 * Decodes a message. The encoding is taken from the byte-order mark, the charset parameter or the XML declaration, in
 * this order; the default is UTF-8. Throws `Refusal` if the encoding is not supported. `malformedBytes` determines what
 * happens to bytes that the encoding does not allow: `refuse` throws `XmlError`; `replace` replaces them with U+FFFD,
 * or with `?` in US-ASCII, and also accepts an unknown charset if all bytes are ASCII. With `ignoresDeclaration`,
 * `replace` ignores a wrong encoding in the declaration. `onReplaced` is called if bytes were replaced.
 */
export function decodeMessage(
  bytes: Uint8Array,
  charset: string | undefined,
  {
    malformedBytes,
    ignoresDeclaration,
    onReplaced,
  }: {
    readonly malformedBytes: "refuse" | "replace";
    readonly ignoresDeclaration: boolean;
    readonly onReplaced: () => void;
  },
): string {
  const label = charset?.trim().toLowerCase();
  if (label !== undefined && nonAsciiEncodings.test(label)) {
    throw createEncodingRefusal("charset", label);
  }
  try {
    return decodeXml(bytes, charset);
  } catch (error) {
    if (!(error instanceof XmlError) || error.code !== "xml.encoding") {
      throw error;
    }
    if (malformedBytes === "replace" && (ignoresDeclaration || charset !== undefined || !hasWrongDeclaration(bytes))) {
      const text = decodeLeniently(bytes, label, onReplaced);
      if (text !== undefined) {
        return text;
      }
    }
    const unsupportedEncoding = findUnsupportedEncoding(bytes, charset);
    throw unsupportedEncoding === undefined
      ? error
      : createEncodingRefusal(charset === undefined ? "declaration" : "charset", unsupportedEncoding);
  }
}

/** Returns the refusal of a message in an encoding that is not supported. `problem` says where the message names it. */
function createEncodingRefusal(problem: "charset" | "declaration", name: string): Refusal {
  const details = encodingName.test(name) ? `The request names ${name}.` : undefined;
  return new Refusal(problem, { reason: headReasons[problem], details });
}

/** Matches the names of encodings (IANA Character Sets). Names come from the request, and are logged. */
const encodingName = /^[\w.:()+-]{1,40}$/;

/**
 * Whether the XML declaration names an encoding that is not supported or contradicts the bytes. Ignores the highest bit
 * of each byte, so that malformed characters have no effect.
 */
function hasWrongDeclaration(bytes: Uint8Array): boolean {
  try {
    decodeXml(bytes.map((byte) => byte & 0x7f));
    return false;
  } catch {
    return true;
  }
}

/** Matches the names of encodings in which a byte below 0x80 need not be an ASCII character. */
const nonAsciiEncodings = /utf-7|^(?:utf-32|ucs-4|iso-2022|hz-gb|ibm|cp037|ebcdic)/;

function decodeLeniently(bytes: Uint8Array, label: string | undefined, onReplaced: () => void): string | undefined {
  const decodeReplacing = (encoding: string): string => {
    const text = new TextDecoder(encoding).decode(bytes);
    if (text.includes("\ufffd")) {
      onReplaced();
    }
    return text;
  };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return decodeReplacing("utf-16be");
  }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return decodeReplacing("utf-16le");
  }
  if (label === undefined || /^utf-?8$/.test(label)) {
    return decodeReplacing("utf-8");
  }
  if (/^(?:us-)?ascii$/.test(label)) {
    onReplaced();
    return Array.from(bytes, decodeAsciiByte).join("");
  }
  if (/^utf-?16/.test(label)) {
    return decodeReplacing(label.endsWith("be") ? "utf-16be" : "utf-16le");
  }
  return bytes.every((byte) => byte < 0x80) ? decodeReplacing("utf-8") : undefined;
}

function decodeAsciiByte(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : "?";
}
