import type {
  BindingComponent,
  BindingOperationComponent,
  OperationComponent,
  PortComponent,
} from "../components/wsdl-model.js";
import type { Protocol } from "../model/soap.js";
import type { Word } from "../read/wsdl/documents.js";
import { isHttpScheme, schemeOf } from "../source/address.js";
import type { Span } from "../source/span.js";
import { lowerHttpOperation } from "./http-operation.js";
import type { LoweredOperation, LoweredPort, Lowering } from "./lowered.js";
import { lowerSoapOperation } from "./soap-operation.js";

/** A port, or a binding that no port names. */
export type PortPlace = Pick<PortComponent, "name" | "span" | "documentation" | "binding" | "address" | "addressing">;

/** A port with what its binding makes of each operation; undefined where its protocol is not supported. */
export function lowerPort(place: PortPlace, lowering: Lowering): LoweredPort | undefined {
  const { name, span, documentation, binding, address } = place;
  const protocol = protocolOf(binding, lowering);
  if (protocol === undefined) return undefined;
  const operations = lowerOperations(place, protocol, lowering);
  const port = { name, span, documentation, protocol, address: address?.location.text };
  return { port, operations, transport: otherTransport(place) };
}

const soapTransports: ReadonlySet<string> = new Set([
  "http://schemas.xmlsoap.org/soap/http",
  "http://schemas.xmlsoap.org/soap/http/",
  "http://www.w3.org/2003/05/soap/bindings/HTTP/",
  "http://www.w3.org/2003/05/soap/bindings/HTTP",
  "http://schemas.xmlsoap.org/wsdl/soap/http",
  "",
]);

function protocolOf({ name, span, protocol }: BindingComponent, lowering: Lowering): Protocol | undefined {
  if (protocol === undefined) return refuse(span, `Binding "${name.local}" is neither to SOAP nor to HTTP.`, lowering);
  if (protocol.kind === "soapBinding") {
    return protocol.version === "1.1" ? "soap11" : "soap12";
  }
  const verb = protocol.verb.text.toUpperCase();
  if (verb === "GET") return "httpGet";
  if (verb === "POST") return "httpPost";
  return refuse(protocol.verb.span, `Binding "${name.local}" has the HTTP method ${protocol.verb.text}.`, lowering);
}

/** What carries the SOAP messages of a port in place of HTTP, by its binding, or else by the scheme of its address. */
function otherTransport({ binding: { protocol }, address }: PortPlace): Word | undefined {
  if (protocol?.kind !== "soapBinding") return undefined;
  if (protocol.transport !== undefined && !soapTransports.has(protocol.transport.text)) return protocol.transport;
  const scheme = address && schemeOf(address.location.text);
  return address === undefined || scheme === undefined || isHttpScheme(scheme)
    ? undefined
    : { text: scheme, span: address.location.span };
}

function refuse(span: Span, message: string, { types }: Lowering): undefined {
  types.warnOnce("WSDL021", span, {
    message: `${message} Its ports are left out.`,
    help: "SOAP 1.1 and 1.2, HTTP GET and HTTP POST are supported.",
  });
  return undefined;
}

function lowerOperations(
  { binding, address, addressing = binding.addressing }: PortPlace,
  protocol: Protocol,
  lowering: Lowering,
): readonly LoweredOperation[] {
  const wanted = lowering.config.operations?.map((operation) => operation.name);
  const overloads = overloadsOf(binding);
  const operations: LoweredOperation[] = [];
  for (const bound of binding.operations) {
    if (wanted !== undefined && !wanted.includes(bound.operation.name)) continue;
    if (isPushed(bound, lowering)) continue;
    const overload = overloads.get(bound.operation) ?? 0;
    const lowered =
      protocol === "soap11" || protocol === "soap12"
        ? lowerSoapOperation({ bound, binding, overload, addressing }, lowering)
        : lowerHttpOperation(
            bound,
            { overload, post: protocol === "httpPost", address: address?.location.text },
            lowering,
          );
    if (lowered !== undefined) operations.push(lowered);
  }
  return operations;
}

/**
 * WSDL 1.1 §2.4.3, §2.4.4: the server would begin, and no binding says how. What has input and output was meant as
 * request and response; what has output alone can be left open as a request of nothing.
 */
function isPushed({ operation }: BindingOperationComponent, { types, diagnostics }: Lowering): boolean {
  const { primitive, name, span } = operation;
  if (primitive === "one-way" || primitive === "request-response") return false;
  const message = `Operation "${name}" is a ${primitive} operation, which no binding can carry.`;
  if (primitive === "solicit-response") {
    const help = "Put the input before the output.";
    types.breachOnce("WSDL022", span, { message: `${message} It is read as request and response.`, help });
    return false;
  }
  const lenient = diagnostics.tolerance === "lenient";
  types.unresolvedOnce("WSDL022", span, {
    message,
    instead: "It is taken to answer an empty request.",
    help: "Remove the operation, or leave it out with `operations` in bothends.json.",
  });
  return !lenient;
}

/** Operations of one name are told apart by their place in the port type: 1, 2, 3 … */
function overloadsOf({ portType }: BindingComponent): ReadonlyMap<OperationComponent, number> {
  const counts = new Map<string, number>();
  return new Map(
    portType.operations.map((operation) => {
      const count = (counts.get(operation.name) ?? 0) + 1;
      counts.set(operation.name, count);
      return [operation, count];
    }),
  );
}
