import type { RuleId } from "../../../rules/index.js";
import type { Level } from "../../../rules/rule.js";
import type { SampleTexts } from "../../difference.js";

/** A difference between two simple types, without the subject, which the caller adds. */
export interface ValueDifference {
  readonly rule: RuleId;
  readonly before: string;
  readonly after: string;
  readonly sameCode: boolean;
  /** The key of the rule's variant that applies. */
  readonly variant?: string | undefined;
  /**
   * How the change affects new readers of old values and old readers of new values; undefined if the rule's verdict
   * applies.
   */
  readonly levels?: readonly [oldWriter: Level, newWriter: Level] | undefined;
  /** Whether `levels` are the effects of sample values. */
  readonly isSampled?: boolean;
  /** The names of types by which the setting `typeMap` may refer to the changed type. */
  readonly mappedTypes?: readonly string[];
  /** The worst consequences that the change can have for code that writes the value and for code that reads it. */
  readonly codeLimits?: readonly [write: Level, read: Level];
  /** The consequences for code that writes the value and for code that reads it, in place of those of the rule. */
  readonly codeLevels?: readonly [write: Level, read: Level];
  /** Whether code that lists the alternatives of the type may no longer compile, although the rule does not say so. */
  readonly affectsTypeUses?: boolean;
  /** Texts that only one version accepts. */
  readonly sampleTexts?: SampleTexts | undefined;
  /** Whether the types are too complex to compare, so that `levels` are the worst case. */
  readonly isUndecided?: boolean;
  /** Whether `levels` are the effects of all values of both types, if these are not parts of other types. */
  readonly isExact?: boolean;
}
