import type { Decoder } from "../../codec/decoder.js";
import type { Encoder } from "../../codec/encoder.js";
import type { References } from "../../codec/references.js";
import type { AnyOperationDescriptor, AnyRecord, OutputDescriptor } from "../../descriptor.js";
import { type ElementMember, elementMembers } from "../../element-members.js";
import { DecodeError } from "../../errors.js";
import type { Encoding, Envelope } from "../../protocol/soap/envelope.js";
import type { OperationNames } from "../../wire-names.js";
import type { ServedNames } from "./served-names.js";

/**
 * Reads the input of an operation; the envelope's reader is at the body's first child, if there is one. How strictly:
 *
 * | in a request                                                   | SOAP                         | HTTP GET, POST            |
 * |----------------------------------------------------------------|------------------------------|---------------------------|
 * | a parameter is missing, in another case or another namespace   | Client fault                 | 500, a line of text       |
 * | it is empty                                                    | "", else Client fault        | "", else 500              |
 * | it occurs twice                                                | the first counts             | "a,b", else 500           |
 * | another order; unknown elements, attributes, text between      | nothing                      | nothing                   |
 * | `xsi:nil` on one that is not nillable                          | "", else Client fault        | -                         |
 * | an element, comment or instruction inside a value              | 400 without a body           | -                         |
 */
export function readInput(
  operation: AnyOperationDescriptor,
  envelope: Envelope,
  { decoder, names, references }: ReadingCodec,
): unknown {
  const { body } = operation.input;
  if ("parts" in body) return readParts(body.parts(), envelope, { decoder, names: names.of(operation) });
  return decoder.element(envelope.reader, body.type, { ...body, references });
}

export interface ReadingCodec {
  readonly decoder: Decoder;
  readonly names: ServedNames;
  /** What the references of an encoded body refer to. */
  readonly references: References | undefined;
}

/** Parts side by side in the body: of two of one name the first counts, as in a wrapper. */
function readParts(
  parts: AnyRecord,
  envelope: Envelope,
  { decoder, names }: { readonly decoder: Decoder; readonly names: OperationNames },
): Record<string, unknown> {
  const members = elementMembers(parts);
  const byName = new Map(members.map((member) => [names.element(member.name), member]));
  const found = new Map<string, unknown>();
  for (let name = envelope.first; name !== undefined; name = envelope.nextChild()) {
    const member = byName.get(name);
    if (member === undefined || found.has(member.key)) envelope.reader.skip();
    else
      found.set(member.key, decoder.element(envelope.reader, member.field.type, { nillable: member.field.nillable }));
  }
  for (const { key, field } of members) {
    if (field.min !== 0 && !found.has(key))
      throw new DecodeError(`/${key}: ${missingPart}`, { path: `/${key}`, reason: missingPart });
  }
  return Object.fromEntries(found);
}

const missingPart = "A part of the message is missing.";

/** What the handler answered, as the children of the body. */
export function writeOutput(
  output: OutputDescriptor<unknown>,
  value: unknown,
  { encoder, encoding }: WritingCodec,
): string {
  const { body } = output;
  if ("parts" in body) return encoder.content(body.parts, value);
  const { nillable, default: byDefault, fixed } = body;
  const facts = { nillable, default: byDefault, fixed, ...encoding };
  return encoder.element(body.element, body.type, bodyValue(output, value), facts);
}

/** What an answer is written with. */
export interface WritingCodec {
  readonly encoder: Encoder;
  readonly encoding: Encoding | undefined;
}

function bodyValue(output: OutputDescriptor<unknown>, value: unknown): unknown {
  if (output.empty === true) return {};
  if (output.result === undefined) return value;
  return Object.fromEntries([[output.result, value === null && !isNillable(output) ? undefined : value]]);
}

/** A null result is left out, unless the schema wants it said. */
function isNillable({ body, result }: OutputDescriptor<unknown>): boolean {
  if ("parts" in body) return false;
  const type = typeof body.type === "function" ? body.type() : body.type;
  return elementMembers(type).some(({ key, field }) => key === result && field.nillable === true);
}

/** The header blocks of an answer: of what the handler gave, those that the operation declares. */
export function writeHeaders(
  { headers }: OutputDescriptor<unknown>,
  blocks: object | undefined,
  codec: WritingCodec,
): readonly string[] {
  return blocks === undefined || headers === undefined ? [] : writeBlocks(elementMembers(headers()), blocks, codec);
}

/** The header blocks beside a fault: those that the operation declares for its answer, and its header faults. */
export function writeFaultHeaders(
  { headers, headerFaults }: OutputDescriptor<unknown>,
  blocks: object | undefined,
  codec: WritingCodec,
): readonly string[] {
  if (blocks === undefined) return [];
  const members = [headers, headerFaults].flatMap((record) => (record === undefined ? [] : elementMembers(record())));
  const keys = members.map(({ key }) => key);
  const distinct = members.filter(({ key }, index) => keys.indexOf(key) === index);
  return writeBlocks(distinct, blocks, codec);
}

function writeBlocks(
  members: readonly ElementMember[],
  blocks: object,
  { encoder, encoding }: WritingCodec,
): readonly string[] {
  return members.flatMap(({ key, name, field }) => {
    const value: unknown = Object.hasOwn(blocks, key) ? Reflect.get(blocks, key) : undefined;
    if (value === undefined) return [];
    return [encoder.element(name, field.type, value, { nillable: field.nillable, typed: true, ...encoding })];
  });
}
