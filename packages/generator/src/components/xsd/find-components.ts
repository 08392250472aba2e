import { clark } from "@bothends/xml";
import type * as documents from "../../read/xsd/documents.js";
import { formatPosition, type Span } from "../../source/span.js";
import { findNearestQName, type QName, xsdNamespace } from "../../source/xml-names.js";
import { componentNouns, type SymbolSpace, type Symbols, unknownNameCodes } from "./declarations.js";
import {
  getNameInScope,
  type MutableAttribute,
  type MutableAttributeGroup,
  type MutableElement,
  type MutableGroup,
  type Resolution,
  type Scope,
} from "./resolution.js";
import { builtinTypes, type NotationDeclaration, type TypeDefinition } from "./schema-components.js";

/**
 * The maximum number of unknown names for which a similar name is suggested. Finding a suggestion takes long, because
 * the name is compared with all declared names.
 */
const maxSuggestions = 100;

/**
 * Finds a type by its name. Undefined if no schema declares it, which is reported. A built-in type is also found
 * without its prefix, or in other letter case, which is reported too.
 */
export function findType(
  reference: documents.Reference,
  scope: Scope,
  resolution: Resolution,
): TypeDefinition | undefined {
  const name = getNameInScope(reference.name, scope);
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
  const builtinType = findBuiltinIgnoringCase(name, lookup);
  if (builtinType !== undefined) {
    return builtinType;
  }
  const unprefixedBuiltin = name.namespace === "" ? builtinTypes.get(clark(xsdNamespace, name.local)) : undefined;
  if (unprefixedBuiltin === undefined || resolution.types.has(clark("", name.local))) {
    return find("type", resolution.types, lookup);
  }
  const { namespace } = scope.document;
  const declaredType = resolution.types.get(clark(namespace, name.local));
  reportUnprefixed(declaredType === undefined ? xsdNamespace : namespace, lookup);
  return declaredType ?? unprefixedBuiltin;
}

/** Finds a built-in type whose name differs only in letter case: `xs:base64binary` means `xs:base64Binary`. */
function findBuiltinIgnoringCase(name: QName, { reference, resolution }: Lookup): TypeDefinition | undefined {
  if (name.namespace !== xsdNamespace || resolution.types.has(clark(xsdNamespace, name.local))) {
    return undefined;
  }
  const lowerCase = name.local.toLowerCase();
  const type = [...builtinTypes.values()].find((candidate) => candidate.name?.local.toLowerCase() === lowerCase);
  if (type?.name !== undefined) {
    resolution.diagnostics.violation("XSD023", reference.span, {
      message: `XML Schema has no type "${reference.text}". It is read as "${type.name.local}".`,
      help: `Write ${formatSuggestion(type.name, name, reference)}.`,
    });
  }
  return type;
}

/** Finds a global element by its name. Undefined if no schema declares it, which is reported. */
export function findElement(
  reference: documents.Reference,
  scope: Scope,
  resolution: Resolution,
): MutableElement | undefined {
  return find("element", resolution.elements, { reference, scope, resolution });
}

/** Finds a global attribute by its name. Undefined if no schema declares it, which is reported. */
export function findAttribute(
  reference: documents.Reference,
  scope: Scope,
  resolution: Resolution,
): MutableAttribute | undefined {
  return find("attribute", resolution.attributes, { reference, scope, resolution });
}

/**
 * Finds a model group by its name; in a redefinition, the original. Undefined if no schema declares it, which is
 * reported.
 */
export function findGroup(
  reference: documents.Reference,
  scope: Scope,
  resolution: Resolution,
): MutableGroup | undefined {
  const name = getNameInScope(reference.name, scope);
  const { redefined } = scope;
  if (redefined?.component.kind === "group" && redefined.key === clark(name.namespace, name.local)) {
    return redefined.component;
  }
  return find("group", resolution.groups, { reference, scope, resolution });
}

/**
 * Finds an attribute group by its name; in a redefinition, the original. Undefined if no schema declares it, which is
 * reported.
 */
export function findAttributeGroup(
  reference: documents.Reference,
  scope: Scope,
  resolution: Resolution,
): MutableAttributeGroup | undefined {
  const name = getNameInScope(reference.name, scope);
  const { redefined } = scope;
  if (redefined?.component.kind === "attributeGroup" && redefined.key === clark(name.namespace, name.local)) {
    return redefined.component;
  }
  return find("attributeGroup", resolution.attributeGroups, { reference, scope, resolution });
}

/** Finds a notation by its name. Undefined if no schema declares it, which is reported. */
export function findNotation(
  reference: documents.Reference,
  scope: Scope,
  resolution: Resolution,
): NotationDeclaration | undefined {
  return find("notation", resolution.notations, { reference, scope, resolution });
}

interface Lookup {
  readonly reference: documents.Reference;
  readonly scope: Scope;
  readonly resolution: Resolution;
}

function find<T extends WithSpan>(space: SymbolSpace, table: ReadonlyMap<string, T>, lookup: Lookup): T | undefined {
  const name = getNameInScope(lookup.reference.name, lookup.scope);
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
  const canSuggest = resolution.reportedKeys.size < maxSuggestions;
  if (canSuggest) {
    resolution.reportedKeys.add(`unknown ${space} ${reference.span.source.path} ${reference.span.start}`);
  }
  const nearestName = canSuggest ? findNearestQName(name, names) : undefined;
  const span = nearestName && table.get(clark(nearestName.namespace, nearestName.local))?.span;
  const suggestion =
    nearestName &&
    `${formatSuggestion(nearestName, name, reference)}${span === undefined ? "" : ` (${formatPosition(span)})`}`;
  const noun = componentNouns[space];
  const isNamespaceUnread = canSuggest && !hasNames(resolution.symbols, name.namespace);
  resolution.diagnostics.unresolved(unknownNameCodes[space], reference.span, {
    message: `The ${noun} "${reference.text}" does not exist: ${isNamespaceUnread ? describeUnreadNamespace(name) : describeUndeclaredName(name)}.`,
    help:
      isNamespaceUnread && name.namespace !== ""
        ? `Import the schema: <import namespace="${name.namespace}" schemaLocation="…"/>.`
        : undefined,
    suggestion,
    fallback: space === "type" ? "The type is read as anyType." : "The reference is left out.",
  });
}

/** Whether the namespace is built in (XML Schema), or a schema has declarations in it. */
function hasNames(symbols: Symbols, namespace: string): boolean {
  const keyStart = clark(namespace, "");
  return (
    namespace === xsdNamespace ||
    [...symbols.values()].some((table) =>
      [...table.keys()].some((key) => (namespace === "" ? !key.startsWith("{") : key.startsWith(keyStart))),
    )
  );
}

function describeUndeclaredName({ namespace, local }: QName): string {
  if (namespace === xsdNamespace) {
    return `XML Schema has no "${local}"`;
  }
  return namespace === ""
    ? `no schema without a target namespace declares "${local}"`
    : `no schema of the namespace ${namespace} declares "${local}"`;
}

function describeUnreadNamespace({ namespace }: QName): string {
  return namespace === ""
    ? "it has no namespace, and no schema without a target namespace was read"
    : `no schema of its namespace, ${namespace}, was read`;
}

/**
 * Formats a name for a suggestion: with the prefix of the reference if both are in one namespace, otherwise with the
 * namespace.
 */
function formatSuggestion(similarName: QName, name: QName, { text }: documents.Reference): string {
  const prefix = text.slice(0, text.indexOf(":") + 1);
  return similarName.namespace === name.namespace ? prefix + similarName.local : formatName(similarName);
}

function formatName(name: QName): string {
  return name.namespace === "" ? `${name.local} without a namespace` : `${name.local} in ${name.namespace}`;
}

/**
 * Reports a name that has no prefix and no default namespace, and is therefore read as a name in the given namespace.
 */
function reportUnprefixed(namespace: string, { reference, resolution }: Lookup): void {
  resolution.diagnostics.violation("XSD036", reference.span, {
    message: `The name "${reference.text}" has no prefix, so it refers to a component without a namespace, which does not exist. It is read as "${reference.text}" in ${namespace}.`,
    help: `Declare xmlns="${namespace}" on <schema>, or write the name with a prefix that is bound to this namespace.`,
  });
}

/**
 * Reports a namespace to which a document refers without importing it (Part 1 §3.15.3, src-resolve). This is a
 * violation, not an error, because many real schemas do so.
 */
function checkImported(name: QName, { reference, scope, resolution }: Lookup): void {
  const { namespace, importedNamespaces, schema } = scope.document;
  if (name.namespace === namespace || name.namespace === xsdNamespace || importedNamespaces.has(name.namespace)) {
    return;
  }
  const key = `import ${schema.source.path} ${schema.span.start} ${name.namespace}`;
  if (resolution.reportedKeys.has(key)) {
    return;
  }
  resolution.reportedKeys.add(key);
  const text = {
    message:
      name.namespace === ""
        ? "This document does not import names without a namespace."
        : `This document does not import the namespace ${name.namespace}.`,
    help: name.namespace === "" ? "Add <import/>." : `Add <import namespace="${name.namespace}"/>.`,
  };
  resolution.diagnostics.violation("XSD030", reference.span, text);
}
