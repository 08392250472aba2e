import type {
  HttpAddress,
  HttpBinding,
  HttpOperation,
  MessageExtension,
  SoapAddress,
  SoapBinding,
  SoapFault,
  SoapHeader,
  SoapOperation,
  TransmissionPrimitive,
  UsingAddressing,
} from "../../read/wsdl/documents.js";
import type { QName } from "../../source/qname.js";
import type { SourceText, Span } from "../../source/span.js";
import type { ElementDeclaration, SchemaComponents, TypeDefinition } from "../xsd/schema-components.js";

/** What the WSDLs of an interface mean together, every name resolved. What does not resolve has been reported and is left out. */
export interface WsdlComponents {
  readonly files: readonly WsdlFile[];
  readonly schema: SchemaComponents;
}

/** One WSDL that the interface names, with what it imports. */
export interface WsdlFile {
  readonly path: string;
  readonly source: SourceText;
  readonly span: Span;
  readonly documentation: string | undefined;
  readonly targetNamespace: string;
  readonly bindings: readonly BindingComponent[];
  readonly services: readonly ServiceComponent[];
  /** Target namespaces of all its documents. */
  readonly namespaces: readonly string[];
}

interface Component {
  readonly span: Span;
  readonly documentation: string | undefined;
}

export interface MessageComponent extends Component {
  readonly name: QName;
  readonly parts: readonly PartComponent[];
  /** No part was left out. */
  readonly isComplete: boolean;
}

/** A part with what it refers to; parts whose reference is broken are reported and left out. */
export interface PartComponent extends Component {
  readonly name: string;
  readonly content:
    | { readonly kind: "element"; readonly declaration: ElementDeclaration }
    | { readonly kind: "type"; readonly type: TypeDefinition };
}

export interface PortTypeComponent extends Component {
  readonly name: QName;
  readonly operations: readonly OperationComponent[];
}

export interface OperationComponent extends Component {
  readonly name: string;
  readonly nameSpan: Span;
  readonly primitive: TransmissionPrimitive;
  readonly input: OperationMessageComponent | undefined;
  readonly output: OperationMessageComponent | undefined;
  readonly faults: readonly OperationFaultComponent[];
  readonly parameterOrder: readonly string[] | undefined;
}

export interface OperationMessageComponent {
  /** Its own, else the default of WSDL 1.1 §2.4.5. */
  readonly name: string;
  readonly message: MessageComponent;
  /** What WS-Addressing calls it, where it says so. */
  readonly action?: string | undefined;
}

export interface OperationFaultComponent extends Component {
  readonly name: string;
  readonly action: string | undefined;
  readonly message: MessageComponent;
}

export interface BindingComponent extends Component {
  readonly name: QName;
  readonly portType: PortTypeComponent;
  readonly protocol: SoapBinding | HttpBinding | undefined;
  readonly addressing: UsingAddressing | undefined;
  readonly operations: readonly BindingOperationComponent[];
}

/** An operation of the port type with what its binding says of it. */
export interface BindingOperationComponent extends Component {
  readonly operation: OperationComponent;
  readonly protocol: SoapOperation | HttpOperation | undefined;
  readonly input: readonly BoundExtension[];
  readonly output: readonly BoundExtension[];
  /** By the fault's name. */
  readonly faults: ReadonlyMap<string, SoapFault>;
}

export type BoundExtension = Exclude<MessageExtension, SoapHeader> | BoundHeader;

/** A header with the part that it carries. */
export interface BoundHeader {
  readonly kind: "boundHeader";
  readonly header: SoapHeader;
  readonly message: MessageComponent;
  readonly part: PartComponent;
  /** What may come back about it beside a fault (WSDL 1.1 §3.7). */
  readonly faults: readonly PartComponent[];
}

export interface ServiceComponent extends Component {
  readonly name: QName;
  readonly ports: readonly PortComponent[];
}

export interface PortComponent extends Component {
  readonly name: string;
  readonly binding: BindingComponent;
  readonly address: SoapAddress | HttpAddress | undefined;
  readonly addressing: UsingAddressing | undefined;
}
