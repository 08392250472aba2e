import type * as documents from "../../read/xsd/documents.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { SourceLimits } from "../../source/source-limits.js";
import type { SchemaInstance, SymbolSpace, Symbols } from "./declarations.js";
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

/** A component while it is being built: it exists before what it refers to does. */
export type Building<T> = { -readonly [K in keyof T]: T[K] };

export type BuildingElement = Building<ElementDeclaration>;
export type BuildingAttribute = Building<AttributeDeclaration>;
export type BuildingComplexType = Building<ComplexTypeDefinition>;
export type BuildingSimpleType = Building<SimpleTypeDefinition>;
export type BuildingType = BuildingComplexType | BuildingSimpleType;
export type BuildingGroup = Omit<Building<ModelGroupDefinition>, "modelGroup"> & { modelGroup: Building<ModelGroup> };
export type BuildingAttributeGroup = Building<AttributeGroupDefinition>;

/** What the steps of resolving a schema share: the components as they grow, and what each was declared as. */
export interface Resolution {
  readonly symbols: Symbols;
  readonly diagnostics: Diagnostics;
  readonly limits: SourceLimits;
  readonly elements: Map<string, BuildingElement>;
  readonly attributes: Map<string, BuildingAttribute>;
  readonly types: Map<string, BuildingType>;
  readonly groups: Map<string, BuildingGroup>;
  readonly attributeGroups: Map<string, BuildingAttributeGroup>;
  readonly notations: Map<string, NotationDeclaration>;
  readonly identityConstraints: Map<string, IdentityConstraint>;
  /** Every type, anonymous ones too. */
  readonly simpleTypes: Map<TypeDefinition, SimpleTypeSource>;
  readonly complexTypes: Map<TypeDefinition, ComplexTypeSource>;
  readonly groupSources: Map<BuildingGroup, GroupSource>;
  readonly attributeGroupSources: Map<BuildingAttributeGroup, AttributeListSource>;
  /** Every element, local ones too. */
  readonly elementSources: Map<BuildingElement, ElementSource>;
  readonly attributeSources: Map<BuildingAttribute, AttributeSource>;
  /** Problems that are reported once per document and name. */
  readonly reported: Set<string>;
}

/** Where a declaration stands: whose names it sees. */
export interface Scope {
  readonly instance: SchemaInstance;
  /** Inside a redefinition, what its own name means there (Part 1 §4.2.2). */
  readonly redefined: Redefined | undefined;
}
export interface Redefined {
  readonly space: SymbolSpace;
  readonly key: string;
  readonly component: BuildingType | BuildingGroup | BuildingAttributeGroup;
}

export interface SimpleTypeSource {
  readonly type: BuildingSimpleType;
  readonly scope: Scope;
  readonly declaration: documents.SimpleTypeDefinition | documents.SimpleContent;
}

export interface ComplexTypeSource {
  readonly type: BuildingComplexType;
  readonly scope: Scope;
  readonly declaration: documents.ComplexTypeDefinition;
  readonly particle: Particle | undefined;
  readonly list: AttributeListSource;
  /** What a restriction with simple content makes of its base's type. */
  readonly contentType: BuildingSimpleType | undefined;
  /** The simple type that such a restriction starts from, where it gives one. */
  readonly restricted: BuildingSimpleType | undefined;
}

/** Attributes with their references resolved, before groups are put in. */
export interface AttributeListSource {
  readonly items: readonly (OwnAttribute | BuildingAttributeGroup)[];
  readonly wildcard: Wildcard | undefined;
  readonly span: documents.Declared["span"];
  /** The attribute group that this one redefines. */
  readonly original?: BuildingAttributeGroup | undefined;
}
export interface OwnAttribute {
  readonly use: AttributeUse;
  readonly prohibited: boolean;
}

export interface GroupSource {
  readonly declaration: documents.ModelGroupDefinition;
  readonly scope: Scope;
  /** Groups that it refers to, with the place. */
  readonly references: readonly { readonly group: BuildingGroup; readonly span: documents.Declared["span"] }[];
  /** The group that this one redefines. */
  readonly original: BuildingGroup | undefined;
}

interface ElementSource {
  readonly declaration: documents.ElementDeclaration;
  readonly scope: Scope;
}
interface AttributeSource {
  readonly declaration: documents.AttributeDeclaration;
  readonly scope: Scope;
}

/** A step from one node to another that a cycle would go through. */
export interface Edge<Node> {
  readonly to: Node;
  /** Takes the step away, where it closes a cycle. */
  readonly cut: () => void;
}

/**
 * Puts nodes behind those that they depend on, without recursion. A step that closes a cycle is cut, so that the result is an
 * order in any case.
 */
export function inDependencyOrder<Node>(
  nodes: Iterable<Node>,
  edgesOf: (node: Node) => readonly Edge<Node>[],
): readonly Node[] {
  const ordered: Node[] = [];
  const state = new Map<Node, "open" | "done">();
  for (const start of nodes) {
    if (state.has(start)) continue;
    const path: { readonly node: Node; readonly edges: readonly Edge<Node>[]; next: number }[] = [];
    const enter = (node: Node) => {
      state.set(node, "open");
      path.push({ node, edges: edgesOf(node), next: 0 });
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const edge = top.edges[top.next];
      top.next += 1;
      if (edge === undefined) {
        state.set(top.node, "done");
        ordered.push(top.node);
        path.pop();
      } else if (state.get(edge.to) === "open") edge.cut();
      else if (!state.has(edge.to)) enter(edge.to);
    }
  }
  return ordered;
}
