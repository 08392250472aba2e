import type { SoapFault, SoapFaultInit, Tolerance } from "../answer-errors.js";
import type {
  DescriptorFormat,
  IdentityDescriptor,
  ImportedFeature,
  KeysOf,
  RecordDescriptor,
  TypeReference,
  UntypedRecord,
} from "./record.js";

/** The protocols of services, in display order. */
export const protocols = ["soap11", "soap12", "httpGet", "httpPost"] as const;

/** The protocol of a port: SOAP 1.1, SOAP 1.2, HTTP GET or HTTP POST. */
export type Protocol = (typeof protocols)[number];
/** The protocols of the WSDL's HTTP bindings (WSDL 1.1 §4). */
export type HttpProtocol = "httpGet" | "httpPost";

/** A service (WSDL 1.1 §2.7) with its ports. */
export interface ServiceDescriptor {
  readonly descriptorFormat: DescriptorFormat;
  /** The name of the `wsdl:service`. */
  readonly name: string;
  /** The `targetNamespace` of the WSDL. */
  readonly namespace: string;
  /** The names of all services of the interface, if there are several. */
  readonly services?: readonly string[];
  /**
   * The first port for each protocol, in the order of the WSDL. The address is absent if the WSDL has none for the
   * port.
   */
  readonly ports: Readonly<Partial<Record<Protocol, { readonly name: string; readonly address?: string }>>>;
  /** Further ports with the same operations, keyed by port name. */
  readonly otherPorts?: Readonly<Record<string, { readonly protocol: Protocol; readonly address?: string }>>;
}

/** The settings in `bothends.json` for the services of one interface. */
export interface InterfaceSettings {
  /**
   * The feature that applies these settings: `xs.settings`. Required if there are ambient arguments or configurable
   * names.
   */
  readonly by?: ImportedFeature<"settings">;
  /** The names of ambient arguments. These are members of inputs, and their values are options of the client. */
  readonly ambient?: readonly string[];
  /** The differences from the schema that clients accept unless the option `tolerate` is set. */
  readonly tolerate?: readonly Tolerance[];
  /** The names that can be changed when a client or server is created. */
  readonly slots?: {
    /** The namespaces in the schema, keyed by their names in the option `wireNames`. */
    readonly namespaces?: Readonly<Record<string, string>>;
    /** The operations whose names can be changed. */
    readonly operations?: readonly string[];
  };
}

/** An operation (WSDL 1.1 §2.4) with its messages and its bindings. */
export interface OperationDescriptor<Input, Output> {
  readonly kind: "operation";
  readonly service: ServiceDescriptor;
  /** The name of the `wsdl:operation`. */
  readonly name: string;
  readonly input: InputDescriptor<Input>;
  /** The output message; absent for a one-way operation. */
  readonly output?: OutputDescriptor<Output>;
  readonly faults?: readonly FaultDescriptor[];
  /** The HTTP GET and POST bindings, if there are any. */
  readonly http?: HttpDescriptor<Input>;
  readonly bindings: OperationBindings;
}

/** Any operation, as the runtime reads it. */
export interface AnyOperationDescriptor {
  readonly kind: "operation";
  readonly service: ServiceDescriptor;
  readonly name: string;
  readonly input: {
    readonly body: AnyBodyDescriptor;
    readonly attachments?: AttachmentsDescriptor;
    readonly headers?: HeadersDescriptor;
  };
  readonly output?: OutputDescriptor<unknown>;
  readonly faults?: readonly FaultDescriptor[];
  readonly http?: {
    readonly parameters?: Readonly<Record<string, HttpParameter>> | undefined;
    readonly body?: HttpBody | undefined;
    readonly answer: HttpAnswer;
  };
  readonly bindings: OperationBindings;
}

/** The bindings of an operation, at most one for each protocol. */
export interface OperationBindings {
  readonly soap11?: SoapBindingDescriptor;
  readonly soap12?: SoapBindingDescriptor;
  readonly httpGet?: HttpBindingDescriptor;
  readonly httpPost?: HttpBindingDescriptor;
}

/** The binding of an operation to SOAP (WSDL 1.1 §3). */
export interface SoapBindingDescriptor {
  /** The value of the header `SOAPAction` (SOAP 1.1), or of the parameter `action` of the content type (SOAP 1.2). */
  readonly action: string;
  /** Whether SOAP 1.2 requests have `action` in their content type. */
  readonly sendAction?: true;
  /** Present if messages may or must have WS-Addressing 1.0 headers. */
  readonly addressing?: AddressingDescriptor;
}

/** The actions of an operation's messages (Web Services Addressing 1.0, Metadata §4.4). */
export interface AddressingDescriptor {
  readonly by: ImportedFeature<"addressing">;
  readonly action: string;
  readonly answer?: string;
  /** The actions of fault messages, keyed by fault name. */
  readonly faults?: Readonly<Record<string, string>>;
  /** Whether requests must have WS-Addressing headers. */
  readonly required?: true;
}

/** The body of a SOAP message: one element (document style with one part, or an rpc wrapper), or several parts. */
export type BodyDescriptor<T> =
  | {
      readonly element: string;
      readonly type: TypeReference<T>;
      readonly nillable?: true;
      readonly default?: string;
      readonly fixed?: string;
      readonly identity?: IdentityDescriptor;
      /**
       * Whether the element is an rpc wrapper, which has the operation's name. In answers, the name may differ (WSDL
       * 1.1 §3.5).
       */
      readonly rpc?: true;
      /**
       * Reads and writes SOAP encoding (SOAP 1.1 §5): `xsi:type` on every value, and references. Present if the WSDL
       * has `use="encoded"`.
       */
      readonly encoded?: ImportedFeature<"soapEncoding">;
    }
  | { readonly by: ImportedFeature<"parts">; readonly parts: () => RecordDescriptor<T> };

/** Any body, as the runtime reads it. */
export type AnyBodyDescriptor =
  | (Omit<Extract<BodyDescriptor<unknown>, { readonly element: string }>, "type"> & {
      readonly type: TypeReference<unknown>;
    })
  | { readonly by: ImportedFeature<"parts">; readonly parts: () => UntypedRecord };

/** The input message of an operation: its body, attachments and header blocks. */
export type InputDescriptor<T> = (
  | { readonly body: BodyDescriptor<T> }
  | {
      /** The members of the input that are not attachments. */
      readonly body: AnyBodyDescriptor;
      readonly attachments: AttachmentsDescriptor;
    }
) & {
  readonly headers?: HeadersDescriptor;
};

/** The attachments of an operation's input or output, keyed by member name. */
export interface AttachmentsDescriptor {
  readonly by: ImportedFeature<"attachments">;
  readonly parts: Readonly<Record<string, AttachmentDescriptor>>;
}

/** Header blocks as a record of elements, each optional on the wire. */
export interface HeadersDescriptor {
  readonly by: ImportedFeature<"headerBlocks">;
  readonly record: () => UntypedRecord;
}

/** Bytes in a separate part of the message, after the envelope (WSDL 1.1 §5.4, SOAP Messages with Attachments). */
export interface AttachmentDescriptor {
  /** The name of the `wsdl:part`. */
  readonly part: string;
  /** Accepted media types. The first one is sent. */
  readonly types: readonly string[];
}

/**
 * The output message of an operation: its body, attachments and header blocks, and which part of the body is the
 * result.
 */
export interface OutputDescriptor<T> {
  /**
   * The body as a record. If `result` is set, the operation returns only the member that `result` names, or null if
   * this member is absent.
   */
  readonly body: BodyDescriptor<unknown>;
  readonly result?: string;
  /** Whether the result is an array. If the member is absent, the array is empty. */
  readonly repeated?: true;
  /** Whether the operation returns nothing, because its wrapper is empty. */
  readonly empty?: true;
  /** The attachments of the answer. They are members of the result. */
  readonly attachments?: AttachmentsDescriptor;
  readonly headers?: HeadersDescriptor;
  /** Header blocks of fault messages (WSDL 1.1 §3.7), each optional on the wire. */
  readonly headerFaults?: HeadersDescriptor;
  readonly $type?: T;
}

/** A declared fault (`wsdl:fault`): the element in the fault's detail, and the class that is thrown. */
export interface FaultDescriptor {
  readonly by: ImportedFeature<"fault">;
  readonly name: string;
  readonly element: string;
  readonly type: TypeReference<unknown>;
  readonly error: () => new (init: SoapFaultInit<never>) => SoapFault;
}

/** The binding of an operation to HTTP GET or POST (WSDL 1.1 §4). */
export interface HttpBindingDescriptor {
  /**
   * The path that is appended to the port's address: `/CheckUSA`. With `replace`, it contains `(name)` for each
   * parameter.
   */
  readonly location: string;
  readonly replace?: true;
}

/**
 * The input and the answer of an operation over HTTP GET or POST. The input is sent as parameters or as an XML
 * document.
 */
export type HttpDescriptor<Input> =
  | {
      /** The parameters, keyed by the member of the input. `list` marks a parameter whose name can be repeated. */
      readonly parameters: {
        readonly [K in KeysOf<Input>]-?: HttpParameter;
      };
      readonly body?: undefined;
      readonly answer: HttpAnswer;
    }
  | {
      /** The document element, if the input is posted as an XML document. */
      readonly body: HttpBody;
      readonly parameters?: undefined;
      readonly answer: HttpAnswer;
    };

/** The root of an XML document that is posted. */
export interface HttpBody {
  readonly element: string;
  readonly type: TypeReference<unknown>;
  readonly nillable?: true;
}

/** A parameter of a query string or form, named after the member unless `name` is set. */
export interface HttpParameter {
  readonly name?: string;
  readonly type: TypeReference<unknown>;
  readonly list?: true;
  /** Whether the parameter is optional. */
  readonly optional?: true;
}

/**
 * The answer over HTTP GET and POST: an XML document with a root element, plain text, bytes of any media type, or
 * nothing.
 */
export type HttpAnswer =
  | { readonly kind: "xml"; readonly element: string; readonly type: TypeReference<unknown>; readonly nillable?: true }
  | { readonly kind: "text"; readonly type: TypeReference<unknown> }
  | { readonly kind: "bytes"; readonly mediaType: string }
  | { readonly kind: "none" };
