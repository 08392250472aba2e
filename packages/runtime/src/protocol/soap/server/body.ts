import type { EncodingRules } from "../../../codec/decode-element.js";
import type { Decoder } from "../../../codec/decoder.js";
import type { Encoder } from "../../../codec/encoder.js";
import type { AnyOperationDescriptor, AnyRecord, OutputDescriptor } from "../../../descriptor.js";
import { DecodeError } from "../../../errors.js";
import { elementMembers, type OperationNames } from "../../../wire-names.js";
import type { ServedNames } from "../../server-operations.js";

import type { Encoding } from "../envelope.js";
import type { Envelope } from "../read-envelope.js";

/**
 * Reads the input of an operation; the envelope's reader is at the body's first child, if there is one. It is strict
 * where a value could be misread, and lenient elsewhere:
 *
 * | in a message                                                   | SOAP                              |
 * |----------------------------------------------------------------|-----------------------------------|
 * | a parameter is missing, in another case or another namespace   | Client fault                      |
 * | it is empty                                                    | "", or a Client fault             |
 * | it occurs twice                                                | the first counts                  |
 * | another order; unknown elements, attributes, text between      | ignored                           |
 * | `xsi:nil` on one that is not nillable                          | "", or a Client fault             |
 * | an element inside a value                                      | refused                           |
 * | a comment or instruction inside a value                        | as the server's conventions say   |
 */
export function readInput(
  operation: AnyOperationDescriptor,
  envelope: Envelope,
  { decoder, names, encoding }: ReadingCodec,
): unknown {
  const { body } = operation.input;
  if ("parts" in body) {
    return readParts(body.parts(), envelope, { decoder, names: names.of(operation) });
  }
  const { nillable, default: byDefault, fixed, identity } = body;
  return decoder.element(envelope.reader, body.type, { nillable, default: byDefault, fixed, identity, encoding });
}

interface ReadingCodec {
  readonly decoder: Decoder;
  readonly names: ServedNames;
  /** Present for an encoded body. */
  readonly encoding: EncodingRules | undefined;
}

/** Reads parts side by side in the body. As in a wrapper, the first element of each name counts. */
function readParts(
  parts: AnyRecord,
  envelope: Envelope,
  { decoder, names }: { readonly decoder: Decoder; readonly names: OperationNames },
): Record<string, unknown> {
  const members = elementMembers(parts);
  const byName = new Map(members.map((member) => [names.element(member.name), member]));
  const values = new Map<string, unknown>();
  for (let name = envelope.first; name !== undefined; name = envelope.nextChild()) {
    const member = byName.get(name);
    if (member === undefined || values.has(member.key)) {
      envelope.reader.skip();
    } else {
      values.set(member.key, decoder.element(envelope.reader, member.field.type, { nillable: member.field.nillable }));
    }
  }
  for (const { key, field } of members) {
    if (field.min !== 0 && !values.has(key)) {
      throw new DecodeError(`/${key}: ${missingPart}`, { path: `/${key}`, reason: missingPart });
    }
  }
  return Object.fromEntries(values);
}

const missingPart = "A part of the message is missing.";

/** Writes the handler's answer as the children of the body. */
export function writeOutput(
  output: OutputDescriptor<unknown>,
  value: unknown,
  { encoder, encoding }: WritingCodec,
): string {
  const { body } = output;
  if ("parts" in body) {
    return encoder.content(body.parts, value);
  }
  const { nillable, default: byDefault, fixed } = body;
  const declared = { nillable, default: byDefault, fixed };
  const facts = encoding === undefined ? declared : { ...declared, ...encoding };
  return encoder.element(body.element, body.type, bodyValue(output, value), facts);
}

/** The encoder of an answer, and the encoding of its body. */
export interface WritingCodec {
  readonly encoder: Encoder;
  readonly encoding: Encoding | undefined;
}

function bodyValue(output: OutputDescriptor<unknown>, value: unknown): unknown {
  if (output.empty === true) {
    return {};
  }
  if (output.result === undefined) {
    return value;
  }
  return { [output.result]: value === null && !isNillable(output) ? undefined : value };
}

/** A null result is left out, unless the schema has a nillable element for it. */
function isNillable({ body, result }: OutputDescriptor<unknown>): boolean {
  if ("parts" in body) {
    return false;
  }
  const type = typeof body.type === "function" ? body.type() : body.type;
  return elementMembers(type).some(({ key, field }) => key === result && field.nillable === true);
}
