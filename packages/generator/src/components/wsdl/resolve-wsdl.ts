import type {
  Binding,
  Operation,
  OperationMessage,
  Port,
  PortType,
  Reference,
  RequiredExtension,
  Service,
} from "../../read/wsdl/documents.js";
import type { WsdlDocuments, WsdlRoot } from "../../read/wsdl/read-wsdl.js";
import { ignoredExtension } from "../../read/wsdl/wsdl-element.js";
import { type Diagnostics, ReportOnce } from "../../source/diagnostics.js";
import { type SourceLimits, sourceLimits } from "../../source/source-limits.js";
import { formatPosition } from "../../source/span.js";
import type { QName } from "../../source/xml-names.js";
import { resolveSchema } from "../xsd/resolve/schema.js";
import type { SchemaComponents } from "../xsd/schema-components.js";
import { createDefinitionTables, type DefinitionTables, needsExtension, ServedOverSoap } from "./definition-tables.js";
import { resolveBinding, resolveMessage } from "./resolve-definitions.js";
import type {
  BindingComponent,
  BindingOperationComponent,
  MessageComponent,
  OperationComponent,
  OperationFaultComponent,
  OperationMessageComponent,
  PortComponent,
  PortTypeComponent,
  ServiceComponent,
  WsdlComponents,
  WsdlFile,
} from "./wsdl-components.js";

/** Resolves all names in the WSDLs and schemas of an interface, and reports unknown names. */
export function resolveWsdl(
  documents: WsdlDocuments,
  diagnostics: Diagnostics,
  limits: SourceLimits = sourceLimits,
): WsdlComponents {
  const schema = resolveSchema(documents.schemas, diagnostics, limits);
  const reports = new ReportOnce(diagnostics);
  return { schema, files: documents.roots.map((root) => new FileResolution(root, schema, reports).resolve()) };
}

/**
 * Resolves one WSDL and its imports, separately from other WSDLs of the interface, which may use the same names for
 * different definitions.
 */
class FileResolution {
  readonly #root: WsdlRoot;
  readonly #reports: ReportOnce;
  readonly #messages = new Map<object, MessageComponent>();
  readonly #portTypes = new Map<object, PortTypeComponent>();
  readonly #bindings = new Map<object, BindingComponent>();
  /** The bindings whose ports are left out. */
  readonly #bindingsWithoutPort = new Set<BindingComponent>();
  readonly #schema: SchemaComponents;
  readonly #definitions: DefinitionTables;
  readonly #servedOverSoap: ServedOverSoap;

  constructor(root: WsdlRoot, schema: SchemaComponents, reports: ReportOnce) {
    this.#root = root;
    this.#schema = schema;
    this.#reports = reports;
    this.#definitions = createDefinitionTables(root, reports);
    this.#servedOverSoap = new ServedOverSoap(this.#definitions);
  }

  resolve(): WsdlFile {
    // The order matters: port types refer to messages, bindings refer to port types and messages, and services refer to
    // bindings.
    const incompleteMessages = this.#resolveMessages();
    this.#resolvePortTypes();
    this.#resolveBindings(incompleteMessages);
    const services = this.#definitions.services.all.map(({ definition, qname }) =>
      this.#resolveService(definition, qname),
    );
    const usedBindings = new Set(services.flatMap(({ ports }) => ports.map(({ binding }) => binding)));
    const [mainDocument] = this.#root.definitions;
    return {
      path: this.#root.path,
      source: mainDocument.source,
      span: mainDocument.span,
      documentation: mainDocument.documentation,
      targetNamespace: mainDocument.targetNamespace,
      bindings: [...this.#bindings.values()].filter(
        (binding) => usedBindings.has(binding) || !this.#bindingsWithoutPort.has(binding),
      ),
      services,
      namespaces: this.#root.definitions.map(({ targetNamespace, namespaceSpan }) => ({
        namespace: targetNamespace,
        span: namespaceSpan,
      })),
    };
  }

  /**
   * Resolves all messages. Returns the incomplete messages that are not needed, because their operations can be called
   * over SOAP.
   */
  #resolveMessages(): ReadonlySet<MessageComponent> {
    const replaceableMessages = this.#servedOverSoap.listReplaceableMessages();
    const incompleteMessages = new Set<MessageComponent>();
    for (const { definition, qname } of this.#definitions.messages.all) {
      const isReplaceable = replaceableMessages.has(definition);
      const context = { schema: this.#schema, reports: this.#reports, isReplaceable };
      const message = resolveMessage(definition, qname, context);
      this.#messages.set(definition, message);
      if (isReplaceable && !message.isComplete) {
        incompleteMessages.add(message);
      }
    }
    return incompleteMessages;
  }

  #resolvePortTypes(): void {
    for (const { definition, qname } of this.#definitions.portTypes.all) {
      this.#portTypes.set(definition, this.#resolvePortType(definition, qname));
    }
  }

  /** Resolves all bindings, without operations that have an unreadable message. */
  #resolveBindings(incompleteMessages: ReadonlySet<MessageComponent>): void {
    for (const { definition, qname } of this.#definitions.bindings.all) {
      const portType = this.#findBoundPortType(definition.type, definition.name.text);
      const findMessage = (reference: Reference, referrer: string) => this.#findMessage(reference, referrer);
      const supportedBinding = this.#omitExtensions(definition);
      if (portType === undefined || supportedBinding === undefined) {
        continue;
      }
      const binding = resolveBinding(supportedBinding, qname, { portType, findMessage, reports: this.#reports });
      const isReadable = ({ operation: { input, output } }: BindingOperationComponent) =>
        ![input, output].some(
          (operationMessage) => operationMessage !== undefined && incompleteMessages.has(operationMessage.message),
        );
      this.#bindings.set(definition, { ...binding, operations: binding.operations.filter(isReadable) });
    }
  }

  /**
   * Reports the unsupported extensions that a binding requires, and removes operations that require one if other
   * bindings serve them over SOAP. Returns undefined if the whole binding can be left out.
   */
  #omitExtensions(binding: Binding): Binding | undefined {
    const { name, requiredExtensions } = binding;
    const servedNames = this.#servedOverSoap.listNamesServedByOtherBindings(binding);
    const isServed = this.#servedOverSoap.otherBindingsServeAll(binding);
    const omissionNote = `The binding "${name.text}" is left out, because other bindings serve its operations over SOAP.`;
    this.#reportExtensions(requiredExtensions, isServed ? omissionNote : undefined);
    if (requiredExtensions.length > 0 && isServed) {
      return undefined;
    }
    const supportedOperations = binding.operations.filter((operation) => {
      const isReplaceable = servedNames.has(operation.name.text);
      const leftOutMessage = `The operation "${operation.name.text}" is left out of the binding "${name.text}", because another binding serves it over SOAP.`;
      this.#reportExtensions(operation.requiredExtensions, isReplaceable ? leftOutMessage : undefined);
      return !needsExtension(operation) || !isReplaceable;
    });
    return { ...binding, operations: supportedOperations };
  }

  /**
   * Reports required extensions: as warnings if `omissionNote` is defined, otherwise as errors. The note is a sentence
   * that names the definitions that are left out because of the extensions.
   */
  #reportExtensions(extensions: readonly RequiredExtension[], omissionNote: string | undefined): void {
    for (const { span, message } of extensions) {
      if (omissionNote === undefined) {
        this.#reports.unresolved("WSDL006", span, { message, ...ignoredExtension });
      } else {
        this.#reports.warning("WSDL006", span, { message: `${message} ${omissionNote}`, help: ignoredExtension.help });
      }
    }
  }

  #findMessage(reference: Reference, referrer: string): MessageComponent | undefined {
    const match = this.#definitions.messages.find(reference);
    if (match !== undefined) {
      return this.#messages.get(match.definition);
    }
    const fallback = "An empty message is used.";
    this.#definitions.messages.reportUnknown(reference, { code: "WSDL011", referrer, fallback });
    return this.#reports.strictness === "lenient" ? createEmptyMessage(reference) : undefined;
  }

  #findBoundPortType(reference: Reference, binding: string): PortTypeComponent | undefined {
    const match = this.#definitions.portTypes.find(reference);
    if (match !== undefined) {
      return this.#portTypes.get(match.definition);
    }
    const fallback = "A port type with the bound operations and empty messages is used.";
    this.#definitions.portTypes.reportUnknown(reference, {
      code: "WSDL014",
      referrer: `The binding "${binding}"`,
      fallback,
    });
    return this.#reports.strictness === "lenient" ? createEmptyPortType(reference) : undefined;
  }

  #resolvePortType(portType: PortType, name: QName): PortTypeComponent {
    const operations: OperationComponent[] = [];
    const operationsByName = new Map<string, OperationComponent[]>();
    for (const operation of portType.operations.map((operation) => this.#resolveOperation(operation))) {
      const overloads = operationsByName.get(operation.name) ?? [];
      const earlierOperation = overloads.find((other) => isSameOperation(other, operation));
      if (earlierOperation === undefined) {
        operations.push(operation);
        operationsByName.set(operation.name, [...overloads, operation]);
      } else {
        this.#reportDefinedTwice(operation, earlierOperation);
      }
    }
    const { span, documentation, policies } = portType;
    return { name, span, documentation, policies, operations };
  }

  /**
   * Reports an operation with the same name and messages as another operation, which WSDL 1.1 §2.4.5 does not allow.
   */
  #reportDefinedTwice(operation: OperationComponent, previous: OperationComponent): void {
    this.#reports.violation("WSDL010", operation.nameSpan, {
      message: `The operation "${operation.name}" is defined twice, with the same messages. The first definition is used.`,
      help: `The other operation is at ${formatPosition(previous.nameSpan)}. Remove one of the two.`,
    });
  }

  #resolveOperation(operation: Operation): OperationComponent {
    const { span, documentation, primitive, parameterOrder } = operation;
    const [inputName, outputName] = createDefaultNames(operation);
    const input = operation.input === undefined ? this.#createEmptyInput(operation, inputName) : undefined;
    return {
      name: operation.name.text,
      nameSpan: operation.name.span,
      span,
      documentation,
      primitive,
      input: input ?? this.#resolveOperationMessage(operation.input, inputName),
      output: this.#resolveOperationMessage(operation.output, outputName),
      faults: this.#resolveFaults(operation),
      parameterOrder,
    };
  }

  #resolveOperationMessage(
    operation: OperationMessage | undefined,
    defaultName: string,
  ): OperationMessageComponent | undefined {
    if (operation === undefined) {
      return undefined;
    }
    const name = operation.name?.text ?? defaultName;
    const message = this.#findMessage(operation.message, `The input or output "${name}"`);
    return message && { name, span: operation.span, message, action: operation.action };
  }

  /**
   * Creates an empty input for an operation that has only an output; in lenient mode, also for an operation without
   * messages.
   */
  #createEmptyInput({ name, span, output }: Operation, defaultName: string): OperationMessageComponent | undefined {
    if (output === undefined && this.#reports.strictness !== "lenient") {
      return undefined;
    }
    return { name: defaultName, span, message: createEmptyMessage({ ...name, namespace: "", local: name.text }) };
  }

  #resolveFaults(operation: Operation): readonly OperationFaultComponent[] {
    const faults: OperationFaultComponent[] = [];
    for (const fault of operation.faults) {
      const message = this.#findMessage(fault.message, `The fault "${fault.name.text}"`);
      if (message === undefined) {
        continue;
      }
      const { name, span, documentation, action } = fault;
      faults.push({ name: name.text, span, documentation, message, action });
    }
    return faults;
  }

  #resolveService(service: Service, name: QName): ServiceComponent {
    const ports: PortComponent[] = [];
    for (const port of service.ports) {
      const match = this.#definitions.bindings.find(port.binding);
      if (match === undefined) {
        const referrer = `The port "${port.name.text}"`;
        this.#definitions.bindings.reportUnknown(port.binding, {
          code: "WSDL015",
          referrer,
          fallback: "The port is left out.",
        });
      }
      const binding = match && this.#bindings.get(match.definition);
      if (binding === undefined) {
        continue;
      }
      if (this.#canLeaveOutPort(port, service)) {
        this.#bindingsWithoutPort.add(binding);
        continue;
      }
      const { span, documentation, address, addressing, policies } = port;
      ports.push({ name: port.name.text, span, documentation, binding, address, addressing, policies });
    }
    return { name, span: service.span, documentation: service.documentation, ports };
  }

  /**
   * Whether a port can be left out because it requires an unsupported extension, and other ports of the service serve
   * all its operations over SOAP. Reports the extensions.
   */
  #canLeaveOutPort(port: Port, service: Service): boolean {
    if (!needsExtension(port)) {
      return false;
    }
    const isServed = this.#servedOverSoap.otherPortsServeAll(port, service);
    const omissionNote = `The port "${port.name.text}" is left out, because other ports serve its operations over SOAP.`;
    this.#reportExtensions(port.requiredExtensions, isServed ? omissionNote : undefined);
    return isServed;
  }
}

function createEmptyMessage({ namespace, local, span }: Reference): MessageComponent {
  return { name: { namespace, local }, span, documentation: undefined, parts: [], isComplete: false };
}

function createEmptyPortType({ namespace, local, span }: Reference): PortTypeComponent {
  return { name: { namespace, local }, span, documentation: undefined, policies: [], operations: [] };
}

/** Returns the default names of an operation's input and output (WSDL 1.1 §2.4.5). */
function createDefaultNames({ name, primitive }: Operation): readonly [string, string] {
  switch (primitive) {
    case "one-way":
    case "notification":
      return [name.text, name.text];
    case "request-response":
      return [`${name.text}Request`, `${name.text}Response`];
    case "solicit-response":
      return [`${name.text}Response`, `${name.text}Solicit`];
  }
}

function isSameOperation(a: OperationComponent, b: OperationComponent): boolean {
  return a.name === b.name && a.input?.message === b.input?.message && a.output?.message === b.output?.message;
}
