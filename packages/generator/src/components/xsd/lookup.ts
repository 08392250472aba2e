import { emptyContext, type TextContext } from "@bothends/datatypes";
import { clark, type XmlElement } from "@bothends/xml";
import type { Reference } from "../../read/xsd/documents.js";
import { resolveQName } from "../../read/xsd/xsd-element.js";
import { xsdNamespace } from "../../source/namespaces.js";
import { nearestQName, type QName } from "../../source/qname.js";
import { positionText, type Span } from "../../source/span.js";
import { builtinTypes } from "./builtin-types.js";
import { componentNouns, type SymbolSpace, unknownNameCodes } from "./declarations.js";
import type {
  MutableAttribute,
  MutableAttributeGroup,
  MutableElement,
  MutableGroup,
  Resolution,
  Scope,
} from "./resolution.js";
import type { NotationDeclaration, TypeDefinition } from "./schema-components.js";

/** The number of unknown names that get a suggestion, because each is compared with all names. */
const maxSuggestions = 100;

/** The name that a reference stands for. In a chameleon document, names without a namespace are in its namespace (Part 1 §4.2.1). */
export function nameInScope(name: QName, scope: Scope): QName {
  return name.namespace === "" && scope.document.chameleon
    ? { namespace: scope.document.namespace, local: name.local }
    : name;
}

/** Resolves prefixes in values inside an element. */
export function textContext(element: XmlElement, scope: Scope): TextContext {
  return {
    ...emptyContext,
    resolve(prefix) {
      const name = resolveQName(`${prefix}:`, element);
      return name && nameInScope(name, scope).namespace;
    },
  };
}

export function findType(reference: Reference, scope: Scope, resolution: Resolution): TypeDefinition | undefined {
  const name = nameInScope(reference.name, scope);
  const { redefined } = scope;
  if (redefined?.space === "type" && redefined.key === clark(name.namespace, name.local)) {
    const { component } = redefined;
    if (component.kind === "complexType" || component.kind === "simpleType") {
      return component;
    }
  }
  const lookup = { reference, scope, resolution };
  const builtin = builtinTypes.get(clark(name.namespace, name.local));
  if (builtin !== undefined) {
    return builtin;
  }
  const inOtherCase = builtinInOtherCase(name, lookup);
  if (inOtherCase !== undefined) {
    return inOtherCase;
  }
  const unprefixedBuiltin = name.namespace === "" ? builtinTypes.get(clark(xsdNamespace, name.local)) : undefined;
  if (unprefixedBuiltin === undefined || resolution.types.has(clark("", name.local))) {
    return find("type", resolution.types, lookup);
  }
  const { namespace } = scope.document;
  const declared = resolution.types.get(clark(namespace, name.local));
  reportUnprefixed(declared === undefined ? xsdNamespace : namespace, lookup);
  return declared ?? unprefixedBuiltin;
}

/** `xs:base64binary` can only mean `xs:base64Binary`. */
function builtinInOtherCase(name: QName, { reference, resolution }: Lookup): TypeDefinition | undefined {
  if (name.namespace !== xsdNamespace || resolution.types.has(clark(xsdNamespace, name.local))) {
    return undefined;
  }
  const lowerCase = name.local.toLowerCase();
  const type = [...builtinTypes.values()].find((each) => each.name?.local.toLowerCase() === lowerCase);
  if (type?.name !== undefined) {
    resolution.diagnostics.violation("XSD023", reference.span, {
      message: `There is no type ${reference.text}. It is read as ${type.name.local}.`,
      help: `Write ${suggestionText(type.name, name, reference)}.`,
    });
  }
  return type;
}

export function findElement(reference: Reference, scope: Scope, resolution: Resolution): MutableElement | undefined {
  return find("element", resolution.elements, { reference, scope, resolution });
}

export function findAttribute(
  reference: Reference,
  scope: Scope,
  resolution: Resolution,
): MutableAttribute | undefined {
  return find("attribute", resolution.attributes, { reference, scope, resolution });
}

export function findGroup(reference: Reference, scope: Scope, resolution: Resolution): MutableGroup | undefined {
  const name = nameInScope(reference.name, scope);
  const { redefined } = scope;
  if (redefined?.component.kind === "group" && redefined.key === clark(name.namespace, name.local)) {
    return redefined.component;
  }
  return find("group", resolution.groups, { reference, scope, resolution });
}

export function findAttributeGroup(
  reference: Reference,
  scope: Scope,
  resolution: Resolution,
): MutableAttributeGroup | undefined {
  const name = nameInScope(reference.name, scope);
  const { redefined } = scope;
  if (redefined?.component.kind === "attributeGroup" && redefined.key === clark(name.namespace, name.local)) {
    return redefined.component;
  }
  return find("attributeGroup", resolution.attributeGroups, { reference, scope, resolution });
}

export function findNotation(
  reference: Reference,
  scope: Scope,
  resolution: Resolution,
): NotationDeclaration | undefined {
  return find("notation", resolution.notations, { reference, scope, resolution });
}

interface Lookup {
  readonly reference: Reference;
  readonly scope: Scope;
  readonly resolution: Resolution;
}

function find<T extends WithSpan>(space: SymbolSpace, table: ReadonlyMap<string, T>, lookup: Lookup): T | undefined {
  const name = nameInScope(lookup.reference.name, lookup.scope);
  const component = table.get(clark(name.namespace, name.local));
  if (component !== undefined) {
    checkImported(name, lookup);
    return component;
  }
  const { namespace } = lookup.scope.document;
  const inTargetNamespace = name.namespace === "" ? table.get(clark(namespace, name.local)) : undefined;
  if (inTargetNamespace === undefined) {
    reportUnknown(space, name, { ...lookup, table });
  } else {
    reportUnprefixed(namespace, lookup);
  }
  return inTargetNamespace;
}

interface WithSpan {
  readonly span: Span;
}

function reportUnknown(
  space: SymbolSpace,
  name: QName,
  { reference, resolution, table }: Lookup & { readonly table: ReadonlyMap<string, WithSpan> },
): void {
  const names = space === "type" ? [...builtinTypes.keys(), ...table.keys()] : [...table.keys()];
  const suggests = resolution.reported.size < maxSuggestions;
  if (suggests) {
    resolution.reported.add(`unknown ${space} ${reference.span.source.path} ${reference.span.start}`);
  }
  const similar = suggests ? nearestQName(name, names) : undefined;
  const span = similar && table.get(clark(similar.namespace, similar.local))?.span;
  const suggestion =
    similar && `${suggestionText(similar, name, reference)}${span === undefined ? "" : ` (${positionText(span)})`}`;
  resolution.diagnostics.unresolved(unknownNameCodes[space], reference.span, {
    message: `There is no ${componentNouns[space]} ${reference.text} (${nameText(name)}).`,
    help: suggestion && `Did you mean ${suggestion}?`,
    fallback: space === "type" ? "It is treated as anyType." : "It is left out.",
  });
}

/** A name with the prefix of the reference if they share a namespace, else with its namespace. */
function suggestionText(similar: QName, name: QName, { text }: Reference): string {
  const prefix = text.slice(0, text.indexOf(":") + 1);
  return similar.namespace === name.namespace ? prefix + similar.local : nameText(similar);
}

function nameText(name: QName): string {
  return name.namespace === "" ? `${name.local} without a namespace` : `${name.local} in ${name.namespace}`;
}

/** Reports a name that has neither a prefix nor a default namespace, but exists in a namespace. */
function reportUnprefixed(namespace: string, { reference, resolution }: Lookup): void {
  resolution.diagnostics.violation("XSD036", reference.span, {
    message: `${reference.text} is in no namespace, and is read as ${reference.text} in ${namespace}.`,
    help: `Write a prefix, or declare xmlns="${namespace}".`,
  });
}

/** Part 1 §3.15.3 (src-resolve): a document must import the namespaces that it refers to. A breach, because real services do not. */
function checkImported(name: QName, { reference, scope, resolution }: Lookup): void {
  const { namespace, imported, schema } = scope.document;
  if (name.namespace === namespace || name.namespace === xsdNamespace || imported.has(name.namespace)) {
    return;
  }
  const key = `import ${schema.source.path} ${schema.span.start} ${name.namespace}`;
  if (resolution.reported.has(key)) {
    return;
  }
  resolution.reported.add(key);
  const text = {
    message:
      name.namespace === ""
        ? "Names without a namespace are not imported here."
        : `The namespace ${name.namespace} is not imported here.`,
    help: name.namespace === "" ? "Add <import/>." : `Add <import namespace="${name.namespace}"/>.`,
  };
  resolution.diagnostics.violation("XSD030", reference.span, text);
}
