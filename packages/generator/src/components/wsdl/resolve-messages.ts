import { clark } from "@bothends/xml";
import type { Message, Part, Reference } from "../../read/wsdl/documents.js";
import type { Code } from "../../source/catalogue/index.js";
import type { ReportOnce } from "../../source/diagnostics.js";
import { nearestQName, type QName, xsdNamespace } from "../../source/names.js";
import { positionText } from "../../source/span.js";
import type { ElementDeclaration, SchemaComponents, TypeDefinition } from "../xsd/schema-components.js";
import { isUnprefixed, nameAsWritten } from "./names.js";
import type { MessageComponent, PartComponent } from "./wsdl-components.js";

/** Resolves the elements and types of the parts of a message (WSDL 1.1 §2.3). */
export function resolveMessage(
  message: Message,
  name: QName,
  context: { readonly schema: SchemaComponents; readonly reports: ReportOnce },
): MessageComponent {
  const parts: PartComponent[] = [];
  for (const part of message.parts) {
    const content = resolvePart(part, context.schema, context.reports);
    if (parts.some((other) => other.name === part.name.text)) {
      context.reports.unresolved("WSDL010", part.name.span, {
        message: `The message "${message.name.text}" has two parts named "${part.name.text}".`,
        help: "Rename one of them.",
        fallback: "The first part is used.",
      });
    } else if (content !== undefined) {
      parts.push({ name: part.name.text, span: part.span, documentation: part.documentation, content });
    }
  }
  const complete = parts.length === new Set(message.parts.map((part) => part.name.text)).size;
  return { name, span: message.span, documentation: message.documentation, parts, isComplete: complete };
}

function resolvePart(part: Part, schema: SchemaComponents, reports: ReportOnce): PartComponent["content"] | undefined {
  const { element, type, unreadable } = part;
  if (unreadable) {
    return undefined;
  }
  if ((element === undefined) === (type === undefined)) {
    reports.unresolved("WSDL018", part.span, {
      message: `Part "${part.name.text}" has ${element === undefined ? "neither an element nor a type" : "both an element and a type"}.`,
      fallback: element === undefined ? "The part may have any type." : "The element is used.",
    });
    if (reports.tolerance !== "lenient") {
      return undefined;
    }
  }
  if (element !== undefined) {
    return resolveElement(part, element, { schema, reports });
  }
  return type === undefined ? { kind: "type", type: anyType(schema) } : resolveType(part, type, { schema, reports });
}

interface Context {
  readonly schema: SchemaComponents;
  readonly reports: ReportOnce;
}

function resolveElement(part: Part, reference: Reference, context: Context): PartComponent["content"] | undefined {
  const { elements } = context.schema;
  const declaration = findByReference(elements, reference, context);
  if (declaration !== undefined) {
    return { kind: "element", declaration };
  }
  const problem = { code: "WSDL012", noun: "element", verb: "declares", known: elements } as const;
  reportUnknown(part, reference, { ...problem, ...context, fallback: "The element may have any type." });
  return context.reports.tolerance === "lenient"
    ? { kind: "element", declaration: untypedElement(reference, context.schema) }
    : undefined;
}

function resolveType(part: Part, reference: Reference, context: Context): PartComponent["content"] | undefined {
  const { types, builtinTypes } = context.schema;
  const type =
    builtinTypes.get(clark(reference.namespace, reference.local)) ??
    builtinInOtherCase(reference, context) ??
    findByReference(types, reference, context);
  if (type !== undefined) {
    return { kind: "type", type };
  }
  const problem = { code: "WSDL013", noun: "type", verb: "defines", known: types } as const;
  reportUnknown(part, reference, { ...problem, ...context, fallback: "The part may have any type." });
  return context.reports.tolerance === "lenient" ? { kind: "type", type: anyType(context.schema) } : undefined;
}

/** `xs:base64binary` can only mean `xs:base64Binary`. */
function builtinInOtherCase(reference: Reference, { schema, reports }: Context): TypeDefinition | undefined {
  if (reference.namespace !== xsdNamespace) {
    return undefined;
  }
  const lowerCase = reference.local.toLowerCase();
  const type = [...schema.builtinTypes.values()].find(({ name }) => name?.local.toLowerCase() === lowerCase);
  if (type?.name !== undefined) {
    reports.violation("WSDL013", reference.span, {
      message: `There is no type ${reference.text}. It is read as ${type.name.local}.`,
      help: `Write ${nameAsWritten(type.name, reference)}.`,
    });
  }
  return type;
}

/** Finds a component. A name without a prefix is found if only one namespace contains it. */
function findByReference<T>(
  known: ReadonlyMap<string, T>,
  reference: Reference,
  { schema, reports }: Context,
): T | undefined {
  const exact = known.get(clark(reference.namespace, reference.local));
  if (exact !== undefined || !isUnprefixed(reference)) {
    return exact;
  }
  const namespaces = [...schema.namespaces].filter((namespace) => known.has(clark(namespace, reference.local)));
  const [namespace = "", ...others] = namespaces;
  if (namespaces.length === 0 || others.length > 0) {
    return undefined;
  }
  reports.violation("WSDL027", reference.span, {
    message: `${reference.text} has no prefix and is read as a name in ${namespace}.`,
    help: "Write a prefix that is bound to that namespace.",
  });
  return known.get(clark(namespace, reference.local));
}

function anyType({ builtinTypes }: SchemaComponents): TypeDefinition {
  const type = builtinTypes.get(clark(xsdNamespace, "anyType"));
  if (type === undefined) {
    throw new Error("XSD without anyType");
  }
  return type;
}

/** Returns an element of any type, in place of an undeclared one. */
function untypedElement({ namespace, local, span }: Reference, schema: SchemaComponents): ElementDeclaration {
  return {
    kind: "element",
    span,
    documentation: undefined,
    name: { namespace, local },
    scope: "global",
    type: anyType(schema),
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

interface UnknownComponent extends Context {
  readonly code: Code;
  readonly noun: string;
  readonly verb: string;
  readonly known: ReadonlyMap<string, ElementDeclaration | TypeDefinition>;
  readonly fallback: string;
}

function reportUnknown(part: Part, reference: Reference, unknown: UnknownComponent): void {
  const { code, noun, verb, known, fallback, reports } = unknown;
  const nearest = nearestQName(reference, known.keys());
  const suggestion = nearest && known.get(clark(nearest.namespace, nearest.local));
  reports.unresolved(code, reference.span, {
    message: `Part "${part.name.text}" refers to ${noun} ${reference.text}, which no schema ${verb}.`,
    help:
      suggestion?.name &&
      `Did you mean ${nameAsWritten(suggestion.name, reference)} (${positionText(suggestion.span)})?`,
    fallback,
  });
}
