import type { Tolerance } from "./config.js";
import type { Node } from "./node.js";
import type { IdentityConstraint, TypeDefinition, TypeId, TypeReference, WireName } from "./schema-types.js";

export type Protocol = "soap11" | "soap12" | "httpGet" | "httpPost";

/** An interface that a set of WSDLs describes: services, and the types that they share. */
export interface SoapInterface {
  readonly kind: "soap";
  /** From `bothends.json`, or the file's name: `vehicle`. */
  readonly name: string;
  readonly services: readonly Service[];
  /** All types that a service refers to, directly or indirectly, in schema order. */
  readonly types: readonly TypeDefinition[];
  /** Names of arguments that are set once for a client instead of in every call. */
  readonly ambient: readonly string[];
  readonly slots: WireSlots;
  /** How servers answer where the specifications leave a choice. */
  readonly conventions: "standard" | "asmx";
  /** The differences from the schema that clients accept, and that types allow for. */
  readonly tolerate: readonly Tolerance[];
}

/** The names on the wire that can be replaced at run time. */
export interface WireSlots {
  /** The replaceable namespaces, each with the name of its option: `{ slot: "reg", namespace: "http://vehicle.example/reg" }`. */
  readonly namespaces: readonly { readonly slot: string; readonly namespace: string }[];
  /** Names of operations. */
  readonly operations: readonly string[];
}

/**
 * A `wsdl:service`. An operation belongs to it once; its bindings are properties of the operation. A `wsdl:service` whose ports have
 * different operations becomes several services: the first keeps its name, the others are named after their ports.
 */
export interface Service extends Node {
  readonly name: string;
  /** The name of the WSDL file without extension, for the names of generated files: `reg`. */
  readonly file: string;
  readonly namespace: string;
  readonly ports: readonly Port[];
  /** Ports that repeat one of `ports` at another address; clients can choose them by name. */
  readonly otherPorts: readonly Port[];
  readonly operations: readonly Operation[];
}

/** A `wsdl:port`, or a binding that no port names, which has no address. */
export interface Port extends Node {
  readonly name: string;
  readonly protocol: Protocol;
  readonly address: string | undefined;
}

export interface Operation extends Node {
  readonly name: string;
  /** The name in code: `name`, followed by a protocol if an earlier port binds an operation of the name with other messages. */
  readonly uniqueName: string;
  /** 1 for the first operation of this name in the port type, 2, 3 … for further ones. */
  readonly overload: number;
  readonly input: Input;
  /** undefined for a one-way operation. */
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
  /** Whether requests have the `action` parameter of SOAP 1.2. */
  readonly sendAction: boolean;
  readonly addressing: AddressingActions | undefined;
}

/** The actions that identify the messages of an operation in WS-Addressing 1.0. */
export interface AddressingActions {
  /** Whether requests must have addressing headers. */
  readonly required: boolean;
  readonly action: string;
  /** undefined for a one-way operation. */
  readonly answer: string | undefined;
  readonly faults: readonly { readonly name: string; readonly action: string }[];
}

export interface HttpBinding {
  /** `/CheckUSA`. */
  readonly location: string;
  /** Whether parameters are inserted into the location (`http:urlReplacement`). */
  readonly replace: boolean;
}

/** The content of the Body: one element (document style, or an rpc wrapper), or a record with a field for each part. */
export type Body =
  | {
      readonly kind: "element";
      readonly element: WireName;
      readonly type: TypeReference;
      readonly nillable: boolean;
      /** The value of an empty element. */
      readonly default: string | undefined;
      /** The only value that the element may have. */
      readonly fixed: string | undefined;
      readonly identity: readonly IdentityConstraint[];
      readonly rpc: boolean;
      readonly encoded: boolean;
    }
  | { readonly kind: "parts"; readonly record: TypeId };

/** A part that is sent beside the envelope (WSDL 1.1 §5.4): a member of the input or the answer that contains bytes. */
export interface Attachment extends Node {
  readonly key: string;
  /** The name of the `wsdl:part`. */
  readonly part: string;
  /** Allowed media types; the first is the default. */
  readonly types: readonly string[];
}

export interface Input {
  readonly body: Body;
  readonly attachments: readonly Attachment[];
  readonly headers: TypeId | undefined;
}

export interface Output {
  readonly body: Body;
  readonly attachments: readonly Attachment[];
  /**
   * The result of a call: the only member of a wrapper; nothing, for a wrapper without members; or the whole answer, with
   * attachments as further members.
   */
  readonly result:
    | { readonly kind: "member"; readonly key: string }
    | { readonly kind: "empty" }
    | { readonly kind: "whole" };
  readonly headers: TypeId | undefined;
  /** Header blocks that may accompany a fault. */
  readonly headerFaults: TypeId | undefined;
}

export interface Fault extends Node {
  readonly name: string;
  readonly element: WireName;
  readonly type: TypeReference;
}

export interface HttpMessage {
  /** The root of the XML document that is posted instead of parameters. */
  readonly body: { readonly element: WireName; readonly type: TypeReference; readonly nillable: boolean } | undefined;
  /** `key` is the key of the input's member; `name` is the name on the wire. */
  readonly parameters: readonly {
    readonly key: string;
    readonly name: string;
    readonly type: TypeReference;
    readonly list: boolean;
    readonly optional: boolean;
  }[];
  readonly answer:
    | { readonly kind: "xml"; readonly element: WireName; readonly type: TypeReference; readonly nillable: boolean }
    | { readonly kind: "text"; readonly type: TypeReference }
    | { readonly kind: "bytes"; readonly mediaType: string }
    | { readonly kind: "none" };
}
