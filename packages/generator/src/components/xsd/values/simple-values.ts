import {
  compilePattern,
  type Pattern,
  PatternError,
  type PatternLimits,
  patternLimits,
} from "@bothends/datatypes/pattern";
import { xsdNamespace } from "../../../read/xsd/namespaces.js";
import type {
  BoundFacet,
  EnumerationFacet,
  Facet,
  LengthFacet,
  PatternFacet,
  SimpleTypeDefinition,
  WhiteSpace,
} from "../../xsd-model.js";
import { builtinSpan } from "../builtin-types.js";
import { comparePrimitives, readPrimitive } from "./primitive.js";

/** The facets that bind a type: its own and, where it has none of a kind, those of its bases. */
export interface EffectiveFacets {
  readonly whiteSpace: WhiteSpace;
  readonly lengths: ReadonlyMap<LengthFacet["facet"], LengthFacet>;
  readonly bounds: ReadonlyMap<BoundFacet["facet"], BoundFacet>;
  /** One list of alternatives per step of derivation that has patterns. */
  readonly patterns: readonly (readonly PatternFacet[])[];
  readonly enumeration: readonly EnumerationFacet[] | undefined;
  /** All kinds that some step fixes. */
  readonly fixed: ReadonlySet<Facet["facet"]>;
}

/** A value's key, equal for equal values, or what is wrong with its text. */
type Judged = { readonly key: string } | { readonly problem: string };

const none: EffectiveFacets = {
  whiteSpace: "preserve",
  lengths: new Map(),
  bounds: new Map(),
  patterns: [],
  enumeration: undefined,
  fixed: new Set(),
};

/** Tells whether texts are values of simple types. Keeps what it works out per type. */
export class SimpleValues {
  readonly #limits: PatternLimits;
  readonly #facets = new Map<SimpleTypeDefinition, EffectiveFacets>();
  readonly #patterns = new Map<string, Pattern | undefined>();
  readonly #enumerations = new Map<EffectiveFacets, ReadonlySet<string>>();

  constructor(limits: PatternLimits = patternLimits) {
    this.#limits = limits;
  }

  /** The facets that bind a type, whose bases are complete. */
  facetsOf(type: SimpleTypeDefinition): EffectiveFacets {
    const known = this.#facets.get(type);
    if (known !== undefined) return known;
    const facets = type.variety === "absent" ? none : addFacets(this.#inherited(type), type.facets);
    this.#facets.set(type, facets);
    return facets;
  }

  /** What is wrong with a text as a value of a type; undefined: nothing. */
  problem(type: SimpleTypeDefinition, text: string): string | undefined {
    const judged = this.#judge(type, normalise(text, this.facetsOf(type).whiteSpace));
    return "problem" in judged ? judged.problem : undefined;
  }

  /** A key that is equal for equal values of a type; undefined for a text that is no value of it. */
  keyOf(type: SimpleTypeDefinition, text: string): string | undefined {
    const judged = this.#judge(type, normalise(text, this.facetsOf(type).whiteSpace));
    return "key" in judged ? judged.key : undefined;
  }

  /** A pattern ready to test; undefined where it is malformed, which is reported elsewhere. */
  pattern(text: string): Pattern | undefined {
    if (!this.#patterns.has(text)) this.#patterns.set(text, compiled(text, this.#limits));
    return this.#patterns.get(text);
  }

  #inherited(type: SimpleTypeDefinition): EffectiveFacets {
    if (type.derivation === "restriction") return this.facetsOf(type.baseType);
    return { ...none, whiteSpace: type.variety === "list" ? "collapse" : "preserve" };
  }

  #judge(type: SimpleTypeDefinition, text: string): Judged {
    if (type.variety === "absent") return { key: text };
    const facets = this.facetsOf(type);
    for (const alternatives of facets.patterns) {
      if (!alternatives.some((facet) => this.pattern(facet.value)?.test(text) ?? true)) {
        return { problem: `does not match the pattern ${alternatives.map((facet) => facet.value).join(" or ")}` };
      }
    }
    const judged = this.#judgeVariety(type, text, facets);
    if ("problem" in judged || facets.enumeration === undefined) return judged;
    return this.#enumeration(type, facets, facets.enumeration).has(judged.key)
      ? judged
      : { problem: "is none of the enumeration's values" };
  }

  #judgeVariety(type: SimpleTypeDefinition, text: string, facets: EffectiveFacets): Judged {
    if (type.variety === "atomic") return judgeAtomic(type, text, facets);
    if (type.variety === "union") {
      for (const [index, member] of type.memberTypes.entries()) {
        const judged = this.#judge(member, normalise(text, this.facetsOf(member).whiteSpace));
        if ("key" in judged)
          return {
            key: member.primitive === undefined ? `${index} ${judged.key}` : `${member.primitive} ${judged.key}`,
          };
      }
      return { problem: "belongs to no member of the union" };
    }
    const items = text === "" ? [] : text.split(" ");
    const keys: string[] = [];
    for (const item of items) {
      const judged = type.itemType === undefined ? { key: item } : this.#judge(type.itemType, item);
      if ("problem" in judged) return { problem: `has the item "${item}", which ${judged.problem}` };
      keys.push(judged.key);
    }
    const problem = lengthProblem(items.length, facets);
    return problem === undefined ? { key: keys.join(" ") } : { problem };
  }

  #enumeration(
    type: SimpleTypeDefinition,
    facets: EffectiveFacets,
    values: readonly EnumerationFacet[],
  ): ReadonlySet<string> {
    const known = this.#enumerations.get(facets);
    if (known !== undefined) return known;
    const plain = { ...facets, patterns: [], enumeration: undefined };
    const keys = new Set<string>();
    for (const { value } of values) {
      const judged = this.#judgeVariety(type, normalise(value, facets.whiteSpace), plain);
      if ("key" in judged) keys.add(judged.key);
    }
    this.#enumerations.set(facets, keys);
    return keys;
  }
}

/** Part 2 §4.3.6. */
export function normalise(text: string, whiteSpace: WhiteSpace): string {
  if (whiteSpace === "preserve") return text;
  const replaced = text.replaceAll(/[\t\n\r]/g, " ");
  return whiteSpace === "replace"
    ? replaced
    : replaced
        .split(" ")
        .filter((word) => word !== "")
        .join(" ");
}

/** What the built-in type is called that a type comes from: what its author wrote down as the base. */
function builtinName(type: SimpleTypeDefinition): string | undefined {
  let one = type;
  while (one.name?.namespace !== xsdNamespace && one.baseType !== one) one = one.baseType;
  return one.name?.local;
}

function judgeAtomic(type: SimpleTypeDefinition, text: string, facets: EffectiveFacets): Judged {
  const primitive = type.primitive ?? "string";
  const value = readPrimitive(primitive, text);
  if (value === undefined) return { problem: `is no ${builtinName(type) ?? primitive}` };
  if (value.length !== undefined) {
    const problem = lengthProblem(value.length, facets);
    if (problem !== undefined) return { problem };
  }
  for (const bound of facets.bounds.values()) {
    if (!withinBound(comparePrimitives(primitive, text, bound.value), bound)) {
      return { problem: `is outside ${bound.facet} ${bound.value}` };
    }
  }
  const problem = primitive === "decimal" ? digitsProblem(value.key, facets) : undefined;
  if (problem !== undefined) return { problem };
  // What makes integers of decimals also forbids the point (Part 2 §3.3.13).
  if (facets.lengths.get("fractionDigits")?.span === builtinSpan && text.includes(".")) {
    return { problem: "is no whole number" };
  }
  return { key: value.key };
}

function withinBound(order: number | undefined, bound: BoundFacet): boolean {
  if (order === undefined) return false;
  switch (bound.facet) {
    case "minInclusive":
      return order >= 0;
    case "minExclusive":
      return order > 0;
    case "maxInclusive":
      return order <= 0;
    case "maxExclusive":
      return order < 0;
  }
}

function lengthProblem(length: number, { lengths }: EffectiveFacets): string | undefined {
  const exact = lengths.get("length")?.value;
  const min = lengths.get("minLength")?.value;
  const max = lengths.get("maxLength")?.value;
  if (exact !== undefined && length !== exact) return `has length ${length}, not ${exact}`;
  if (min !== undefined && length < min) return `has length ${length}, less than ${min}`;
  if (max !== undefined && length > max) return `has length ${length}, more than ${max}`;
  return undefined;
}

function digitsProblem(canonical: string, { lengths }: EffectiveFacets): string | undefined {
  const [whole = "", fraction = ""] = canonical.replace("-", "").split(".");
  const total = (whole === "0" ? 0 : whole.length) + fraction.length;
  const mostTotal = lengths.get("totalDigits")?.value;
  const mostFraction = lengths.get("fractionDigits")?.value;
  if (mostTotal !== undefined && total > mostTotal) return `has ${total} digits, more than ${mostTotal}`;
  if (mostFraction !== undefined && fraction.length > mostFraction) {
    return `has ${fraction.length} digits behind the point, more than ${mostFraction}`;
  }
  return undefined;
}

function addFacets(inherited: EffectiveFacets, own: readonly Facet[]): EffectiveFacets {
  if (own.length === 0) return inherited;
  let { whiteSpace } = inherited;
  const lengths = new Map(inherited.lengths);
  const bounds = new Map(inherited.bounds);
  const fixed = new Set(inherited.fixed);
  const patterns: PatternFacet[] = [];
  const enumeration: EnumerationFacet[] = [];
  for (const facet of own) {
    if ("fixed" in facet && facet.fixed) fixed.add(facet.facet);
    if (facet.facet === "whiteSpace") whiteSpace = facet.value;
    else if (facet.facet === "pattern") patterns.push(facet);
    else if (facet.facet === "enumeration") enumeration.push(facet);
    else if (isBound(facet)) {
      // An inclusive bound takes the place of an exclusive one, and the other way round (Part 2 §4.3.7 to §4.3.10).
      for (const name of sameEnd(facet.facet)) bounds.delete(name);
      bounds.set(facet.facet, facet);
    } else lengths.set(facet.facet, facet);
  }
  return {
    whiteSpace,
    lengths,
    bounds,
    patterns: patterns.length === 0 ? inherited.patterns : [...inherited.patterns, patterns],
    enumeration: enumeration.length === 0 ? inherited.enumeration : enumeration,
    fixed,
  };
}

export function isBound(facet: Facet): facet is BoundFacet {
  return facet.facet.startsWith("min") || facet.facet.startsWith("max") ? facet.facet.endsWith("clusive") : false;
}

function sameEnd(name: BoundFacet["facet"]): readonly BoundFacet["facet"][] {
  return name.startsWith("min") ? ["minInclusive", "minExclusive"] : ["maxInclusive", "maxExclusive"];
}

function compiled(text: string, limits: PatternLimits): Pattern | undefined {
  try {
    return compilePattern(text, limits);
  } catch (problem) {
    if (problem instanceof PatternError) return undefined;
    throw problem;
  }
}
