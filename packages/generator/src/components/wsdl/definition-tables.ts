import { clark } from "@bothends/xml";
import type { Binding, Definitions, Message, PortType, Reference, Service } from "../../read/wsdl/documents.js";
import type { WsdlRoot } from "../../read/wsdl/read-wsdl.js";
import type { Code } from "../../source/catalogue/index.js";
import type { ReportOnce } from "../../source/diagnostics.js";
import { nearestQName, type QName, wsdlNamespace } from "../../source/names.js";
import { positionText, type SourceText, type SpannedText } from "../../source/span.js";

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

/** How a reference to an unknown definition is reported. `referrer` is the subject of the message, such as `The port "Quotes"`. */
interface UnknownDefinition {
  readonly code: Code;
  readonly referrer: string;
  readonly fallback: string;
}

interface NamedDefinition {
  readonly name: SpannedText;
}

/** A table of all messages, port types, bindings or services by name. Names are unique only within one kind (WSDL 1.1 §2.1.1). */
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
    const help = `The other definition is at ${positionText(firstDefinition.name.span)}.`;
    const isImportedService = this.#kind === "service" && span.source !== firstDefinition.name.span.source;
    if (isImportedService) {
      this.#reports.violation("WSDL010", span, {
        message: `${message}. The definition that was read first is used.`,
        help,
      });
    } else if (definitionText(definition) === definitionText(firstDefinition)) {
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
      suggestion: this.#suggestionFor(reference),
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

  #suggestionFor(reference: Reference): string | undefined {
    const nearestName = nearestQName(reference, this.#definitionsByName.keys());
    const match = nearestName && this.#definitionsByName.get(clark(nearestName.namespace, nearestName.local));
    if (match === undefined) {
      return undefined;
    }
    return `${nameAsWritten(match.qname, reference)} (${positionText(match.definition.name.span)})`;
  }
}

/** Writes a definition without positions and documentation, so that definitions can be compared. */
export function definitionText(definition: NamedDefinition): string {
  const ignoredKeys = new Set(["span", "documentation"]);
  return JSON.stringify(definition, (key, value) => (ignoredKeys.has(key) ? undefined : value));
}

/**
 * Whether a name has no prefix, and the default namespace is absent or is the namespace of WSDL, which contains no definitions. The
 * author of the document then means a name in a target namespace.
 */
export function isUnprefixed({ text, namespace }: Reference): boolean {
  return !text.includes(":") && (namespace === "" || namespace === wsdlNamespace);
}

/** Writes a name for a suggestion: with the prefix of the reference if it has the same namespace, otherwise in Clark notation. */
export function nameAsWritten(name: QName, reference: Reference): string {
  if (name.namespace !== reference.namespace) {
    return clark(name.namespace, name.local);
  }
  const colon = reference.text.indexOf(":");
  return reference.text.slice(0, colon + 1) + name.local;
}
