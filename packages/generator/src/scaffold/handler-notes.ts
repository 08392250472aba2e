import { findNearestName } from "@bothends/xml";
import type { Node, SourceFile } from "ts-morph";
import { joinNames } from "../text.js";
import { findHandlersObject, listServiceTrees } from "./find/find-handlers.js";
import { getDeclaration } from "./find/handler-declarations.js";
import {
  findProperty,
  type HandlerObject,
  hasUnknownMembers,
  isHandlerObject,
  listMembers,
  readMember,
} from "./find/read-members.js";
import { listIncompleteObjects } from "./find/required-members.js";
import { findExport, formatPosition } from "./find/resolve-names.js";
import { findHandlerModule } from "./find/unread-code.js";
import { type HandlerChanges, withoutPrefix } from "./handler-changes.js";
import { notImplementedMessage } from "./handler-files.js";
import { type HandlerNode, type HandlerTree, listNodes, listOperations, listPaths } from "./handler-tree.js";
import type { AbsentHandlers, ChangedHandler } from "./merge-report.js";

// Describes the handlers that a user must change. The functions of this file change no code.

/** Returns a note for each requested rename that was not made: which of the two paths does not exist. */
export function listUnusedRenameNotes(
  interfaces: readonly HandlerTree[],
  files: readonly SourceFile[],
  renames: ReadonlyMap<string, string>,
): readonly string[] {
  // The paths may begin in a service.
  const trees = renames.size === 0 ? [] : interfaces.flatMap((tree) => [tree, ...listServiceTrees(tree)]);
  const operations = trees.flatMap(({ root }) => listNodes(root).map(({ path }) => path.join(".")));
  const handlers = trees.flatMap((tree) => listHandlerPaths(findHandlersObject(files, tree)));
  return [...renames].map(([oldPath, newPath]) => {
    const problems = [
      ...(handlers.includes(oldPath)
        ? []
        : [{ text: "the server has no such handler", path: oldPath, paths: handlers }]),
      ...(operations.includes(newPath)
        ? []
        : [{ text: `the schemas have no operation ${newPath}`, path: newPath, paths: operations }]),
    ];
    const reason = joinNames(
      problems.map(({ text }) => text),
      "and",
    );
    const similarPaths = problems.flatMap(({ path, paths }) => {
      const others = paths.filter((other) => other !== oldPath && other !== newPath);
      return findSimilarPath(path, others) ?? [];
    });
    const question = similarPaths.length === 0 ? "" : ` Did you mean ${joinNames(similarPaths, "and")}?`;
    return `The handler ${oldPath} was not renamed, because ${reason === "" ? "several services have it. Begin both paths with the service" : reason}.${question}`;
  });
}

/** Returns the paths of all handlers and groups in an object of handlers. */
function listHandlerPaths(object: HandlerObject | undefined, path: readonly string[] = []): readonly string[] {
  const members = object === undefined || path.length > maxPathLength ? [] : listMembers(object);
  return members.flatMap((member) => {
    const memberPath = [...path, member.key];
    const value = readMember(member.object, member.key);
    return [memberPath.join("."), ...(value.kind === "object" ? listHandlerPaths(value.object, memberPath) : [])];
  });
}

/** The greatest number of groups around a handler. */
const maxPathLength = 10;

/** Finds the path that a misspelled path probably means. Its groups may be missing or wrong. */
function findSimilarPath(path: string, paths: readonly string[]): string | undefined {
  const getKey = (other: string) => other.replace(/^.*\./, "");
  const key = findNearestName(getKey(path), paths.map(getKey));
  return findNearestName(path, paths) ?? paths.find((other) => getKey(other) === (key ?? getKey(path)));
}

/** The inputs for notes that describe tasks for the user. */
export interface NoteInputs {
  /** The changes since the last merge; undefined if they are unknown. */
  readonly changes: HandlerChanges | undefined;
  /** Converts the path of a file in the server to the path that notes show; absent if both paths are the same. */
  readonly formatDisplayPath?: ((path: string) => string) | undefined;
}

/** The default of `formatDisplayPath`. */
export function keepPath(path: string): string {
  return path;
}

/**
 * Returns the changed operations that have a handler in `root`, each with the position of the handler. If the user's
 * handler has not moved to the new path of its operation yet, returns its old position. If the operation was split from
 * another one, also returns the position of the handler that answered its calls before.
 */
export function listChangedHandlers(
  tree: HandlerTree,
  root: Node,
  changes: HandlerChanges | undefined,
): readonly ChangedHandler[] {
  const knownPaths = new Set(listOperations(tree.root).map(({ path }) => path.join(".")));
  const findOld = (moves: HandlerChanges["moves"] = [], operation: string) =>
    moves
      .filter((move) => move.interface === tree.name && withoutPrefix(move.after, tree) === operation)
      .map(({ before }) => withoutPrefix(before, tree))
      .map((path) => ({ path, ...findHandlerAt(root, path.split(".")) }))
      .find(({ isImplemented }) => isImplemented);
  return (changes?.changes ?? []).flatMap(({ text, operations, ...change }) => {
    const paths = operations.map((operation) => withoutPrefix(operation, tree));
    const changedPaths = change.interface === tree.name ? paths.filter((path) => knownPaths.has(path)) : [];
    return changedPaths.map((operation) => {
      const handler = findHandlerAt(root, operation.split("."));
      const movedHandler = handler.isImplemented ? undefined : findOld(changes?.moves, operation);
      const { node, isImplemented } = movedHandler ?? handler;
      const previous = isImplemented ? undefined : findOld(changes?.split, operation);
      const { step, affectsCode, subject, ifRenamed = [] } = change;
      return {
        operation,
        position: formatPosition(node),
        change: text,
        ...(subject === undefined ? {} : { subject }),
        step,
        isImplemented: isImplemented || previous !== undefined,
        ...(affectsCode === true ? { affectsCode } : {}),
        ...(ifRenamed.length === 0 ? {} : { ifRenamed }),
        ...(previous && { previous: { operation: previous.path, position: formatPosition(previous.node) } }),
      };
    });
  });
}

/**
 * Finds the handler at a path. A handler that cannot be found, for example in a spread object, counts as written by the
 * user.
 */
export function findHandlerAt(
  root: Node,
  path: readonly string[],
): { readonly node: Node; readonly isImplemented: boolean } {
  const [key = "", ...rest] = path;
  if (!isHandlerObject(root)) {
    return { node: root, isImplemented: true };
  }
  const member = readMember(root, key);
  if (member.kind === "object" && rest.length > 0) {
    return findHandlerAt(member.object, rest);
  }
  if (member.kind === "other") {
    const module = rest.length === 1 ? findHandlerModule(findProperty(root, key) ?? member.node) : undefined;
    const node = findExport(module, rest[0] ?? "") ?? getDeclaration(member.node);
    return { node, isImplemented: !node.getText().includes(notImplementedMessage) };
  }
  return { node: root, isImplemented: member.kind !== "missing" || hasUnknownMembers(root) };
}

/** Creates the note about an object with handlers where the schema now has one operation. */
export function formatNoGroupNote(
  path: readonly string[],
  node: Node,
  { formatDisplayPath = keepPath }: Pick<NoteInputs, "formatDisplayPath">,
): string {
  return `${formatDisplayPath(formatPosition(node))}: ${path.join(".")} is one operation now, not a group of operations. Write its handler, a function, in place of the object.`;
}

/** Creates the note about missing handlers of an object or a class in a CommonJS file. */
export function formatCommonJsNote(
  operations: readonly string[],
  { position, isInClass }: { readonly position: string; readonly isInClass: boolean },
): string {
  return `${position}: Add ${joinNames(operations, "and")} to this ${isInClass ? "class" : "object"}. Scaffold does not change CommonJS files.`;
}

/** Creates the note about missing handlers of a class in TypeScript that does not name the type of its handlers. */
export function formatUntypedClassNote(
  operations: readonly string[],
  { position, type }: { readonly position: string; readonly type: string | undefined },
): string {
  const typeText = type === undefined ? "" : ` (implements ${type})`;
  return `${position}: Add ${joinNames(operations, "and")} to this class. Scaffold did not change the class, because it does not declare the type of its handlers${typeText}.`;
}

/** Handlers that were not found, in a list that a merge extends. */
export type AbsentList = (AbsentHandlers & { readonly operations: string[] })[];

/** Adds an operation or a group without a handler to those at the same position. */
export function addAbsent(list: AbsentList, code: Node, reason: AbsentHandlers["reason"], operation: string): void {
  const position = formatPosition(code);
  const known = list.find((other) => other.position === position && other.reason === reason);
  if (known === undefined) {
    list.push({ position, reason, operations: [operation] });
  } else {
    known.operations.push(operation);
  }
}

/** The paths, in a tree, of the operations that were added and removed. */
export interface OperationChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Returns the operations of a tree that were added or removed since the last merge, or before it. An operation that was
 * added before may still lack a handler in code that was not read.
 */
export function listOperationChanges(tree: HandlerTree, changes: HandlerChanges): OperationChanges {
  const listPathsIn = (operations: HandlerChanges["added"]) =>
    operations
      .filter((operation) => operation.interface === tree.name)
      .map(({ operation }) => withoutPrefix(operation, tree));
  const added = listPathsIn([...changes.added, ...(changes.addedEarlier ?? [])]);
  const removedMembers = listPathsIn(changes.removed);
  const paths = new Set(listOperations(tree.root).map(({ path }) => path.join(".")));
  const isOfOtherService = (path: string) => tree.prefix.length > 0 && path.includes(".");
  return {
    added: [...new Set(added)].filter((path) => paths.has(path)),
    removed: [...new Set(removedMembers)].filter((path) => !paths.has(path) && !isOfOtherService(path)),
  };
}

/** Returns the first keys, in the tree, of the operations that were removed since the last merge. */
export function listRemovedKeys(tree: HandlerTree, changes: HandlerChanges | undefined): readonly string[] {
  const removed = changes === undefined ? [] : listOperationChanges(tree, changes).removed;
  return removed.flatMap((operation) => operation.split(".").slice(0, 1));
}

/** Returns the operations at a path, or below it, that were added or removed since the last merge. */
export function listChangesBelow(
  tree: HandlerTree,
  path: readonly string[],
  { node, changes }: { readonly node: HandlerNode; readonly changes: HandlerChanges },
): OperationChanges {
  const { added, removed } = listOperationChanges(tree, changes);
  return {
    added: listPaths(path, node).filter((operation) => added.includes(operation)),
    removed: removed.filter((operation) => operation.startsWith(`${path.join(".")}.`)),
  };
}

/**
 * Returns notes about other objects whose types require a member for each handler, such as a fake in a test, or a table
 * of the type `Record<keyof VehicleHandlers, string>`.
 */
export function listIncompleteNotes(
  tree: HandlerTree,
  files: readonly SourceFile[],
  {
    newPaths,
    namedPositions,
    formatDisplayPath = keepPath,
  }: Pick<NoteInputs, "formatDisplayPath"> & {
    /** The paths to which handlers probably move. A move renames the members of other objects, too. */
    readonly newPaths: readonly (string | undefined)[];
    /** The positions of objects about which there is a note already. */
    readonly namedPositions: ReadonlySet<string>;
  },
): readonly string[] {
  const groups = [{ path: [], node: tree.root }, ...listNodes(tree.root)];
  return groups.flatMap(({ path, node }) => {
    const children = node.kind === "group" ? node.children.map((child) => child.key) : [];
    const keys = children.filter((key) => !newPaths.includes([...path, key].join(".")));
    return listIncompleteObjects(files, tree, { path, keys })
      .map(({ object, missingKeys }) => ({ position: formatDisplayPath(formatPosition(object)), missingKeys }))
      .filter(({ position }) => !namedPositions.has(position))
      .map(
        ({ position, missingKeys }) =>
          `${position}: Add ${joinNames(missingKeys, "and")} to this object. Its type requires the members of all handlers.`,
      );
  });
}
