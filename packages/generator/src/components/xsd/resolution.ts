import { emptyContext, type TextContext } from "@bothends/datatypes";
import type { XmlElement } from "@bothends/xml";
import type * as documents from "../../read/xsd/documents.js";
import { resolveQName } from "../../read/xsd/xsd-element.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { describeLimitRemedy, type SourceLimits } from "../../source/source-limits.js";
import type { Span } from "../../source/span.js";
import type { QName } from "../../source/xml-names.js";
import type { NamespacedDocument, SymbolSpace, Symbols } from "./declarations.js";
import type {
  AttributeDeclaration,
  AttributeGroupDefinition,
  AttributeUse,
  ComplexTypeDefinition,
  ElementDeclaration,
  IdentityConstraint,
  ModelGroup,
  ModelGroupDefinition,
  NotationDeclaration,
  Particle,
  SimpleTypeDefinition,
  TypeDefinition,
  Wildcard,
} from "./schema-components.js";

// The components of a schema while they are being resolved.

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

/** Reports a type whose chain of derivations is longer than the limit `inheritance`. */
export function reportInheritance(type: TypeDefinition, resolution: Resolution): void {
  const limit = resolution.limits.inheritance;
  resolution.diagnostics.error("XSD033", type.span, {
    message: `A chain of derivations has more than ${limit} types.`,
    ...describeLimitRemedy("inheritance", resolution.limits),
  });
}
