import type * as documents from "../../read/xsd/documents.js";
import type { SchemaDocuments } from "../../read/xsd/read-schemas.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { limitHelp, type SourceLimits, sourceLimits } from "../../source/source-limits.js";
import { builtinTypes } from "./builtin-types.js";
import { checkContents } from "./check-contents.js";
import { checkRedefinitions } from "./check-restrictions.js";
import { checkIdentityConstraints, checkValues } from "./check-values.js";
import { completeAttributeGroups } from "./complete-attributes.js";
import { completeComplexTypes, completeGroups } from "./complete-complex-types.js";
import { completeSimpleTypes } from "./complete-simple-types.js";
import { type Declared, resolveInstances, resolveSymbols, type SchemaInstance } from "./declarations.js";
import type {
  BuildingAttributeGroup,
  BuildingGroup,
  BuildingType,
  ComplexTypeSource,
  Redefined,
  Resolution,
  Scope,
} from "./resolution.js";
import {
  buildAttributeList,
  completeAttribute,
  completeSimpleType,
  type Place,
  startAttribute,
  startAttributeGroup,
  startSimpleType,
} from "./resolve-attributes.js";
import {
  completeComplexType,
  completeElement,
  completeGroup,
  startComplexType,
  startElement,
  startGroup,
} from "./resolve-elements.js";
import type { SchemaComponents, TypeContext, TypeDefinition } from "./schema-components.js";
import { SimpleValues } from "./simple-values.js";
import { completeHeads, completeSubstitutionGroups } from "./substitution-groups.js";

/** What a set of schema documents means (XSD 1.0 Part 1 §3 and §4). Everything that is wrong is reported; the result is whole in any case. */
export function resolveSchema(
  read: SchemaDocuments,
  diagnostics: Diagnostics,
  limits: SourceLimits = sourceLimits,
): SchemaComponents {
  const instances = resolveInstances(read, diagnostics);
  const symbols = resolveSymbols(instances, diagnostics);
  const resolution = startResolution({ symbols, diagnostics, limits });
  build(resolution);
  const values = new SimpleValues();
  if (withinLimits(resolution)) {
    completeHeads(resolution);
    completeSimpleTypes(resolution, values);
    const groups = completeGroups(resolution);
    completeAttributeGroups(resolution);
    const types = completeComplexTypes(resolution, values);
    completeSubstitutionGroups(resolution);
    linkDerivedTypes(resolution, instances);
    checkSchema(resolution, { values, groups, types });
  }
  const { elements, attributes, types, groups, attributeGroups, notations } = resolution;
  const namespaces = new Set(instances.map((instance) => instance.namespace));
  return { elements, attributes, types, groups, attributeGroups, notations, builtinTypes, namespaces };
}

function startResolution(given: Pick<Resolution, "symbols" | "diagnostics" | "limits">): Resolution {
  return {
    ...given,
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
    reported: new Set(),
  };
}

/** First every global component, empty; then what they refer to. So the order of declarations does not matter. */
function build(resolution: Resolution): void {
  const complete: (() => void)[] = [];
  for (const table of resolution.symbols.values()) {
    for (const declared of table.values()) complete.push(start(declared, resolution));
  }
  for (const step of complete) step();
}

function start({ declaration, instance, key, original }: Declared, resolution: Resolution): () => void {
  switch (declaration.kind) {
    case "complexType":
    case "simpleType": {
      const type = startType({ declaration, instance, key, original }, undefined, resolution);
      resolution.types.set(key, type.component);
      return type.complete;
    }
    case "group": {
      const group = startNamedGroup({ declaration, instance, key, original }, resolution);
      resolution.groups.set(key, group.component);
      return group.complete;
    }
    case "attributeGroup": {
      const group = startNamedAttributeGroup({ declaration, instance, key, original }, resolution);
      resolution.attributeGroups.set(key, group.component);
      return group.complete;
    }
    case "element": {
      const scope = { instance, redefined: undefined };
      const element = startElement(declaration, scope, "global");
      resolution.elements.set(key, element);
      return () => completeElement(element, declaration, placeOf("element", { declaration, scope, resolution }));
    }
    case "attribute": {
      const scope = { instance, redefined: undefined };
      const attribute = startAttribute(declaration, scope, "global");
      resolution.attributes.set(key, attribute);
      return () => completeAttribute(attribute, declaration, placeOf("attribute", { declaration, scope, resolution }));
    }
    case "notation": {
      const { span, documentation, publicId, systemId } = declaration;
      const name = { namespace: instance.namespace, local: declaration.name.text };
      resolution.notations.set(key, { kind: "notation", span, documentation, name, publicId, systemId });
      return () => {};
    }
  }
}

interface Started<T> {
  readonly component: T;
  readonly complete: () => void;
}

/** A named type; one that a redefinition replaces has lost its name, and stands where the redefinition does. */
function startType(
  declared: Declared,
  context: TypeContext | undefined,
  resolution: Resolution,
): Started<BuildingType> {
  const { declaration, instance, key, original } = declared;
  const name = { namespace: instance.namespace, local: declaration.name?.text ?? "" };
  const steps = [...(context?.steps ?? []), "redefined"];
  const replaced = original && startType(original, { owner: "type", name, steps }, resolution);
  const scope: Scope = { instance, redefined: replaced && { space: "type", key, component: replaced.component } };
  const place: Place = { scope, context: context ?? { owner: "type", name, steps: [] }, resolution };
  if (declaration.kind === "complexType") {
    const type = startComplexType(declaration, { scope, context });
    return started(type, replaced, () => {
      completeComplexType(type, declaration, place);
      checkRedefined(type, { declaration, scope, resolution });
    });
  }
  if (declaration.kind !== "simpleType") throw new Error(`${declaration.kind} is no type`);
  const type = startSimpleType(declaration, { scope, context });
  return started(type, replaced, () => {
    completeSimpleType(type, declaration, place);
    checkRedefined(type, { declaration, scope, resolution });
  });
}

function startNamedGroup(declared: Declared, resolution: Resolution): Started<BuildingGroup> {
  const { declaration, instance, key, original } = declared;
  if (declaration.kind !== "group") throw new Error(`${declaration.kind} is no group`);
  const replaced = original && startNamedGroup(original, resolution);
  const scope: Scope = { instance, redefined: replaced && { space: "group", key, component: replaced.component } };
  const group = startGroup(declaration, scope);
  return started(group, replaced, () =>
    completeGroup(group, declaration, {
      ...placeOf("group", { declaration, scope, resolution }),
      original: replaced?.component,
    }),
  );
}

function startNamedAttributeGroup(declared: Declared, resolution: Resolution): Started<BuildingAttributeGroup> {
  const { declaration, instance, key, original } = declared;
  if (declaration.kind !== "attributeGroup") throw new Error(`${declaration.kind} is no attribute group`);
  const replaced = original && startNamedAttributeGroup(original, resolution);
  const redefined: Redefined | undefined = replaced && { space: "attributeGroup", key, component: replaced.component };
  const scope: Scope = { instance, redefined };
  const group = startAttributeGroup(declaration, scope);
  return started(group, replaced, () => {
    const place = placeOf("attributeGroup", { declaration, scope, resolution });
    const list = buildAttributeList(declaration.list, declaration.span, place);
    resolution.attributeGroupSources.set(group, { ...list, original: replaced?.component });
  });
}

function started<T>(component: T, replaced: Started<T> | undefined, complete: () => void): Started<T> {
  return {
    component,
    complete: () => {
      replaced?.complete();
      complete();
    },
  };
}

function placeOf(
  owner: TypeContext["owner"],
  {
    declaration,
    scope,
    resolution,
  }: { readonly declaration: documents.Declaration; readonly scope: Scope; readonly resolution: Resolution },
): Place {
  const name = { namespace: scope.instance.namespace, local: declaration.name?.text ?? "" };
  return { scope, context: { owner, name, steps: [] }, resolution };
}

/** Part 1 §4.2.2: a type is redefined by deriving it from itself. */
function checkRedefined(
  type: TypeDefinition,
  {
    declaration,
    scope,
    resolution,
  }: { readonly declaration: documents.TypeDefinition; readonly scope: Scope; readonly resolution: Resolution },
): void {
  if (scope.redefined === undefined || type.baseType === scope.redefined.component) return;
  resolution.diagnostics.error("XSD031", declaration.span, {
    message: `The redefinition of the type ${declaration.name?.text ?? ""} does not derive from it.`,
    help: `Give it base="${declaration.name?.text ?? ""}".`,
  });
}

function withinLimits(resolution: Resolution): boolean {
  const limit = resolution.limits.types;
  const count = resolution.simpleTypes.size + resolution.complexTypes.size;
  if (count <= limit) return true;
  const [last] = [...resolution.complexTypes.keys(), ...resolution.simpleTypes.keys()].slice(limit);
  if (last !== undefined) {
    resolution.diagnostics.error("XSD034", last.span, {
      message: `There are ${count} types.`,
      help: limitHelp("types", resolution.limits),
    });
  }
  return false;
}

/** Types derived in one step, in schema order. */
function linkDerivedTypes(resolution: Resolution, instances: readonly SchemaInstance[]): void {
  const order = new Map(instances.map((instance, index) => [instance, index]));
  const derived = new Map<TypeDefinition, TypeDefinition[]>();
  const all = [...resolution.complexTypes.values(), ...resolution.simpleTypes.values()]
    .map(({ type, scope }) => ({ type, at: order.get(scope.instance) ?? 0 }))
    .sort((a, b) => a.at - b.at || a.type.span.start - b.type.span.start)
    .map(({ type }) => type);
  for (const type of all) {
    const list = derived.get(type.baseType);
    if (list === undefined) derived.set(type.baseType, [type]);
    else list.push(type);
  }
  for (const type of all) {
    const list = derived.get(type);
    if (list !== undefined) type.derivedTypes = list;
  }
}

/** Reports what complete components must not be, beyond what building them has shown. `groups` and `types` come after what they refer to. */
function checkSchema(
  resolution: Resolution,
  complete: {
    readonly values: SimpleValues;
    readonly groups: readonly BuildingGroup[];
    readonly types: readonly ComplexTypeSource[];
  },
): void {
  checkContents(complete, resolution);
  checkRedefinitions(resolution);
  checkValues(resolution, complete.values);
  checkIdentityConstraints(resolution);
}
