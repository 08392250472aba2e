import { clark } from "@bothends/xml";
import type { Definitions, Reference } from "../../read/wsdl/documents.js";
import type { Code } from "../../source/catalogue/index.js";
import type { ReportOnce } from "../../source/diagnostics.js";
import { wsdlNamespace } from "../../source/namespaces.js";
import { nearestQName, type QName } from "../../source/qname.js";
import { positionText, type SourceText, type SpannedText } from "../../source/span.js";

/** A reference to nothing: who refers, and what is done where that is let pass. */
interface UnknownDefinition {
  readonly code: Code;
  readonly referrer: string;
  readonly fallback: string;
}

/** A definition with a name of its own in a document. */
interface Named {
  readonly name: SpannedText;
}

/** The definitions of one kind (WSDL 1.1 §2.1.1: each kind has its own names) in a WSDL and its imports, by Clark name. */
export class DefinitionTable<T extends Named> {
  readonly #what: string;
  readonly #byName = new Map<string, { readonly definition: T; readonly qname: QName }>();
  readonly #reports: ReportOnce;
  readonly #namespaces = new Map<SourceText, string>();

  constructor(kind: string, reports: ReportOnce) {
    this.#what = kind;
    this.#reports = reports;
  }

  add(definitions: Definitions, items: readonly T[]): void {
    this.#namespaces.set(definitions.source, definitions.targetNamespace);
    for (const definition of items) {
      const qname = { namespace: definitions.targetNamespace, local: definition.name.text };
      const name = clark(qname.namespace, qname.local);
      const previous = this.#byName.get(name);
      if (previous === undefined) {
        this.#byName.set(name, { definition, qname });
      } else if (previous.definition !== definition) {
        this.#reportTwice(definition, previous.definition);
      }
    }
  }

  #reportTwice(definition: T, previous: T): void {
    const { text, span } = definition.name;
    const message = `The ${this.#what} "${text}" is defined twice`;
    const help = `The other definition is at ${positionText(previous.name.span)}.`;
    if (definitionText(definition) === definitionText(previous)) {
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
    return [...this.#byName.values()];
  }

  find(reference: Reference): { readonly definition: T; readonly qname: QName } | undefined {
    return this.#byName.get(clark(reference.namespace, reference.local)) ?? this.#unprefixed(reference);
  }

  /** Reports a reference to nothing, at the reference. */
  reportUnknown(reference: Reference, { code, referrer, fallback }: UnknownDefinition): void {
    this.#reports.unresolved(code, reference.span, {
      message: `${referrer} refers to ${this.#what} ${reference.text}, which no document defines.`,
      help: this.#suggestion(reference),
      fallback,
    });
  }

  #unprefixed(reference: Reference): { readonly definition: T; readonly qname: QName } | undefined {
    if (!isUnprefixed(reference)) return undefined;
    const namespace = this.#namespaces.get(reference.span.source) ?? "";
    const match = this.#byName.get(clark(namespace, reference.local));
    if (match === undefined) return undefined;
    this.#reports.violation("WSDL027", reference.span, {
      message: `${reference.text} has no prefix and is read as a name in ${namespace}.`,
      help: "Write a prefix that is bound to the target namespace.",
    });
    return match;
  }

  #suggestion(reference: Reference): string | undefined {
    const nearest = nearestQName(reference, this.#byName.keys());
    const match = nearest && this.#byName.get(clark(nearest.namespace, nearest.local));
    if (match === undefined) return undefined;
    return `Did you mean ${nameAsWritten(match.qname, reference)} (${positionText(match.definition.name.span)})?`;
  }
}

/** What a definition says, wherever it stands. */
function definitionText(definition: Named): string {
  const ignoredKeys = new Set(["span", "documentation"]);
  return JSON.stringify(definition, (key, value) => (ignoredKeys.has(key) ? undefined : value));
}

/**
 * A name without a prefix is in no namespace, or by the default namespace in WSDL's own, where there is nothing to refer to: it is
 * meant in a target namespace.
 */
export function isUnprefixed({ text, namespace }: Reference): boolean {
  return !text.includes(":") && (namespace === "" || namespace === wsdlNamespace);
}

/** A name as the place of a reference could write it: with the reference's prefix where the namespace is the same. */
export function nameAsWritten(name: QName, reference: Reference): string {
  if (name.namespace !== reference.namespace) return clark(name.namespace, name.local);
  const colon = reference.text.indexOf(":");
  return reference.text.slice(0, colon + 1) + name.local;
}
