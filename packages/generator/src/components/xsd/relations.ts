import { clark } from "@bothends/xml";
import { describeLimitRemedy } from "../../source/source-limits.js";
import { type MutableElement, type Resolution, sortByDependency } from "./resolution.js";
import {
  anyType,
  type DerivationMethod,
  type ElementDeclaration,
  type ModelGroup,
  type Particle,
  type TypeDefinition,
  type Wildcard,
  type WildcardNamespaces,
} from "./schema-components.js";

// Relations between components: wildcards, derivation, occurrence ranges, substitution groups.

/** Reads a wildcard's attribute `namespace` (Part 1 §3.10.2). The result depends on the schema's target namespace. */
export function getWildcardNamespaces(
  attribute: "##any" | "##other" | readonly string[],
  targetNamespace: string,
): WildcardNamespaces {
  if (attribute === "##any") {
    return "any";
  }
  if (attribute === "##other") {
    return { not: targetNamespace };
  }
  const namespaces = attribute.map((item) =>
    item === "##targetNamespace" ? targetNamespace : item === "##local" ? "" : item,
  );
  return [...new Set(namespaces)];
}

/** Whether a wildcard allows a namespace (Part 1 §3.10.4, Wildcard allows Namespace Name). */
export function allowsNamespace(namespaces: WildcardNamespaces, namespace: string): boolean {
  if (namespaces === "any") {
    return true;
  }
  if (isList(namespaces)) {
    return namespaces.includes(namespace);
  }
  return namespace !== "" && namespace !== namespaces.not;
}

/** Whether a wildcard allows only namespaces that another wildcard also allows (Part 1 §3.10.6, Wildcard Subset). */
export function isNamespaceSubset(subset: WildcardNamespaces, superset: WildcardNamespaces): boolean {
  if (superset === "any") {
    return true;
  }
  if (subset === "any") {
    return false;
  }
  if (isList(subset)) {
    return subset.every((namespace) => allowsNamespace(superset, namespace));
  }
  return !isList(superset) && (subset.not === superset.not || superset.not === "");
}

/**
 * Returns the namespaces that at least one of two wildcards allows (Part 1 §3.10.6, Attribute Wildcard Union);
 * undefined if no wildcard can express this set.
 */
export function uniteNamespaces(a: WildcardNamespaces, b: WildcardNamespaces): WildcardNamespaces | undefined {
  if (a === "any" || b === "any") {
    return "any";
  }
  if (isList(a)) {
    if (isList(b)) {
      return [...new Set([...a, ...b])];
    }
    return uniteWithExcluded(b.not, a);
  }
  if (isList(b)) {
    return uniteWithExcluded(a.not, b);
  }
  return a.not === b.not ? a : { not: "" };
}

/**
 * Returns the namespaces that both wildcards allow (Part 1 §3.10.6, Attribute Wildcard Intersection); undefined if no
 * wildcard can express this set.
 */
export function intersectNamespaces(a: WildcardNamespaces, b: WildcardNamespaces): WildcardNamespaces | undefined {
  if (a === "any") {
    return b;
  }
  if (b === "any") {
    return a;
  }
  if (isList(a)) {
    return a.filter((namespace) => allowsNamespace(b, namespace));
  }
  if (isList(b)) {
    return b.filter((namespace) => allowsNamespace(a, namespace));
  }
  if (a.not === b.not || b.not === "") {
    return a;
  }
  return a.not === "" ? b : undefined;
}

const strictness = { skip: 0, lax: 1, strict: 2 } as const;

/** Whether a wildcard has a weaker `processContents` than another wildcard. */
export function isLessStrict(a: Wildcard, b: Wildcard): boolean {
  return strictness[a.processContents] < strictness[b.processContents];
}

export function withNamespaces(wildcard: Wildcard, namespaces: WildcardNamespaces): Wildcard {
  return { ...wildcard, namespaces };
}

/**
 * Unites two sets of namespaces: all namespaces except one, and a list of namespaces (Part 1 §3.10.6, cases 5 and 6).
 */
function uniteWithExcluded(excludedNamespace: string, list: readonly string[]): WildcardNamespaces | undefined {
  const hasAbsentNamespace = list.includes("");
  if (excludedNamespace === "") {
    return hasAbsentNamespace ? "any" : { not: "" };
  }
  if (list.includes(excludedNamespace)) {
    return hasAbsentNamespace ? "any" : { not: "" };
  }
  return hasAbsentNamespace ? undefined : { not: excludedNamespace };
}

function isList(namespaces: WildcardNamespaces): namespaces is readonly string[] {
  return Array.isArray(namespaces);
}

/**
 * Returns the methods by which a type derives from an ancestor (Part 1 §3.4.6, §3.14.6). Empty if both are the same
 * type; undefined if the type does not derive from the ancestor.
 */
export function listDerivationMethods(
  type: TypeDefinition,
  ancestor: TypeDefinition,
): ReadonlySet<DerivationMethod> | undefined {
  const methods = new Set<DerivationMethod>();
  for (let current = type; ; current = current.baseType) {
    if (current === ancestor) {
      return methods;
    }
    if (current.baseType === current) {
      break;
    }
    methods.add(current.kind === "complexType" ? current.derivation : "restriction");
  }
  if (ancestor.builtin === "anyType") {
    return methods.add("restriction");
  }
  if (ancestor.kind !== "simpleType" || type.kind !== "simpleType") {
    return undefined;
  }
  if (ancestor.builtin === "anySimpleType") {
    return methods.add("restriction");
  }
  if (ancestor.variety !== "union" || ancestor.facets.length > 0) {
    return undefined;
  }
  // Part 1 §3.14.6, 2.2.4: a type that derives from a member type of a union also derives from the union.
  const derivesFromMember = ancestor.memberTypes.some((member) => listDerivationMethods(type, member) !== undefined);
  return derivesFromMember ? methods.add("restriction") : undefined;
}

/** Whether a type is ID, or derives from ID. */
export function isIdType(type: TypeDefinition): boolean {
  let ancestor = type;
  while (ancestor.builtin === undefined && ancestor.baseType !== ancestor) {
    ancestor = ancestor.baseType;
  }
  return ancestor.builtin === "ID";
}

/** The minimum and maximum number of occurrences. */
export interface OccurrenceRange {
  readonly min: number;
  readonly max: number | "unbounded";
}

const groupRanges = new WeakMap<ModelGroup, OccurrenceRange>();

/**
 * Computes the minimum and maximum number of elements that a particle matches (Part 1 §3.8.6, Effective Total Range).
 */
export function computeTotalRange({ term, min, max }: Particle): OccurrenceRange {
  if (term.kind !== "modelGroup") {
    return { min, max };
  }
  const rangeOfGroup = computeGroupRange(term);
  return { min: min * rangeOfGroup.min, max: multiplyMax(max, rangeOfGroup.max) };
}

/** Whether a particle matches empty content (Part 1 §3.9.6, Particle Emptiable). */
export function isEmptiable(particle: Particle): boolean {
  return computeTotalRange(particle).min === 0;
}

/** Whether one range is within another (Part 1 §3.9.6, Occurrence Range OK). */
export function isRangeWithin(innerRange: OccurrenceRange, outerRange: OccurrenceRange): boolean {
  if (innerRange.min < outerRange.min) {
    return false;
  }
  return outerRange.max === "unbounded" || (innerRange.max !== "unbounded" && innerRange.max <= outerRange.max);
}

function computeGroupRange(group: ModelGroup): OccurrenceRange {
  const knownRange = groupRanges.get(group);
  if (knownRange !== undefined) {
    return knownRange;
  }
  const particleRanges = group.particles.map(computeTotalRange);
  const range =
    group.compositor === "choice" ? computeChoiceRange(particleRanges) : computeSequenceRange(particleRanges);
  groupRanges.set(group, range);
  return range;
}

/** Computes the range of a choice; 0 to 0 for an empty choice, which nothing can match (§3.8.6). */
function computeChoiceRange(ranges: readonly OccurrenceRange[]): OccurrenceRange {
  return {
    min: ranges.length === 0 ? 0 : Math.min(...ranges.map(({ min }) => min)),
    max: ranges.reduce<Max>((largest, { max }) => chooseLargerMax(largest, max), 0),
  };
}

function computeSequenceRange(ranges: readonly OccurrenceRange[]): OccurrenceRange {
  return {
    min: ranges.reduce((sum, { min }) => sum + min, 0),
    max: ranges.reduce<Max>((sum, { max }) => addMax(sum, max), 0),
  };
}

type Max = OccurrenceRange["max"];

function multiplyMax(a: Max, b: Max): Max {
  if (a === 0 || b === 0) {
    return 0;
  }
  return a === "unbounded" || b === "unbounded" ? "unbounded" : a * b;
}

function addMax(a: Max, b: Max): Max {
  return a === "unbounded" || b === "unbounded" ? "unbounded" : a + b;
}

function chooseLargerMax(a: Max, b: Max): Max {
  return a === "unbounded" || b === "unbounded" ? "unbounded" : Math.max(a, b);
}

/**
 * Gives an element without a type the type of its substitution group's head (Part 1 §3.3.2). Reports circular groups.
 */
export function inheritHeadTypes(resolution: Resolution): void {
  const members = [...resolution.elements.values()].filter((element) => element.substitutionGroup !== undefined);
  const memberSet: ReadonlySet<ElementDeclaration> = new Set(members);
  const depths = new Map<ElementDeclaration, number>();
  const { inheritance } = resolution.limits;
  const orderedElements = sortByDependency(members, (element) => {
    const head = findMutableHead(element, resolution);
    return head !== undefined && memberSet.has(head)
      ? [{ node: head, remove: () => removeHead(element, resolution) }]
      : [];
  });
  for (const element of orderedElements) {
    const head = element.substitutionGroup;
    if (head === undefined) {
      continue;
    }
    const depth = (depths.get(head) ?? 0) + 1;
    depths.set(element, depth);
    if (depth > inheritance) {
      resolution.diagnostics.error("XSD033", element.span, {
        message: `A chain of substitution groups has more than ${inheritance} elements.`,
        ...describeLimitRemedy("inheritance", resolution.limits),
      });
      element.substitutionGroup = undefined;
      depths.set(element, 0);
    } else if (resolution.elementSources.get(element)?.declaration.type === undefined && element.type === anyType) {
      element.type = head.type;
    }
  }
}

/**
 * Sets the substitutes of every head element. Reports members whose type does not derive from the type of the head
 * (Part 1 §3.3.6).
 */
export function completeSubstitutionGroups(resolution: Resolution): void {
  const substitutes = new Map<ElementDeclaration, ElementDeclaration[]>();
  for (const element of resolution.elements.values()) {
    if (element.substitutionGroup !== undefined) {
      checkMember(element, element.substitutionGroup, resolution);
    }
    for (let head = element.substitutionGroup; head !== undefined; head = head.substitutionGroup) {
      if (!element.abstract && maySubstitute(element, head)) {
        const elements = substitutes.get(head) ?? [];
        elements.push(element);
        substitutes.set(head, elements);
      }
    }
  }
  for (const element of resolution.elements.values()) {
    element.substitutes = substitutes.get(element) ?? [];
  }
}

/**
 * Whether an element may replace a head: its type derives from the head's type without a blocked method (Part 1 §3.3.6,
 * Substitution Group OK (Transitive)).
 */
function maySubstitute(element: ElementDeclaration, head: ElementDeclaration): boolean {
  if (head.block.has("substitution")) {
    return false;
  }
  const methods = listDerivationMethods(element.type, head.type);
  if (methods === undefined) {
    return false;
  }
  const blockedMethods = new Set<string>(head.block);
  let ancestor: TypeDefinition = element.type;
  while (ancestor !== head.type && ancestor.baseType !== ancestor) {
    ancestor = ancestor.baseType;
    for (const method of ancestor.kind === "complexType" ? ancestor.block : []) {
      blockedMethods.add(method);
    }
  }
  return [...methods].every((method) => !blockedMethods.has(method));
}

function checkMember(element: MutableElement, head: ElementDeclaration, resolution: Resolution): void {
  const span = resolution.elementSources.get(element)?.declaration.substitutionGroup?.span ?? element.span;
  const methods = listDerivationMethods(element.type, head.type);
  if (methods === undefined) {
    resolution.diagnostics.error("XSD048", span, {
      message: `The type of the element "${element.name.local}" does not derive from the type of the head "${head.name.local}".`,
    });
  } else if ([...methods].some((method) => head.final.has(method))) {
    resolution.diagnostics.error("XSD041", span, {
      message: `The element "${head.name.local}" is final: its substitutes must not be derived by ${[...methods].join(" and ")}.`,
    });
  }
}

function findMutableHead(
  { substitutionGroup }: ElementDeclaration,
  resolution: Resolution,
): MutableElement | undefined {
  if (substitutionGroup === undefined) {
    return undefined;
  }
  return resolution.elements.get(clark(substitutionGroup.name.namespace, substitutionGroup.name.local));
}

function removeHead(element: MutableElement, resolution: Resolution): void {
  resolution.diagnostics.unresolved("XSD032", element.span, {
    message: `The element "${element.name.local}" is a member of its own substitution group.`,
    fallback: "The element is read without its substitution group.",
  });
  element.substitutionGroup = undefined;
}
