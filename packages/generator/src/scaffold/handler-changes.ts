import type { HandlerTree } from "./handler-tree.js";

/** The changes since handlers were last merged. Operations are identified by their handler paths: `reg.checkUSA`. */
export interface HandlerChanges {
  readonly changes: readonly {
    readonly interface: string;
    /** A sentence about the change: `VehicleData.Colour: An optional member was added.` */
    readonly text: string;
    /** The changed item, if `text` does not name it, because several changes are equal apart from their items. */
    readonly subject?: string;
    readonly operations: readonly string[];
    /** What to do in the handlers, before their names: `remove any code for X from`. Default: `check`. */
    readonly step?: string;
    /** True if code that compiled before may not compile any more. */
    readonly affectsCode?: true;
    /** The probable renames without which the operations did not change. */
    readonly ifRenamed?: readonly Rename[];
  }[];
  /** The operations with a changed path, or with a path that probably changed. */
  readonly moves: readonly { readonly interface: string; readonly before: string; readonly after: string }[];
  /** The pairs of removed and added operations that are equally likely to be the same operation. */
  readonly possibleMoves?: HandlerChanges["moves"];
  /** The operations whose endpoint was merged into that of another existing operation. */
  readonly included?: HandlerChanges["moves"];
  /** Interfaces that no longer exist. */
  readonly removedInterfaces: readonly string[];
  /** Interfaces that no longer existed at the last merge, but that the user's code may still name. */
  readonly interfacesRemovedEarlier?: readonly string[];
  /** Interfaces and services with another name, whose handlers have the same paths as before. */
  readonly renamedCode?: readonly RenamedCode[];
  /**
   * The paths of the operations that only the new contract has (`added`), or only the contract of the last merge
   * (`removed`).
   */
  readonly added: readonly OperationOf[];
  readonly removed: readonly OperationOf[];
  /** The operations that changed since the last merge only; absent if `added` and `removed` contain no others. */
  readonly sinceLastMerge?: { readonly added: readonly OperationOf[]; readonly removed: readonly OperationOf[] };
  /** The operations that earlier merges added while the handlers of removed operations still existed. */
  readonly addedEarlier?: readonly OperationOf[];
  /**
   * The operations that were split from another operation, whose path was `before`, because the ports of that operation
   * now have different messages.
   */
  readonly split: HandlerChanges["moves"];
  /** The handler types that existed at the last merge, but no longer exist. */
  readonly removedTypes: readonly ServiceType[];
  /** The handler types that no longer existed at the last merge, but that the user's code may still name. */
  readonly typesRemovedEarlier?: readonly ServiceType[];
  /** The current handler types of services. */
  readonly services: readonly ServiceType[];
  /** True if an older version of bothends wrote the record, so that some changes of earlier merges are missing. */
  readonly isIncomplete?: true;
  /** The other types and operations that generated packages no longer export, with the new name of a renamed one. */
  readonly removedNames?: readonly RemovedName[];
}

/** Returns the new path of a removed handler, or of a removed group if all its operations moved to one other group. */
export function findNewPath(
  tree: HandlerTree,
  operation: string,
  allMoves: HandlerChanges["moves"] = [],
): string | undefined {
  const moves = allMoves.filter((move) => move.interface === tree.name);
  const newPaths = moves.flatMap((move) => {
    const [oldPath, newPath] = [withoutPrefix(move.before, tree), withoutPrefix(move.after, tree)];
    const remainingPath = oldPath.slice(operation.length);
    const isInside = oldPath.startsWith(operation) && (remainingPath === "" || remainingPath.startsWith("."));
    return isInside && newPath.endsWith(remainingPath) ? [newPath.slice(0, newPath.length - remainingPath.length)] : [];
  });
  const [onlyPath, ...otherPaths] = new Set(newPaths);
  return otherPaths.length === 0 ? onlyPath : undefined;
}

/** Whether the new path of an operation is certain, because the operation has the same name in another service. */
export function isMovedToService(tree: HandlerTree, operation: string, newPath: string | undefined): boolean {
  return tree.kind === "soap" && newPath?.split(".").at(-1) === operation.split(".").at(-1);
}

/** Removes the tree's prefix from the path of an operation. */
export function withoutPrefix(path: string, { prefix }: HandlerTree): string {
  const start = prefix.map((key) => `${key}.`).join("");
  return path.startsWith(start) ? path.slice(start.length) : path;
}

/** An operation, and the name of its interface. */
export interface OperationOf {
  readonly interface: string;
  /** The path of the operation, such as `reg.checkUSA`. */
  readonly operation: string;
}

interface Rename {
  readonly before: string;
  readonly after: string;
}

/** The generated code of an interface with another name in `bothends.json`, or of a service with another name. */
export interface RenamedCode extends Rename {
  readonly kind: "interface" | "service";
  /** The name of the interface now. */
  readonly interface: string;
  /** The path of the service, whose handlers may be an object of their own; absent if it is the only service. */
  readonly service?: string;
  /** The entry points of the generated packages, such as `vehicle`. */
  readonly modules: Rename;
  /** The types, functions and classes whose names have changed. */
  readonly names: readonly Rename[];
}

/** A type, a function or an operation that a generated package exported at the last merge. */
export interface RemovedName {
  readonly interface: string;
  readonly before: string;
  /** True for the constant of an operation or of a service, which the entry `operations` exports. */
  readonly isOperation?: true;
  /** True for the function that makes the routes of a service or of a group of routes. */
  readonly isFunction?: true;
  /** The new name of the type; absent if the type was probably removed. */
  readonly after?: string;
  /** The path of the renamed operation, or of the operation whose message has the type. Absent for other causes. */
  readonly operation?: string;
}

/** The type of a service's handlers, and the function that turns them into routes. */
export interface ServiceType {
  readonly interface: string;
  /** The key of the service among the handlers of its interface; undefined for the type of all services. */
  readonly service: string | undefined;
  readonly type: string;
  readonly routes: string;
}
