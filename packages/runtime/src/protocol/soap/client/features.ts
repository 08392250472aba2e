import type { XmlReader } from "@bothends/xml";
import type { EncodingRules } from "../../../codec/decode-element.js";
import type { Decoder } from "../../../codec/decoder.js";
import type { Encoder } from "../../../codec/encoder.js";
import type {
  AnyBodyDescriptor,
  AnyElement,
  FaultDescriptor,
  HeadersDescriptor,
  ImportedFeature,
  UntypedRecord,
} from "../../../descriptor.js";
import { ConfigError } from "../../../errors.js";
import type { OperationNames } from "../../../wire-names.js";
import type { OperationDecoder } from "../../client.js";
import type { Attachments } from "../attachments.js";
import type { SoapVersion } from "../envelope.js";
import type { Envelope, HeaderBlock } from "../read-envelope.js";
import type { RelatedPart } from "../related.js";

// Features of a SOAP client that only some operations need. Only the descriptors of these operations import the
// features, so other programs do not bundle them.

/** The header blocks that an operation declares for its input or its output. */
export interface DeclaredBlocks {
  /** Writes the blocks that the caller passes. `values` contains the value of each block by member name. */
  write(values: object, encoder: Encoder): readonly string[];
  /** Reads the current element as the value of a block. */
  read(name: string, reader: XmlReader, decoder: Decoder): unknown;
  /**
   * Returns the values of the declared blocks by member name. If several blocks have the same name, the first is used.
   */
  values(blocks: readonly HeaderBlock[]): Readonly<Record<string, unknown>>;
}

/**
 * Returns the header blocks that an operation declares for its input or output. Returns undefined if it declares none.
 */
export function findDeclaredBlocks(
  declaredHeaders: readonly (HeadersDescriptor | undefined)[],
  { names, ...message }: Parameters<HeaderBlocksFeature["declare"]>[2] & { readonly names: OperationNames },
): DeclaredBlocks | undefined {
  const headers = declaredHeaders.filter((header) => header !== undefined);
  const records = headers.map(({ record }) => record);
  return headers[0] && getImportedFeature(headers[0].by).declare(records, names, message);
}

/** Reads and writes declared header blocks. The implementation is `xs.headerBlocks`. */
export interface HeaderBlocksFeature extends ImportedFeature<"headerBlocks"> {
  declare(
    records: readonly (() => UntypedRecord)[],
    names: OperationNames,
    message: { readonly body: AnyBodyDescriptor | undefined; readonly version: SoapVersion },
  ): DeclaredBlocks;
}

/** Reads and writes attachments. The implementation is `xs.attachments`. */
export interface AttachmentsFeature extends ImportedFeature<"attachments"> {
  detach(value: unknown, attachments: Attachments): { readonly value: unknown; readonly parts: readonly RelatedPart[] };
  attach(value: unknown, attachments: Attachments, parts: readonly RelatedPart[]): object;
  write(
    envelope: string,
    type: string,
    parts: readonly RelatedPart[],
  ): { readonly contentType: string; readonly body: Uint8Array };
}

/** Writes WS-Addressing headers. The implementation is `xs.addressing`. */
export interface AddressingFeature extends ImportedFeature<"addressing"> {
  blocks(message: { readonly action: string; readonly to: string }, version: SoapVersion): readonly AnyElement[];
}

/** Reads and writes a body of several parts. The implementation is `xs.parts`. */
export interface PartsFeature extends ImportedFeature<"parts"> {
  write(parts: () => UntypedRecord, input: unknown, encoder: Encoder): string;
  read(
    parts: () => UntypedRecord,
    envelope: Envelope,
    body: {
      readonly codec: OperationDecoder;
      /** The path of the body, for errors. */
      readonly path: string;
      /** Creates the error for an element that is not expected, or that is missing. */
      readonly createUnexpectedError: (name: string | undefined, expected: string) => Error;
    },
  ): object;
}

/** A declared fault and its decoded detail. Both are undefined if the detail does not match the schema. */
export interface DeclaredDetail {
  readonly fault: FaultDescriptor | undefined;
  readonly value: unknown;
}

/** Reads the details of declared faults. The implementation is `xs.fault`. */
export interface FaultFeature extends ImportedFeature<"fault"> {
  /**
   * Reads a child of the detail up to its end tag. For a child that is not declared, returns undefined and does not
   * move the reader.
   */
  read(
    faults: readonly FaultDescriptor[],
    reader: XmlReader,
    coding: { readonly codec: OperationDecoder; readonly encoding: EncodingRules | undefined },
  ): DeclaredDetail | undefined;
}

interface Features {
  readonly headerBlocks: HeaderBlocksFeature;
  readonly attachments: AttachmentsFeature;
  readonly addressing: AddressingFeature;
  readonly parts: PartsFeature;
  readonly fault: FaultFeature;
}

/**
 * Returns a feature that a descriptor imports, with the feature's complete type. Throws `ConfigError` if the descriptor
 * lacks the import.
 */
export function getImportedFeature<Kind extends keyof Features>(feature: ImportedFeature<Kind>): Features[Kind] {
  if (isFeature(feature)) {
    return feature;
  }
  throw new ConfigError("The generated code lacks a required import. Generate it again.");
}

function isFeature<Kind extends keyof Features>(
  feature: ImportedFeature<Kind>,
): feature is ImportedFeature<Kind> & Features[Kind] {
  return typeof feature?.kind === "string";
}
