import type {
  Binding,
  Message,
  Operation,
  OperationMessage,
  PortType,
  Reference,
  Service,
} from "../../read/wsdl/documents.js";
import type { WsdlDocuments, WsdlRoot } from "../../read/wsdl/read-wsdl.js";
import { type Diagnostics, ReportOnce } from "../../source/diagnostics.js";
import type { QName } from "../../source/names.js";
import { type SourceLimits, sourceLimits } from "../../source/source-limits.js";
import { positionText } from "../../source/span.js";
import { resolveSchema } from "../xsd/resolve/schema.js";
import type { SchemaComponents } from "../xsd/schema-components.js";
import { DefinitionTable } from "./names.js";
import { resolveBinding, resolveMessage } from "./resolve-definitions.js";
import type {
  BindingComponent,
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
/** Resolves all names in the WSDLs and schemas of an interface, and reports unknown ones. */
export function resolveWsdl(
  documents: WsdlDocuments,
  diagnostics: Diagnostics,
  limits: SourceLimits = sourceLimits,
): WsdlComponents {
  const schema = resolveSchema(documents.schemas, diagnostics, limits);
  const reports = new ReportOnce(diagnostics);
  return { schema, files: documents.roots.map((root) => new FileResolution(root, schema, reports).file()) };
}

/** Resolves one WSDL and its imports. Another WSDL of the interface may use the same names for other definitions. */
class FileResolution {
  readonly #root: WsdlRoot;
  readonly #reports: ReportOnce;
  readonly #messages = new Map<object, MessageComponent>();
  readonly #portTypes = new Map<object, PortTypeComponent>();
  readonly #bindings = new Map<object, BindingComponent>();
  readonly #schema: SchemaComponents;
  readonly #symbols;

  constructor(root: WsdlRoot, schema: SchemaComponents, reports: ReportOnce) {
    this.#root = root;
    this.#schema = schema;
    this.#reports = reports;
    this.#symbols = definitionTables(root, reports);
  }

  file(): WsdlFile {
    const [first] = this.#root.definitions;
    for (const { definition, qname } of this.#symbols.messages.all) {
      this.#messages.set(
        definition,
        resolveMessage(definition, qname, { schema: this.#schema, reports: this.#reports }),
      );
    }
    for (const { definition, qname } of this.#symbols.portTypes.all) {
      this.#portTypes.set(definition, this.#portType(definition, qname));
    }
    for (const { definition, qname } of this.#symbols.bindings.all) {
      const portType = this.#boundPortType(definition.type, definition.name.text);
      const message = (reference: Reference, referrer: string) => this.#message(reference, referrer);
      if (portType === undefined) {
        continue;
      }
      const context = { portType, message, reports: this.#reports };
      this.#bindings.set(definition, resolveBinding(definition, qname, context));
    }
    return {
      path: this.#root.path,
      source: first.source,
      span: first.span,
      documentation: first.documentation,
      targetNamespace: first.targetNamespace,
      bindings: [...this.#bindings.values()],
      services: this.#symbols.services.all.map(({ definition, qname }) => this.#service(definition, qname)),
      namespaces: [...new Set(this.#root.definitions.map((definitions) => definitions.targetNamespace))],
    };
  }

  #message(reference: Reference, referrer: string): MessageComponent | undefined {
    const match = this.#symbols.messages.find(reference);
    if (match !== undefined) {
      return this.#messages.get(match.definition);
    }
    const fallback = "An empty message is used.";
    this.#symbols.messages.reportUnknown(reference, { code: "WSDL011", referrer: referrer, fallback: fallback });
    return this.#reports.tolerance === "lenient" ? emptyMessage(reference) : undefined;
  }

  #boundPortType(reference: Reference, binding: string): PortTypeComponent | undefined {
    const match = this.#symbols.portTypes.find(reference);
    if (match !== undefined) {
      return this.#portTypes.get(match.definition);
    }
    const fallback = "It is read as a port type with the bound operations and empty messages.";
    this.#symbols.portTypes.reportUnknown(reference, {
      code: "WSDL014",
      referrer: `Binding "${binding}"`,
      fallback: fallback,
    });
    return this.#reports.tolerance === "lenient" ? emptyPortType(reference) : undefined;
  }

  #portType(portType: PortType, name: QName): PortTypeComponent {
    const operations: OperationComponent[] = [];
    const byName = new Map<string, OperationComponent[]>();
    for (const operation of portType.operations.map((operation) => this.#operation(operation))) {
      const overloads = byName.get(operation.name) ?? [];
      const previous = overloads.find((other) => isSameOperation(other, operation));
      if (previous === undefined) {
        operations.push(operation);
        byName.set(operation.name, [...overloads, operation]);
      } else {
        this.#reportTwice(operation, previous);
      }
    }
    return { name, span: portType.span, documentation: portType.documentation, operations };
  }

  /** WSDL 1.1 §2.4.5: operations with the same name must have different messages. */
  #reportTwice(operation: OperationComponent, previous: OperationComponent): void {
    this.#reports.violation("WSDL010", operation.nameSpan, {
      message: `The operation "${operation.name}" is defined twice, with the same messages. The first one is used.`,
      help: `The other operation is at ${positionText(previous.nameSpan)}. Remove one of the two.`,
    });
  }

  #operation(operation: Operation): OperationComponent {
    const { span, documentation, primitive, parameterOrder } = operation;
    const [inputName, outputName] = defaultNames(operation);
    const input = operation.input === undefined ? this.#silentInput(operation, inputName) : undefined;
    return {
      name: operation.name.text,
      nameSpan: operation.name.span,
      span,
      documentation,
      primitive,
      input: input ?? this.#operationMessage(operation.input, inputName),
      output: this.#operationMessage(operation.output, outputName),
      faults: this.#faults(operation),
      parameterOrder,
    };
  }

  #operationMessage(
    operation: OperationMessage | undefined,
    defaultName: string,
  ): OperationMessageComponent | undefined {
    if (operation === undefined) {
      return undefined;
    }
    const name = operation.name?.text ?? defaultName;
    const message = this.#message(operation.message, `"${name}"`);
    return message && { name, message, action: operation.action?.text };
  }

  /** The empty message of an operation that has only an output; in lenient mode, also of one that has neither. */
  #silentInput({ name, output }: Operation, defaultName: string): OperationMessageComponent | undefined {
    if (output === undefined && this.#reports.tolerance !== "lenient") {
      return undefined;
    }
    return { name: defaultName, message: emptyMessage({ ...name, namespace: "", local: name.text }) };
  }

  #faults(operation: Operation): readonly OperationFaultComponent[] {
    const faults: OperationFaultComponent[] = [];
    for (const fault of operation.faults) {
      const message = this.#message(fault.message, `Fault "${fault.name.text}"`);
      if (message === undefined) {
        continue;
      }
      const { name, span, documentation, action } = fault;
      faults.push({ name: name.text, span, documentation, message, action: action?.text });
    }
    return faults;
  }

  #service(service: Service, name: QName): ServiceComponent {
    const ports: PortComponent[] = [];
    for (const port of service.ports) {
      const match = this.#symbols.bindings.find(port.binding);
      if (match === undefined) {
        const referrer = `Port "${port.name.text}"`;
        this.#symbols.bindings.reportUnknown(port.binding, {
          code: "WSDL015",
          referrer: referrer,
          fallback: "The port is left out.",
        });
      }
      const binding = match && this.#bindings.get(match.definition);
      if (binding === undefined) {
        continue;
      }
      const { span, documentation, address, addressing, policies } = port;
      ports.push({ name: port.name.text, span, documentation, binding, address, addressing, policies });
    }
    return { name, span: service.span, documentation: service.documentation, ports };
  }
}

function emptyMessage({ namespace, local, span }: Reference): MessageComponent {
  return { name: { namespace, local }, span, documentation: undefined, parts: [], isComplete: false };
}

function emptyPortType({ namespace, local, span }: Reference): PortTypeComponent {
  return { name: { namespace, local }, span, documentation: undefined, operations: [] };
}

function definitionTables(root: WsdlRoot, reports: ReportOnce) {
  const messages = new DefinitionTable<Message>("message", reports);
  const portTypes = new DefinitionTable<PortType>("port type", reports);
  const bindings = new DefinitionTable<Binding>("binding", reports);
  const services = new DefinitionTable<Service>("service", reports);
  for (const definitions of root.definitions) {
    messages.add(definitions, definitions.messages);
    portTypes.add(definitions, definitions.portTypes);
    bindings.add(definitions, definitions.bindings);
    services.add(definitions, definitions.services);
  }
  return { messages, portTypes, bindings, services };
}

/** Returns the default names of input and output (WSDL 1.1 §2.4.5). */
function defaultNames({ name, primitive }: Operation): readonly [string, string] {
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
