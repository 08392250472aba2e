import { clark } from "@bothends/xml";
import type {
  Binding,
  BindingOperation,
  Definitions,
  Message,
  Port,
  PortType,
  Reference,
  Service,
} from "../../read/wsdl/documents.js";
import type { WsdlRoot } from "../../read/wsdl/read-wsdl.js";
import type { Code } from "../../source/catalogue/index.js";
import type { ReportOnce } from "../../source/diagnostics.js";
import { formatPosition, type SourceText, type SpannedText } from "../../source/span.js";
import { findNearestQName, type QName, wsdlNamespace } from "../../source/xml-names.js";

// Tables of the definitions in a WSDL, for looking up names, finding duplicates, and finding the operations that SOAP
// bindings serve.

/** The tables of a WSDL's definitions by name. */
export type DefinitionTables = ReturnType<typeof createDefinitionTables>;

/** Creates tables of the messages, port types, bindings and services in a WSDL and its imports. */
export function createDefinitionTables(root: WsdlRoot, reports: ReportOnce) {
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

/**
 * How a reference to an unknown definition is reported. `referrer` is the subject of the message: `The port "Quotes"`.
 */
interface UnknownDefinition {
  readonly code: Code;
  readonly referrer: string;
  readonly fallback: string;
}

interface NamedDefinition {
  readonly name: SpannedText;
}

/**
 * A table of all definitions of one kind, such as port types, by name. Names are unique only within one kind (WSDL 1.1
 * §2.1.1).
 */
class DefinitionTable<T extends NamedDefinition> {
  readonly #kind: string;
  readonly #definitionsByName = new Map<string, { readonly definition: T; readonly qname: QName }>();
  readonly #reports: ReportOnce;
  readonly #namespaces = new Map<SourceText, string>();

  constructor(kind: string, reports: ReportOnce) {
    this.#kind = kind;
    this.#reports = reports;
  }

  add(definitions: Definitions, items: readonly T[]): void {
    this.#namespaces.set(definitions.source, definitions.targetNamespace);
    for (const definition of items) {
      const qname = { namespace: definitions.targetNamespace, local: definition.name.text };
      const name = clark(qname.namespace, qname.local);
      const previousDefinition = this.#definitionsByName.get(name);
      if (previousDefinition === undefined) {
        this.#definitionsByName.set(name, { definition, qname });
      } else if (previousDefinition.definition !== definition) {
        this.#reportDuplicate(definition, previousDefinition.definition);
      }
    }
  }

  #reportDuplicate(definition: T, firstDefinition: T): void {
    const { text, span } = definition.name;
    const message = `The ${this.#kind} "${text}" is defined twice`;
    const help = `The other definition is at ${formatPosition(firstDefinition.name.span)}.`;
    const isImportedService = this.#kind === "service" && span.source !== firstDefinition.name.span.source;
    if (isImportedService) {
      this.#reports.violation("WSDL010", span, {
        message: `${message}. The definition that was read first is used.`,
        help,
      });
    } else if (formatDefinition(definition) === formatDefinition(firstDefinition)) {
      this.#reports.violation("WSDL010", span, { message: `${message}. Both definitions are the same.`, help });
    } else {
      this.#reports.unresolved("WSDL010", span, {
        message: `${message}.`,
        help,
        fallback: "The first definition is used.",
      });
    }
  }

  get all(): readonly { readonly definition: T; readonly qname: QName }[] {
    return [...this.#definitionsByName.values()];
  }

  find(reference: Reference): { readonly definition: T; readonly qname: QName } | undefined {
    return this.#definitionsByName.get(clark(reference.namespace, reference.local)) ?? this.#findUnprefixed(reference);
  }

  /** Reports a reference to an unknown definition. */
  reportUnknown(reference: Reference, { code, referrer, fallback }: UnknownDefinition): void {
    this.#reports.unresolved(code, reference.span, {
      message: `${referrer} refers to the ${this.#kind} ${reference.text}, which no document defines.`,
      suggestion: this.#findSuggestionFor(reference),
      fallback,
    });
  }

  #findUnprefixed(reference: Reference): { readonly definition: T; readonly qname: QName } | undefined {
    if (!isUnprefixed(reference)) {
      return undefined;
    }
    const namespace = this.#namespaces.get(reference.span.source) ?? "";
    const match = this.#definitionsByName.get(clark(namespace, reference.local));
    if (match === undefined) {
      return undefined;
    }
    this.#reports.violation("WSDL027", reference.span, {
      message: `The name ${reference.text} has no prefix. It is read as a name in ${namespace}.`,
      help: "Write a prefix that is bound to the target namespace.",
    });
    return match;
  }

  #findSuggestionFor(reference: Reference): string | undefined {
    const nearestName = findNearestQName(reference, this.#definitionsByName.keys());
    const match = nearestName && this.#definitionsByName.get(clark(nearestName.namespace, nearestName.local));
    if (match === undefined) {
      return undefined;
    }
    return `${formatAsWritten(match.qname, reference)} (${formatPosition(match.definition.name.span)})`;
  }
}

/** Formats a definition without positions and documentation, so that two definitions can be compared. */
export function formatDefinition(definition: NamedDefinition): string {
  const ignoredKeys = new Set(["span", "documentation"]);
  return JSON.stringify(definition, (key, value) => (ignoredKeys.has(key) ? undefined : value));
}

/**
 * Whether a name has no prefix and no usable default namespace: the default namespace is absent, or it is the namespace
 * of WSDL, which contains no definitions. The author then probably meant a name in a target namespace.
 */
export function isUnprefixed({ text, namespace }: Reference): boolean {
  return !text.includes(":") && (namespace === "" || namespace === wsdlNamespace);
}

/**
 * Formats a name for a suggestion: with the prefix of the reference if both are in one namespace, otherwise in Clark
 * notation.
 */
export function formatAsWritten(name: QName, reference: Reference): string {
  if (name.namespace !== reference.namespace) {
    return clark(name.namespace, name.local);
  }
  const colon = reference.text.indexOf(":");
  return reference.text.slice(0, colon + 1) + name.local;
}

/**
 * The operations of a WSDL that SOAP bindings serve. For these operations, unusable definitions may be left out:
 * messages of HTTP bindings, and bindings and ports that require an unsupported extension.
 */
export class ServedOverSoap {
  readonly #definitions: DefinitionTables;
  /** The names of the operations that any of the bindings offers over SOAP. */
  readonly #namesOfAllBindings: SoapNames;
  /**
   * For each binding, the services that have a port for it, each with the names of the operations that the service
   * offers over SOAP.
   */
  readonly #servicesByBinding = new Map<Binding, Map<Service, SoapNames>>();

  constructor(definitions: DefinitionTables) {
    this.#definitions = definitions;
    this.#namesOfAllBindings = this.#collectSoapNames(definitions.bindings.all.map(({ definition }) => definition));
    for (const { definition: service } of definitions.services.all) {
      const names = this.#collectSoapNames(this.#listBindings(service.ports.filter((port) => !needsExtension(port))));
      for (const binding of this.#listBindings(service.ports)) {
        this.#servicesByBinding.set(binding, (this.#servicesByBinding.get(binding) ?? new Map()).set(service, names));
      }
    }
  }

  /**
   * Returns the names of the operations that other bindings serve over SOAP. If services have ports for this binding,
   * each of these services must serve the operation through another binding. Otherwise, any other binding of the port
   * type is enough.
   */
  listNamesServedByOtherBindings(binding: Binding): ReadonlySet<string> {
    const services = this.#servicesByBinding.get(binding);
    if (services === undefined) {
      return this.#listNamesOfPortType(binding, this.#namesOfAllBindings);
    }
    const [firstNames = noNames, ...otherNames] = [...services.values()].map((names) =>
      this.#listNamesServedInService(binding, names),
    );
    return otherNames.length === 0
      ? firstNames
      : new Set([...firstNames].filter((name) => otherNames.every((names) => names.has(name))));
  }

  /** Whether other bindings serve all operations of a binding; false if the binding has no operations. */
  otherBindingsServeAll(binding: Binding): boolean {
    return areAllServed(this.listNamesServedByOtherBindings(binding), binding.operations);
  }

  /** Whether other ports of the service serve all operations of a port. */
  otherPortsServeAll(port: Port, service: Service): boolean {
    return this.#listBindings([port]).every((binding) => {
      const names = this.#servicesByBinding.get(binding)?.get(service);
      return names !== undefined && areAllServed(this.#listNamesServedInService(binding, names), binding.operations);
    });
  }

  /** Returns the messages that only HTTP bindings use, if all their operations can also be called over SOAP. */
  listReplaceableMessages(): ReadonlySet<Message> {
    const { bindings, messages, portTypes } = this.#definitions;
    const bindingsByPortType = new Map<PortType | undefined, Binding[]>();
    const requiredMessages = new Set<Message | undefined>();
    for (const { definition } of bindings.all) {
      const portType = portTypes.find(definition.type)?.definition;
      const portTypeBindings = bindingsByPortType.get(portType);
      if (portTypeBindings === undefined) {
        bindingsByPortType.set(portType, [definition]);
      } else {
        portTypeBindings.push(definition);
      }
      for (const header of definition.operations.flatMap(listHeaderMessages)) {
        requiredMessages.add(messages.find(header)?.definition);
      }
    }
    const replaceableMessages = new Set<Message>();
    for (const { definition: portType } of portTypes.all) {
      const portTypeBindings = bindingsByPortType.get(portType) ?? [];
      const isOnlyHttp = portTypeBindings.length > 0 && portTypeBindings.every(isHttp);
      const servedNames = isOnlyHttp
        ? portTypeBindings.map((binding) => this.listNamesServedByOtherBindings(binding))
        : [];
      for (const { name, input, output, faults } of portType.operations) {
        const isReplaceable = isOnlyHttp && servedNames.every((names) => names.has(name.text));
        for (const operationMessage of [input, output, ...faults].filter((candidate) => candidate !== undefined)) {
          const message = messages.find(operationMessage.message)?.definition;
          if (message !== undefined) {
            (isReplaceable ? replaceableMessages : requiredMessages).add(message);
          }
        }
      }
    }
    return new Set([...replaceableMessages].filter((message) => !requiredMessages.has(message)));
  }

  #collectSoapNames(bindings: readonly Binding[]): SoapNames {
    const names = { allNames: new Set<string>(), namesByPortType: new Map<PortType, Set<string>>() };
    for (const binding of bindings) {
      const portType = this.#definitions.portTypes.find(binding.type)?.definition;
      const portTypeNames = (portType && names.namesByPortType.get(portType)) ?? new Set();
      for (const name of listSoapOperations(binding)) {
        names.allNames.add(name);
        portTypeNames.add(name);
      }
      if (portType !== undefined) {
        names.namesByPortType.set(portType, portTypeNames);
      }
    }
    return names;
  }

  /**
   * Within a service, an HTTP operation and a SOAP operation with the same name count as one operation, even if their
   * port types and messages differ.
   */
  #listNamesServedInService(binding: Binding, names: SoapNames): ReadonlySet<string> {
    return isHttp(binding) ? names.allNames : this.#listNamesOfPortType(binding, names);
  }

  #listNamesOfPortType({ type }: Binding, { namesByPortType }: SoapNames): ReadonlySet<string> {
    const portType = this.#definitions.portTypes.find(type)?.definition;
    return (portType && namesByPortType.get(portType)) ?? noNames;
  }

  #listBindings(ports: readonly Port[]): readonly Binding[] {
    return ports
      .map(({ binding }) => this.#definitions.bindings.find(binding)?.definition)
      .filter((part) => part !== undefined);
  }
}

/** The names of operations that SOAP bindings serve without an unsupported extension. */
interface SoapNames {
  readonly allNames: ReadonlySet<string>;
  readonly namesByPortType: ReadonlyMap<PortType, ReadonlySet<string>>;
}

const noNames: ReadonlySet<string> = new Set();

/** Whether a port or an operation requires an extension of WSDL that is not supported. */
export function needsExtension({ requiredExtensions }: Port | BindingOperation): boolean {
  return requiredExtensions.length > 0;
}

function isHttp({ protocolBinding }: Binding): boolean {
  return protocolBinding?.kind === "httpBinding";
}

/** Whether all operations of a binding are in `servedNames`; false if the binding has no operations. */
function areAllServed(servedNames: ReadonlySet<string>, operations: readonly BindingOperation[]): boolean {
  return operations.length > 0 && operations.every(({ name }) => servedNames.has(name.text));
}

/** Returns the names of those operations of a SOAP binding that do not require an unsupported extension. */
function listSoapOperations({ protocolBinding, operations, requiredExtensions }: Binding): readonly string[] {
  if (protocolBinding?.kind !== "soapBinding" || requiredExtensions.length > 0) {
    return [];
  }
  // Two operations of a binding may have the same name. If one of them requires an unsupported extension, both are
  // omitted.
  const unsupportedNames = new Set(operations.filter(needsExtension).map(({ name }) => name.text));
  return operations.map(({ name }) => name.text).filter((name) => !unsupportedNames.has(name));
}

function listHeaderMessages({ input, output }: BindingOperation): readonly Reference[] {
  return [input, output]
    .flatMap((message) => message?.extensions ?? [])
    .flatMap((extension) =>
      extension.kind === "soapHeader"
        ? [extension.message, ...extension.headerFaults.map(({ message }) => message)]
        : [],
    );
}
