import type { XmlElement } from "@bothends/xml";
import type { Documented, SourceText, Span, SpannedText } from "../../source/span.js";

/** A WSDL 1.1 document, with names as in the specification and references that are not resolved. */
export interface Definitions extends Documented {
  readonly source: SourceText;
  readonly name: SpannedText | undefined;
  readonly targetNamespace: string;
  /** The position of the target namespace; that of the root if the document has none. */
  readonly namespaceSpan: Span;
  readonly imports: readonly Import[];
  readonly types: readonly Types[];
  readonly messages: readonly Message[];
  readonly portTypes: readonly PortType[];
  readonly bindings: readonly Binding[];
  readonly services: readonly Service[];
}

/** A QName in an attribute: its text, and the namespace and local name to which it refers. */
export interface Reference extends SpannedText {
  readonly namespace: string;
  readonly local: string;
}

/** The element `wsdl:import` (WSDL 1.1 §2.1.1). */
export interface Import extends Documented {
  readonly namespace: SpannedText | undefined;
  readonly location: SpannedText;
}

/** The element `wsdl:types` (WSDL 1.1 §2.2). The schema elements are read by `readSchemas`. */
export interface Types extends Documented {
  readonly schemas: readonly XmlElement[];
}

/** The element `wsdl:message` (WSDL 1.1 §2.3). */
export interface Message extends Documented {
  readonly name: SpannedText;
  readonly parts: readonly Part[];
}

/** The element `wsdl:part` (WSDL 1.1 §2.3.1). */
export interface Part extends Documented {
  readonly name: SpannedText;
  readonly element: Reference | undefined;
  readonly type: Reference | undefined;
  /** Whether the part refers to an element or type with an undeclared prefix, which has been reported. */
  readonly isUnreadable: boolean;
}

/** The element `wsdl:portType` (WSDL 1.1 §2.4). */
export interface PortType extends Documented {
  readonly name: SpannedText;
  /** The policy assertions of the port type, its operations and their messages. */
  readonly policies: readonly SpannedText[];
  readonly operations: readonly Operation[];
}

/**
 * The kind of an operation (WSDL 1.1 §2.4.1 to §2.4.4), which depends on the presence and order of its input and
 * output.
 */
export type TransmissionPrimitive = "one-way" | "request-response" | "solicit-response" | "notification";

/** The element `wsdl:operation` in a port type (WSDL 1.1 §2.4). */
export interface Operation extends Documented {
  readonly name: SpannedText;
  readonly primitive: TransmissionPrimitive;
  readonly input: OperationMessage | undefined;
  readonly output: OperationMessage | undefined;
  readonly faults: readonly OperationFault[];
  readonly parameterOrder: readonly string[] | undefined;
}

/** The element `wsdl:input` or `wsdl:output` in a port type (WSDL 1.1 §2.4). */
export interface OperationMessage extends Documented {
  readonly name: SpannedText | undefined;
  readonly message: Reference;
  /** The attribute `wsam:Action` (Web Services Addressing 1.0, Metadata §4.4.1). */
  readonly action: SpannedText | undefined;
}

/** The element `wsdl:fault` in a port type (WSDL 1.1 §2.4). */
export interface OperationFault extends Documented {
  readonly name: SpannedText;
  readonly message: Reference;
  readonly action: SpannedText | undefined;
}

/** The element `UsingAddressing` (Web Services Addressing 1.0, WSDL Binding §3.1). */
export interface UsingAddressing {
  readonly span: Span;
  readonly required: boolean;
}

/** The element `wsdl:binding` (WSDL 1.1 §2.5). */
export interface Binding extends Documented {
  readonly name: SpannedText;
  readonly type: Reference;
  /** The protocol of the binding; undefined if none of its extension elements names a supported protocol. */
  readonly protocolBinding: SoapBinding | HttpBinding | undefined;
  readonly addressing: UsingAddressing | undefined;
  /** The policy assertions of the binding and of its operations. */
  readonly policies: readonly SpannedText[];
  readonly operations: readonly BindingOperation[];
  readonly requiredExtensions: readonly RequiredExtension[];
}

/** An unsupported extension element with `wsdl:required="true"` (WSDL 1.1 §2.1.3), and the message that reports it. */
export interface RequiredExtension {
  readonly span: Span;
  readonly message: string;
}

/** The element `wsdl:operation` in a binding (WSDL 1.1 §2.5). */
export interface BindingOperation extends Documented {
  readonly name: SpannedText;
  readonly protocolOperation: SoapOperation | HttpOperation | undefined;
  readonly input: BindingMessage | undefined;
  readonly output: BindingMessage | undefined;
  readonly faults: readonly BindingFault[];
  /** The required extensions of the operation and of its messages. */
  readonly requiredExtensions: readonly RequiredExtension[];
}

/** The element `wsdl:input` or `wsdl:output` in a binding (WSDL 1.1 §2.5). */
export interface BindingMessage extends Documented {
  readonly name: SpannedText | undefined;
  readonly extensions: readonly MessageExtension[];
}

/** The element `wsdl:fault` in a binding (WSDL 1.1 §2.5). */
export interface BindingFault extends Documented {
  readonly name: SpannedText | undefined;
  readonly soapFault: SoapFault | undefined;
}

/** The element `wsdl:service` (WSDL 1.1 §2.7). */
export interface Service extends Documented {
  readonly name: SpannedText;
  readonly ports: readonly Port[];
}

/** The element `wsdl:port` (WSDL 1.1 §2.6). */
export interface Port extends Documented {
  readonly name: SpannedText;
  readonly binding: Reference;
  readonly address: SoapAddress | HttpAddress | undefined;
  readonly addressing: UsingAddressing | undefined;
  readonly policies: readonly SpannedText[];
  readonly requiredExtensions: readonly RequiredExtension[];
}

export type SoapVersion = "1.1" | "1.2";
export type SoapStyle = "document" | "rpc";
export type SoapUse = "literal" | "encoded";

/** The element `soap:binding` (WSDL 1.1 §3.3). */
export interface SoapBinding {
  readonly kind: "soapBinding";
  readonly span: Span;
  readonly version: SoapVersion;
  readonly transport: SpannedText | undefined;
  readonly style: SoapStyle | undefined;
}

/** The element `soap:operation` (WSDL 1.1 §3.4). */
export interface SoapOperation {
  readonly kind: "soapOperation";
  readonly span: Span;
  readonly version: SoapVersion;
  readonly soapAction: SpannedText | undefined;
  readonly style: SoapStyle | undefined;
}

/** The element `http:binding` (WSDL 1.1 §4). */
export interface HttpBinding {
  readonly kind: "httpBinding";
  readonly span: Span;
  readonly verb: SpannedText;
}

/** The element `http:operation` (WSDL 1.1 §4). */
export interface HttpOperation {
  readonly kind: "httpOperation";
  readonly span: Span;
  readonly location: SpannedText;
}

/** An extension element of a message in a binding, from the SOAP, HTTP or MIME binding (WSDL 1.1 §3 to §5). */
export type MessageExtension =
  | SoapBody
  | SoapHeader
  | UrlEncoded
  | UrlReplacement
  | MimeContent
  | MimeXml
  | MimeMultipartRelated;

/** The element `soap:body` (WSDL 1.1 §3.5). */
export interface SoapBody {
  readonly kind: "soapBody";
  readonly span: Span;
  readonly version: SoapVersion;
  /** The parts in the body; undefined if the body contains all parts of the message. */
  readonly parts: { readonly span: Span; readonly names: readonly string[] } | undefined;
  readonly use: SoapUse;
  readonly namespace: SpannedText | undefined;
}

/** The element `soap:header` (WSDL 1.1 §3.7). */
export interface SoapHeader {
  readonly kind: "soapHeader";
  readonly span: Span;
  readonly version: SoapVersion;
  readonly message: Reference;
  readonly part: SpannedText;
  readonly use: SoapUse;
  readonly headerFaults: readonly SoapHeaderFault[];
}

/** The element `soap:headerfault` (WSDL 1.1 §3.7). */
export interface SoapHeaderFault {
  readonly kind: "soapHeaderFault";
  readonly span: Span;
  readonly message: Reference;
  readonly part: SpannedText;
  readonly use: SoapUse;
}

/** The element `soap:fault` (WSDL 1.1 §3.6). */
export interface SoapFault {
  readonly kind: "soapFault";
  readonly span: Span;
  readonly name: SpannedText | undefined;
  readonly use: SoapUse;
}

/** The element `soap:address` (WSDL 1.1 §3.8). */
export interface SoapAddress {
  readonly kind: "soapAddress";
  readonly span: Span;
  readonly version: SoapVersion;
  readonly location: SpannedText;
}

/** The element `http:address` (WSDL 1.1 §4). */
export interface HttpAddress {
  readonly kind: "httpAddress";
  readonly span: Span;
  readonly location: SpannedText;
}

/** The element `http:urlEncoded` (WSDL 1.1 §4.5). */
export interface UrlEncoded {
  readonly kind: "urlEncoded";
  readonly span: Span;
}

/** The element `http:urlReplacement` (WSDL 1.1 §4.6). */
export interface UrlReplacement {
  readonly kind: "urlReplacement";
  readonly span: Span;
}

/** The element `mime:content` (WSDL 1.1 §5.3). */
export interface MimeContent {
  readonly kind: "mimeContent";
  readonly span: Span;
  readonly part: SpannedText | undefined;
  /** A media type such as `text/xml` or `image/*`; undefined for any type. */
  readonly type: SpannedText | undefined;
}

/** The element `mime:mimeXml` (WSDL 1.1 §5.6). */
export interface MimeXml {
  readonly kind: "mimeXml";
  readonly span: Span;
  readonly part: SpannedText | undefined;
}

/** The element `mime:multipartRelated` (WSDL 1.1 §5.4). */
export interface MimeMultipartRelated {
  readonly kind: "mimeMultipartRelated";
  readonly span: Span;
  readonly parts: readonly MimePart[];
}

/** The element `mime:part` (WSDL 1.1 §5.4). */
export interface MimePart {
  readonly span: Span;
  readonly extensions: readonly MessageExtension[];
}
