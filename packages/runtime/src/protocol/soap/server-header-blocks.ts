import type { XmlReader } from "@bothends/xml";
import { XmlError } from "@bothends/xml/error";
import { suggestNearest } from "@bothends/xml/nearest-name";
import { END } from "@bothends/xml/reader-events";
import { splitClark } from "@bothends/xml/split-clark";
import type { EncodingRules } from "../../codec/decode-element.js";
import type { Decoder } from "../../codec/decoder.js";
import { writeAnyElement } from "../../codec/encoder.js";
import { readAnyElement } from "../../codec/kinds/any-element.js";
import type { AddressingDescriptor, AnyElement, OutputDescriptor } from "../../descriptor.js";
import type { OnError } from "../../observe/events.js";
import { report } from "../../observe/incidents.js";
import { RepeatedProblem, RepeatedReports } from "../../observe/repeated-incidents.js";
import { listElementFields, type NamedElementField } from "../../wire-names.js";
import type { ServerConventions } from "../conventions.js";
import type { CallOutcome, ServedNames, ServedOperation, ServedService, ServiceCall } from "../server.js";
import {
  addressingBlocks,
  createAnswerBlocks,
  faultAction,
  type RequestAddressing,
  readAddressing,
} from "./addressing.js";
import { findSoapEncoding } from "./encoding.js";
import { isForReceiver, type SoapVersion } from "./envelope.js";
import type { Envelope } from "./read-envelope.js";
import type { WritingCodec } from "./server-bodies.js";

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
  readonly #ignoredElements: ServedService["ignoredElements"];

  constructor({ operations, names, decoder, ignoredElements, understands }: ServedService) {
    this.#decoder = decoder;
    this.#ignoredElements = ignoredElements;
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
        (receivers !== "receiver" || isForReceiver(block.actor, version)) &&
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
      if (key === undefined || value === undefined) {
        continue;
      }
      if (values.has(key)) {
        this.#ignoredElements.add({ path: `/Envelope/Header/${splitClark(name).localName}` }, "repeated");
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

/** Reports header blocks that handlers set, but that are not sent because the operation does not declare them. */
export class UndeclaredBlocks {
  readonly #onError: OnError | undefined;
  readonly #reports = new RepeatedReports();
  /** The names of the members that an operation can send, by descriptor. */
  readonly #declaredNames = new WeakMap<object, ReadonlySet<string>>();

  constructor({ onError }: Pick<ServedService, "onError">) {
    this.#onError = onError;
  }

  /** Reports the first undeclared block of an answer, once a minute for each operation. */
  report({ operation: { descriptor }, protocol, request }: ServiceCall, blocks: object): void {
    const declaredNames = this.#getDeclaredNames(descriptor.output);
    for (const [name, value] of Object.entries(blocks)) {
      if (value !== undefined && !declaredNames.has(name)) {
        const suggestion = suggestNearest(name, declaredNames);
        const message = `The handler set the header block ${JSON.stringify(name)}, which the operation does not declare, so the client does not receive it.${suggestion} This is reported once a minute for each operation.`;
        const repeated = new RepeatedProblem(this.#reports, descriptor.name);
        const source = { operation: descriptor.name, protocol };
        report(this.#onError, { kind: "handler", message, ...source }, request, { endsCall: false, repeated });
        return;
      }
    }
  }

  #getDeclaredNames(output: OutputDescriptor<unknown> | undefined): ReadonlySet<string> {
    const key = output ?? this;
    let names = this.#declaredNames.get(key);
    if (names === undefined) {
      const fields = [output?.headers, output?.headerFaults].flatMap((part) =>
        part === undefined ? [] : listElementFields(part.record()),
      );
      names = new Set(fields.map((field) => field.key));
      this.#declaredNames.set(key, names);
    }
    return names;
  }
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
