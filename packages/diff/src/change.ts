import type { RuleId } from "./rules/index.js";
import type { Consequences, Direction, Level } from "./rules/rule.js";

/** A position in the old or the new sources. */
export interface SourcePosition {
  /** The path of the file, relative to the root of the sources. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** A change between two contracts, with its consequences. */
export interface Change {
  readonly rule: RuleId;
  /**
   * Whether requests ("input") or answers ("output") contain the changed item; undefined if the change affects calls,
   * not messages.
   */
  readonly direction: Direction | undefined;
  /** The name of the interface: `vehicle`; empty for a package, which contains all interfaces. */
  readonly interface: string;
  /** The changed item, as reports name it: `Vehicle.Colour`, `CheckUSA`, `GET /core/v2/blocks`. */
  readonly subject: string;
  /** The changed value in the old version, such as a name, a type or a facet. */
  readonly before: string | undefined;
  /** The changed value in the new version. */
  readonly after: string | undefined;
  /** The position in the old sources; undefined for additions. */
  readonly oldPosition: SourcePosition | undefined;
  /** The position in the new sources; undefined for removals. */
  readonly newPosition: SourcePosition | undefined;
  readonly consequences: Consequences;
  /** The worst of the consequences. */
  readonly level: Level;
  /** A sentence that describes the change. */
  readonly message: string;
  /** A sentence that explains the consequences. */
  readonly reason: string;
  /** A sentence about peers that validate messages more strictly than generated clients and servers do. */
  readonly strictPeers: string | undefined;
  /** A clause that says why the sources do not determine the consequences. The worst case is then reported. */
  readonly undecided: string | undefined;
  /** The names of the affected operations. */
  readonly operations: readonly string[];
  /**
   * The paths of the affected operations in a client and in the handlers: `reg.checkUSA`. Empty if there is no plan.
   */
  readonly members: readonly string[];
  /** The names that generated code no longer exports because of the change, except those in the message. */
  readonly vanishedNames?: readonly string[];
  /**
   * 12 hexadecimal digits that identify the change. The first four depend on the rule, the direction, the interface and
   * the subject. The remaining eight also depend on the values and the consequences and, if the rule merges changes of
   * several operations, on the names of these operations.
   */
  readonly fingerprint: string;
  /**
   * The fingerprint of the group to which the change belongs: at least three changes that differ only in their subjects
   * and positions. An allow list can accept the whole group. Absent if the change belongs to no group.
   */
  readonly group?: string;
}
