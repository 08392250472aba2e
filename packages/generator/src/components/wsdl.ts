import type {
  Binding,
  Message,
  Operation,
  OperationMessage,
  PortType,
  Reference,
  Service,
} from "../read/wsdl/documents.js";
import type { WsdlDocuments, WsdlRoot } from "../read/wsdl/read-wsdl.js";
import type { Diagnostics } from "../source/diagnostics.js";
import type { QName } from "../source/qname.js";
import { type SourceLimits, sourceLimits } from "../source/source-limits.js";
import { resolveBinding } from "./wsdl-bindings.js";
import { resolveMessage } from "./wsdl-messages.js";
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
} from "./wsdl-model.js";
import { Problems, placeOf, Symbols } from "./wsdl-scope.js";
import { resolveSchema } from "./xsd/resolve-schema.js";
import type { SchemaComponents } from "./xsd/schema-components.js";

/** Resolves every name in the WSDLs and schemas of an interface; broken references are reported where they stand. */
export function resolveWsdl(
  documents: WsdlDocuments,
  diagnostics: Diagnostics,
  limits: SourceLimits = sourceLimits,
): WsdlComponents {
  const schema = resolveSchema(documents.schemas, diagnostics, limits);
  const problems = new Problems(diagnostics);
  return { schema, files: documents.roots.map((root) => new FileResolution(root, schema, problems).file()) };
}

/** The names of one WSDL and its imports; another WSDL of the interface may use the same names for other things. */
class FileResolution {
  readonly #root: WsdlRoot;
  readonly #problems: Problems;
  readonly #messages = new Map<object, MessageComponent>();
  readonly #portTypes = new Map<object, PortTypeComponent>();
  readonly #bindings = new Map<object, BindingComponent>();
  readonly #schema: SchemaComponents;
  readonly #symbols;

  constructor(root: WsdlRoot, schema: SchemaComponents, problems: Problems) {
    this.#root = root;
    this.#schema = schema;
    this.#problems = problems;
    this.#symbols = symbolsOf(root, problems);
  }

  file(): WsdlFile {
    const [first] = this.#root.definitions;
    for (const { definition, qname } of this.#symbols.messages.all) {
      this.#messages.set(
        definition,
        resolveMessage(definition, qname, { schema: this.#schema, problems: this.#problems }),
      );
    }
    for (const { definition, qname } of this.#symbols.portTypes.all) {
      this.#portTypes.set(definition, this.#portType(definition, qname));
    }
    for (const { definition, qname } of this.#symbols.bindings.all) {
      const portType = this.#boundPortType(definition.type, definition.name.text);
      const message = (reference: Reference, who: string) => this.#message(reference, who);
      if (portType === undefined) continue;
      const context = { portType, message, problems: this.#problems };
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

  #message(reference: Reference, who: string): MessageComponent | undefined {
    const found = this.#symbols.messages.find(reference);
    if (found !== undefined) return this.#messages.get(found.definition);
    const instead = "It is taken for an empty message.";
    this.#symbols.messages.unknown(reference, { code: "WSDL011", who, instead });
    return this.#problems.lenient ? emptyMessage(reference) : undefined;
  }

  #boundPortType(reference: Reference, binding: string): PortTypeComponent | undefined {
    const found = this.#symbols.portTypes.find(reference);
    if (found !== undefined) return this.#portTypes.get(found.definition);
    const instead = "It is taken for one with the operations that are bound, all of them with empty messages.";
    this.#symbols.portTypes.unknown(reference, { code: "WSDL014", who: `Binding "${binding}"`, instead });
    return this.#problems.lenient ? emptyPortType(reference) : undefined;
  }

  #portType(portType: PortType, name: QName): PortTypeComponent {
    const operations: OperationComponent[] = [];
    const byName = new Map<string, OperationComponent[]>();
    for (const operation of portType.operations.map((one) => this.#operation(one))) {
      const named = byName.get(operation.name) ?? [];
      const before = named.find((other) => isSameOperation(other, operation));
      if (before === undefined) {
        operations.push(operation);
        byName.set(operation.name, [...named, operation]);
      } else this.#reportTwice(operation, before);
    }
    return { name, span: portType.span, documentation: portType.documentation, operations };
  }

  /** WSDL 1.1 §2.4.5: operations of one name differ in their messages, or nothing tells them apart. */
  #reportTwice(operation: OperationComponent, before: OperationComponent): void {
    this.#problems.unresolved("WSDL010", operation.nameSpan, {
      message: `The operation "${operation.name}" is defined twice, with the same messages.`,
      help: `The other one is at ${placeOf(before.nameSpan)}.`,
      instead: "The first is kept.",
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

  #operationMessage(one: OperationMessage | undefined, byDefault: string): OperationMessageComponent | undefined {
    if (one === undefined) return undefined;
    const name = one.name?.text ?? byDefault;
    const message = this.#message(one.message, `"${name}"`);
    return message && { name, message, action: one.action?.text };
  }

  /** An operation without an input takes an empty message, where that is let pass. */
  #silentInput({ name }: Operation, byDefault: string): OperationMessageComponent | undefined {
    if (!this.#problems.lenient) return undefined;
    return { name: byDefault, message: emptyMessage({ ...name, namespace: "", local: name.text }) };
  }

  #faults(operation: Operation): readonly OperationFaultComponent[] {
    const faults: OperationFaultComponent[] = [];
    for (const fault of operation.faults) {
      const message = this.#message(fault.message, `Fault "${fault.name.text}"`);
      if (message === undefined) continue;
      const { name, span, documentation, action } = fault;
      faults.push({ name: name.text, span, documentation, message, action: action?.text });
    }
    return faults;
  }

  #service(service: Service, name: QName): ServiceComponent {
    const ports: PortComponent[] = [];
    for (const port of service.ports) {
      const found = this.#symbols.bindings.find(port.binding);
      if (found === undefined) {
        const who = `Port "${port.name.text}"`;
        this.#symbols.bindings.unknown(port.binding, { code: "WSDL015", who, instead: "The port is left out." });
      }
      const binding = found && this.#bindings.get(found.definition);
      if (binding === undefined) continue;
      const { span, documentation, address, addressing } = port;
      ports.push({ name: port.name.text, span, documentation, binding, address, addressing });
    }
    return { name, span: service.span, documentation: service.documentation, ports };
  }
}

function emptyMessage({ namespace, local, span }: Reference): MessageComponent {
  return { name: { namespace, local }, span, documentation: undefined, parts: [], complete: false };
}

function emptyPortType({ namespace, local, span }: Reference): PortTypeComponent {
  return { name: { namespace, local }, span, documentation: undefined, operations: [] };
}

function symbolsOf(root: WsdlRoot, problems: Problems) {
  const messages = new Symbols<Message>("message", problems);
  const portTypes = new Symbols<PortType>("port type", problems);
  const bindings = new Symbols<Binding>("binding", problems);
  const services = new Symbols<Service>("service", problems);
  for (const definitions of root.definitions) {
    messages.add(definitions, definitions.messages);
    portTypes.add(definitions, definitions.portTypes);
    bindings.add(definitions, definitions.bindings);
    services.add(definitions, definitions.services);
  }
  return { messages, portTypes, bindings, services };
}

/** WSDL 1.1 §2.4.5. */
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
