import { clark } from "@bothends/xml";
import type { Span } from "../../source/span.js";
import { allowsNamespace, derivationMethods, intersectionOf, isSubset, unionOf, withNamespaces } from "./relations.js";
import {
  type AttributeListSource,
  type BuildingAttributeGroup,
  type BuildingComplexType,
  inDependencyOrder,
  type Resolution,
} from "./resolution.js";
import type { AttributeUse, ComplexTypeDefinition, TypeDefinition, Wildcard } from "./schema-components.js";
import { keepsFixedValue } from "./simple-values.js";

/** The attributes of a type or group, groups put in. */
interface AttributeSet {
  readonly uses: readonly AttributeUse[];
  /** Names that it takes away from a base. */
  readonly prohibited: ReadonlySet<string>;
  readonly wildcard: Wildcard | undefined;
}

/** The expanded name by which two uses are of one attribute. */
export function attributeKey({ declaration: { name } }: AttributeUse): string {
  return clark(name.namespace, name.local);
}

/** Gives attribute groups their attributes, groups in groups first; a group that holds itself is reported (Part 1 §3.6.6). */
export function completeAttributeGroups(resolution: Resolution): void {
  const cuts = new Map<BuildingAttributeGroup, Set<BuildingAttributeGroup>>();
  const ordered = inDependencyOrder(resolution.attributeGroupSources.keys(), (group) =>
    groupsIn(resolution.attributeGroupSources.get(group)).map((to) => ({
      to,
      cut: () => {
        cuts.set(group, (cuts.get(group) ?? new Set()).add(to));
        resolution.diagnostics.error("XSD032", group.span, {
          message: `The attribute group ${group.name.local} holds itself.`,
        });
      },
    })),
  );
  for (const group of ordered) {
    const source = resolution.attributeGroupSources.get(group);
    if (source === undefined) continue;
    const dropped = cuts.get(group);
    const items = dropped === undefined ? source.items : source.items.filter((item) => !isDropped(item, dropped));
    const set = attributeSet({ ...source, items }, resolution);
    group.attributeUses = set.uses;
    group.attributeWildcard = set.wildcard;
  }
}

/** Puts the groups of a list in, and reports names that come twice (Part 1 §3.4.6, §3.6.6). */
function attributeSet(source: AttributeListSource, resolution: Resolution): AttributeSet {
  const uses = new Map<string, AttributeUse>();
  const prohibited = new Set<string>();
  const wildcards = source.wildcard === undefined ? [] : [source.wildcard];
  const add = (use: AttributeUse, span: Span) => {
    const key = attributeKey(use);
    const before = uses.get(key);
    if (before === undefined) uses.set(key, use);
    else if (before !== use) reportDuplicate(use, span, resolution);
  };
  for (const item of source.items) {
    if ("use" in item) {
      if (item.prohibited) prohibited.add(attributeKey(item.use));
      else add(item.use, item.use.span);
    } else {
      for (const use of item.attributeUses) add(use, source.span);
      if (item.attributeWildcard !== undefined) wildcards.push(item.attributeWildcard);
    }
  }
  return { uses: [...uses.values()], prohibited, wildcard: intersection(wildcards, resolution) };
}

/** The attributes of a complex type whose base is complete (Part 1 §3.4.2). */
export function completeTypeAttributes(
  type: BuildingComplexType,
  source: AttributeListSource,
  resolution: Resolution,
): void {
  const own = attributeSet(source, resolution);
  const base = inheritedAttributes(type.baseType);
  if (type.derivation === "extension") {
    type.attributeUses = extendUses(base.uses, own.uses, resolution);
    type.attributeWildcard = union(base.wildcard, own.wildcard, resolution);
  } else {
    const redeclared = new Set(own.uses.map(attributeKey));
    const kept = base.uses.filter(
      (use) => !redeclared.has(attributeKey(use)) && !own.prohibited.has(attributeKey(use)),
    );
    type.attributeUses = [...kept, ...own.uses];
    type.attributeWildcard = own.wildcard;
    restrictAttributes(type, own, resolution);
  }
  checkIds(type, resolution);
}

function inheritedAttributes(base: TypeDefinition): { uses: readonly AttributeUse[]; wildcard: Wildcard | undefined } {
  if (base.kind === "simpleType") return { uses: [], wildcard: undefined };
  return { uses: base.attributeUses, wildcard: base.attributeWildcard };
}

function extendUses(
  inherited: readonly AttributeUse[],
  own: readonly AttributeUse[],
  resolution: Resolution,
): readonly AttributeUse[] {
  const known = new Map(inherited.map((use) => [attributeKey(use), use]));
  const added: AttributeUse[] = [];
  for (const use of own) {
    const before = known.get(attributeKey(use));
    if (before === undefined) added.push(use);
    else if (before !== use) reportDuplicate(use, use.span, resolution);
  }
  return added.length === 0 ? inherited : [...inherited, ...added];
}

/** Part 1 §3.4.2: an extension allows what its base or it itself allows. */
function union(base: Wildcard | undefined, own: Wildcard | undefined, resolution: Resolution): Wildcard | undefined {
  if (base === undefined || own === undefined) return own ?? base;
  const namespaces = unionOf(own.namespaces, base.namespaces);
  if (namespaces !== undefined) return withNamespaces(own, namespaces);
  reportWildcards(own, resolution);
  return own;
}

/** Part 1 §3.6.2, the complete wildcard: the first one's process, and the namespaces that all allow. */
function intersection(wildcards: readonly Wildcard[], resolution: Resolution): Wildcard | undefined {
  let result = wildcards[0];
  for (const wildcard of wildcards.slice(1)) {
    if (result === undefined) break;
    const namespaces = intersectionOf(result.namespaces, wildcard.namespaces);
    if (namespaces === undefined) reportWildcards(result, resolution);
    else result = withNamespaces(result, namespaces);
  }
  return result;
}

function groupsIn(source: AttributeListSource | undefined): readonly BuildingAttributeGroup[] {
  const groups: BuildingAttributeGroup[] = [];
  for (const item of source?.items ?? []) if (!("use" in item)) groups.push(item);
  return groups;
}

function isDropped(item: AttributeListSource["items"][number], dropped: ReadonlySet<BuildingAttributeGroup>): boolean {
  return !("use" in item) && dropped.has(item);
}

function reportDuplicate(use: AttributeUse, span: Span, resolution: Resolution): void {
  resolution.diagnostics.error("XSD046", span, {
    message: `The attribute ${use.declaration.name.local} is there already.`,
  });
}

function reportWildcards(wildcard: Wildcard, resolution: Resolution): void {
  resolution.diagnostics.error("XSD055", wildcard.span, {
    message: "No wildcard says which namespaces this one and the other allow together.",
  });
}

/** Part 1 §3.4.6: at most one attribute is an ID. */
function checkIds(type: BuildingComplexType, resolution: Resolution): void {
  const ids = type.attributeUses.filter((use) => isId(use.declaration.type));
  if (ids.length < 2) return;
  resolution.diagnostics.error("XSD054", ids.at(-1)?.span ?? type.span, {
    message: `The attributes ${ids.map((use) => use.declaration.name.local).join(" and ")} are both of type ID.`,
  });
}

function isId(type: TypeDefinition): boolean {
  let at: TypeDefinition = type;
  while (at.builtin === undefined && at.baseType !== at) at = at.baseType;
  return at.builtin === "ID";
}

const process = { skip: 0, lax: 1, strict: 2 } as const;

/** Reports attributes of a restriction that its base does not allow (Part 1 §3.4.6, Derivation Valid (Restriction, Complex), 2 to 4). */
function restrictAttributes(type: ComplexTypeDefinition, own: AttributeSet, resolution: Resolution): void {
  const base = type.baseType;
  if (base.kind === "simpleType" || base.builtin === "anyType") return;
  const inherited = new Map(base.attributeUses.map((use) => [attributeKey(use), use]));
  for (const use of own.uses) {
    const before = inherited.get(attributeKey(use));
    if (before !== undefined) restrictUse(use, before, resolution);
    else if (!allowsNamespace(base.attributeWildcard?.namespaces ?? [], use.declaration.name.namespace)) {
      report(
        use,
        `The base has no attribute ${use.declaration.name.local}, and no wildcard that allows it.`,
        resolution,
      );
    }
  }
  for (const key of own.prohibited) {
    const before = inherited.get(key);
    if (before?.required === true) report(type, `The base requires the attribute ${key}.`, resolution);
  }
  restrictWildcard(type, base, resolution);
}

function restrictUse(use: AttributeUse, before: AttributeUse, resolution: Resolution): void {
  const { local } = use.declaration.name;
  if (before.required && !use.required) report(use, `The base requires the attribute ${local}.`, resolution);
  if (derivationMethods(use.declaration.type, before.declaration.type) === undefined) {
    report(use, `The type of the attribute ${local} does not derive from the base's.`, resolution);
  }
  if (!keepsFixedValue(before.declaration.type, before.valueConstraint, use.valueConstraint)) {
    report(use, `The base fixes the attribute ${local} as "${before.valueConstraint?.value}".`, resolution);
  }
}

function restrictWildcard(type: ComplexTypeDefinition, base: ComplexTypeDefinition, resolution: Resolution): void {
  const own = type.attributeWildcard;
  const inherited = base.attributeWildcard;
  if (own === undefined) return;
  if (inherited === undefined || !isSubset(own.namespaces, inherited.namespaces)) {
    report(own, "The attribute wildcard allows more than the base.", resolution);
  } else if (process[own.process] < process[inherited.process]) {
    report(own, `processContents="${own.process}" is weaker than the base's "${inherited.process}".`, resolution);
  }
}

function report(at: { readonly span: AttributeUse["span"] }, message: string, resolution: Resolution): void {
  resolution.diagnostics.breach("XSD051", at.span, { message });
}
