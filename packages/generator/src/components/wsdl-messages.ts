import { clark } from "@bothends/xml";
import type { Message, Part, Reference } from "../read/wsdl/documents.js";
import { xsdNamespace } from "../read/xsd/namespaces.js";
import type { Code } from "../source/catalogue/index.js";
import { nearestQName, type QName } from "../source/qname.js";
import type { MessageComponent, PartComponent } from "./wsdl-model.js";
import { isUnprefixed, type Problems, placeOf, spelled } from "./wsdl-scope.js";
import type { ElementDeclaration, SchemaComponents, TypeDefinition } from "./xsd/schema-components.js";

/** A message whose parts know their elements and types (WSDL 1.1 §2.3). */
export function resolveMessage(
  message: Message,
  name: QName,
  context: { readonly schema: SchemaComponents; readonly problems: Problems },
): MessageComponent {
  const parts: PartComponent[] = [];
  for (const part of message.parts) {
    const content = resolvePart(part, context.schema, context.problems);
    if (parts.some((other) => other.name === part.name.text)) {
      context.problems.unresolved("WSDL010", part.name.span, {
        message: `The message "${message.name.text}" has two parts "${part.name.text}".`,
        help: "Rename one of them.",
        instead: "The first is kept.",
      });
    } else if (content !== undefined) {
      parts.push({ name: part.name.text, span: part.span, documentation: part.documentation, content });
    }
  }
  const complete = parts.length === new Set(message.parts.map((part) => part.name.text)).size;
  return { name, span: message.span, documentation: message.documentation, parts, complete };
}

function resolvePart(part: Part, schema: SchemaComponents, problems: Problems): PartComponent["content"] | undefined {
  const { element, type, unreadable } = part;
  if (unreadable) return undefined;
  if ((element === undefined) === (type === undefined)) {
    problems.unresolved("WSDL018", part.span, {
      message: `Part "${part.name.text}" has ${element === undefined ? "neither an element nor a type" : "both an element and a type"}.`,
      instead: `It is taken for ${element === undefined ? "any type" : "the element"}.`,
    });
    if (!problems.lenient) return undefined;
  }
  if (element !== undefined) return resolveElement(part, element, { schema, problems });
  return type === undefined ? { kind: "type", type: anyType(schema) } : resolveType(part, type, { schema, problems });
}

interface Context {
  readonly schema: SchemaComponents;
  readonly problems: Problems;
}

function resolveElement(part: Part, reference: Reference, context: Context): PartComponent["content"] | undefined {
  const { elements } = context.schema;
  const declaration = find(elements, reference, context);
  if (declaration !== undefined) return { kind: "element", declaration };
  const unknown = { code: "WSDL012", what: "element", verb: "declares", known: elements } as const;
  reportUnknown(part, reference, { ...unknown, ...context, instead: "It is taken for an element of any type." });
  return context.problems.lenient
    ? { kind: "element", declaration: openElement(reference, context.schema) }
    : undefined;
}

function resolveType(part: Part, reference: Reference, context: Context): PartComponent["content"] | undefined {
  const { types, builtinTypes } = context.schema;
  const type = builtinTypes.get(clark(reference.namespace, reference.local)) ?? find(types, reference, context);
  if (type !== undefined) return { kind: "type", type };
  const unknown = { code: "WSDL013", what: "type", verb: "defines", known: types } as const;
  reportUnknown(part, reference, { ...unknown, ...context, instead: "It is taken for any type." });
  return context.problems.lenient ? { kind: "type", type: anyType(context.schema) } : undefined;
}

/** A name without a prefix is meant in the one namespace that has it. */
function find<T>(known: ReadonlyMap<string, T>, reference: Reference, { schema, problems }: Context): T | undefined {
  const exact = known.get(clark(reference.namespace, reference.local));
  if (exact !== undefined || !isUnprefixed(reference)) return exact;
  const namespaces = [...schema.namespaces].filter((namespace) => known.has(clark(namespace, reference.local)));
  const [namespace = "", ...others] = namespaces;
  if (namespaces.length === 0 || others.length > 0) return undefined;
  problems.breach("WSDL027", reference.span, {
    message: `${reference.text} has no prefix, and is read as ${reference.text} in ${namespace}.`,
    help: "Write a prefix that stands for that namespace.",
  });
  return known.get(clark(namespace, reference.local));
}

function anyType({ builtinTypes }: SchemaComponents): TypeDefinition {
  const type = builtinTypes.get(clark(xsdNamespace, "anyType"));
  if (type === undefined) throw new Error("XSD without anyType");
  return type;
}

/** An element that no schema declares, as the reference has it. */
function openElement({ namespace, local, span }: Reference, schema: SchemaComponents): ElementDeclaration {
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

interface Unknown extends Context {
  readonly code: Code;
  readonly what: string;
  readonly verb: string;
  readonly known: ReadonlyMap<string, ElementDeclaration | TypeDefinition>;
  readonly instead: string;
}

function reportUnknown(part: Part, reference: Reference, unknown: Unknown): void {
  const { code, what, verb, known, instead, problems } = unknown;
  const close = nearestQName(reference, known.keys());
  const found = close && known.get(clark(close.namespace, close.local));
  problems.unresolved(code, reference.span, {
    message: `Part "${part.name.text}" refers to ${what} ${reference.text}, which no schema ${verb}.`,
    help: found?.name && `Did you mean ${spelled(found.name, reference)} (${placeOf(found.span)})?`,
    instead,
  });
}
