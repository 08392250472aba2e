import type { Node, SourceFile } from "ts-morph";
import { joinNames } from "../text.js";
import { listHandlerNames, withPrefix } from "./edit/rename-handlers.js";
import { isHandlerObject } from "./find/read-members.js";
import { findOrigins, formatPosition } from "./find/resolve-names.js";
import {
  declaresHandler,
  exportsHandler,
  findHandlerModule,
  getWrittenValue,
  mayBeExternal,
  refersToKey,
} from "./find/unread-code.js";
import { findNewPath, type HandlerChanges, isMovedToService, type OperationOf } from "./handler-changes.js";
import { keepPath, type NoteInputs, type OperationChanges } from "./handler-notes.js";
import { type HandlerTree, listNodes } from "./handler-tree.js";

// Describes what a user must do with handlers in code that is neither an object literal nor a class. These notes depend
// only on the schemas and on the code, so that each run repeats them until the code has changed.

/** Code with handlers that was not read. */
export interface UnreadHandlers {
  readonly tree: HandlerTree;
  /** The path of the handlers in the tree. */
  readonly path: readonly string[];
  readonly code: Node;
  /** The operations that were added or removed; undefined if they are unknown. */
  readonly operations: OperationChanges | undefined;
}

/** The operations that code which was not read does not fit yet, or may not fit. */
export interface OpenOperations {
  /** The added operations that the code does not have, and the removed ones that it has. */
  readonly certain: OperationChanges;
  /**
   * The operations that may have handlers in code outside the server. Only the first run after the change names them,
   * because no later run could learn that the user has changed that code.
   */
  readonly uncertain: OperationChanges;
}

/** Returns the added and removed operations that the server's code does not fit yet. */
export function selectOpenOperations(
  files: readonly SourceFile[],
  { tree, path, code, operations = { added: [], removed: [] } }: UnreadHandlers,
  changes: HandlerChanges | undefined,
): OpenOperations {
  const { added, removed } = operations;
  const none: OperationChanges = { added: [], removed: [] };
  if (added.length === 0 && removed.length === 0) {
    return { certain: none, uncertain: none };
  }
  const module = findHandlerModule(code);
  if (module !== undefined) {
    const isExported = (operation: string) => exportsHandler(module, operation.split(".").slice(path.length));
    const missing = added.filter((operation) => !isExported(operation));
    return { certain: { added: missing, removed: removed.filter(isExported) }, uncertain: none };
  }
  const paths = [...listNodes(tree.root).map((node) => node.path), ...removed.map((operation) => operation.split("."))];
  const isExternal = mayBeExternal(getWrittenValue(code) ?? code, new Set(paths.flat()));
  const isMoved = (operation: string) =>
    isMovedToService(tree, operation, findNewPath(tree, operation, changes?.moves));
  // Other code of the server may have a member with the same name: the handler in another service, or a fake.
  const isDeclared = (operation: string) =>
    isExternal || isMoved(operation)
      ? refersToKey(code, operation.split(".").at(-1) ?? "")
      : declaresHandler(files, tree, operation);
  const missing = added.filter((operation) => !isDeclared(operation));
  const [remaining, absent] = [removed.filter(isDeclared), removed.filter((operation) => !isDeclared(operation))];
  const { sinceLastMerge } = changes ?? {};
  const isIn = (list: readonly OperationOf[] | undefined) => (operation: string) =>
    list?.some((other) => other.interface === tree.name && other.operation === withPrefix(operation, tree)) !== false;
  return isExternal
    ? {
        certain: { ...none, removed: remaining },
        uncertain: {
          added: missing.filter(isIn(sinceLastMerge?.added)),
          removed: absent.filter(isIn(sinceLastMerge?.removed)),
        },
      }
    : { certain: { added: missing, removed: remaining }, uncertain: none };
}

/** Returns the operations to record, so that the next run reports them too. */
export function listOpenOperations({ certain: { added, removed } }: OpenOperations, tree: HandlerTree) {
  const withInterface = (operation: string): OperationOf => ({
    interface: tree.name,
    operation: withPrefix(operation, tree),
  });
  return { added: added.map(withInterface), removed: removed.map(withInterface) };
}

/** Creates notes about handlers that were not read. Returns none if no added or removed operation concerns them. */
export function listUnreadNotes(
  { tree, path, code, operations }: UnreadHandlers,
  files: readonly SourceFile[],
  { open, changes, formatDisplayPath = keepPath }: NoteInputs & { readonly open: OpenOperations },
): readonly string[] {
  const { certain, uncertain } = open;
  const removed = [...certain.removed, ...uncertain.removed];
  const position = formatPosition(code);
  const keys = [...certain.added, ...uncertain.added, ...removed].flatMap(
    (operation) => operation.split(".")[path.length] ?? [],
  );
  const module = findHandlerModule(code);
  const origins = new Set(
    findOrigins(getWrittenValue(code) ?? code, keys)
      .filter((origin) => origin !== module)
      .map(formatPosition)
      .filter((origin) => origin !== position),
  );
  const originText = origins.size === 0 ? "" : ` (see ${[...origins].map(formatDisplayPath).join(", ")})`;
  const subject = path.length === 0 ? "These handlers" : `The handlers of ${path.join(".")}`;
  const reason = module
    ? `${subject}${originText} are the exports of ${formatDisplayPath(module.getFilePath().slice(1))}, which was not changed.`
    : isHandlerObject(code)
      ? "Some of these handlers were not read, because they are not members of an object literal or a class."
      : `${subject}${originText} were not changed, because they are not an object literal or a class.`;
  const start = `${formatDisplayPath(position)}: ${reason}`;
  if (operations === undefined) {
    return [`${start} Add the handlers that TypeScript reports as missing in ${tree.type}.`];
  }
  const findNew = (operation: string) => findNewPath(tree, operation, changes?.moves);
  const isMoved = (operation: string) => isMovedToService(tree, operation, findNew(operation));
  const movedPaths = removed.filter(isMoved).map(findNew);
  const added = certain.added.filter((operation) => !movedPaths.includes(operation));
  const superfluous = certain.removed.filter((operation) => !isMoved(operation));
  const steps = [
    ...(added.length === 0 ? [] : [`Add handlers for ${added.join(", ")}.`]),
    ...(superfluous.length === 0
      ? []
      : [`Remove the handlers of ${superfluous.join(", ")}, which are no longer in the schema.`]),
    ...formatUncertainSteps(uncertain, isMoved),
    ...removed.flatMap((operation) => {
      const newPath = findNew(operation);
      return newPath === undefined
        ? []
        : isMoved(operation)
          ? [`${operation} is now ${newPath}. If its handler has not moved yet, move it.`]
          : [
              `Was ${operation} renamed to ${newPath}? In that case, rename its handler${certain.removed.includes(operation) ? " instead" : ""}.`,
            ];
    }),
    ...removed.flatMap((operation) => {
      const names = listHandlerNames(files, tree, operation.split("."));
      const positions = new Set(names.map(formatPosition).map(formatDisplayPath));
      return positions.size === 0
        ? []
        : [`Other code names ${operation}, too: ${[...positions].join(", ")}. Change the name there, or remove it.`];
    }),
  ];
  return steps.length === 0 ? [] : [[start, ...steps].join(" ")];
}

function formatUncertainSteps(
  { added, removed }: OperationChanges,
  isMoved: (operation: string) => boolean,
): readonly string[] {
  const superfluous = removed.filter((operation) => !isMoved(operation));
  const are = (operations: readonly string[]) => (operations.length === 1 ? "is" : "are");
  const parts = [
    ...(added.length === 0 ? [] : [`${joinNames(added, "and")}, which ${are(added)} new`]),
    ...(superfluous.length === 0
      ? []
      : [`${joinNames(superfluous, "and")}, which ${are(superfluous)} no longer in the schema`]),
  ];
  return parts.length === 0
    ? []
    : [
        `It is unknown whether they include ${parts.join(", or ")}. TypeScript reports missing handlers. Change the code that contains these handlers now: later runs do not name ${added.length + superfluous.length === 1 ? "this operation" : "these operations"} again.`,
      ];
}
