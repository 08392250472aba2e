import { nearestName } from "@bothends/xml";
import type {
  Binding,
  BindingMessage,
  BindingOperation,
  MessageExtension,
  Reference,
  SoapFault,
  SoapHeader,
} from "../../read/wsdl/documents.js";
import type { ReportOnce } from "../../source/diagnostics.js";
import type { QName } from "../../source/names.js";
import { definitionText } from "./names.js";
import type {
  BindingComponent,
  BindingOperationComponent,
  BoundExtension,
  MessageComponent,
  OperationComponent,
  OperationMessageComponent,
  PortTypeComponent,
} from "./wsdl-components.js";

interface BindingContext {
  readonly portType: PortTypeComponent;
  readonly message: (reference: Reference, referrer: string) => MessageComponent | undefined;
  readonly reports: ReportOnce;
}

/** Resolves a binding: each operation refers to the operation of the port type (WSDL 1.1 §2.5). */
export function resolveBinding(binding: Binding, name: QName, context: BindingContext): BindingComponent {
  const used = new Set<OperationComponent>();
  const byName = new Map<string, OperationComponent[]>();
  for (const operation of context.portType.operations) {
    const overloads = byName.get(operation.name);
    if (overloads === undefined) {
      byName.set(operation.name, [operation]);
    } else {
      overloads.push(operation);
    }
  }
  const operations: BindingOperationComponent[] = [];
  for (const bound of binding.operations) {
    const overloads = byName.get(bound.name.text) ?? [];
    const unbound = overloads.filter((operation) => !used.has(operation));
    if (overloads.length > 0 && unbound.length === 0) {
      reportBoundTwice(bound, binding.operations, context.reports);
      continue;
    }
    const operation = matchingOperation(bound, unbound) ?? unknownOperation(bound, context);
    if (operation === undefined) {
      continue;
    }
    used.add(operation);
    operations.push(resolveOperation(bound, operation, context));
  }
  const { span, documentation, protocol, addressing } = binding;
  return { name, span, documentation, portType: context.portType, protocol, addressing, operations };
}

/** WSDL 1.1 §2.5: overloaded operations are distinguished by the names of their input and output, or else by their order. */
function matchingOperation(
  bound: BindingOperation,
  unbound: readonly OperationComponent[],
): OperationComponent | undefined {
  return unbound.find((operation) => messagesMatch(bound, operation)) ?? unbound[0];
}

function reportBoundTwice(bound: BindingOperation, operations: readonly BindingOperation[], reports: ReportOnce): void {
  const { name } = bound;
  const message = `The operation "${name.text}" is bound twice in this binding.`;
  const text = definitionText(bound);
  const isRepeated = operations.some((other) => other !== bound && definitionText(other) === text);
  if (isRepeated) {
    const help = "Remove one of the two.";
    reports.violation("WSDL010", name.span, { message: `${message} Both are the same.`, help });
    return;
  }
  reports.unresolved("WSDL010", name.span, {
    message,
    help: "Remove one of the two, or add the names of the messages that distinguish overloaded operations.",
    fallback: "The first one is used.",
  });
}

function messagesMatch(bound: BindingOperation, operation: OperationComponent): boolean {
  const input = bound.input?.name?.text;
  const output = bound.output?.name?.text;
  return (
    (input === undefined || input === operation.input?.name) &&
    (output === undefined || output === operation.output?.name)
  );
}

/** Reports an operation that the port type lacks. In lenient mode, returns one with empty messages. */
function unknownOperation(
  bound: BindingOperation,
  { portType, reports }: BindingContext,
): OperationComponent | undefined {
  const { name, span, input, output } = bound;
  const suggestion = nearestName(
    name.text,
    portType.operations.map((operation) => operation.name),
  );
  reports.unresolved("WSDL016", name.span, {
    message: `Operation "${name.text}" is bound, but port type "${portType.name.local}" does not have it.`,
    help: suggestion && `Did you mean "${suggestion}"?`,
    fallback: "It is read as an operation with empty messages.",
  });
  if (reports.tolerance !== "lenient") {
    return undefined;
  }
  const { namespace } = portType.name;
  const empty = (suffix: string): OperationMessageComponent => ({
    name: `${name.text}${suffix}`,
    message: {
      name: { namespace, local: `${name.text}${suffix}` },
      span,
      documentation: undefined,
      parts: [],
      isComplete: false,
    },
  });
  return {
    name: name.text,
    nameSpan: name.span,
    span,
    documentation: bound.documentation,
    primitive: output === undefined ? "one-way" : "request-response",
    input: input === undefined && output === undefined ? empty("") : empty("Request"),
    output: output && empty("Response"),
    faults: [],
    parameterOrder: undefined,
  };
}

function resolveOperation(
  bound: BindingOperation,
  operation: OperationComponent,
  context: BindingContext,
): BindingOperationComponent {
  return {
    span: bound.span,
    documentation: bound.documentation,
    operation,
    protocol: bound.protocol,
    input: resolveExtensions(bound.input, context),
    output: resolveExtensions(bound.output, context),
    faults: faultsByName(bound),
  };
}

function faultsByName(bound: BindingOperation): ReadonlyMap<string, SoapFault> {
  const faults = new Map<string, SoapFault>();
  for (const { name, soapFault } of bound.faults) {
    const word = name ?? soapFault?.name;
    if (word !== undefined && soapFault !== undefined) {
      faults.set(word.text, soapFault);
    }
  }
  return faults;
}

function resolveExtensions(message: BindingMessage | undefined, context: BindingContext): readonly BoundExtension[] {
  return (message?.extensions ?? [])
    .flatMap((extension) => [extension, ...headersInside(extension)])
    .map((extension) => resolveExtension(extension, context))
    .filter((extension) => extension !== undefined);
}

/** WSDL 1.1 §5.4: the part with the soap:body may contain the headers of the message. */
function headersInside(extension: MessageExtension): readonly SoapHeader[] {
  if (extension.kind !== "mimeMultipartRelated") {
    return [];
  }
  return extension.parts.flatMap((part) => part.extensions).filter((extension) => extension.kind === "soapHeader");
}

function resolveExtension(extension: MessageExtension, context: BindingContext): BoundExtension | undefined {
  return extension.kind === "soapHeader" ? resolveHeader(extension, context) : extension;
}

function resolveHeader(header: SoapHeader, context: BindingContext): BoundExtension | undefined {
  const faults = header.headerFaults.flatMap(
    (fault) => resolveHeaderPart(fault, "soap:headerfault", context)?.part ?? [],
  );
  const headerPart = resolveHeaderPart(header, "soap:header", context);
  return headerPart && { kind: "boundHeader", header, faults, ...headerPart };
}

function resolveHeaderPart(
  header: Pick<SoapHeader, "message" | "part">,
  referrer: string,
  { message: findMessage, reports }: BindingContext,
) {
  const message = findMessage(header.message, referrer);
  if (message === undefined) {
    return undefined;
  }
  const part = message.parts.find((candidate) => candidate.name === header.part.text);
  if (part === undefined) {
    if (!message.isComplete) {
      return undefined;
    }
    const names = message.parts.map((candidate) => candidate.name);
    const suggestion = nearestName(header.part.text, names) ?? (names.length === 1 ? names[0] : undefined);
    reports.unresolved("WSDL017", header.part.span, {
      message: `${referrer} names part "${header.part.text}", which message "${message.name.local}" does not have.`,
      help: suggestion && `Did you mean "${suggestion}"?`,
      fallback: `The ${referrer} is left out.`,
    });
    return undefined;
  }
  return { message, part };
}
