import type { Node } from "./node.js";
import type { TypeDefinition, TypeId, TypeReference, WireName } from "./schema-types.js";

export type Protocol = "soap11" | "soap12" | "httpGet" | "httpPost";

/** Everything that one set of WSDLs describes: services, and the types they share. */
export interface SoapInterface {
  readonly kind: "soap";
  /** From `bothends.json`, or the file's name: `vehicle`. */
  readonly name: string;
  readonly services: readonly Service[];
  /** Every type a service reaches, in schema order. */
  readonly types: readonly TypeDefinition[];
  /** Arguments that a client holds once, by name. */
  readonly ambient: readonly string[];
  /** What may bear another name at run time. */
  readonly slots: WireSlots;
}

export interface WireSlots {
  /** A word for each namespace: `{ reg: "http://vehicle.example/reg" }`. */
  readonly namespaces: readonly { readonly slot: string; readonly namespace: string }[];
  /** Names of operations. */
  readonly operations: readonly string[];
}

/**
 * One `wsdl:service` as a caller sees it: an operation belongs to it once, its bindings are facts on the operation.
 * A service whose ports have port types that differ becomes several, named after the ports.
 */
export interface Service extends Node {
  readonly name: string;
  /** The WSDL file's base name, for file names: `reg`. */
  readonly file: string;
  readonly namespace: string;
  readonly ports: readonly Port[];
  readonly operations: readonly Operation[];
}

/** A `wsdl:port`; without a `wsdl:service`, a binding with no address. */
export interface Port extends Node {
  readonly name: string;
  readonly protocol: Protocol;
  readonly address: string | undefined;
}

export interface Operation extends Node {
  readonly name: string;
  /** Its name is taken by an earlier operation (overloading): 2, 3 … */
  readonly overload: number;
  readonly input: Input;
  /** undefined: one-way. */
  readonly output: Output | undefined;
  readonly faults: readonly Fault[];
  readonly http: HttpMessage | undefined;
  readonly bindings: Bindings;
}

export interface Bindings {
  readonly soap11?: SoapBinding;
  readonly soap12?: SoapBinding;
  readonly httpGet?: HttpBinding;
  readonly httpPost?: HttpBinding;
}

export interface SoapBinding {
  readonly action: string;
  /** SOAP 1.2 requests carry `action`, as `bothends.json` says. */
  readonly sendAction: boolean;
  readonly addressing: AddressingActions | undefined;
}

/** What WS-Addressing 1.0 calls the messages of an operation. */
export interface AddressingActions {
  /** Requests have to have addressing headers. */
  readonly required: boolean;
  readonly action: string;
  /** undefined: one-way. */
  readonly answer: string | undefined;
  readonly faults: readonly { readonly name: string; readonly action: string }[];
}

export interface HttpBinding {
  /** `/CheckUSA`. */
  readonly location: string;
  /** `http:urlReplacement`. */
  readonly replace: boolean;
}

/** One element in the Body (document style, or an rpc wrapper), or a record whose fields are the parts, side by side. */
export type Body =
  | {
      readonly kind: "element";
      readonly element: WireName;
      readonly type: TypeReference;
      readonly nillable: boolean;
      /** What an empty element stands for, and the one value that it may have. */
      readonly default: string | undefined;
      readonly fixed: string | undefined;
      readonly rpc: boolean;
      readonly encoded: boolean;
    }
  | { readonly kind: "parts"; readonly record: TypeId };

/** A part that travels beside the envelope (WSDL 1.1 §5.4): a member of the input or the answer, in bytes. */
export interface Attachment extends Node {
  readonly key: string;
  /** The `wsdl:part`. */
  readonly part: string;
  /** Media types it may have, the first preferred. */
  readonly types: readonly string[];
}

export interface Input {
  readonly body: Body;
  readonly attachments: readonly Attachment[];
  readonly headers: TypeId | undefined;
}

export interface Output {
  readonly body: Body;
  /** With attachments, the answer is "whole": the body's members and theirs. */
  readonly attachments: readonly Attachment[];
  /** The one member of a wrapper that the operation answers (its key), "empty" for a wrapper without members, else undefined. */
  readonly result:
    | { readonly kind: "member"; readonly key: string }
    | { readonly kind: "empty" }
    | { readonly kind: "whole" };
  readonly headers: TypeId | undefined;
  /** Blocks that may stand beside a fault. */
  readonly headerFaults: TypeId | undefined;
}

export interface Fault extends Node {
  readonly name: string;
  readonly element: WireName;
  readonly type: TypeReference;
}

export interface HttpMessage {
  /** The input is posted as an XML document with this root, and there are no parameters. */
  readonly body: { readonly element: WireName; readonly type: TypeReference; readonly nillable: boolean } | undefined;
  /** `key` is the input's member; `name` the parameter's on the wire. */
  readonly parameters: readonly {
    readonly key: string;
    readonly name: string;
    readonly type: TypeReference;
    readonly list: boolean;
    /** It may be left out. */
    readonly optional: boolean;
  }[];
  readonly answer:
    | { readonly kind: "xml"; readonly element: WireName; readonly type: TypeReference; readonly nillable: boolean }
    | { readonly kind: "text"; readonly type: TypeReference }
    | { readonly kind: "bytes"; readonly mediaType: string }
    | { readonly kind: "none" };
}
