import type { RuleId } from "./rules/index.js";
import type { Consequences, Direction, Level } from "./rules/rule.js";

/** A position in the sources of one side. */
export interface SourcePlace {
  /** Relative to the root of the sources. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** A change between two contracts, and whom it affects. */
export interface Change {
  readonly rule: RuleId;
  /** The direction of the messages in which it appears; undefined if it concerns calls as a whole. */
  readonly direction: Direction | undefined;
  /** The name of the interface: `vehicle`. */
  readonly interface: string;
  /** What changed: `Vehicle.Colour`, `CheckUSA`, `GET /core/v2/blocks`. */
  readonly subject: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The position in the old sources; undefined for what was added. */
  readonly oldPlace: SourcePlace | undefined;
  /** The position in the new sources; undefined for what was removed. */
  readonly newPlace: SourcePlace | undefined;
  readonly consequences: Consequences;
  /** The worst of the consequences. */
  readonly level: Level;
  /** A sentence that says what happened. */
  readonly message: string;
  readonly reason: string;
  /** What a stricter peer does. */
  readonly strict: string | undefined;
  /** Why the sources do not decide the consequences, which are then the worst case. */
  readonly undecided: string | undefined;
  /** The operations that it reaches, by name. */
  readonly operations: readonly string[];
  /** 12 hexadecimal digits, made from the rule, the direction, the interface, the subject and the values. */
  readonly fingerprint: string;
}

/** The changes between two sides. */
export interface ContractDiff {
  /** The names of the sides. */
  readonly base: string;
  readonly current: string;
  /** The worst first, then by interface and position. */
  readonly changes: readonly Change[];
}
