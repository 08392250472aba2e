import type {
  BindingComponent,
  BindingOperationComponent,
  OperationComponent,
  PortComponent,
} from "../../components/wsdl/wsdl-components.js";
import type { Port, Protocol } from "../../model/soap.js";
import { findScheme, isHttpScheme } from "../../source/document-addresses.js";
import { type SpannedText, withParts } from "../../source/span.js";
import type { AddressingSource } from "./addressing.js";
import { type LoweredHttpOperation, lowerHttpOperation } from "./http-operation.js";
import type { BindingContext } from "./message-parts.js";
import { type LoweredSoapOperation, lowerSoapOperation } from "./soap-operation.js";

/** A port, or a binding that no port uses, which is treated as a port without an address. */
export type PortSource = Pick<
  PortComponent,
  "name" | "span" | "documentation" | "binding" | "address" | "addressing" | "policies"
>;

/** A port with its operations. */
export interface PortOperations {
  readonly port: Port;
  readonly operations: readonly PortOperation[];
  /** The transport, if the port sends SOAP over a protocol other than HTTP. */
  readonly transport: SpannedText | undefined;
}

/** An operation of a port, lowered for the protocol of the port. */
export type PortOperation = LoweredSoapOperation | LoweredHttpOperation;

/** Lowers a port with its operations. Reports an unsupported protocol, and returns undefined. */
export function lowerPort(source: PortSource, context: BindingContext): PortOperations | undefined {
  const { name, documentation, binding, address } = source;
  const protocol = findProtocol(binding);
  if (protocol === undefined) {
    reportUnsupported(binding, context);
    return undefined;
  }
  const operations = lowerOperations(source, protocol, context);
  const assertions = [...source.policies, ...binding.policies];
  const policies = [...new Set(assertions.map(({ text }) => text))].sort();
  const location = address && { address: address.location.text, addressSpan: address.location.span };
  const { protocolBinding } = binding;
  const protocolSpan = protocolBinding?.kind === "httpBinding" ? protocolBinding.verb.span : protocolBinding?.span;
  const span = withParts(source.span, [
    ...(protocolSpan === undefined ? [] : [["protocol", protocolSpan] as const]),
    ...assertions.map((assertion) => [`policy ${assertion.text}`, assertion.span] as const),
  ]);
  const port = { name, span, documentation, protocol, ...(location ?? { address: undefined }), policies };
  return { port, operations, transport: findOtherTransport(source) };
}

const httpTransports: ReadonlySet<string> = new Set([
  "http://schemas.xmlsoap.org/soap/http",
  "http://schemas.xmlsoap.org/soap/http/",
  "http://www.w3.org/2003/05/soap/bindings/HTTP/",
  "http://www.w3.org/2003/05/soap/bindings/HTTP",
  "http://schemas.xmlsoap.org/wsdl/soap/http",
  "",
]);

function findProtocol({ protocolBinding }: BindingComponent): Protocol | undefined {
  if (protocolBinding?.kind === "soapBinding") {
    return protocolBinding.version === "1.1" ? "soap11" : "soap12";
  }
  switch (protocolBinding?.verb.text.toUpperCase()) {
    case "GET":
      return "httpGet";
    case "POST":
      return "httpPost";
    default:
      return undefined;
  }
}

/**
 * Whether clients can call an operation through a binding. To find out, lowers the operation of an HTTP binding. False
 * for an operation that the configuration leaves out.
 */
export function isCallable(
  boundOperation: BindingOperationComponent,
  binding: BindingComponent,
  context: BindingContext & { readonly reportsUnsupported: false },
): boolean {
  const protocol = findProtocol(binding);
  if (protocol === undefined || isLeftOut(boundOperation, context)) {
    return false;
  }
  if (protocol === "soap11" || protocol === "soap12") {
    return true;
  }
  const method = protocol === "httpPost" ? "POST" : "GET";
  return lowerHttpOperation({ boundOperation, overload: 0, method, address: undefined }, context) !== undefined;
}

/** Whether the configuration lists other operations, but not this one. */
function isLeftOut({ operation }: BindingOperationComponent, { config }: BindingContext): boolean {
  return config.operations?.some(({ name }) => name === operation.name) === false;
}

/**
 * Returns the transport of a SOAP binding if it is not HTTP, otherwise the scheme of the address if that is not HTTP;
 * undefined if neither applies.
 */
function findOtherTransport({ binding: { protocolBinding }, address }: PortSource): SpannedText | undefined {
  if (protocolBinding?.kind !== "soapBinding") {
    return undefined;
  }
  if (protocolBinding.transport !== undefined && !httpTransports.has(protocolBinding.transport.text)) {
    return protocolBinding.transport;
  }
  const scheme = address && findScheme(address.location.text);
  return address === undefined || scheme === undefined || isHttpScheme(scheme)
    ? undefined
    : { text: scheme, span: address.location.span };
}

/**
 * Reports that the ports of a binding are left out, because its protocol is not supported. This is an error if an HTTP
 * binding has a method other than GET and POST, and at least one of its operations is not served by any other binding.
 */
function reportUnsupported(
  { name, span, protocolBinding, operations }: BindingComponent,
  context: BindingContext,
): void {
  const { references, callableOperations } = context;
  const help = "SOAP 1.1 and 1.2, HTTP GET and HTTP POST are supported.";
  const fallback = "The ports of the binding are left out.";
  if (protocolBinding?.kind !== "httpBinding") {
    const message = `The binding "${name.local}" is neither a SOAP nor an HTTP binding. ${fallback}`;
    references.reports.warning("WSDL021", span, { message, help });
    return;
  }
  const message = `The binding "${name.local}" has the HTTP method ${protocolBinding.verb.text}, which is not supported.`;
  const uncallableOperation = operations.find(
    (boundOperation) => !isLeftOut(boundOperation, context) && !callableOperations.has(boundOperation.operation.name),
  );
  if (uncallableOperation === undefined) {
    references.reports.warning("WSDL021", protocolBinding.verb.span, { message: `${message} ${fallback}`, help });
  } else {
    references.reports.unresolved("WSDL021", protocolBinding.verb.span, {
      message: `${message} No other binding serves the operation "${uncallableOperation.operation.name}".`,
      help,
      fallback,
    });
  }
}

function lowerOperations(
  { binding, address, addressing: portAddressing }: PortSource,
  protocol: Protocol,
  context: BindingContext,
): readonly PortOperation[] {
  const addressing: AddressingSource | undefined =
    portAddressing === undefined
      ? binding.addressing && { ...binding.addressing, parent: "binding" }
      : { ...portAddressing, parent: "port" };
  const overloads = listOverloads(binding);
  const operations: PortOperation[] = [];
  for (const boundOperation of binding.operations) {
    if (isLeftOut(boundOperation, context)) {
      continue;
    }
    reportServerFirst(boundOperation, context);
    const overload = overloads.get(boundOperation.operation) ?? 0;
    const method = protocol === "httpPost" ? "POST" : "GET";
    const loweredOperation =
      protocol === "soap11" || protocol === "soap12"
        ? lowerSoapOperation({ boundOperation, binding, overload, addressing }, context)
        : lowerHttpOperation({ boundOperation, overload, method, address: address?.location.text }, context);
    if (loweredOperation !== undefined) {
      operations.push(loweredOperation);
    }
  }
  return operations;
}

/**
 * Reports operations in which the server sends the first message (WSDL 1.1 §2.4.3, §2.4.4), because WSDL defines no
 * binding for them. They are lowered as calls: the output is the response and, without an input, the request is empty.
 */
function reportServerFirst({ operation }: BindingOperationComponent, { references }: BindingContext): void {
  const { primitive, name, span } = operation;
  if (primitive === "one-way" || primitive === "request-response") {
    return;
  }
  const message = `The operation "${name}" is a ${primitive} operation, which no binding supports.`;
  if (primitive === "solicit-response") {
    references.reports.violation("WSDL022", span, {
      message: `${message} It is read as a request-response operation.`,
      help: "Put the input before the output.",
    });
  } else {
    references.reports.violation("WSDL022", span, {
      message: `${message} Its output is read as the response to an empty request.`,
      help: "Give the operation an input, or leave it out with `operations` in bothends.json.",
    });
  }
}

/** Numbers operations with the same name by their order in the port type: 1, 2, 3 … */
function listOverloads({ portType }: BindingComponent): ReadonlyMap<OperationComponent, number> {
  const counts = new Map<string, number>();
  return new Map(
    portType.operations.map((operation) => {
      const count = (counts.get(operation.name) ?? 0) + 1;
      counts.set(operation.name, count);
      return [operation, count];
    }),
  );
}
