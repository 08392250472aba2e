import type { SoapInterfaceConfig } from "../model/config.js";
import type { Documentation } from "../model/node.js";
import type { RecordType, TypeReference } from "../model/schema-types.js";
import type { Fault, HttpBinding, HttpMessage, Input, Output, Port, SoapBinding } from "../model/soap.js";
import type { Word } from "../read/wsdl/documents.js";
import type { Diagnostics } from "../source/diagnostics.js";
import type { Span } from "../source/span.js";
import type { MessageRecords } from "./message-records.js";
import type { TypeLowering } from "./types.js";

/** What the lowering of services works with. */
export interface Lowering {
  readonly types: TypeLowering;
  readonly records: MessageRecords;
  readonly config: SoapInterfaceConfig;
  readonly diagnostics: Diagnostics;
  /** Names of the operations that a SOAP binding of the same WSDL has: without their HTTP bindings they can still be called. */
  readonly callable: ReadonlySet<string>;
}

/** A port with its operations, before ports that bind the same operations are brought together. */
export interface LoweredPort {
  readonly port: Port;
  readonly operations: readonly LoweredOperation[];
  /** What carries SOAP here, where that is not HTTP. */
  readonly transport: Word | undefined;
}

export type LoweredOperation = SoapSide | HttpSide;

interface Side {
  readonly name: string;
  readonly overload: number;
  readonly span: Span;
  readonly documentation: Documentation;
}

/** An operation as a SOAP binding has it. */
export interface SoapSide extends Side {
  readonly kind: "soap";
  readonly input: Input;
  /** The record of the input's one element, where it is one. */
  readonly inputRecord: RecordType | undefined;
  readonly output: Output | undefined;
  /** What the operation answers; undefined for nothing. */
  readonly resultType: TypeReference | undefined;
  readonly faults: readonly Fault[];
  readonly binding: SoapBinding;
}

/** An operation as an HTTP binding has it. */
export interface HttpSide extends Side {
  readonly kind: "http";
  readonly http: HttpMessage;
  readonly binding: HttpBinding;
}
