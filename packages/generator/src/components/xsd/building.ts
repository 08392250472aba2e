import type {
  AttributeDeclaration,
  AttributeGroupDefinition,
  ComplexTypeDefinition,
  ElementDeclaration,
  ModelGroup,
  ModelGroupDefinition,
  SimpleTypeDefinition,
} from "../xsd-model.js";

/** A component while it is being built: it exists before what it refers to does. */
export type Building<T> = { -readonly [K in keyof T]: T[K] };

export type BuildingElement = Building<ElementDeclaration>;
export type BuildingAttribute = Building<AttributeDeclaration>;
export type BuildingComplexType = Building<ComplexTypeDefinition>;
export type BuildingSimpleType = Building<SimpleTypeDefinition>;
export type BuildingType = BuildingComplexType | BuildingSimpleType;
export type BuildingGroup = Omit<Building<ModelGroupDefinition>, "modelGroup"> & { modelGroup: Building<ModelGroup> };
export type BuildingAttributeGroup = Building<AttributeGroupDefinition>;
