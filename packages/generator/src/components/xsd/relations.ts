import type {
  DerivationMethod,
  ModelGroup,
  Particle,
  TypeDefinition,
  Wildcard,
  WildcardNamespaces,
} from "./schema-components.js";

/** The namespaces that a wildcard's `namespace` means in a target namespace (Part 1 §3.10.2). */
export function wildcardNamespaces(
  written: "##any" | "##other" | readonly string[],
  targetNamespace: string,
): WildcardNamespaces {
  if (written === "##any") return "any";
  if (written === "##other") return { not: targetNamespace };
  const names = written.map((item) =>
    item === "##targetNamespace" ? targetNamespace : item === "##local" ? "" : item,
  );
  return [...new Set(names)];
}

/** Part 1 §3.10.4, Wildcard allows Namespace Name. */
export function allowsNamespace(namespaces: WildcardNamespaces, namespace: string): boolean {
  if (namespaces === "any") return true;
  if (isList(namespaces)) return namespaces.includes(namespace);
  return namespace !== "" && namespace !== namespaces.not;
}

/** Part 1 §3.10.6, Wildcard Subset. */
export function isSubset(sub: WildcardNamespaces, all: WildcardNamespaces): boolean {
  if (all === "any") return true;
  if (sub === "any") return false;
  if (isList(sub)) return sub.every((namespace) => allowsNamespace(all, namespace));
  return !isList(all) && (sub.not === all.not || all.not === "");
}

/** Part 1 §3.10.6, Attribute Wildcard Union; undefined where it cannot be expressed. */
export function unionOf(a: WildcardNamespaces, b: WildcardNamespaces): WildcardNamespaces | undefined {
  if (a === "any" || b === "any") return "any";
  if (isList(a)) {
    if (isList(b)) return [...new Set([...a, ...b])];
    return unionWithNot(b.not, a);
  }
  if (isList(b)) return unionWithNot(a.not, b);
  return a.not === b.not ? a : { not: "" };
}

/** Part 1 §3.10.6, Attribute Wildcard Intersection; undefined where it cannot be expressed. */
export function intersectionOf(a: WildcardNamespaces, b: WildcardNamespaces): WildcardNamespaces | undefined {
  if (a === "any") return b;
  if (b === "any") return a;
  if (isList(a)) return a.filter((namespace) => allowsNamespace(b, namespace));
  if (isList(b)) return b.filter((namespace) => allowsNamespace(a, namespace));
  if (a.not === b.not || b.not === "") return a;
  return a.not === "" ? b : undefined;
}

/** The wildcard with other namespaces. */
export function withNamespaces(wildcard: Wildcard, namespaces: WildcardNamespaces): Wildcard {
  return { ...wildcard, namespaces };
}

/** A namespace negated, united with a list: the cases 5 and 6 of the union. */
function unionWithNot(not: string, list: readonly string[]): WildcardNamespaces | undefined {
  const hasAbsent = list.includes("");
  if (not === "") return hasAbsent ? "any" : { not: "" };
  if (list.includes(not)) return hasAbsent ? "any" : { not: "" };
  return hasAbsent ? undefined : { not };
}

function isList(namespaces: WildcardNamespaces): namespaces is readonly string[] {
  return Array.isArray(namespaces);
}

/** The methods by which a type derives from another, which may be itself; undefined where it does not (Part 1 §3.4.6, §3.14.6). */
export function derivationMethods(from: TypeDefinition, to: TypeDefinition): ReadonlySet<DerivationMethod> | undefined {
  const methods = new Set<DerivationMethod>();
  for (let at = from; ; at = at.baseType) {
    if (at === to) return methods;
    if (at.baseType === at) break;
    methods.add(at.kind === "complexType" ? at.derivation : "restriction");
  }
  if (to.builtin === "anyType") return methods.add("restriction");
  if (to.kind !== "simpleType" || from.kind !== "simpleType") return undefined;
  // Every simple type restricts anySimpleType, and a member restricts the union that it belongs to (Part 1 §3.14.6, 2.2.4).
  if (to.builtin === "anySimpleType") return methods.add("restriction");
  if (to.variety !== "union" || to.facets.length > 0) return undefined;
  const viaMember = to.memberTypes.some((member) => derivationMethods(from, member) !== undefined);
  return viaMember ? methods.add("restriction") : undefined;
}

/** How often a particle occurs, or its elements together. */
export interface Range {
  readonly min: number;
  readonly max: number | "unbounded";
}

const ranges = new WeakMap<ModelGroup, Range>();

/** Part 1 §3.8.6, Effective Total Range: how many elements a particle takes, at least and at most. */
export function totalRange({ term, min, max }: Particle): Range {
  if (term.kind !== "modelGroup") return { min, max };
  const once = groupRange(term);
  return { min: min * once.min, max: times(max, once.max) };
}

/** Part 1 §3.9.6, Particle Emptiable. */
export function isEmptiable(particle: Particle): boolean {
  return totalRange(particle).min === 0;
}

/** Part 1 §3.9.6, Occurrence Range OK. */
export function isWithin(inner: Range, outer: Range): boolean {
  if (inner.min < outer.min) return false;
  return outer.max === "unbounded" || (inner.max !== "unbounded" && inner.max <= outer.max);
}

function groupRange(group: ModelGroup): Range {
  const known = ranges.get(group);
  if (known !== undefined) return known;
  const parts = group.particles.map(totalRange);
  const range: Range =
    group.compositor === "choice"
      ? { min: Math.min(...mins(parts)), max: parts.reduce<Range["max"]>((sum, { max }) => larger(sum, max), 0) }
      : {
          min: parts.reduce((sum, { min }) => sum + min, 0),
          max: parts.reduce<Range["max"]>((sum, { max }) => plus(sum, max), 0),
        };
  ranges.set(group, range);
  return range;
}

/** An empty choice takes nothing (§3.8.6), though nothing satisfies it. */
function mins(parts: readonly Range[]): readonly number[] {
  return parts.length === 0 ? [0] : parts.map(({ min }) => min);
}

function times(a: Range["max"], b: Range["max"]): Range["max"] {
  if (a === 0 || b === 0) return 0;
  return a === "unbounded" || b === "unbounded" ? "unbounded" : a * b;
}
function plus(a: Range["max"], b: Range["max"]): Range["max"] {
  return a === "unbounded" || b === "unbounded" ? "unbounded" : a + b;
}
function larger(a: Range["max"], b: Range["max"]): Range["max"] {
  return a === "unbounded" || b === "unbounded" ? "unbounded" : Math.max(a, b);
}
