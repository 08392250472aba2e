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
import type { TargetNamespace } from "../../read/xsd/documents.js";
import type { SourceText, Span, SpannedText } from "../../source/span.js";
import type { QName } from "../../source/xml-names.js";
import type { ElementDeclaration, SchemaComponents, TypeDefinition } from "../xsd/schema-components.js";

/**
 * The WSDLs of an interface, with all names resolved. Definitions with unresolvable names are reported and left out.
 */
export interface WsdlComponents {
  readonly files: readonly WsdlFile[];
  readonly schema: SchemaComponents;
}

/** A WSDL of the interface, with all documents that it imports. */
export interface WsdlFile {
  readonly path: string;
  readonly source: SourceText;
  readonly span: Span;
  readonly documentation: string | undefined;
  readonly targetNamespace: string;
  readonly bindings: readonly BindingComponent[];
  readonly services: readonly ServiceComponent[];
  /** The target namespaces of the WSDL and all documents that it imports. */
  readonly namespaces: readonly TargetNamespace[];
}

interface Component {
  readonly span: Span;
  readonly documentation: string | undefined;
}

/** A message with its resolved parts. */
export interface MessageComponent extends Component {
  readonly name: QName;
  readonly parts: readonly PartComponent[];
  /** Whether all parts were resolved. */
  readonly isComplete: boolean;
}

/** A message part with its element or type. A part whose element or type is unknown is reported and left out. */
export interface PartComponent extends Component {
  readonly name: string;
  readonly content:
    | { readonly kind: "element"; readonly declaration: ElementDeclaration }
    | { readonly kind: "type"; readonly type: TypeDefinition };
}

/** A port type with its resolved operations. */
export interface PortTypeComponent extends Component {
  readonly name: QName;
  readonly policies: readonly SpannedText[];
  readonly operations: readonly OperationComponent[];
}

/** An operation of a port type with its resolved messages. */
export interface OperationComponent extends Component {
  readonly name: string;
  readonly nameSpan: Span;
  readonly primitive: TransmissionPrimitive;
  readonly input: OperationMessageComponent | undefined;
  readonly output: OperationMessageComponent | undefined;
  readonly faults: readonly OperationFaultComponent[];
  readonly parameterOrder: readonly string[] | undefined;
}

/** The message of an input or an output. */
export interface OperationMessageComponent {
  /** The name in the WSDL, or the default of WSDL 1.1 §2.4.5. */
  readonly name: string;
  /** The element of the message, or the operation if the WSDL declares no such message. */
  readonly span: Span;
  readonly message: MessageComponent;
  /** The WS-Addressing action, if the WSDL declares one. */
  readonly action?: SpannedText | undefined;
}

/** A fault of an operation, with its resolved message. */
export interface OperationFaultComponent extends Component {
  readonly name: string;
  readonly action: SpannedText | undefined;
  readonly message: MessageComponent;
}

/** A binding with its resolved port type. */
export interface BindingComponent extends Component {
  readonly name: QName;
  readonly portType: PortTypeComponent;
  readonly protocolBinding: SoapBinding | HttpBinding | undefined;
  readonly addressing: UsingAddressing | undefined;
  /** The policy assertions of the binding and of its port type. */
  readonly policies: readonly SpannedText[];
  readonly operations: readonly BindingOperationComponent[];
}

/** The binding of one of the port type's operations. */
export interface BindingOperationComponent extends Component {
  readonly operation: OperationComponent;
  readonly protocolOperation: SoapOperation | HttpOperation | undefined;
  readonly input: readonly BoundExtension[];
  readonly output: readonly BoundExtension[];
  /** The soap:fault of each fault, keyed by the fault's name. */
  readonly faults: ReadonlyMap<string, SoapFault>;
}

/** An extension element of a bound message. A `soap:header` contains the part to which it refers. */
export type BoundExtension = Exclude<MessageExtension, SoapHeader> | BoundHeader;

/** A soap:header with the message part that it contains. */
export interface BoundHeader {
  readonly kind: "boundHeader";
  readonly header: SoapHeader;
  readonly message: MessageComponent;
  readonly part: PartComponent;
  /** The header faults that a response may contain (WSDL 1.1 §3.7). */
  readonly faults: readonly PartComponent[];
}

/** A service with its resolved ports. */
export interface ServiceComponent extends Component {
  readonly name: QName;
  readonly ports: readonly PortComponent[];
}

/** A port with its resolved binding. */
export interface PortComponent extends Component {
  readonly name: string;
  readonly binding: BindingComponent;
  readonly address: SoapAddress | HttpAddress | undefined;
  readonly addressing: UsingAddressing | undefined;
  readonly policies: readonly SpannedText[];
}
