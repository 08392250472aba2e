import type { Declaration, SchemaDocuments } from "../../../read/xsd/documents.js";
import type { Diagnostics } from "../../../source/diagnostics.js";
import { describeLimitRemedy, type SourceLimits, sourceLimits } from "../../../source/source-limits.js";
import { checkContents } from "../check/contents.js";
import { checkRedefinitions } from "../check/restrictions.js";
import { checkIdentityConstraints, checkValues } from "../check/value-constraints.js";
import { completeAttributeGroups } from "../complete/attributes.js";
import { completeComplexTypes, completeGroups } from "../complete/complex-types.js";
import { completeSimpleTypes } from "../complete/simple-types.js";
import {
  type NamespacedDocument,
  resolveDocuments,
  resolveSymbols,
  type TopLevelDeclaration,
} from "../declarations.js";
import { completeSubstitutionGroups, inheritHeadTypes } from "../relations.js";
import type { MutableAttributeGroup, MutableGroup, MutableType, Resolution, Scope } from "../resolution.js";
import { builtinTypes, type SchemaComponents, type TypeContext, type TypeDefinition } from "../schema-components.js";
import { SimpleValues } from "../simple-values.js";
import {
  declareAttribute,
  declareAttributeGroup,
  declareSimpleType,
  type ResolveContext,
  resolveAttribute,
  resolveAttributeList,
  resolveSimpleType,
} from "./attributes.js";
import {
  declareComplexType,
  declareElement,
  declareGroup,
  resolveComplexType,
  resolveElement,
  resolveGroup,
} from "./elements.js";

/**
 * Resolves schema documents into components (XSD 1.0 Part 1 §3 and §4). All mistakes are reported. The result is
 * complete even if there are mistakes.
 *
 * The steps below are in the order in which components become complete. Each step reads only the results of earlier
 * steps or, within a step, of components that come before it in dependency order. A dependency that closes a cycle is
 * reported and removed, so chains of bases, heads and groups end, and later steps can follow them without checking.
 *
 * 1. Documents: each document once per namespace that its declarations belong to.
 * 2. Symbols: global names, with redefinitions applied.
 * 3. Declare: every global component is created, without references. The object stays the same in later steps.
 * 4. Resolve: references between components. Nothing is inherited yet, so the order of declarations does not matter.
 * 5. Heads: an element without a type gets the type of its substitution group's head.
 * 6. Simple types, bases first: variety and facets.
 * 7. Groups and attribute groups, in dependency order.
 * 8. Complex types, bases first: attributes and content. Simple content is completed here, because its base may be a
 *    complex
 * type.
 * 9. Substitution groups and derived types, which need all bases.
 * 10. Checks: they only report, except that content beyond the limits is removed, so that no later recursion is too
 *     deep.
 */
export function resolveSchema(
  sources: SchemaDocuments,
  diagnostics: Diagnostics,
  limits: SourceLimits = sourceLimits,
): SchemaComponents {
  const documents = resolveDocuments(sources, diagnostics);
  const symbols = resolveSymbols(documents, diagnostics);
  const resolution = createEmptyResolution({ symbols, diagnostics, limits });
  declareAndResolve(resolution);
  const values = new SimpleValues();
  if (isWithinLimits(resolution)) {
    inheritHeadTypes(resolution);
    completeSimpleTypes(resolution, values);
    const groups = completeGroups(resolution);
    completeAttributeGroups(resolution);
    const types = completeComplexTypes(resolution, values);
    completeSubstitutionGroups(resolution);
    linkDerivedTypes(resolution, documents);
    checkContents({ groups, types }, resolution);
    checkRedefinitions(resolution);
    checkValues(resolution, values);
    checkIdentityConstraints(resolution);
  }
  const { elements, attributes, types, groups, attributeGroups, notations } = resolution;
  const namespaces = new Set(documents.map((document) => document.namespace));
  const targetNamespaces = documents.map(({ namespace, isChameleon, schema }) => ({
    namespace,
    span: isChameleon ? undefined : schema.namespaceSpan,
    elementForm: schema.elementForm,
  }));
  const tables = { elements, attributes, types, groups, attributeGroups, notations, builtinTypes };
  return { ...tables, namespaces, targetNamespaces };
}

function createEmptyResolution(inputs: Pick<Resolution, "symbols" | "diagnostics" | "limits">): Resolution {
  return {
    ...inputs,
    elements: new Map(),
    attributes: new Map(),
    types: new Map(),
    groups: new Map(),
    attributeGroups: new Map(),
    notations: new Map(),
    identityConstraints: new Map(),
    simpleTypes: new Map(),
    complexTypes: new Map(),
    groupSources: new Map(),
    attributeGroupSources: new Map(),
    elementSources: new Map(),
    attributeSources: new Map(),
    reportedKeys: new Set(),
  };
}

/** Declares all global components, then resolves their references: steps 3 and 4 of `resolveSchema`. */
function declareAndResolve(resolution: Resolution): void {
  const resolveSteps: (() => void)[] = [];
  for (const table of resolution.symbols.values()) {
    for (const topLevel of table.values()) {
      resolveSteps.push(declare(topLevel, resolution));
    }
  }
  for (const resolve of resolveSteps) {
    resolve();
  }
}

/** Creates a global component, and returns the function that resolves its references. */
function declare(topLevel: TopLevelDeclaration, resolution: Resolution): () => void {
  const { declaration, document, key } = topLevel;
  switch (declaration.kind) {
    case "complexType":
    case "simpleType": {
      const type = declareType({ ...topLevel, declaration }, undefined, resolution);
      resolution.types.set(key, type.component);
      return type.resolve;
    }
    case "group": {
      const group = declareNamedGroup(topLevel, resolution);
      resolution.groups.set(key, group.component);
      return group.resolve;
    }
    case "attributeGroup": {
      const group = declareNamedAttributeGroup(topLevel, resolution);
      resolution.attributeGroups.set(key, group.component);
      return group.resolve;
    }
    case "element": {
      const scope = { document, redefined: undefined };
      const element = declareElement(declaration, scope, "global");
      resolution.elements.set(key, element);
      return () => resolveElement(element, declaration, getContext("element", { declaration, scope, resolution }));
    }
    case "attribute": {
      const scope = { document, redefined: undefined };
      const attribute = declareAttribute(declaration, scope, "global");
      resolution.attributes.set(key, attribute);
      return () =>
        resolveAttribute(attribute, declaration, getContext("attribute", { declaration, scope, resolution }));
    }
    case "notation": {
      const { span, documentation, publicId, systemId } = declaration;
      const name = { namespace: document.namespace, local: declaration.name.text };
      resolution.notations.set(key, { kind: "notation", span, documentation, name, publicId, systemId });
      return () => {};
    }
  }
}

interface DeclaredComponent<T> {
  readonly component: T;
  readonly resolve: () => void;
}

/**
 * Creates a global type. If it redefines a type, the original type becomes an anonymous type inside the redefinition.
 */
function declareType(
  { declaration, document, key, original }: TopLevelDeclaration,
  context: TypeContext | undefined,
  resolution: Resolution,
): DeclaredComponent<MutableType> {
  const name = { namespace: document.namespace, local: declaration.name?.text ?? "" };
  const steps = [...(context?.steps ?? []), "redefined"];
  const redefinedType = original && declareType(original, { owner: "type", name, steps }, resolution);
  const scope: Scope = {
    document,
    redefined: redefinedType && { space: "type", key, component: redefinedType.component },
  };
  const resolveContext: ResolveContext = { scope, context: context ?? { owner: "type", name, steps: [] }, resolution };
  if (declaration.kind === "complexType") {
    const type = declareComplexType(declaration, { scope, context });
    return placeAfterOriginal(type, redefinedType, () => {
      resolveComplexType(type, declaration, resolveContext);
      checkRedefinedType(type, { declaration, scope, resolution });
    });
  }
  if (declaration.kind !== "simpleType") {
    throw new Error(`${declaration.kind} is not a type`);
  }
  const type = declareSimpleType(declaration, { scope, context });
  return placeAfterOriginal(type, redefinedType, () => {
    resolveSimpleType(type, declaration, resolveContext);
    checkRedefinedType(type, { declaration, scope, resolution });
  });
}

function declareNamedGroup(
  { declaration, document, key, original }: TopLevelDeclaration,
  resolution: Resolution,
): DeclaredComponent<MutableGroup> {
  if (declaration.kind !== "group") {
    throw new Error(`${declaration.kind} is not a group`);
  }
  const redefinedGroup = original && declareNamedGroup(original, resolution);
  const scope: Scope = {
    document,
    redefined: redefinedGroup && { space: "group", key, component: redefinedGroup.component },
  };
  const group = declareGroup(declaration, scope);
  return placeAfterOriginal(group, redefinedGroup, () =>
    resolveGroup(group, declaration, {
      ...getContext("group", { declaration, scope, resolution }),
      original: redefinedGroup?.component,
    }),
  );
}

function declareNamedAttributeGroup(
  { declaration, document, key, original }: TopLevelDeclaration,
  resolution: Resolution,
): DeclaredComponent<MutableAttributeGroup> {
  if (declaration.kind !== "attributeGroup") {
    throw new Error(`${declaration.kind} is not an attribute group`);
  }
  const redefinedAttributeGroup = original && declareNamedAttributeGroup(original, resolution);
  const scope: Scope = {
    document,
    redefined: redefinedAttributeGroup && {
      space: "attributeGroup",
      key,
      component: redefinedAttributeGroup.component,
    },
  };
  const group = declareAttributeGroup(declaration, scope);
  return placeAfterOriginal(group, redefinedAttributeGroup, () => {
    const context = getContext("attributeGroup", { declaration, scope, resolution });
    const list = resolveAttributeList(declaration.list, declaration.span, context);
    resolution.attributeGroupSources.set(group, { ...list, original: redefinedAttributeGroup?.component });
  });
}

/** Returns a component whose function `resolve` first resolves the component that it redefines, if there is one. */
function placeAfterOriginal<T>(
  component: T,
  original: DeclaredComponent<T> | undefined,
  resolve: () => void,
): DeclaredComponent<T> {
  return {
    component,
    resolve: () => {
      original?.resolve();
      resolve();
    },
  };
}

function getContext(
  owner: TypeContext["owner"],
  {
    declaration,
    scope,
    resolution,
  }: { readonly declaration: Declaration; readonly scope: Scope; readonly resolution: Resolution },
): ResolveContext {
  const name = { namespace: scope.document.namespace, local: declaration.name?.text ?? "" };
  return { scope, context: { owner, name, steps: [] }, resolution };
}

/** Reports a redefinition that does not derive from the original type (Part 1 §4.2.2). */
function checkRedefinedType(
  type: TypeDefinition,
  {
    declaration,
    scope,
    resolution,
  }: { readonly declaration: Declaration; readonly scope: Scope; readonly resolution: Resolution },
): void {
  if (scope.redefined === undefined || type.baseType === scope.redefined.component) {
    return;
  }
  const name = declaration.name?.text ?? "";
  resolution.diagnostics.error("XSD031", declaration.span, {
    message: `The redefinition of the type ${name} does not derive from the original type.`,
    help: `Write base="${name}".`,
  });
}

function isWithinLimits(resolution: Resolution): boolean {
  const limit = resolution.limits.types;
  const count = resolution.simpleTypes.size + resolution.complexTypes.size;
  if (count <= limit) {
    return true;
  }
  const [firstExcessType] = [...resolution.complexTypes.keys(), ...resolution.simpleTypes.keys()].slice(limit);
  if (firstExcessType !== undefined) {
    resolution.diagnostics.error("XSD034", firstExcessType.span, {
      message: `The schemas define too many types: ${count}.`,
      ...describeLimitRemedy("types", resolution.limits),
    });
  }
  return false;
}

/** Lists, for each type, the types that derive directly from it, in schema order. */
function linkDerivedTypes(resolution: Resolution, documents: readonly NamespacedDocument[]): void {
  const documentRanks = new Map(documents.map((document, index) => [document, index]));
  const derivedTypes = new Map<TypeDefinition, TypeDefinition[]>();
  const types = [...resolution.complexTypes.values(), ...resolution.simpleTypes.values()]
    .map(({ type, scope }) => ({ type, rank: documentRanks.get(scope.document) ?? 0 }))
    .sort((a, b) => a.rank - b.rank || a.type.span.start - b.type.span.start)
    .map(({ type }) => type);
  for (const type of types) {
    const siblings = derivedTypes.get(type.baseType);
    if (siblings === undefined) {
      derivedTypes.set(type.baseType, [type]);
    } else {
      siblings.push(type);
    }
  }
  for (const type of types) {
    type.derivedTypes = derivedTypes.get(type) ?? [];
  }
}
