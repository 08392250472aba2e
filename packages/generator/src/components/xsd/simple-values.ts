import {
  type FacetUse,
  findProblem,
  getValueSpace,
  normalizeWhiteSpace,
  readLiteralValue,
  type SimpleType,
  splitItems,
  type TextContext,
} from "@bothends/datatypes";
import { builtinDatatypes, facets as constrainingFacets } from "@bothends/datatypes/definitions";
import { anySimpleType, list, QName, restriction, union } from "@bothends/datatypes/xs";
import { clark } from "@bothends/xml";
import type {
  BoundFacet,
  BuiltinTypeName,
  EnumerationFacet,
  Facet,
  LengthFacet,
  PatternFacet,
  SimpleTypeDefinition,
  TypeDefinition,
  ValueConstraint,
  WhiteSpace,
} from "./schema-components.js";

/** The facets that apply to a type, both declared and inherited. */
export interface EffectiveFacets {
  readonly whiteSpace: WhiteSpace;
  readonly lengths: ReadonlyMap<LengthFacet["facet"], LengthFacet>;
  readonly bounds: ReadonlyMap<BoundFacet["facet"], BoundFacet>;
  readonly isEnumerated: boolean;
  /** The kinds of facets that the schema declares as `fixed`. */
  readonly fixed: ReadonlySet<Facet["facet"]>;
}

const noFacets: EffectiveFacets = {
  whiteSpace: "preserve",
  lengths: new Map(),
  bounds: new Map(),
  isEnumerated: false,
  fixed: new Set(),
};

/** Reads values of a schema's simple types as generated code does. The types must be complete. */
export class SimpleValues {
  readonly #facets = new Map<SimpleTypeDefinition, EffectiveFacets>();
  readonly #types = new Map<SimpleTypeDefinition, SimpleType<unknown>>();

  getFacets(type: SimpleTypeDefinition): EffectiveFacets {
    const knownFacets = this.#facets.get(type);
    if (knownFacets !== undefined) {
      return knownFacets;
    }
    const facets = type.variety === "absent" ? noFacets : addFacets(this.#collectInheritedFacets(type), type.facets);
    this.#facets.set(type, facets);
    return facets;
  }

  /** Returns a sentence that explains why a string is not a value of a type; undefined if it is one. */
  findProblem(type: SimpleTypeDefinition, text: string, context: TextContext): string | undefined {
    return findProblem(this.#getType(type), text, context);
  }

  /** Whether two literals represent the same value of a type. */
  areEqual(type: SimpleTypeDefinition, left: Literal, right: Literal): boolean {
    const simpleType = this.#getType(type);
    const key = findKey(simpleType, left);
    return key !== undefined && key === findKey(simpleType, right);
  }

  #getType(type: SimpleTypeDefinition): SimpleType<unknown> {
    const knownType = this.#types.get(type);
    if (knownType !== undefined) {
      return knownType;
    }
    const simpleType = this.#createType(type);
    this.#types.set(type, simpleType);
    return simpleType;
  }

  #createType(type: SimpleTypeDefinition): SimpleType<unknown> {
    const { builtin, variety, itemType } = type;
    const name = type.name?.local ?? "value of an anonymous type";
    if (builtin !== undefined) {
      return getBuiltinType(builtin);
    }
    if (type.derivation === "restriction" && variety !== "absent") {
      const base = this.#getType(type.baseType);
      return type.facets.length === 0 ? base : restriction([base], listFacetUses(type.facets), name);
    }
    if (variety === "list" && itemType !== undefined) {
      return list([this.#getType(itemType)], [], name);
    }
    if (variety === "union") {
      return union(
        type.memberTypes.map((member) => this.#getType(member)),
        [],
        name,
      );
    }
    return anySimpleType;
  }

  #collectInheritedFacets(type: SimpleTypeDefinition): EffectiveFacets {
    if (type.derivation === "restriction") {
      return this.getFacets(type.baseType);
    }
    return { ...noFacets, whiteSpace: type.variety === "list" ? "collapse" : "preserve" };
  }
}

/** A value as a string, with the namespaces that are in scope. */
export interface Literal {
  readonly value: string;
  readonly context: TextContext;
}

const builtinsByName: ReadonlyMap<string, SimpleType<unknown>> = new Map(
  builtinDatatypes.map(({ name, type }) => [name, type]),
);

function getBuiltinType(name: BuiltinTypeName): SimpleType<unknown> {
  return builtinsByName.get(name) ?? anySimpleType;
}

function findKey(type: SimpleType<unknown>, { value, context }: Literal): string | undefined {
  if (findProblem(type, value, context) !== undefined) {
    return undefined;
  }
  return getValueSpace(type).key(type.read(normalizeWhiteSpace(value, type.whiteSpace), context));
}

/** Whether a declaration keeps the fixed value of another declaration. The two may be written differently. */
export function keepsFixedValue(
  type: TypeDefinition,
  fixedConstraint: ValueConstraint | undefined,
  otherConstraint: ValueConstraint | undefined,
): boolean {
  if (fixedConstraint?.kind !== "fixed") {
    return true;
  }
  if (otherConstraint?.kind !== "fixed") {
    return false;
  }
  const textType = findTextType(type);
  return (
    otherConstraint.value === fixedConstraint.value ||
    (textType !== undefined && new SimpleValues().areEqual(textType, otherConstraint, fixedConstraint))
  );
}

/** Returns a default or fixed value as a string in the runtime's format, in which names are in Clark notation. */
export function getDeclaredText(type: TypeDefinition, { value, context }: Literal): string {
  const { primitive, itemType } = findTextType(type) ?? {};
  if (itemType?.primitive === "QName" || itemType?.primitive === "NOTATION") {
    return splitItems(value)
      .map((item) => getDeclaredText(itemType, { value: item, context }))
      .join(" ");
  }
  const isName = primitive === "QName" || primitive === "NOTATION";
  return isName && findProblem(QName, value, context) === undefined
    ? QName.read(normalizeWhiteSpace(value, QName.whiteSpace), context)
    : value;
}

/** Returns the simple type of an element's text; undefined if the content has elements. */
function findTextType(type: TypeDefinition): SimpleTypeDefinition | undefined {
  if (type.kind === "simpleType") {
    return type;
  }
  return type.content.kind === "simple" ? type.content.type : undefined;
}

/**
 * Compares two values of a primitive type. The result is negative, zero or positive; undefined if the values cannot be
 * compared.
 */
export function compareTexts(primitive: BuiltinTypeName, left: string, right: string): number | undefined {
  const type = getBuiltinType(primitive);
  if (findProblem(type, left) !== undefined || findProblem(type, right) !== undefined) {
    return undefined;
  }
  return getValueSpace(type).compare?.(readLiteralValue(type, left), readLiteralValue(type, right));
}

/** Converts the facets of one derivation step to the notation of the datatypes package. */
function listFacetUses(facets: readonly Facet[]): readonly FacetUse[] {
  const patterns = facets.filter((facet): facet is PatternFacet => facet.facet === "pattern");
  const enumerations = facets.filter((facet): facet is EnumerationFacet => facet.facet === "enumeration");
  return [
    ...facets.flatMap((facet): readonly FacetUse[] =>
      facet.facet === "pattern" || facet.facet === "enumeration"
        ? []
        : [[constrainingFacets[facet.facet], facet.value]],
    ),
    ...(patterns.length === 0 ? [] : [[constrainingFacets.pattern, patterns.map(({ value }) => value)] as const]),
    ...(enumerations.length === 0
      ? []
      : [[constrainingFacets.enumeration, enumerations.map(getEnumeratedText)] as const]),
  ];
}

/** Returns an enumeration value as a string. QNames and names of notations are in Clark notation. */
function getEnumeratedText({ value, name }: EnumerationFacet): string {
  return name === undefined ? value : clark(name.namespace, name.local);
}

function addFacets(inheritedFacets: EffectiveFacets, declaredFacets: readonly Facet[]): EffectiveFacets {
  if (declaredFacets.length === 0) {
    return inheritedFacets;
  }
  let { whiteSpace, isEnumerated } = inheritedFacets;
  const lengths = new Map(inheritedFacets.lengths);
  const bounds = new Map(inheritedFacets.bounds);
  const fixedFacets = new Set(inheritedFacets.fixed);
  for (const facet of declaredFacets) {
    if ("fixed" in facet && facet.fixed) {
      fixedFacets.add(facet.facet);
    }
    if (facet.facet === "whiteSpace") {
      whiteSpace = facet.value;
    } else if (facet.facet === "enumeration") {
      isEnumerated = true;
    } else if (isBound(facet)) {
      // An inclusive bound replaces an inherited exclusive bound, and vice versa (Part 2 §4.3.7 to §4.3.10).
      for (const name of listBoundsOfSameSide(facet.facet)) {
        bounds.delete(name);
      }
      bounds.set(facet.facet, facet);
    } else if (facet.facet !== "pattern") {
      lengths.set(facet.facet, facet);
    }
  }
  return { whiteSpace, lengths, bounds, isEnumerated, fixed: fixedFacets };
}

/** Whether a facet limits the range of values. */
export function isBound(facet: Facet): facet is BoundFacet {
  return /^(?:min|max)(?:In|Ex)clusive$/.test(facet.facet);
}

function listBoundsOfSameSide(name: BoundFacet["facet"]): readonly BoundFacet["facet"][] {
  return name.startsWith("min") ? ["minInclusive", "minExclusive"] : ["maxInclusive", "maxExclusive"];
}
