import type { HandlerChanges, OperationOf } from "./handler-changes.js";

// The inputs, the result and the report of a merge.

/** The result of a merge. */
export interface MergeResult {
  /** The contents of new and changed files, keyed by path. */
  readonly files: ReadonlyMap<string, string>;
  /** The paths of files whose content has moved to another file. */
  readonly movedPaths: readonly string[];
  /** The old path of each moved file, keyed by its new path. */
  readonly movedFrom: ReadonlyMap<string, string>;
  readonly report: MergeReport;
  /** Whether the next merge needs these changes too, because the user has not moved or removed all handlers yet. */
  readonly isOpen: boolean;
  /**
   * The operations that were added or removed, and which handlers that were not read may not fit yet. The next merge
   * reports them again.
   */
  readonly unread: { readonly added: readonly OperationOf[]; readonly removed: readonly OperationOf[] };
  /** Whether an interface was not merged, so that the next merge needs the same changes. */
  readonly isIncomplete: boolean;
  /** The syntax errors that prevented the merge: `src/main.ts:12: '}' expected.` */
  readonly problems: readonly string[];
}

/** The inputs of a merge, apart from the handlers. */
export interface MergeInputs {
  /** The changes since the last merge; undefined if they are unknown. */
  readonly changes: HandlerChanges | undefined;
  /** Converts the path of a file in the server to the path that notes show; absent if both paths are the same. */
  readonly formatDisplayPath?: ((path: string) => string) | undefined;
  /** The name of the server package in the imports of handlers. */
  readonly serverPackage: string;
  /** The names of the packages whose entry `operations` exports the constants of operations. */
  readonly operationPackages?: readonly string[];
  /** The new path of each renamed operation, keyed by its old path. */
  readonly renames?: ReadonlyMap<string, string>;
}

/** The changes of a merge, and the remaining tasks for the user. Positions are `file:line`. */
export interface MergeReport {
  /** The paths of operations for which handlers were added, such as `reg.checkUSA`. */
  readonly added: readonly string[];
  /**
   * The operations that may be new names of removed operations: those whose handlers a merge added, and which the user
   * has not changed since.
   */
  readonly candidates: readonly string[];
  /** The removed operations, each with an added operation that may be its new name. Absent if they are unknown. */
  readonly possibleMoves?: HandlerChanges["moves"];
  /** The handlers that were moved to another operation. `keptFiles` could not move. */
  readonly renamed: readonly { readonly from: string; readonly to: string; readonly keptFiles?: readonly string[] }[];
  /** The old paths of the requested renames that were not made. Absent if all were made. */
  readonly notRenamed?: readonly string[];
  /** The handlers that `--rename` cannot move. Absent if there are none. */
  readonly unmoved?: readonly UnmovedHandler[];
  readonly removed: readonly RemovedHandler[];
  readonly changed: readonly ChangedHandler[];
  /** The handlers that were not found, and that no change since the last merge concerns. Absent if there are none. */
  readonly absent?: readonly AbsentHandlers[];
  /** True if the user's code may not compile: names in the packages changed, or earlier changes are not done yet. */
  readonly affectsCode?: true;
  /** True if all code of the server is JavaScript. */
  readonly isJavaScript?: true;
  /** Sentences that describe tasks for the user, such as a handler that could not be added automatically. */
  readonly notes: readonly string[];
}

/** A handler that the user must move, because `--rename` cannot. */
export interface UnmovedHandler {
  readonly interface: string;
  readonly from: string;
  readonly to: string;
  /** A sentence that says why the handler was not moved. */
  readonly reason: string;
  readonly position: string;
  /** The position of the new handler, or of the object to which it must be added. */
  readonly newPosition: string;
  /** The positions of other code that names the handler: imports, types, and lists of operations. */
  readonly uses: readonly string[];
  /** The code that is superfluous after the move, and the position of the member that refers to it. */
  readonly code: Pick<RemovedHandler, "files" | "declarations" | "reExports"> & { readonly member: string };
  /** The group of the handler, if the group is no longer in the schema. */
  readonly removedGroup?: string;
}

/** A handler whose operation is no longer in the schema. */
export interface RemovedHandler {
  readonly operation: string;
  /** The position of the handler, such as `src/vehicle/handlers.ts:12`. */
  readonly position: string;
  /** The files that export only this handler, or only handlers of this group. */
  readonly files: readonly string[];
  /** The positions of these handlers in files that also export something else. */
  readonly declarations: readonly string[];
  /** True if the member is a group of handlers. */
  readonly isGroup?: true;
  /**
   * True if the handler is a member of a class. Unlike an object literal, a class may still compile with a superfluous
   * member.
   */
  readonly isInClass?: true;
  /** The positions of the `export … from` declarations that re-export the handler. */
  readonly reExports: readonly string[];
  /** The positions of other code that names the handler: imports, types, and lists of operations. */
  readonly uses?: readonly string[];
  /** The probable new path of a renamed operation; undefined if the operation was probably removed. */
  readonly newPath: string | undefined;
  /** True if the new path is certain, because the operation has the same name in another service. */
  readonly isMoved?: true;
  /**
   * The operation whose handler now receives the calls of the removed one, if only the user can move the code there.
   */
  readonly includedIn?: string | undefined;
}

/** A change to an operation that has a handler. */
export interface ChangedHandler {
  readonly operation: string;
  readonly position: string;
  /** A sentence that describes the change: `VehicleData.Colour: An optional member was added`. */
  readonly change: string;
  /** The changed item, if `change` does not name it, because several changes are equal apart from their items. */
  readonly subject?: string;
  /** What to do in the handler, before its name: `remove any code for X from`. Default: `check`. */
  readonly step?: string | undefined;
  /** Whether the user has written the handler. */
  readonly isImplemented: boolean;
  /** True if code that compiled before may not compile any more. */
  readonly affectsCode?: true;
  /** The probable renames without which the operation did not change. */
  readonly ifRenamed?: readonly { readonly before: string; readonly after: string }[];
  /** The handler of the user that answered the calls of the operation before it was split. Absent for other changes. */
  readonly previous?: { readonly operation: string; readonly position: string };
}

/** Operations and groups without handlers that were found. */
export interface AbsentHandlers {
  /** The position of the object that has no such members. */
  readonly position: string;
  /**
   * "unknown": other code, such as a spread function call, may contain the handlers. "not required": the type of the
   * object does not require them. "left out": with the option `missing` of the routes, at this position, the server
   * needs no handlers for them. "unread": the object is neither a literal nor a class, so that none of its members
   * are known.
   */
  readonly reason: "unknown" | "not required" | "left out" | "unread";
  /** The paths of the operations and groups, or of the object that was not read. */
  readonly operations: readonly string[];
}
