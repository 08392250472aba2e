import { emptyContext, type TextContext } from "@bothends/datatypes";
import { clark, type XmlElement } from "@bothends/xml";
import type * as documents from "../../read/xsd/documents.js";
import { resolveQName } from "../../read/xsd/xsd-element.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { describeLimitRemedy, type SourceLimits } from "../../source/source-limits.js";
import { formatPosition, type Span } from "../../source/span.js";
import { findNearestQName, type QName, xsdNamespace } from "../../source/xml-names.js";
import {
  componentNouns,
  type NamespacedDocument,
  type SymbolSpace,
  type Symbols,
  unknownNameCodes,
} from "./declarations.js";
import {
  type AttributeDeclaration,
  type AttributeGroupDefinition,
  type AttributeUse,
  builtinTypes,
  type ComplexTypeDefinition,
  type ElementDeclaration,
  type IdentityConstraint,
  type ModelGroup,
  type ModelGroupDefinition,
  type NotationDeclaration,
  type Particle,
  type SimpleTypeDefinition,
  type TypeDefinition,
  type Wildcard,
} from "./schema-components.js";

// The components of a schema while they are being resolved, and functions that look up names.

/** A component that is not complete yet. It is created before the components to which it refers. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type MutableElement = Mutable<ElementDeclaration>;
export type MutableAttribute = Mutable<AttributeDeclaration>;
export type MutableComplexType = Mutable<ComplexTypeDefinition>;
export type MutableSimpleType = Mutable<SimpleTypeDefinition>;
export type MutableType = MutableComplexType | MutableSimpleType;
export type MutableGroup = Omit<Mutable<ModelGroupDefinition>, "modelGroup"> & { modelGroup: Mutable<ModelGroup> };
export type MutableAttributeGroup = Mutable<AttributeGroupDefinition>;

/**
 * The components of a schema and their declarations. The steps of `resolveSchema` complete the components one after
 * another.
 */
export interface Resolution {
  readonly symbols: Symbols;
  readonly diagnostics: Diagnostics;
  readonly limits: SourceLimits;
  readonly elements: Map<string, MutableElement>;
  readonly attributes: Map<string, MutableAttribute>;
  readonly types: Map<string, MutableType>;
  readonly groups: Map<string, MutableGroup>;
  readonly attributeGroups: Map<string, MutableAttributeGroup>;
  readonly notations: Map<string, NotationDeclaration>;
  readonly identityConstraints: Map<string, IdentityConstraint>;
  /** All simple types, including anonymous types. */
  readonly simpleTypes: Map<TypeDefinition, SimpleTypeSource>;
  /** All complex types, including anonymous types. */
  readonly complexTypes: Map<TypeDefinition, ComplexTypeSource>;
  readonly groupSources: Map<MutableGroup, GroupSource>;
  readonly attributeGroupSources: Map<MutableAttributeGroup, AttributeListSource>;
  /** All elements, including local elements. */
  readonly elementSources: Map<MutableElement, ElementSource>;
  readonly attributeSources: Map<MutableAttribute, AttributeSource>;
  /** The keys of the problems that were already reported and must not be reported again. */
  readonly reportedKeys: Set<string>;
}

/**
 * The document that contains a declaration, and the redefinition around the declaration, if any. They determine which
 * components the names in the declaration refer to.
 */
export interface Scope {
  readonly document: NamespacedDocument;
  /**
   * The original component of a redefinition; undefined outside redefinitions. In a redefinition, references with the
   * component's name refer to the original (Part 1 §4.2.2).
   */
  readonly redefined: Redefined | undefined;
}

/** The original component of a redefinition. `key` is its name in Clark notation. */
export interface Redefined {
  readonly space: SymbolSpace;
  readonly key: string;
  readonly component: MutableType | MutableGroup | MutableAttributeGroup;
}

/** A simple type to complete, with its declaration. */
export interface SimpleTypeSource {
  readonly type: MutableSimpleType;
  readonly scope: Scope;
  readonly declaration: documents.SimpleTypeDefinition | documents.SimpleContent;
}

/** A complex type to complete, with its declaration and its resolved content. */
export interface ComplexTypeSource {
  readonly type: MutableComplexType;
  readonly scope: Scope;
  readonly declaration: documents.ComplexTypeDefinition;
  readonly particle: Particle | undefined;
  readonly list: AttributeListSource;
  /** The simple type that the facets of a restriction with simple content define. */
  readonly contentType: MutableSimpleType | undefined;
  /** The anonymous simple type inside a restriction with simple content. */
  readonly restrictedType: MutableSimpleType | undefined;
}

/** A list of attributes and attribute groups with resolved references. */
export interface AttributeListSource {
  readonly items: readonly (DeclaredAttribute | MutableAttributeGroup)[];
  readonly wildcard: Wildcard | undefined;
  readonly span: Span;
  /** The attribute group that this attribute group redefines. */
  readonly original?: MutableAttributeGroup | undefined;
}

/** An attribute of a type. A restriction can prohibit an attribute of its base type. */
export interface DeclaredAttribute {
  readonly use: AttributeUse;
  readonly prohibited: boolean;
}

/** A model group definition to complete, with its declaration. */
export interface GroupSource {
  readonly declaration: documents.ModelGroupDefinition;
  readonly scope: Scope;
  /** The group's references to other groups. */
  readonly references: readonly { readonly group: MutableGroup; readonly span: Span }[];
  /** The group that this group redefines. */
  readonly original: MutableGroup | undefined;
}

interface ElementSource {
  readonly declaration: documents.ElementDeclaration;
  readonly scope: Scope;
}
interface AttributeSource {
  readonly declaration: documents.AttributeDeclaration;
  readonly scope: Scope;
}

/** A dependency of one node on another. */
export interface Dependency<Node> {
  readonly node: Node;
  /** Reports and removes the dependency. Called if it closes a cycle. */
  readonly remove: () => void;
}

/**
 * Sorts nodes so that each comes after its dependencies, and removes dependencies that close a cycle. Uses a loop
 * instead of recursion, because hostile schemas may have long chains.
 */
export function sortByDependency<Node>(
  nodes: Iterable<Node>,
  dependenciesOf: (node: Node) => readonly Dependency<Node>[],
): readonly Node[] {
  const orderedNodes: Node[] = [];
  const states = new Map<Node, "onPath" | "done">();
  for (const start of nodes) {
    if (states.has(start)) {
      continue;
    }
    const path: { readonly node: Node; readonly dependencies: readonly Dependency<Node>[]; next: number }[] = [];
    const startNode = (node: Node) => {
      states.set(node, "onPath");
      path.push({ node, dependencies: dependenciesOf(node), next: 0 });
    };
    startNode(start);
    for (let current = path.at(-1); current !== undefined; current = path.at(-1)) {
      const dependency = current.dependencies[current.next];
      current.next += 1;
      if (dependency === undefined) {
        states.set(current.node, "done");
        orderedNodes.push(current.node);
        path.pop();
      } else if (states.get(dependency.node) === "onPath") {
        dependency.remove();
      } else if (!states.has(dependency.node)) {
        startNode(dependency.node);
      }
    }
  }
  return orderedNodes;
}

/**
 * The maximum number of unknown names for which a similar name is suggested. Finding a suggestion takes long, because
 * the name is compared with all declared names.
 */
const maxSuggestions = 100;

/**
 * Returns the name to which a reference refers. In a chameleon document, a name without a namespace is in the
 * document's namespace (Part 1 §4.2.1).
 */
export function getNameInScope(name: QName, scope: Scope): QName {
  return name.namespace === "" && scope.document.isChameleon
    ? { namespace: scope.document.namespace, local: name.local }
    : name;
}

/** Creates the context that resolves prefixes in values inside an element. */
export function createTextContext(element: XmlElement, scope: Scope): TextContext {
  return {
    ...emptyContext,
    resolve(prefix) {
      const name = resolveQName(`${prefix}:`, element);
      return name && getNameInScope(name, scope).namespace;
    },
  };
}

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

/** Reports a type whose chain of derivations is longer than the limit `inheritance`. */
export function reportInheritance(type: TypeDefinition, resolution: Resolution): void {
  const limit = resolution.limits.inheritance;
  resolution.diagnostics.error("XSD033", type.span, {
    message: `A chain of derivations has more than ${limit} types.`,
    ...describeLimitRemedy("inheritance", resolution.limits),
  });
}
