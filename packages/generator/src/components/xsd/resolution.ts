import type * as documents from "../../read/xsd/documents.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { SourceLimits } from "../../source/source-limits.js";
import type { Span } from "../../source/span.js";
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

/** A component that is not complete: it exists before the components that it refers to do. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type MutableElement = Mutable<ElementDeclaration>;
export type MutableAttribute = Mutable<AttributeDeclaration>;
export type MutableComplexType = Mutable<ComplexTypeDefinition>;
export type MutableSimpleType = Mutable<SimpleTypeDefinition>;
export type MutableType = MutableComplexType | MutableSimpleType;
export type MutableGroup = Omit<Mutable<ModelGroupDefinition>, "modelGroup"> & { modelGroup: Mutable<ModelGroup> };
export type MutableAttributeGroup = Mutable<AttributeGroupDefinition>;

/** The state that the steps of resolving a schema share: components, which later steps complete, and their declarations. */
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
  /** All types, including anonymous ones. */
  readonly simpleTypes: Map<TypeDefinition, SimpleTypeSource>;
  readonly complexTypes: Map<TypeDefinition, ComplexTypeSource>;
  readonly groupSources: Map<MutableGroup, GroupSource>;
  readonly attributeGroupSources: Map<MutableAttributeGroup, AttributeListSource>;
  /** All elements, including local ones. */
  readonly elementSources: Map<MutableElement, ElementSource>;
  readonly attributeSources: Map<MutableAttribute, AttributeSource>;
  /** Keys of problems that are reported only once. */
  readonly reported: Set<string>;
}

/** Determines the components that names in a declaration refer to. */
export interface Scope {
  readonly document: NamespacedDocument;
  /** Inside a redefinition, the component that its name refers to (Part 1 §4.2.2). */
  readonly redefined: Redefined | undefined;
}
export interface Redefined {
  readonly space: SymbolSpace;
  readonly key: string;
  readonly component: MutableType | MutableGroup | MutableAttributeGroup;
}

export interface SimpleTypeSource {
  readonly type: MutableSimpleType;
  readonly scope: Scope;
  readonly declaration: documents.SimpleTypeDefinition | documents.SimpleContent;
}

export interface ComplexTypeSource {
  readonly type: MutableComplexType;
  readonly scope: Scope;
  readonly declaration: documents.ComplexTypeDefinition;
  readonly particle: Particle | undefined;
  readonly list: AttributeListSource;
  /** The type of the text in a restriction with simple content that has facets. */
  readonly contentType: MutableSimpleType | undefined;
  /** The anonymous simple type that such a restriction contains. */
  readonly restricted: MutableSimpleType | undefined;
}

/** A list of attributes and attribute groups with resolved references. */
export interface AttributeListSource {
  readonly items: readonly (DeclaredAttribute | MutableAttributeGroup)[];
  readonly wildcard: Wildcard | undefined;
  readonly span: Span;
  /** The attribute group that this one redefines. */
  readonly original?: MutableAttributeGroup | undefined;
}
export interface DeclaredAttribute {
  readonly use: AttributeUse;
  readonly prohibited: boolean;
}

export interface GroupSource {
  readonly declaration: documents.ModelGroupDefinition;
  readonly scope: Scope;
  /** References to other groups. */
  readonly references: readonly { readonly group: MutableGroup; readonly span: Span }[];
  /** The group that this one redefines. */
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
  readonly on: Node;
  /** Reports and removes a dependency that closes a cycle. */
  readonly remove: () => void;
}

/**
 * Sorts nodes so that each comes after those that it depends on. Dependencies that close a cycle are removed. Does not recurse,
 * because hostile schemas may have long chains.
 */
export function inDependencyOrder<Node>(
  nodes: Iterable<Node>,
  dependenciesOf: (node: Node) => readonly Dependency<Node>[],
): readonly Node[] {
  const ordered: Node[] = [];
  const state = new Map<Node, "onPath" | "done">();
  for (const start of nodes) {
    if (state.has(start)) {
      continue;
    }
    const path: { readonly node: Node; readonly dependencies: readonly Dependency<Node>[]; next: number }[] = [];
    const enter = (node: Node) => {
      state.set(node, "onPath");
      path.push({ node, dependencies: dependenciesOf(node), next: 0 });
    };
    enter(start);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const dependency = last.dependencies[last.next];
      last.next += 1;
      if (dependency === undefined) {
        state.set(last.node, "done");
        ordered.push(last.node);
        path.pop();
      } else if (state.get(dependency.on) === "onPath") {
        dependency.remove();
      } else if (!state.has(dependency.on)) {
        enter(dependency.on);
      }
    }
  }
  return ordered;
}
