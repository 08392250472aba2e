import type { XmlReader } from "@bothends/xml";
import { XmlError } from "@bothends/xml/error";
import { END } from "@bothends/xml/events";
import { DecodeError } from "../../answer-errors.js";
import type { EncodingRules } from "../../codec/decode-element.js";
import type { Decoder } from "../../codec/decoder.js";
import { type Encoder, writeAnyElement } from "../../codec/encoder.js";
import { readAnyElement } from "../../codec/kinds/any-element.js";
import type {
  AddressingDescriptor,
  AnyElement,
  AnyOperationDescriptor,
  OutputDescriptor,
  UntypedRecord,
} from "../../descriptor.js";
import { listElementFields, type NamedElementField, type OperationNames } from "../../wire-names.js";
import type { ServerConventions } from "../conventions.js";
import {
  type CallOutcome,
  refuseUndefined,
  type ServedNames,
  type ServedOperation,
  type ServedService,
  type ServiceCall,
} from "../server.js";
import {
  addressingBlocks,
  createAnswerBlocks,
  faultAction,
  type RequestAddressing,
  readAddressing,
} from "./addressing.js";
import { type Encoding, findSoapEncoding } from "./encoding.js";
import type { SoapVersion } from "./envelope.js";
import type { Envelope, HeaderBlock } from "./read-envelope.js";

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
 * | an element inside a value                                              | refuses the message        |
 * | a comment or processing instruction inside a value                     | depends on the conventions |
 */
export function readSoapInput(
  operation: AnyOperationDescriptor,
  envelope: Envelope,
  { decoder, names, encoding }: ReadingCodec,
): unknown {
  const { body } = operation.input;
  if ("parts" in body) {
    return readParts(body.parts(), envelope, { decoder, names: names.getOperationNames(operation) });
  }
  const { nillable, default: byDefault, fixed, identity } = body;
  return decoder.decode(envelope.reader, body.type, { nillable, default: byDefault, fixed, identity, encoding });
}

interface ReadingCodec {
  readonly decoder: Decoder;
  readonly names: ServedNames;
  /** The rules of SOAP encoding; undefined for a literal body. */
  readonly encoding: EncodingRules | undefined;
}

/**
 * Reads the parts of a body whose elements are siblings. If several elements have the same name, the first is used, as
 * for the elements in a wrapper.
 */
function readParts(
  parts: UntypedRecord,
  envelope: Envelope,
  { decoder, names }: { readonly decoder: Decoder; readonly names: OperationNames },
): Record<string, unknown> {
  const members = listElementFields(parts);
  const membersByName = new Map(members.map((member) => [names.element(member.name), member]));
  const values = new Map<string, unknown>();
  for (let name = envelope.firstChild; name !== undefined; name = envelope.nextChild()) {
    const member = membersByName.get(name);
    if (member === undefined || values.has(member.key)) {
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
interface WritingCodec {
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

/**
 * A header block that was read before the operation was known. If a block is invalid, its error is thrown only if the
 * operation declares the block.
 */
export type ReadBlock =
  | { readonly value: unknown }
  | { readonly error: unknown }
  | { readonly extraBlock: AnyElement }
  | undefined;

/** Reads the header blocks that the operations of a service declare. */
export class HeaderBlocks {
  readonly #byName = new Map<string, NamedElementField>();
  readonly #encodings = new Map<string, EncodingRules>();
  readonly #declaredByOperation = new Map<ServedOperation, ReadonlyMap<string, NamedElementField>>();
  readonly #understoodBlocks: ReadonlySet<string>;
  readonly #decoder: Decoder;

  constructor({ operations, names, decoder, understands }: ServedService) {
    this.#decoder = decoder;
    const isAddressed = operations.some(({ descriptor: { bindings } }) =>
      [bindings.soap11, bindings.soap12].some((binding) => binding?.addressing !== undefined),
    );
    this.#understoodBlocks = new Set(isAddressed ? [...understands, ...addressingBlocks] : understands);
    for (const operation of operations) {
      const members = listElementFields(operation.descriptor.input.headers?.record() ?? { kind: "none" });
      const declaredBlocks = new Map(
        members.map((member) => [names.getOperationNames(operation.descriptor).element(member.name), member]),
      );
      for (const [name, member] of declaredBlocks) {
        this.#byName.set(name, member);
        const encoding = findSoapEncoding(operation.descriptor.input.body);
        if (encoding !== undefined) {
          this.#encodings.set(name, encoding.headerRules);
        }
      }
      this.#declaredByOperation.set(operation, declaredBlocks);
    }
  }

  /** Reads one block; called by `readEnvelope`. */
  readonly read = (name: string, reader: XmlReader): ReadBlock => {
    const member = this.#byName.get(name);
    if (member === undefined) {
      if (this.#understoodBlocks.has(name)) {
        return { extraBlock: readAnyElement(reader) };
      }
      reader.skip();
      return undefined;
    }
    const { depth } = reader;
    try {
      const options = { nillable: member.field.nillable, encoding: this.#encodings.get(name) };
      return { value: this.#decoder.decode(reader, member.field.type, options) };
    } catch (error) {
      if (error instanceof XmlError) {
        throw error;
      }
      while (reader.depth > depth || reader.kind !== END) {
        reader.next();
      }
      return { error };
    }
  };

  /**
   * Returns the name of the first header block that has `mustUnderstand` and that the operation does not understand.
   * Returns undefined if there is none.
   */
  findNotUnderstood(
    operation: ServedOperation,
    { version, headers }: Envelope<ReadBlock>,
    receivers: ServerConventions["mustUnderstand"],
  ): string | undefined {
    const declaredBlocks = this.#declaredByOperation.get(operation);
    return headers.find(
      (block) =>
        block.mustUnderstand &&
        (receivers !== "receiver" || isForReceiver(block, version)) &&
        declaredBlocks?.has(block.name) !== true &&
        !this.#understoodBlocks.has(block.name),
    )?.name;
  }

  /**
   * Returns the header blocks that the operation declares, by member name. If one of them could not be read, throws its
   * error.
   */
  selectDeclaredBlocks(operation: ServedOperation, envelope: Envelope<ReadBlock>): Readonly<Record<string, unknown>> {
    if (envelope.headers.length === 0) {
      return noBlocks;
    }
    const values = new Map<string, unknown>();
    for (const { name, value } of envelope.headers) {
      const key = this.#declaredByOperation.get(operation)?.get(name)?.key;
      if (key === undefined || value === undefined || values.has(key)) {
        continue;
      }
      if ("error" in value) {
        throw value.error;
      }
      if ("value" in value) {
        values.set(key, value.value);
      }
    }
    return Object.fromEntries(values);
  }

  /** Returns the header blocks that no operation declares, but that the service understands. */
  readExtraBlocks(envelope: Envelope<ReadBlock>): readonly AnyElement[] {
    if (envelope.headers.length === 0) {
      return noExtraBlocks;
    }
    return envelope.headers.flatMap(({ value }) =>
      value !== undefined && "extraBlock" in value ? [value.extraBlock] : [],
    );
  }
}

const noBlocks: Readonly<Record<string, unknown>> = Object.freeze({});
const noExtraBlocks: readonly AnyElement[] = [];

/**
 * Whether a block is for this server, which is both the next and the ultimate receiver (SOAP 1.1 §4.2.2, SOAP 1.2 Part
 * 1 §2.2).
 */
function isForReceiver({ actor }: HeaderBlock, version: SoapVersion): boolean {
  return actor === undefined || actor.trim() === "" || receivers[version].includes(actor.trim());
}

const receivers: Readonly<Record<SoapVersion, readonly string[]>> = {
  soap11: ["http://schemas.xmlsoap.org/soap/actor/next"],
  soap12: [
    "http://www.w3.org/2003/05/soap-envelope/role/next",
    "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver",
  ],
};

/**
 * Returns the addressing headers of a request. Returns undefined if the binding of the operation does not use
 * addressing, or if the request has no such headers.
 */
export function findAddressedRequest(
  addressing: AddressingDescriptor | undefined,
  blocks: readonly AnyElement[],
): RequestAddressing | undefined {
  return addressing === undefined ? undefined : readAddressing(blocks);
}

/** Writes the WS-Addressing headers of an answer, if the request has such headers. */
export function writeAddressing(
  { operation: { descriptor }, addressing: requestAddressing }: ServiceCall,
  version: SoapVersion,
  { outcome, names }: { readonly outcome: CallOutcome; readonly names: ServedNames },
): readonly string[] {
  const addressing = descriptor.bindings[version]?.addressing;
  if (addressing === undefined || requestAddressing === undefined) {
    return [];
  }
  const { answer = "", faults = {} } = addressing;
  const declaredAction = "fault" in outcome ? outcome.faultName && faults[outcome.faultName] : answer;
  const isDefault = declaredAction === undefined || declaredAction === "";
  const action = isDefault ? faultAction : names.getOperationNames(descriptor).action(declaredAction);
  return createAnswerBlocks(action, requestAddressing).map(writeAnyElement);
}

/** Writes the header blocks that the handler set, except those that the operation does not declare. */
export function writeHeaders(
  { headers }: OutputDescriptor<unknown>,
  blocks: object | undefined,
  codec: WritingCodec,
): readonly string[] {
  return blocks === undefined || headers === undefined
    ? []
    : writeBlocks(listElementFields(headers.record()), blocks, codec);
}

/**
 * Writes the header blocks of a fault message: the blocks that the operation declares for its answer, and its declared
 * header faults.
 */
export function writeFaultHeaders(
  { headers, headerFaults }: OutputDescriptor<unknown>,
  blocks: object | undefined,
  codec: WritingCodec,
): readonly string[] {
  if (blocks === undefined) {
    return [];
  }
  const members = [headers, headerFaults].flatMap((part) =>
    part === undefined ? [] : listElementFields(part.record()),
  );
  const keys = members.map(({ key }) => key);
  const distinctMembers = members.filter(({ key }, index) => keys.indexOf(key) === index);
  return writeBlocks(distinctMembers, blocks, codec);
}

function writeBlocks(
  members: readonly NamedElementField[],
  blocks: object,
  { encoder, encoding }: WritingCodec,
): readonly string[] {
  return members.flatMap(({ key, name, field }) => {
    const value: unknown = Object.hasOwn(blocks, key) ? Reflect.get(blocks, key) : undefined;
    if (value === undefined) {
      return [];
    }
    return [encoder.encode(name, field.type, value, { nillable: field.nillable, declaresType: true, ...encoding })];
  });
}
