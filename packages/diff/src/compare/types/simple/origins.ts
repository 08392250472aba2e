import type { TypeDefinition, TypeReference } from "@bothends/generator";
import { getRule } from "../../../rules/index.js";
import { type Consequences, findWorstLevel, getConsequences } from "../../../rules/rule.js";
import { matchUnique } from "../../similar-names.js";
import { getDefinition, type SoapSide } from "../../soap-side.js";
import { isRenamed } from "../moved-declarations.js";
import type { References, TypeComparison } from "../type-comparison.js";
import { adjustValueLevels } from "./adjust-levels.js";
import { computeEffectiveType, type EffectiveType } from "./effective-type.js";
import { addRepresentableValues } from "./represented-values.js";
import { findValueDifferences } from "./simple-types.js";
import { formatTypeWithFacets } from "./type-texts.js";
import type { ValueDifference } from "./value-difference.js";

type SimpleTypes = readonly [before: EffectiveType, after: EffectiveType];

interface ComparedValues {
  /** The differences of the types themselves. */
  readonly differences: readonly ValueDifference[];
  /**
   * The named types on which both types are based, if they have another name or differences. These differences are
   * reported for them, not for each type that is based on them.
   */
  readonly changedOrigins: readonly References[];
  /** Changes of these named types that the values of both types do not show, but code that names the types does. */
  readonly changedInCode: readonly { readonly types: References; readonly difference: ValueDifference }[];
}

/** Compares the values of two simple types, and finds the named types in which these values changed. */
export function compareWithOrigins(context: TypeComparison, types: SimpleTypes): ComparedValues {
  const { differences, origins, changedOrigins } = findOrigins(context, types);
  const ownTexts = new Set(compareValues(context, types).map(format));
  const changedInCode = origins
    .filter((pair) => !changedOrigins.has(pair))
    .flatMap((pair) => findCodeChanges(context, pair))
    .filter(({ difference }) => !ownTexts.has(format(difference)));
  return {
    differences,
    changedOrigins: [...changedOrigins].map(createReferences),
    changedInCode: [...new Map(changedInCode.map((change) => [JSON.stringify(change), change])).values()],
  };
}

function createReferences([before, after]: SimpleTypes): References {
  return { before: before.type, after: after.type };
}

function findOrigins(context: TypeComparison, types: SimpleTypes) {
  const origins = matchOrigins(context, types);
  const changedOrigins = new Set(origins.filter(([before, after]) => !hasSameId(before, after)));
  const differences = compareValues(context, types).filter((difference) => {
    const origin = origins.find((pair) => compareValues(context, pair).some((other) => explains(other, difference)));
    if (origin !== undefined) {
      changedOrigins.add(origin);
    }
    return origin === undefined;
  });
  return { origins, changedOrigins, differences };
}

/** Returns changed values of enumerations, limited to code that names their types. */
function findCodeChanges(context: TypeComparison, types: SimpleTypes): ComparedValues["changedInCode"] {
  const { differences, changedOrigins } = findOrigins(context, types);
  const ofEnumerations = differences.filter(
    ({ rule, sameCode }) => !sameCode && (rule === "enum-value-added" || rule === "enum-value-removed"),
  );
  return [
    ...ofEnumerations.map((difference) => ({
      types: createReferences(types),
      difference: {
        ...difference,
        levels: ["none", "none"] as const,
        isSampled: false,
        codeLevels: ["some", "some"] as const,
      },
    })),
    ...[...changedOrigins].flatMap((origin) => findCodeChanges(context, origin)),
  ];
}

function format({ rule, before, after }: ValueDifference): string {
  return JSON.stringify([rule, before, after]);
}

function compareValues(context: TypeComparison, [before, after]: SimpleTypes): readonly ValueDifference[] {
  const key = JSON.stringify([before.type, after.type]);
  const known = context.valueDifferences.get(key);
  if (known !== undefined) {
    return known;
  }
  const levelled = adjustValueLevels(findValueDifferences(context, before, after), before, after);
  const differences = addRepresentableValues(levelled, [before, after]);
  context.valueDifferences.set(key, differences);
  return differences;
}

/**
 * Whether the difference of an origin explains that of a type that is based on it: the same change, with the same
 * consequences for clients, and at least these for code. Code may use the origin apart from the other type, so the
 * consequences for code that lists all of its values can be worse.
 */
function explains(ofOrigin: ValueDifference, difference: ValueDifference): boolean {
  const [origin, other] = [ofOrigin, difference].map((each) =>
    getConsequences(getRule(each.rule), { ...each, direction: "input" }),
  ) as [Consequences, Consequences];
  return (
    format(ofOrigin) === format(difference) &&
    origin.oldClients === other.oldClients &&
    origin.newClients === other.newClients &&
    findWorstLevel([origin.callers, other.callers]) === origin.callers &&
    findWorstLevel([origin.handlers, other.handlers]) === origin.handlers
  );
}

function hasSameId({ type: left }: EffectiveType, { type: right }: EffectiveType): boolean {
  return left.kind === "named" && right.kind === "named" && left.id === right.id;
}

/**
 * Matches the named types on which both versions of a simple type are based: the base type of a restriction, the item
 * type of a list, the member types of a union.
 */
function matchOrigins(context: TypeComparison, [before, after]: SimpleTypes): readonly SimpleTypes[] {
  const isNewVersion = ({ type: left }: EffectiveType, { type: right }: EffectiveType) => {
    const [oldOrigin, newOrigin] = [getDefinition(context.old, left), getDefinition(context.new, right)];
    return oldOrigin !== undefined && newOrigin !== undefined && isRenamed(context, oldOrigin, newOrigin);
  };
  return matchUnique(
    [listOrigins(context.old, before), listOrigins(context.new, after)],
    [
      hasSameId,
      (left, right) => isNewVersion(left, right) && formatTypeWithFacets(left) === formatTypeWithFacets(right),
      isNewVersion,
    ],
  );
}

/** Lists the named types on which a type is based, directly or through anonymous types. */
function listOrigins(side: SoapSide, { type }: EffectiveType): readonly EffectiveType[] {
  const origins = listReferences(getDefinition(side, type)).flatMap((reference): readonly EffectiveType[] => {
    const origin = computeEffectiveType(side, reference);
    const isNamed = getDefinition(side, reference)?.name !== undefined;
    return origin === undefined ? [] : isNamed ? [origin] : listOrigins(side, origin);
  });
  return [...new Map(origins.map((origin) => [JSON.stringify(origin.type), origin])).values()];
}

function listReferences(definition: TypeDefinition | undefined): readonly TypeReference[] {
  switch (definition?.kind) {
    case "restriction":
    case "enumeration":
      return [definition.base];
    case "list":
      return [definition.item];
    case "union":
      return definition.members;
    default:
      return [];
  }
}
