import { XmlError } from "@bothends/xml/error";
import { DONE, START } from "@bothends/xml/reader-events";
import { DecodeError } from "../../answer-errors.js";
import type { EncodingRules } from "../../codec/decode-element.js";
import type { Encoder } from "../../codec/encoder.js";
import type { AnyOperationDescriptor, OutputDescriptor, UntypedRecord } from "../../descriptor.js";
import { listElementFields, type OperationNames } from "../../wire-names.js";
import { refuseUndefined, type ServedNames } from "../server.js";
import type { Encoding } from "./encoding.js";
import { type Envelope, isSoapElement } from "./read-envelope.js";
import type { IgnoredElements, ReportingDecoder } from "./server-ignored-elements.js";

/**
 * Reads the input of an operation; the envelope's reader is at the body's first child, if there is one. Reading is
 * strict where a value could be misread, and lenient elsewhere:
 *
 * | the message contains                                                   | answer                     |
 * |------------------------------------------------------------------------|----------------------------|
 * | no parameter of this name, or one in another case or namespace         | Client fault               |
 * | an empty parameter                                                     | reads "", or Client fault  |
 * | a parameter twice                                                      | reads the first            |
 * | parameters in another order; unknown elements or attributes; text      | ignores the difference     |
 * | `xsi:nil` on a parameter that is not nillable                          | reads "", or Client fault  |
 * | a second element beside that of the operation, or one after the body   | ignores it                 |
 * | an element inside a value                                              | refuses the message        |
 * | a comment or processing instruction inside a value                     | depends on the conventions |
 */
export function readSoapInput(
  operation: AnyOperationDescriptor,
  envelope: Envelope,
  { decoder, names, encoding, ignoredElements }: ReadingCodec,
): unknown {
  const { body } = operation.input;
  if ("parts" in body) {
    return readParts(body.parts(), envelope, { decoder, names: names.getOperationNames(operation), ignoredElements });
  }
  const { nillable, default: byDefault, fixed, identity } = body;
  const { reader } = envelope;
  const input = decoder.decode(reader, body.type, { nillable, default: byDefault, fixed, identity, encoding });
  // An encoded body can have further elements, to which others refer (SOAP 1.1 §5.1).
  while (encoding === undefined && envelope.nextChild() !== undefined) {
    ignoredElements.add(reader, "second");
    reader.skip();
  }
  return input;
}

/**
 * Reads the rest of a message to check that it is well-formed. The reader of the envelope must be in the body. Elements
 * after the body are ignored, as ASMX ignores them.
 */
export function finishMessage({ reader, version }: Envelope, ignoredElements: IgnoredElements): void {
  for (let event = reader.next(); event !== DONE; event = reader.next()) {
    if (event === START && reader.depth === envelopeChildDepth) {
      const isBody = isSoapElement(reader, version, "Body");
      const isHeader = isSoapElement(reader, version, "Header");
      ignoredElements.add(reader, isBody ? "secondBody" : isHeader ? "lateHeader" : "afterBody");
    }
  }
}

/** Reads the rest of a message up to its end, or up to a syntax error, and finds out if it has a second body. */
export function hasSecondBody({ reader, version }: Envelope): boolean {
  try {
    for (let event = reader.next(); event !== DONE; event = reader.next()) {
      if (event === START && reader.depth === envelopeChildDepth && isSoapElement(reader, version, "Body")) {
        return true;
      }
    }
  } catch (error) {
    if (!(error instanceof XmlError)) {
      throw error;
    }
  }
  return false;
}

/** The depth of the header and the body of a message, where the envelope has the depth 1. */
const envelopeChildDepth = 2;

interface ReadingCodec extends ReportingDecoder {
  readonly names: ServedNames;
  /** The rules of SOAP encoding; undefined for a literal body. */
  readonly encoding: EncodingRules | undefined;
}

interface PartsCodec extends ReportingDecoder {
  readonly names: OperationNames;
}

/**
 * Reads the parts of a body whose elements are siblings. If several elements have the same name, the first is used, as
 * for the elements in a wrapper.
 */
function readParts(
  parts: UntypedRecord,
  envelope: Envelope,
  { decoder, names, ignoredElements }: PartsCodec,
): Record<string, unknown> {
  const members = listElementFields(parts);
  const membersByName = new Map(members.map((member) => [names.element(member.name), member]));
  const values = new Map<string, unknown>();
  for (let name = envelope.firstChild; name !== undefined; name = envelope.nextChild()) {
    const member = membersByName.get(name);
    if (member === undefined || values.has(member.key)) {
      ignoredElements.add(envelope.reader, member === undefined ? "undeclared" : "repeated");
      envelope.reader.skip();
    } else {
      values.set(member.key, decoder.decode(envelope.reader, member.field.type, { nillable: member.field.nillable }));
    }
  }
  for (const { key, field } of members) {
    if (field.min !== 0 && !values.has(key)) {
      throw new DecodeError(`/${key}: ${missingPartReason}`, { path: `/${key}`, reason: missingPartReason });
    }
  }
  return Object.fromEntries(values);
}

const missingPartReason = "A part of the message is missing.";

/** Writes the answer of a handler as the children of the body. */
export function writeOutput(
  output: OutputDescriptor<unknown>,
  value: unknown,
  { encoder, encoding }: WritingCodec,
): string {
  const { body } = output;
  refuseUndefined(output, value);
  if ("parts" in body) {
    return encoder.encodeContent(body.parts, value);
  }
  const { nillable, default: byDefault, fixed } = body;
  const declaration = { nillable, default: byDefault, fixed };
  const options = encoding === undefined ? declaration : { ...declaration, ...encoding };
  return encoder.encode(body.element, body.type, getBodyValue(output, value), options);
}

/** The encoder for an answer, and the encoding of the answer's body. */
export interface WritingCodec {
  readonly encoder: Encoder;
  readonly encoding: Encoding | undefined;
}

function getBodyValue(output: OutputDescriptor<unknown>, value: unknown): unknown {
  if (output.empty === true) {
    return {};
  }
  if (output.result === undefined) {
    return value;
  }
  return { [output.result]: value === null && !isNillable(output) ? undefined : value };
}

/** Whether the element that contains the result is nillable. If it is not, a null result is left out. */
function isNillable({ body, result }: OutputDescriptor<unknown>): boolean {
  if ("parts" in body) {
    return false;
  }
  const type = typeof body.type === "function" ? body.type() : body.type;
  return listElementFields(type).some(({ key, field }) => key === result && field.nillable === true);
}
