import type * as documents from "../../read/xsd/documents.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { SourceLimits } from "../../source/limits.js";
import type {
  AttributeUse,
  IdentityConstraint,
  NotationDeclaration,
  Particle,
  TypeDefinition,
  Wildcard,
} from "../xsd-model.js";
import type {
  BuildingAttribute,
  BuildingAttributeGroup,
  BuildingComplexType,
  BuildingElement,
  BuildingGroup,
  BuildingSimpleType,
  BuildingType,
} from "./building.js";
import type { SchemaInstance } from "./instances.js";
import type { SymbolSpace, Symbols } from "./symbols.js";

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

export interface ElementSource {
  readonly declaration: documents.ElementDeclaration;
  readonly scope: Scope;
}
export interface AttributeSource {
  readonly declaration: documents.AttributeDeclaration;
  readonly scope: Scope;
}
