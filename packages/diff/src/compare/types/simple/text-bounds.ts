import {
  acceptAll,
  acceptAny,
  acceptList,
  acceptOthers,
  createXsdMachine,
  normalizeSpaces,
  PatternError,
  type TextMachine,
} from "@bothends/datatypes/pattern";
import { type EffectiveType, getWhiteSpace } from "./effective-type.js";
import { getCanonicalForm, getWhiteSpaceForm, listRestrictions, type TextRestriction } from "./patterns.js";

// Creates machines that accept the texts of simple types.

/** The texts of a type: at least those that one machine accepts, and at most those that another one accepts. */
export interface TextBounds {
  readonly most: TextMachine;
  /** Undefined if no part of the texts is known to be accepted. */
  readonly least: TextMachine | undefined;
}

/** Decides which restrictions of a type are considered. */
export type RestrictionFilter = (restriction: TextRestriction) => boolean;

/** Creates the bounds of the texts that readers of a type accept; undefined if its patterns are too complex. */
export function createReadTexts(type: EffectiveType, isConsidered?: RestrictionFilter): TextBounds | undefined {
  return create(() => createAccepted(type, isConsidered));
}

/** Creates a machine that accepts at least all texts that writers of a type send; undefined as above. */
export function createSentTexts(type: EffectiveType, isConsidered?: RestrictionFilter): TextMachine | undefined {
  return create(() => createSent(type, isConsidered));
}

function create<T>(createMachines: () => T): T | undefined {
  try {
    return createMachines();
  } catch (error) {
    if (error instanceof PatternError) {
      return undefined;
    }
    throw error;
  }
}

const anyText = "[\\s\\S]*";

function createPatterns(patterns: readonly string[]): TextMachine {
  return acceptAll((patterns.length === 0 ? [anyText] : patterns).map(createXsdMachine));
}

function createAccepted(type: EffectiveType, isConsidered?: RestrictionFilter): TextBounds {
  switch (type.variety) {
    case "atomic":
      return createAtomic(type, isConsidered);
    case "list":
      return createList(type, isConsidered);
    case "union":
      return createUnion(type, isConsidered);
  }
}

function createAtomic(type: EffectiveType, isConsidered: RestrictionFilter = () => true): TextBounds {
  const restrictions = listRestrictions(type).filter(isConsidered);
  const patterns = restrictions.flatMap(({ pattern }) => pattern ?? []);
  const most = normalizeSpaces(createPatterns(patterns), getWhiteSpace(type));
  // A name without a prefix is accepted.
  const isName = type.builtin === "QName" || type.builtin === "NOTATION";
  const names = isName ? normalizeSpaces(createPatterns([...patterns, "[^:]*"]), "collapse") : undefined;
  const isExact = restrictions.every(
    (restriction) => restriction.isExact || (isName && restriction.kind === "builtin"),
  );
  return { most, least: isExact ? (names ?? most) : undefined };
}

function createList(
  { type, parts, facets, patterns, values }: EffectiveType,
  isConsidered?: RestrictionFilter,
): TextBounds {
  const items = acceptBoundsOfAny(parts.map((part) => createAccepted(part, isConsidered)));
  const counts = getItemCounts({ type, facets });
  const accept = (machine: TextMachine) =>
    normalizeSpaces(
      patterns.length === 0
        ? acceptList(machine, counts)
        : acceptAll([acceptList(machine, counts), createPatterns(patterns)]),
      "collapse",
    );
  return {
    most: accept(items.most),
    least: items.least === undefined || values !== undefined ? undefined : accept(items.least),
  };
}

function getItemCounts({ type, facets }: Pick<EffectiveType, "type" | "facets">) {
  const [least = type.kind === "builtin" ? 1 : 0, greatest] = (["minLength", "maxLength"] as const).map((facet) => {
    const text = facets.get("length") ?? facets.get(facet);
    return text === undefined ? undefined : Number(text);
  });
  return { least, greatest };
}

function createUnion({ parts, patterns, values }: EffectiveType, isConsidered?: RestrictionFilter): TextBounds {
  const members = parts.map((part) => createAccepted(part, isConsidered));
  if (patterns.length === 0) {
    const bounds = acceptBoundsOfAny(members);
    return values === undefined ? bounds : { ...bounds, least: undefined };
  }
  // The patterns are compared with the text as the first member type that accepts it reads it.
  const read = (index: number) => {
    const [part, bounds] = [parts[index], members[index]];
    const whiteSpace =
      part?.variety === "list" ? "collapse" : part?.variety === "atomic" ? getWhiteSpace(part) : "preserve";
    const earlier = members.slice(0, index).map(({ most }) => acceptOthers(most));
    const pattern = normalizeSpaces(createPatterns(patterns), whiteSpace);
    return bounds === undefined ? [] : [acceptAll([bounds.most, pattern, ...earlier])];
  };
  const isExact = members.every(({ most, least }) => most === least) && values === undefined;
  const isNested = parts.some(({ variety }) => variety === "union");
  const exact = isNested || !isExact ? undefined : acceptAny(members.flatMap((_, index) => read(index)));
  return { most: exact ?? acceptAny(members.map(({ most }) => most)), least: exact };
}

function acceptBoundsOfAny(bounds: readonly TextBounds[]): TextBounds {
  const most = acceptAny(bounds.map((each) => each.most));
  const known = bounds.flatMap(({ least }) => least ?? []);
  const isExact = bounds.every((each) => each.most === each.least);
  return { most, least: isExact ? most : known.length === 0 ? undefined : acceptAny(known) };
}

function createSent(type: EffectiveType, isConsidered?: RestrictionFilter): TextMachine {
  switch (type.variety) {
    case "atomic":
      return createSentAtomic(type, isConsidered);
    case "list": {
      const [item] = type.parts;
      const { facets, patterns } = type;
      const items =
        item === undefined
          ? createPatterns([])
          : patterns.length > 0
            ? createAccepted(item, isConsidered).most
            : createSent(item, isConsidered);
      const list = acceptList(items, getItemCounts({ type: type.type, facets }));
      return patterns.length === 0 ? list : acceptAll([list, createPatterns(patterns)]);
    }
    case "union":
      // The patterns of a union may require other forms of numbers.
      return type.patterns.length > 0
        ? createUnion(type, isConsidered).most
        : acceptAny(type.parts.map((part) => createSent(part, isConsidered)));
  }
}

function createSentAtomic(type: EffectiveType, isConsidered: RestrictionFilter = () => true): TextMachine {
  const patterns = listRestrictions(type)
    .filter(isConsidered)
    .flatMap(({ pattern }) => pattern ?? []);
  const canonicalForm = getCanonicalForm(type);
  // A pattern may require another form of a number.
  const form = type.patterns.length > 0 ? undefined : canonicalForm;
  return createPatterns([...patterns, getWhiteSpaceForm(type), ...(form === undefined ? [] : [form])]);
}
