import { clark } from "@bothends/xml";
import type { Span } from "../../../source/span.js";
import {
  allowsNamespace,
  intersectNamespaces,
  isIdType,
  isLessStrict,
  isNamespaceSubset,
  listDerivationMethods,
  uniteNamespaces,
  withNamespaces,
} from "../relations.js";
import {
  type AttributeListSource,
  type MutableAttributeGroup,
  type MutableComplexType,
  type Resolution,
  sortByDependency,
} from "../resolution.js";
import type { AttributeUse, ComplexTypeDefinition, TypeDefinition, Wildcard } from "../schema-components.js";
import { keepsFixedValue } from "../simple-values.js";

/** The attributes of a type or group, including the attributes of referenced groups. */
interface AttributeSet {
  readonly uses: readonly AttributeUse[];
  /** The Clark names of attributes that a restriction removes. */
  readonly prohibitedKeys: ReadonlySet<string>;
  readonly wildcard: Wildcard | undefined;
}

/** Returns the Clark name of an attribute. */
export function getAttributeKey({ declaration: { name } }: AttributeUse): string {
  return clark(name.namespace, name.local);
}

/** Sets the attributes of attribute groups in dependency order. Reports circular groups (Part 1 §3.6.6). */
export function completeAttributeGroups(resolution: Resolution): void {
  const sources = new Map(resolution.attributeGroupSources);
  const orderedGroups = sortByDependency(resolution.attributeGroupSources.keys(), (group) =>
    listGroupsIn(sources.get(group)).map((usedGroup) => ({
      node: usedGroup,
      remove: () => {
        resolution.diagnostics.unresolved("XSD032", group.span, {
          message: `The attribute group "${group.name.local}" contains itself.`,
          fallback: "The reference is left out.",
        });
        const source = sources.get(group);
        if (source !== undefined) {
          sources.set(group, { ...source, items: source.items.filter((item) => item !== usedGroup) });
        }
      },
    })),
  );
  for (const group of orderedGroups) {
    const source = sources.get(group);
    if (source !== undefined) {
      const attributes = collectAttributes(source, resolution);
      group.attributeUses = attributes.uses;
      group.attributeWildcard = attributes.wildcard;
    }
  }
}

function listGroupsIn(source: AttributeListSource | undefined): readonly MutableAttributeGroup[] {
  return (source?.items ?? []).flatMap((item) => ("use" in item ? [] : [item]));
}

/**
 * Collects the attributes of a list, including the attributes of the groups in the list. Reports attributes that occur
 * twice (Part 1 §3.4.6, §3.6.6).
 */
function collectAttributes(source: AttributeListSource, resolution: Resolution): AttributeSet {
  const uses = new Map<string, AttributeUse>();
  const prohibitedKeys = new Set<string>();
  const wildcards = source.wildcard === undefined ? [] : [source.wildcard];
  const add = (use: AttributeUse, span: Span) => {
    const key = getAttributeKey(use);
    const earlierUse = uses.get(key);
    if (earlierUse === undefined) {
      uses.set(key, use);
    } else if (earlierUse !== use) {
      reportDuplicate(use, span, resolution);
    }
  };
  for (const item of source.items) {
    if (!("use" in item)) {
      for (const use of item.attributeUses) {
        add(use, source.span);
      }
      wildcards.push(...(item.attributeWildcard === undefined ? [] : [item.attributeWildcard]));
    } else if (item.prohibited) {
      prohibitedKeys.add(getAttributeKey(item.use));
    } else {
      add(item.use, item.use.span);
    }
  }
  return { uses: [...uses.values()], prohibitedKeys, wildcard: findWildcardIntersection(wildcards, resolution) };
}

/** Sets the attributes of a complex type whose base is complete (Part 1 §3.4.2). */
export function completeTypeAttributes(
  type: MutableComplexType,
  source: AttributeListSource,
  resolution: Resolution,
): void {
  const declaredAttributes = collectAttributes(source, resolution);
  const base = listInheritedAttributes(type.baseType);
  if (type.derivation === "extension") {
    type.attributeUses = extendUses(base.uses, declaredAttributes.uses, resolution);
    type.attributeWildcard = findWildcardUnion(base.wildcard, declaredAttributes.wildcard, resolution);
  } else {
    const replacedKeys = new Set([
      ...declaredAttributes.uses.map(getAttributeKey),
      ...declaredAttributes.prohibitedKeys,
    ]);
    type.attributeUses = [
      ...base.uses.filter((use) => !replacedKeys.has(getAttributeKey(use))),
      ...declaredAttributes.uses,
    ];
    type.attributeWildcard = declaredAttributes.wildcard;
    checkRestriction(type, declaredAttributes, resolution);
  }
  checkIds(type, resolution);
}

function listInheritedAttributes(base: TypeDefinition): Pick<AttributeSet, "uses" | "wildcard"> {
  return base.kind === "simpleType"
    ? { uses: [], wildcard: undefined }
    : { uses: base.attributeUses, wildcard: base.attributeWildcard };
}

function extendUses(
  inheritedUses: readonly AttributeUse[],
  declaredUses: readonly AttributeUse[],
  resolution: Resolution,
): readonly AttributeUse[] {
  const inheritedByKey = new Map(inheritedUses.map((use) => [getAttributeKey(use), use]));
  const addedUses: AttributeUse[] = [];
  for (const use of declaredUses) {
    const inheritedUse = inheritedByKey.get(getAttributeKey(use));
    if (inheritedUse === undefined) {
      addedUses.push(use);
    } else if (inheritedUse !== use) {
      reportDuplicate(use, use.span, resolution);
    }
  }
  return addedUses.length === 0 ? inheritedUses : [...inheritedUses, ...addedUses];
}

/**
 * Unites the wildcards of an extension and its base. The result allows what at least one of the wildcards allows (Part
 * 1 §3.4.2).
 */
function findWildcardUnion(
  base: Wildcard | undefined,
  declaredWildcard: Wildcard | undefined,
  resolution: Resolution,
): Wildcard | undefined {
  if (base === undefined || declaredWildcard === undefined) {
    return declaredWildcard ?? base;
  }
  const namespaces = uniteNamespaces(declaredWildcard.namespaces, base.namespaces);
  if (namespaces !== undefined) {
    return withNamespaces(declaredWildcard, namespaces);
  }
  reportInexpressible(declaredWildcard, resolution);
  return declaredWildcard;
}

/**
 * Intersects wildcards. The result allows only what all wildcards allow, and has the `processContents` of the first one
 * (Part 1 §3.6.2, complete wildcard).
 */
function findWildcardIntersection(
  [firstWildcard, ...otherWildcards]: readonly Wildcard[],
  resolution: Resolution,
): Wildcard | undefined {
  let intersection = firstWildcard;
  for (const wildcard of otherWildcards) {
    if (intersection === undefined) {
      break;
    }
    const namespaces = intersectNamespaces(intersection.namespaces, wildcard.namespaces);
    if (namespaces === undefined) {
      reportInexpressible(intersection, resolution);
    } else {
      intersection = withNamespaces(intersection, namespaces);
    }
  }
  return intersection;
}

function reportDuplicate(use: AttributeUse, span: Span, resolution: Resolution): void {
  resolution.diagnostics.error("XSD046", span, {
    message: `The attribute "${use.declaration.name.local}" is declared twice.`,
  });
}

function reportInexpressible(wildcard: Wildcard, resolution: Resolution): void {
  resolution.diagnostics.error("XSD055", wildcard.span, {
    message: "The namespaces of this wildcard and of another wildcard cannot be combined into one wildcard.",
  });
}

/** Reports a type with more than one attribute of type ID (Part 1 §3.4.6). */
function checkIds(type: MutableComplexType, resolution: Resolution): void {
  const ids = type.attributeUses.filter((use) => isIdType(use.declaration.type));
  if (ids.length > 1) {
    resolution.diagnostics.error("XSD054", ids.at(-1)?.span ?? type.span, {
      message: `The attributes ${ids.map((use) => use.declaration.name.local).join(" and ")} have the type ID, but a type may have only one attribute of this type.`,
    });
  }
}

/**
 * Reports attributes that the base of a restriction does not allow (Part 1 §3.4.6, Derivation Valid (Restriction,
 * Complex), 2 to 4).
 */
function checkRestriction(type: ComplexTypeDefinition, declaredAttributes: AttributeSet, resolution: Resolution): void {
  const base = type.baseType;
  if (base.kind === "simpleType" || base.builtin === "anyType") {
    return;
  }
  const inheritedUses = new Map(base.attributeUses.map((use) => [getAttributeKey(use), use]));
  for (const use of declaredAttributes.uses) {
    const { local, namespace } = use.declaration.name;
    const baseUse = inheritedUses.get(getAttributeKey(use));
    if (baseUse !== undefined) {
      checkUse(use, baseUse, resolution);
    } else if (!allowsNamespace(base.attributeWildcard?.namespaces ?? [], namespace)) {
      reportRestriction(use, `The base has no attribute "${local}", and no wildcard that allows it.`, resolution);
    }
  }
  for (const key of declaredAttributes.prohibitedKeys) {
    if (inheritedUses.get(key)?.required === true) {
      reportRestriction(type, `The base requires the attribute "${key}".`, resolution);
    }
  }
  checkWildcard(type, base, resolution);
}

function checkUse(use: AttributeUse, baseUse: AttributeUse, resolution: Resolution): void {
  const { local } = use.declaration.name;
  if (baseUse.required && !use.required) {
    reportRestriction(use, `The base requires the attribute "${local}".`, resolution);
  }
  if (listDerivationMethods(use.declaration.type, baseUse.declaration.type) === undefined) {
    reportRestriction(
      use,
      `The type of the attribute "${local}" does not derive from its type in the base.`,
      resolution,
    );
  }
  if (!keepsFixedValue(baseUse.declaration.type, baseUse.valueConstraint, use.valueConstraint)) {
    reportRestriction(
      use,
      `The base fixes the value of the attribute "${local}" at "${baseUse.valueConstraint?.value}".`,
      resolution,
    );
  }
}

function checkWildcard(type: ComplexTypeDefinition, base: ComplexTypeDefinition, resolution: Resolution): void {
  const wildcard = type.attributeWildcard;
  const inheritedWildcard = base.attributeWildcard;
  if (wildcard === undefined) {
    return;
  }
  if (inheritedWildcard === undefined || !isNamespaceSubset(wildcard.namespaces, inheritedWildcard.namespaces)) {
    reportRestriction(wildcard, "The attribute wildcard allows more than the base.", resolution);
  } else if (isLessStrict(wildcard, inheritedWildcard)) {
    const message = `The value processContents="${wildcard.processContents}" is weaker than "${inheritedWildcard.processContents}" in the base.`;
    reportRestriction(wildcard, message, resolution);
  }
}

function reportRestriction({ span }: { readonly span: Span }, message: string, resolution: Resolution): void {
  resolution.diagnostics.violation("XSD051", span, { message });
}
