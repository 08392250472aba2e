import type { Documented, Span } from "../source/span.js";
import type { ConfiguredNames, Tolerance } from "./config.js";
import type { IdentityConstraint, TypeDefinition, TypeId, TypeReference, WireName } from "./xsd-types.js";

/** The protocol of a port. */
export type Protocol = "soap11" | "soap12" | "httpGet" | "httpPost";

/** An interface described by a set of WSDLs: services and their shared types. */
export interface SoapInterface {
  readonly kind: "soap";
  /** The name in `bothends.json`. Default: the file name of the WSDL without its extension, such as `vehicle`. */
  readonly name: string;
  readonly services: readonly Service[];
  /** All types that a service refers to, directly or indirectly, in schema order. */
  readonly types: readonly TypeDefinition[];
  /** The target namespaces of the WSDLs, and then those of the schemas. */
  readonly targetNamespaces?: readonly TargetNamespace[];
  /** Names of arguments that are set once per client instead of in every call. */
  readonly ambient: readonly string[];
  readonly slots: WireSlots;
  readonly configured?: ConfiguredNames;
  /** How servers answer where the specifications leave a choice: the standard way, or like a recorded ASMX service. */
  readonly conventions: "standard" | "asmx";
  /** The deviations from the schema that clients accept in answers. The answer types include these deviations. */
  readonly tolerate: readonly Tolerance[];
}

/** The target namespace of a document, and its position. */
export interface TargetNamespace {
  readonly namespace: string;
  /** The position; undefined for a schema without a target namespace that takes that of the including schema. */
  readonly span: Span | undefined;
  /** The value and the position of `elementFormDefault` in a schema; undefined for a WSDL. */
  readonly elementForm?: { readonly isQualified: boolean; readonly span: Span };
}

/** The names in messages that programs can replace at run time. */
export interface WireSlots {
  /**
   * The replaceable namespaces, each with the name of its option: `{ slot: "reg", namespace:
   * "http://vehicle.example/reg" }`.
   */
  readonly namespaces: readonly { readonly slot: string; readonly namespace: string }[];
  /** The operations whose names can be replaced. */
  readonly operations: readonly string[];
}

/**
 * A `wsdl:service`. It contains each operation once, with all its bindings. If the ports of a `wsdl:service` have
 * different operations, it becomes several services: the first has the name of the `wsdl:service`, and the later ones
 * are named after their ports. If one `wsdl:service` of a file becomes three or more services of one protocol, its
 * first service is also named after its port.
 */
export interface Service extends Documented {
  readonly name: string;
  /** True if all services of the `wsdl:service` are named after their ports. */
  readonly isNamedAfterPort?: true;
  /** The name of the WSDL file without its extension, from which the names of generated files are made: `reg`. */
  readonly file: string;
  readonly namespace: string;
  readonly ports: readonly Port[];
  /** Ports that differ from a port in `ports` only in their address. Clients can choose them by name. */
  readonly otherPorts: readonly Port[];
  readonly operations: readonly Operation[];
}

/** A `wsdl:port`, or a binding without a port, which has no address. */
export interface Port extends Documented {
  readonly name: string;
  readonly protocol: Protocol;
  readonly address: string | undefined;
  /** The position of the address in the WSDL; absent if the port has no address. */
  readonly addressSpan?: Span;
  /**
   * The policy assertions of the port and of its binding, such as `SupportingTokens/UsernameToken`. Generated code does
   * not apply them.
   */
  readonly policies: readonly string[];
}

/** An operation of a service with its messages and its bindings at all ports. */
export interface Operation extends Documented {
  readonly name: string;
  /**
   * The name from which the names in generated code are made: `name`, followed by a protocol if an earlier port binds
   * an operation that has the same name but different messages.
   */
  readonly uniqueName: string;
  /**
   * The number of the operation among those with the same name in its port type: 1 for the first, 2, 3 … for the next
   * ones.
   */
  readonly overload: number;
  readonly input: Input;
  /** The message of the answer; undefined for a one-way operation. */
  readonly output: Output | undefined;
  readonly faults: readonly Fault[];
  readonly http: HttpMessage | undefined;
  readonly bindings: Bindings;
}

/** The bindings of an operation, at most one for each protocol. */
export interface Bindings {
  readonly soap11?: SoapBinding;
  readonly soap12?: SoapBinding;
  readonly httpGet?: HttpBinding;
  readonly httpPost?: HttpBinding;
}

/** The binding of an operation to SOAP 1.1 or SOAP 1.2 (WSDL 1.1 §3). */
export interface SoapBinding {
  readonly action: string;
  /** The position of the SOAPAction in the binding; absent if the binding declares no SOAPAction. */
  readonly span?: Span;
  /** The element of the binding that declares the style; absent if no element declares it. */
  readonly style?: { readonly span: Span };
  /** The positions that determine the bodies of requests and answers. */
  readonly bodySpans?: { readonly input: BodySpans; readonly output: BodySpans };
  /** The header blocks of requests and answers, each with the position of its element in the binding. */
  readonly headers?: readonly { readonly element: WireName; readonly span: Span }[];
  /** Whether requests have the `action` parameter of SOAP 1.2. */
  readonly sendAction: boolean;
  readonly addressing: AddressingActions | undefined;
  readonly addressingSpans?: AddressingSpans;
}

/** The positions in a WSDL that determine the body of a message. */
export interface BodySpans {
  /** The `soap:body`. */
  readonly body: Span | undefined;
  /** The namespace of an rpc wrapper in `soap:body`, or the part whose element is the body. */
  readonly element: Span | undefined;
  /** The declaration of the element. */
  readonly declaration?: Span;
}

/** The actions that identify an operation's messages in WS-Addressing 1.0. */
export interface AddressingActions {
  /** Whether requests must have addressing headers. */
  readonly required: boolean;
  readonly action: string;
  /** The action of the answer; undefined for a one-way operation. */
  readonly answer: string | undefined;
  readonly faults: readonly { readonly name: string; readonly action: string }[];
}

/** The positions that determine the use of WS-Addressing in an operation. */
export interface AddressingSpans {
  /** The element UsingAddressing; without it, the binding. */
  readonly declaration: Span;
  /** The element that contains UsingAddressing. */
  readonly parent: "binding" | "port";
  /** The declarations of the actions, or of the messages whose actions have default values. */
  readonly actions?: {
    readonly action: Span;
    readonly answer?: Span;
    readonly faults: readonly Span[];
  };
}

/** The binding of an operation to HTTP GET or POST (WSDL 1.1 §4). */
export interface HttpBinding {
  /** The path that is appended to the port's address: `/CheckUSA`. */
  readonly location: string;
  /** The position of the location in the binding. */
  readonly span?: Span;
  /** The parameters, each with the position of its part, or of its member in the element of a part. */
  readonly parameters?: readonly { readonly name: string; readonly span: Span }[];
  /** The message, or the element of its part, that declares the parameters. */
  readonly parametersSpan?: Span;
  /** The positions that determine the XML document of a request; absent if it has parameters. */
  readonly bodySpans?: HttpBodySpans;
  /** The positions that determine the answer; absent if the binding declares no answer. */
  readonly answerSpans?: HttpBodySpans;
  /** Whether parameters are inserted into the location (`http:urlReplacement`). */
  readonly replace: boolean;
}

/** The positions in a WSDL that determine the body of an HTTP request or answer. */
export interface HttpBodySpans {
  /** The element of the binding that determines the media type, such as `mime:mimeXml`. */
  readonly content: Span;
  readonly part: Span | undefined;
  /** The declaration of the part's element. */
  readonly element: Span | undefined;
}

/**
 * The content of the Body. It is one element (document style, or the wrapper of the rpc style), or a record with a
 * field for each part.
 */
export type Body =
  | {
      readonly kind: "element";
      readonly element: WireName;
      readonly type: TypeReference;
      readonly nillable: boolean;
      /** The value that readers use if the element is empty. */
      readonly default: string | undefined;
      /** The only value that the element may have. */
      readonly fixed: string | undefined;
      readonly identity: readonly IdentityConstraint[];
      readonly rpc: boolean;
      readonly encoded: boolean;
    }
  | { readonly kind: "parts"; readonly record: TypeId };

/**
 * A message part that is sent as bytes outside the envelope (WSDL 1.1 §5.4). It is a member of the input or the answer.
 */
export interface Attachment extends Documented {
  readonly key: string;
  /** The name of the `wsdl:part`. */
  readonly part: string;
  /** The media types that the attachment may have. The first is the default. */
  readonly types: readonly string[];
}

/** The message of a request. `headers` is the record of the header blocks, with a field for each. */
export interface Input {
  readonly body: Body;
  readonly attachments: readonly Attachment[];
  readonly headers: TypeId | undefined;
}

/** The message of an answer. `headers` is the record of the header blocks, with a field for each. */
export interface Output {
  readonly body: Body;
  readonly attachments: readonly Attachment[];
  /**
   * The result of a call. `member`: the only member of the wrapper element. `empty`: nothing, because the wrapper has
   * no members. `whole`: the content of the wrapper, with attachments as additional members.
   */
  readonly result:
    | { readonly kind: "member"; readonly key: string; readonly repeated: boolean }
    | { readonly kind: "empty" }
    | { readonly kind: "whole" };
  readonly headers: TypeId | undefined;
  /** Header blocks that may accompany a fault. */
  readonly headerFaults: TypeId | undefined;
  /** The position of the output in the port type. */
  readonly span?: Span;
}

/** A declared fault: the element in its detail, and the type of this element. */
export interface Fault extends Documented {
  readonly name: string;
  readonly element: WireName;
  readonly type: TypeReference;
  /** The part of the fault's message, with the name of the message, and the declaration of the part's element. */
  readonly messagePart?: { readonly message: string; readonly span: Span; readonly element?: { readonly span: Span } };
}

/** The messages of an operation over HTTP GET or POST: parameters or a document, and the answer. */
export interface HttpMessage {
  /** The root of the XML document that is posted instead of parameters. */
  readonly body: { readonly element: WireName; readonly type: TypeReference; readonly nillable: boolean } | undefined;
  /** The parameters of the request. `key` is the key of the input's member; `name` is the name in messages. */
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
