import type { Span, TypeDefinition, TypeId, TypeReference } from "@bothends/generator";
import type { Direction, LevelsOfWriters } from "../../rules/rule.js";
import type { CodeLimits, Difference, ReportedItem } from "../difference.js";
import { type Documented, hasSameDocumentation } from "../documentation.js";
import type { SoapSide } from "../soap-side.js";
import type { ValueDifference } from "./simple/value-difference.js";

/** The differences between two types in one direction, and the keys of the type pairs to which these types refer. */
export interface TypePair {
  readonly differences: Difference[];
  readonly usedPairKeys: Set<string>;
  /** The keys of the pairs that a member with the same name in both versions uses. */
  readonly sameNamePairKeys: Set<string>;
}

export function createTypePair(): TypePair {
  return { differences: [], usedPairKeys: new Set(), sameNamePairKeys: new Set() };
}

/** Both versions of a SOAP interface, and the pairs of types compared so far. */
export interface TypeComparison {
  readonly old: SoapSide;
  readonly new: SoapSide;
  /** Whether generated code represents the values of all simple types in the same way in both versions. */
  readonly hasSameRepresentations: boolean;
  /** Whether both versions of a simple type are equal, keyed by type id. Contains only the types compared so far. */
  readonly unchangedSimpleTypes: Map<TypeId, boolean>;
  readonly pairs: Map<string, TypePair>;
  /** Whether two types are equal, keyed by their references. Contains only the types compared so far. */
  readonly equalTypes: Map<string, boolean>;
  /** The differences of simple types, keyed by the references to both types. */
  readonly valueDifferences: Map<string, readonly ValueDifference[]>;
  /** The effects of replaced declared types on readers, keyed by the ids of both types. */
  readonly replacementLevels: Map<string, LevelsOfWriters>;
  /**
   * Compares two references. The context contains this function so that the modules that compare types need not import
   * each other.
   */
  readonly compare: (context: TypeComparison, references: References, target: ReportTarget) => void;
}

/** The type of one item, such as a member or a body, in both versions. */
export interface References {
  readonly before: TypeReference;
  readonly after: TypeReference;
}

/** The subject and positions to report for the differences of two types, and the list that receives the differences. */
export interface ReportTarget {
  readonly direction: Direction;
  readonly subject: string;
  readonly oldSpan: Span | undefined;
  readonly newSpan: Span | undefined;
  readonly sharedSubject?: string | undefined;
  /**
   * Receives the differences. Each pair of complex or named types has its own list; differences of other types are
   * added to the list of the item that has the type.
   */
  readonly pair: TypePair;
  /** Whether the types are those of a member whose names in messages differ. */
  readonly hasOtherName?: boolean;
  /** Whether the types are those of two elements with different local names, of which one replaced the other. */
  readonly isOfOtherElement?: boolean;
  /** Whether the types are those of an element in both versions. Encoded messages contain the names of these types. */
  readonly isElement?: boolean;
  /** The item whose type was replaced, if the types are those of this item. */
  readonly replacedType?: ReportedItem | undefined;
  /** The worst consequences for code, if the types are those of an argument that is an option of the client. */
  readonly optionLimits?: CodeLimits | undefined;
}

/** Returns the direction, subject, positions and limits of a target, to be copied to its differences. */
export function omitPair({
  direction,
  subject,
  oldSpan,
  newSpan,
  sharedSubject,
  replacedType,
  optionLimits,
}: ReportTarget): Omit<ReportTarget, "pair" | "optionLimits"> & CodeLimits {
  const shared = sharedSubject === undefined ? {} : { sharedSubject };
  const replaced = replacedType === undefined ? {} : { replacedType };
  return { direction, subject, oldSpan, newSpan, ...shared, ...replaced, ...optionLimits };
}

/** Reports changed documentation of a type or a member, but not of a type that replaced another one. */
export function compareDocumentation(
  [before, after]: readonly [before: Documented, after: Documented],
  target: ReportTarget,
): void {
  if (target.replacedType === undefined && !hasSameDocumentation(before, after)) {
    target.pair.differences.push({ rule: "documentation-changed", ...omitPair(target), direction: undefined });
  }
}

/** Formats the name of a type for reports: `Vehicle`, `Order.lines`. */
export function getName({ name, words }: TypeDefinition): string {
  return name?.local ?? words.join(".");
}
