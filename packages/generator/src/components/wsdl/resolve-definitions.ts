import { clark, findNearestName } from "@bothends/xml";
import type {
  Binding,
  BindingMessage,
  BindingOperation,
  Message,
  MessageExtension,
  Part,
  Reference,
  SoapFault,
  SoapHeader,
} from "../../read/wsdl/documents.js";
import type { Code } from "../../source/catalogue/index.js";
import { findUnresolvedHelp, type ReportOnce, type UnresolvedText } from "../../source/diagnostics.js";
import { formatPosition, type Span } from "../../source/span.js";
import { findNearestQName, type QName, xsdNamespace } from "../../source/xml-names.js";
import type { ElementDeclaration, SchemaComponents, TypeDefinition } from "../xsd/schema-components.js";
import { formatAsWritten, formatDefinition, isUnprefixed } from "./definition-tables.js";
import type {
  BindingComponent,
  BindingOperationComponent,
  BoundExtension,
  MessageComponent,
  OperationComponent,
  OperationMessageComponent,
  PartComponent,
  PortTypeComponent,
} from "./wsdl-components.js";

// Resolves the definitions of a WSDL: messages with their parts, then bindings with their operations and headers.

/** The inputs for resolving one message. */
interface MessageContext extends Context {
  /**
   * Whether the message may be left out, because all operations that use it can be called over SOAP with other
   * messages.
   */
  readonly isReplaceable: boolean;
}

/** Resolves the elements and types of a message's parts (WSDL 1.1 §2.3). */
export function resolveMessage(message: Message, name: QName, context: MessageContext): MessageComponent {
  const parts: PartComponent[] = [];
  for (const part of message.parts) {
    const content = resolvePart(part, { ...context, message: message.name.text });
    if (parts.some((other) => other.name === part.name.text)) {
      context.reports.unresolved("WSDL010", part.name.span, {
        message: `The message "${message.name.text}" has two parts named "${part.name.text}".`,
        help: "Rename one of the two parts.",
        fallback: "The first part is used.",
      });
    } else if (content !== undefined) {
      parts.push({ name: part.name.text, span: part.span, documentation: part.documentation, content });
    }
  }
  const isComplete = parts.length === new Set(message.parts.map((part) => part.name.text)).size;
  return { name, span: message.span, documentation: message.documentation, parts, isComplete };
}

interface PartContext extends MessageContext {
  readonly message: string;
}

function resolvePart(part: Part, context: PartContext): PartComponent["content"] | undefined {
  const { element, type, isUnreadable } = part;
  if (isUnreadable) {
    return undefined;
  }
  if ((element === undefined) === (type === undefined)) {
    reportPart(
      context,
      { code: "WSDL018", span: part.span },
      {
        message: `The part "${part.name.text}" has ${element === undefined ? "neither an element nor a type" : "both an element and a type"}.`,
        fallback: element === undefined ? "The part may have any type." : "The element is used.",
      },
    );
    if (!canUseAnyType(context)) {
      return undefined;
    }
  }
  if (element !== undefined) {
    return resolveElement(part, element, context);
  }
  return type === undefined ? { kind: "type", type: getAnyType(context.schema) } : resolveType(part, type, context);
}

function canUseAnyType({ isReplaceable, reports }: MessageContext): boolean {
  return reports.strictness === "lenient" && !isReplaceable;
}

function reportPart(
  { message, isReplaceable, reports }: PartContext,
  { code, span }: { readonly code: Code; readonly span: Span },
  text: UnresolvedText,
): void {
  if (isReplaceable) {
    const omissionNote = `Operations with the message "${message}" can only be called over SOAP.`;
    reports.warning(code, span, { message: `${text.message} ${omissionNote}`, help: findUnresolvedHelp(text) });
  } else {
    reports.unresolved(code, span, text);
  }
}

interface Context {
  readonly schema: SchemaComponents;
  readonly reports: ReportOnce;
}

function resolveElement(part: Part, reference: Reference, context: PartContext): PartComponent["content"] | undefined {
  const { elements } = context.schema;
  const declaration = findByReference(elements, reference, context);
  if (declaration !== undefined) {
    return { kind: "element", declaration };
  }
  const problem = { code: "WSDL012", noun: "element", verb: "declares", components: elements } as const;
  reportUnknown(part, reference, { ...context, ...problem, fallback: "The element may have any type." });
  return canUseAnyType(context)
    ? { kind: "element", declaration: createUntypedElement(reference, context.schema) }
    : undefined;
}

function resolveType(part: Part, reference: Reference, context: PartContext): PartComponent["content"] | undefined {
  const { types, builtinTypes } = context.schema;
  const type =
    builtinTypes.get(clark(reference.namespace, reference.local)) ??
    findBuiltinIgnoringCase(reference, context) ??
    findByReference(types, reference, context);
  if (type !== undefined) {
    return { kind: "type", type };
  }
  const problem = { code: "WSDL013", noun: "type", verb: "defines", components: types } as const;
  reportUnknown(part, reference, { ...context, ...problem, fallback: "The part may have any type." });
  return canUseAnyType(context) ? { kind: "type", type: getAnyType(context.schema) } : undefined;
}

/** Finds a built-in type whose name differs only in letter case: `xs:base64binary` means `xs:base64Binary`. */
function findBuiltinIgnoringCase(reference: Reference, { schema, reports }: Context): TypeDefinition | undefined {
  if (reference.namespace !== xsdNamespace) {
    return undefined;
  }
  const lowerCase = reference.local.toLowerCase();
  const type = [...schema.builtinTypes.values()].find(({ name }) => name?.local.toLowerCase() === lowerCase);
  if (type?.name !== undefined) {
    reports.violation("WSDL013", reference.span, {
      message: `XML Schema has no type "${reference.text}". It is read as "${type.name.local}".`,
      help: `Write ${formatAsWritten(type.name, reference)}.`,
    });
  }
  return type;
}

/**
 * Finds the component that a reference names. A name without a prefix may be in any namespace, provided that only one
 * namespace contains the name.
 */
function findByReference<T>(
  components: ReadonlyMap<string, T>,
  reference: Reference,
  { schema, reports }: Context,
): T | undefined {
  const exactMatch = components.get(clark(reference.namespace, reference.local));
  if (exactMatch !== undefined || !isUnprefixed(reference)) {
    return exactMatch;
  }
  const namespaces = [...schema.namespaces].filter((namespace) => components.has(clark(namespace, reference.local)));
  const [namespace = "", ...otherNamespaces] = namespaces;
  if (namespaces.length === 0 || otherNamespaces.length > 0) {
    return undefined;
  }
  reports.violation("WSDL027", reference.span, {
    message: `The name ${reference.text} has no prefix. It is read as a name in ${namespace}.`,
    help: "Write a prefix that is bound to that namespace.",
  });
  return components.get(clark(namespace, reference.local));
}

function getAnyType({ builtinTypes }: SchemaComponents): TypeDefinition {
  const type = builtinTypes.get(clark(xsdNamespace, "anyType"));
  if (type === undefined) {
    throw new Error("The built-in types of XSD do not contain anyType.");
  }
  return type;
}

/** Creates an element that allows any type, to replace an undeclared element. */
function createUntypedElement({ namespace, local, span }: Reference, schema: SchemaComponents): ElementDeclaration {
  return {
    kind: "element",
    span,
    documentation: undefined,
    name: { namespace, local },
    scope: "global",
    type: getAnyType(schema),
    nillable: false,
    abstract: false,
    valueConstraint: undefined,
    substitutionGroup: undefined,
    substitutes: [],
    block: new Set(),
    final: new Set(),
    identityConstraints: [],
  };
}

interface UnknownComponent extends PartContext {
  readonly code: Code;
  readonly noun: string;
  readonly verb: string;
  readonly components: ReadonlyMap<string, ElementDeclaration | TypeDefinition>;
  readonly fallback: string;
}

function reportUnknown(part: Part, reference: Reference, unknownComponent: UnknownComponent): void {
  const { code, noun, verb, components, fallback } = unknownComponent;
  const nearestName = findNearestQName(reference, components.keys());
  const suggestion = nearestName && components.get(clark(nearestName.namespace, nearestName.local));
  reportPart(
    unknownComponent,
    { code, span: reference.span },
    {
      message: `The part "${part.name.text}" refers to the ${noun} ${reference.text}, which no schema ${verb}.`,
      suggestion:
        suggestion?.name && `${formatAsWritten(suggestion.name, reference)} (${formatPosition(suggestion.span)})`,
      fallback,
    },
  );
}

interface BindingContext {
  readonly portType: PortTypeComponent;
  readonly findMessage: (reference: Reference, referrer: string) => MessageComponent | undefined;
  readonly reports: ReportOnce;
}

/** Resolves a binding: finds the operation of the port type for each of its operations (WSDL 1.1 §2.5). */
export function resolveBinding(binding: Binding, name: QName, context: BindingContext): BindingComponent {
  const boundOperations = new Set<OperationComponent>();
  const operationsByName = new Map<string, OperationComponent[]>();
  for (const operation of context.portType.operations) {
    const overloads = operationsByName.get(operation.name);
    if (overloads === undefined) {
      operationsByName.set(operation.name, [operation]);
    } else {
      overloads.push(operation);
    }
  }
  const boundCounts = new Map<string, number>();
  for (const { name: boundOperation } of binding.operations.filter((operation) => !isEmpty(operation))) {
    boundCounts.set(boundOperation.text, (boundCounts.get(boundOperation.text) ?? 0) + 1);
  }
  const operations: BindingOperationComponent[] = [];
  for (const boundOperation of binding.operations) {
    const overloads = operationsByName.get(boundOperation.name.text) ?? [];
    if (
      isEmpty(boundOperation) &&
      overloads.length > 0 &&
      (boundCounts.get(boundOperation.name.text) ?? 0) >= overloads.length
    ) {
      reportEmptyOccurrence(boundOperation, context.reports);
      continue;
    }
    const unboundOverloads = overloads.filter((operation) => !boundOperations.has(operation));
    if (overloads.length > 0 && unboundOverloads.length === 0) {
      reportBoundTwice(boundOperation, binding.operations, context.reports);
      continue;
    }
    const operation =
      findMatchingOperation(boundOperation, unboundOverloads) ?? replaceUnknownOperation(boundOperation, context);
    if (operation === undefined) {
      continue;
    }
    boundOperations.add(operation);
    operations.push(resolveOperation(boundOperation, operation, context));
  }
  const { portType } = context;
  const { span, documentation, protocolBinding, addressing } = binding;
  // The policies of a port type apply to all its bindings (Web Services Policy 1.5, Attachment §4.1).
  const policies = [...binding.policies, ...portType.policies];
  return { name, span, documentation, portType, protocolBinding, addressing, policies, operations };
}

/**
 * Finds the operation that is bound. Overloads are distinguished by the names of their input and output or, without
 * these names, by the order of the operations (WSDL 1.1 §2.5).
 */
function findMatchingOperation(
  boundOperation: BindingOperation,
  unboundOperations: readonly OperationComponent[],
): OperationComponent | undefined {
  return unboundOperations.find((operation) => haveSameMessages(boundOperation, operation)) ?? unboundOperations[0];
}

/**
 * Whether a bound operation has no extension elements. If so, the binding does not define the format of its messages.
 */
function isEmpty({ protocolOperation, input, output, faults }: BindingOperation): boolean {
  const extensions = [input, output].flatMap((message) => message?.extensions ?? []);
  return (
    protocolOperation === undefined &&
    extensions.length === 0 &&
    faults.every(({ soapFault }) => soapFault === undefined)
  );
}

function reportEmptyOccurrence({ name }: BindingOperation, reports: ReportOnce): void {
  reports.violation("WSDL010", name.span, {
    message: `The operation "${name.text}" is bound twice in this binding. This occurrence contains no description of the messages and is ignored.`,
    help: "Remove this occurrence of the operation.",
  });
}

function reportBoundTwice(
  boundOperation: BindingOperation,
  operations: readonly BindingOperation[],
  reports: ReportOnce,
): void {
  const { name } = boundOperation;
  const message = `The operation "${name.text}" is bound twice in this binding.`;
  const text = formatDefinition(boundOperation);
  const isRepeated = operations.some((other) => other !== boundOperation && formatDefinition(other) === text);
  if (isRepeated) {
    const help = "Remove one of the two occurrences.";
    reports.violation("WSDL010", name.span, { message: `${message} Both occurrences are the same.`, help });
    return;
  }
  reports.unresolved("WSDL010", name.span, {
    message,
    help: "Remove one of the two occurrences, or add the names of the messages that distinguish overloaded operations.",
    fallback: "The first occurrence is used.",
  });
}

function haveSameMessages(boundOperation: BindingOperation, operation: OperationComponent): boolean {
  const input = boundOperation.input?.name?.text;
  const output = boundOperation.output?.name?.text;
  return (
    (input === undefined || input === operation.input?.name) &&
    (output === undefined || output === operation.output?.name)
  );
}

/** Reports an operation that the port type does not have. In lenient mode, returns an operation with empty messages. */
function replaceUnknownOperation(
  boundOperation: BindingOperation,
  { portType, reports }: BindingContext,
): OperationComponent | undefined {
  const { name, span, input, output } = boundOperation;
  const suggestion = findNearestName(
    name.text,
    portType.operations.map((operation) => operation.name),
  );
  reports.unresolved("WSDL016", name.span, {
    message: `The operation "${name.text}" is bound, but the port type "${portType.name.local}" does not have it.`,
    suggestion: suggestion && `"${suggestion}"`,
    fallback: "The operation is generated with empty messages.",
  });
  if (reports.strictness !== "lenient") {
    return undefined;
  }
  const { namespace } = portType.name;
  const createEmptyMessage = (suffix: string): OperationMessageComponent => ({
    name: `${name.text}${suffix}`,
    span,
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
    documentation: boundOperation.documentation,
    primitive: output === undefined ? "one-way" : "request-response",
    input: input === undefined && output === undefined ? createEmptyMessage("") : createEmptyMessage("Request"),
    output: output && createEmptyMessage("Response"),
    faults: [],
    parameterOrder: undefined,
  };
}

function resolveOperation(
  boundOperation: BindingOperation,
  operation: OperationComponent,
  context: BindingContext,
): BindingOperationComponent {
  return {
    span: boundOperation.span,
    documentation: boundOperation.documentation,
    operation,
    protocolOperation: boundOperation.protocolOperation,
    input: resolveExtensions(boundOperation.input, context),
    output: resolveExtensions(boundOperation.output, context),
    faults: mapFaultsByName(boundOperation),
  };
}

function mapFaultsByName(boundOperation: BindingOperation): ReadonlyMap<string, SoapFault> {
  const faults = new Map<string, SoapFault>();
  for (const { name, soapFault } of boundOperation.faults) {
    const faultName = name ?? soapFault?.name;
    if (faultName !== undefined && soapFault !== undefined) {
      faults.set(faultName.text, soapFault);
    }
  }
  return faults;
}

function resolveExtensions(message: BindingMessage | undefined, context: BindingContext): readonly BoundExtension[] {
  return (message?.extensions ?? [])
    .flatMap((extension) => [extension, ...listNestedHeaders(extension)])
    .map((extension) => resolveExtension(extension, context))
    .filter((extension) => extension !== undefined);
}

/**
 * Returns the soap:header elements inside a mime:multipartRelated, where they may accompany a soap:body (WSDL 1.1
 * §5.4).
 */
function listNestedHeaders(extension: MessageExtension): readonly SoapHeader[] {
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
    (fault) => resolveHeaderPart(fault, "The soap:headerfault", context)?.part ?? [],
  );
  const headerPart = resolveHeaderPart(header, "The soap:header", context);
  return headerPart && { kind: "boundHeader", header, faults, ...headerPart };
}

function resolveHeaderPart(
  header: Pick<SoapHeader, "message" | "part">,
  referrer: string,
  { findMessage, reports }: BindingContext,
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
    const suggestion = findNearestName(header.part.text, names) ?? (names.length === 1 ? names[0] : undefined);
    reports.unresolved("WSDL017", header.part.span, {
      message: `${referrer} names the part "${header.part.text}", which the message "${message.name.local}" does not have.`,
      suggestion: suggestion && `"${suggestion}"`,
      fallback: `${referrer} is left out.`,
    });
    return undefined;
  }
  return { message, part };
}
