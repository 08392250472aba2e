import { Node, type SourceFile } from "ts-morph";
import { toSafeFileName } from "../plan/typescript-names.js";
import { findHandlersObject, findObjectAt } from "./find/find-handlers.js";
import {
  getDeclaration,
  hasUnknownMembers,
  isClass,
  isHandlerObject,
  listDeclarations,
  listMembers,
  readMember,
} from "./find/read-members.js";
import { findOrigins, formatPosition } from "./find/resolve-names.js";
import { findRoutesFile } from "./find/server-project.js";
import {
  findNewPath,
  type HandlerChanges,
  type RenamedCode,
  type ServiceType,
  withoutPrefix,
} from "./handler-changes.js";
import {
  getHandlersConstantName,
  getHandlersFile,
  getImportSpecifier,
  notImplementedMessage,
} from "./handler-files.js";
import { type HandlerGroup, type HandlerNode, type HandlerTree, listOperations, listPaths } from "./handler-tree.js";
import type { ChangedHandler, RemovedHandler, UnmovedHandler } from "./merge-report.js";

// Describes the handlers that a user must change. The functions of this file change no code.

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
 * handler has not moved to the new path of its operation yet, returns its old position.
 */
export function listChangedHandlers(
  tree: HandlerTree,
  root: Node,
  changes: HandlerChanges | undefined,
): readonly ChangedHandler[] {
  const knownPaths = new Set(listOperations(tree.root).map(({ path }) => path.join(".")));
  return (changes?.changes ?? []).flatMap(({ text, operations, ...change }) => {
    const paths = operations.map((operation) => withoutPrefix(operation, tree));
    const changedPaths = change.interface === tree.name ? paths.filter((path) => knownPaths.has(path)) : [];
    return changedPaths.map((operation) => {
      const handler = findHandlerAt(root, operation.split("."));
      const oldHandlers = handler.isImplemented
        ? []
        : listOldPaths(tree, operation, changes).map((path) => findHandlerAt(root, path.split(".")));
      const { node, isImplemented } = oldHandlers.find((oldHandler) => oldHandler.isImplemented) ?? handler;
      const position = formatPosition(node);
      const { step, affectsCode } = change;
      return {
        operation,
        position,
        change: text,
        step,
        isImplemented,
        ...(affectsCode === true ? { affectsCode } : {}),
      };
    });
  });
}

/** Returns the old paths of an operation that moved, or that was split from another operation. */
function listOldPaths(
  tree: HandlerTree,
  operation: string,
  { moves, split }: Pick<HandlerChanges, "moves" | "split"> = { moves: [], split: [] },
): readonly string[] {
  return [...moves, ...split]
    .filter((move) => move.interface === tree.name && withoutPrefix(move.after, tree) === operation)
    .map(({ before }) => withoutPrefix(before, tree));
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
    const node = getDeclaration(member.node);
    return { node, isImplemented: !node.getText().includes(notImplementedMessage) };
  }
  return { node: root, isImplemented: member.kind !== "missing" || hasUnknownMembers(root) };
}

/**
 * Creates the note about an operation that may have a handler in code that scaffold cannot read, such as a spread
 * function call.
 */
export function formatUncertainNote(
  tree: HandlerTree,
  path: readonly string[],
  {
    node,
    formatDisplayPath = keepPath,
  }: { readonly node: Node; readonly formatDisplayPath?: NoteInputs["formatDisplayPath"] },
): string {
  return `${formatDisplayPath(formatPosition(node))}: It is unknown whether this object has a handler for ${path.join(".")}. If TypeScript reports that the handler is missing in ${tree.type}, add the handler yourself.`;
}

/** Creates the note about a new operation that the type of an object, such as `Partial<…>`, does not require. */
export function formatNotRequiredNote(
  path: readonly string[],
  {
    node,
    formatDisplayPath = keepPath,
  }: { readonly node: Node; readonly formatDisplayPath?: NoteInputs["formatDisplayPath"] },
): string {
  return `${formatDisplayPath(formatPosition(node))}: No handler for ${path.join(".")} was added, because the type of this object does not require it.`;
}

/** Creates the note about an object with handlers where the schema now has one operation. */
export function formatNoGroupNote(
  path: readonly string[],
  node: Node,
  { formatDisplayPath = keepPath }: Pick<NoteInputs, "formatDisplayPath">,
): string {
  return `${formatDisplayPath(formatPosition(node))}: ${path.join(".")} is one operation now, not a group of operations. Write its handler, a function, in place of the object.`;
}

/** Creates the note about missing handlers of an object in a CommonJS file. */
export function formatCommonJsNote(operations: readonly string[], position: string): string {
  return `${position}: Add ${operations.join(", ")} to this object. Scaffold does not change CommonJS files.`;
}

/** Creates the note about missing handlers of a class that does not name the type of its handlers. */
export function formatUntypedClassNote(
  operations: readonly string[],
  { position, type }: { readonly position: string; readonly type: string | undefined },
): string {
  const typeText = type === undefined ? "" : ` (implements ${type})`;
  return `${position}: Add ${operations.join(", ")} to this class. Scaffold did not change the class, because it does not declare the type of its handlers${typeText}.`;
}

/**
 * Creates notes about handlers that were not merged, because they are neither an object literal nor a class, but, for
 * example, the result of a call.
 */
export function listUnmergedNotes(
  tree: HandlerTree,
  handlers: Node,
  {
    changes,
    path = [],
    only,
    formatDisplayPath = keepPath,
  }: NoteInputs & {
    /** The path of the group, if these are not the handlers of the whole tree. */
    readonly path?: readonly string[];
    /** The operations to report. Default: all that were added or removed. */
    readonly only?: ReturnType<typeof listOperationChanges> | undefined;
  },
): readonly string[] {
  const position = formatPosition(handlers);
  const value = Node.isPropertyAssignment(handlers)
    ? handlers.getInitializer()
    : Node.isShorthandPropertyAssignment(handlers)
      ? handlers.getNameNode()
      : handlers;
  const { added, removed: removedMembers } =
    only ?? (changes ? listOperationChanges(tree, changes) : noOperationChanges);
  const keys = [...added, ...removedMembers].flatMap((operation) => operation.split(".")[path.length] ?? []);
  const origins = new Set(
    findOrigins(value, keys)
      .map(formatPosition)
      .filter((origin) => origin !== position),
  );
  const originText = origins.size === 0 ? "" : ` (see ${[...origins].map(formatDisplayPath).join(", ")})`;
  const subject = path.length === 0 ? "These handlers" : `The handlers of ${path.join(".")}`;
  const reason = isHandlerObject(handlers)
    ? "Some of these handlers were not read, because they are not members of an object literal or a class."
    : `${subject}${originText} were not changed, because they are not an object literal or a class.`;
  const start = `${formatDisplayPath(position)}: ${reason}`;
  if (changes === undefined) {
    return [`${start} Add the handlers that TypeScript reports as missing in ${tree.type}.`];
  }
  const steps = [
    ...(added.length === 0 ? [] : [` Add handlers for ${added.join(", ")}.`]),
    ...(removedMembers.length === 0
      ? []
      : [` Remove the handlers of ${removedMembers.join(", ")}, which are no longer in the schema.`]),
    ...removedMembers.flatMap((key) => {
      const newPath = findNewPath(tree, key, changes.moves);
      return newPath === undefined
        ? []
        : [` Was ${key} renamed to ${newPath}? In that case, rename its handler instead.`];
    }),
  ];
  return steps.length === 0 ? [] : [`${start}${steps.join("")}`];
}

const noOperationChanges = { added: [], removed: [] };

/** Returns the paths, in the tree, of the operations that were added or removed since the last merge. */
export function listOperationChanges(tree: HandlerTree, changes: HandlerChanges) {
  const listPathsIn = (operations: HandlerChanges["added"]) =>
    operations
      .filter((operation) => operation.interface === tree.name)
      .map(({ operation }) => withoutPrefix(operation, tree));
  const [added, removedMembers] = [listPathsIn(changes.added), listPathsIn(changes.removed)];
  const paths = new Set(listOperations(tree.root).map(({ path }) => path.join(".")));
  const isOfOtherService = (path: string) => tree.prefix.length > 0 && path.includes(".");
  return {
    added: added.filter((path) => paths.has(path) && !removedMembers.includes(path)),
    removed: removedMembers.filter((path) => !paths.has(path) && !isOfOtherService(path)),
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
): ReturnType<typeof listOperationChanges> {
  const { added, removed } = listOperationChanges(tree, changes);
  return {
    added: listPaths(path, node).filter((operation) => added.includes(operation)),
    removed: removed.filter((operation) => operation.startsWith(`${path.join(".")}.`)),
  };
}

/** Whether operations at a path, or below it, were added or removed since the last merge. */
export function hasOtherOperations(
  tree: HandlerTree,
  path: readonly string[],
  { node, changes }: { readonly node: HandlerNode; readonly changes: HandlerChanges },
): boolean {
  const { added, removed } = listChangesBelow(tree, path, { node, changes });
  return added.length > 0 || removed.length > 0;
}

/** The only service that an interface still has, and the object of all services that the user's code still has. */
interface OnlyService {
  /** The type of the object of all services, which no longer exists. */
  readonly oldType: ServiceType;
  readonly service: string;
  /** The handlers of the service, as a member of the old object. */
  readonly oldTree: HandlerTree;
  /** The changes, with the new paths of operations in the old object. */
  readonly changes: HandlerChanges;
}

/**
 * Finds the object of all services of an interface that now has only one service. Returns undefined for any other
 * interface.
 */
export function findOnlyService(
  tree: HandlerTree,
  files: readonly SourceFile[],
  changes: HandlerChanges | undefined,
): OnlyService | undefined {
  const removedTypes = listRemovedTypes(tree, changes);
  const oldType = removedTypes.find((type) => type.service === undefined);
  const oldRoot = oldType && findHandlersObject(files, oldType);
  const service = changes?.services.find(
    (service) => service.interface === tree.name && service.type === tree.type,
  )?.service;
  const handlers = oldRoot && service !== undefined ? readMember(oldRoot, service) : undefined;
  if (changes === undefined || oldType === undefined || service === undefined || handlers?.kind !== "object") {
    return undefined;
  }
  const { type, routes, root } = tree;
  const group: HandlerGroup = { kind: "group", key: service, children: root.children, service: { type, routes } };
  const removedServices = removedTypes.flatMap((removedType) => removedType.service ?? []);
  return {
    oldType,
    service,
    oldTree: { ...tree, type: oldType.type, routes: oldType.routes, root: { ...root, children: [group] } },
    changes: {
      ...changes,
      moves: changes.moves
        .filter((move) => move.interface === tree.name)
        .map((move) => (move.after.startsWith(`${service}.`) ? move : { ...move, after: `${service}.${move.after}` })),
      removed: [...changes.removed, ...removedServices.map((operation) => ({ interface: tree.name, operation }))],
    },
  };
}

/** Creates the note about an interface that now has only one service. Its handlers have a different type now. */
export function formatOnlyServiceNote(
  tree: HandlerTree,
  files: readonly SourceFile[],
  {
    oldType,
    service,
    serverPackage,
    formatDisplayPath = keepPath,
  }: Pick<OnlyService, "oldType" | "service"> & Omit<NoteInputs, "changes"> & { readonly serverPackage: string },
): string {
  const oldRoot = findHandlersObject(files, oldType);
  const handlers = findObjectAt(files, oldType, [service]);
  const serviceType = new RegExp(`\\b${oldType.type}\\[\\s*["']${service}["']`);
  const typedFiles = files
    .filter((file) => serviceType.test(file.getFullText()))
    .map((file) => formatDisplayPath(getPath(file)));
  const [rootPosition, memberPosition] = [oldRoot, handlers].map((node) =>
    node === undefined ? "" : formatDisplayPath(formatPosition(node)),
  );
  const routesFiles = listPathsWith(files, oldType.routes).map(formatDisplayPath).join(", ");
  const steps = [
    `${service} is the only service of ${tree.name} now, so ${oldType.type} and ${oldType.routes} no longer exist.`,
    ...(typedFiles.length === 0
      ? []
      : [`Import ${tree.type}, and write it in place of ${oldType.type}["${service}"], in ${typedFiles.join(", ")}.`]),
    ...(oldRoot !== undefined && isClass(oldRoot)
      ? [`Remove ${oldType.type} from the class at ${rootPosition}, and pass its member ${service} (${memberPosition})`]
      : [
          `Replace the object at ${rootPosition} with its member ${service} (${memberPosition}), and its type with ${tree.type}.`,
          "Pass it",
        ]),
    `to ${tree.routes} of ${serverPackage}/${tree.module} in ${routesFiles}. Then run scaffold again.`,
  ];
  return steps.join(" ");
}

/** Creates the note about the handlers of a new interface or a new service. */
export function formatNewHandlersNote(
  tree: HandlerTree,
  files: readonly SourceFile[],
  { serverPackage, formatDisplayPath = keepPath }: Omit<NoteInputs, "changes"> & { readonly serverPackage: string },
): string {
  const routesFile = findRoutesFile(files.map(getPath));
  const specifier = getImportSpecifier(routesFile, getHandlersFile(tree.folder));
  const handlers = getHandlersConstantName(tree);
  const newItem =
    tree.prefix.length === 0 ? `The interface ${tree.name} is new` : `The service ${tree.prefix.join(".")} is new`;
  return `${newItem}. In ${formatDisplayPath(routesFile)}, import ${tree.routes} from ${serverPackage}/${tree.module} and ${handlers} from ${specifier}, and add ${tree.routes}(${handlers}) to the routes.`;
}

/**
 * Returns notes about removed services whose handlers are in an object of their own, unless the report already says
 * where these handlers belong.
 */
export function listRemovedServiceNotes(
  tree: HandlerTree,
  files: readonly SourceFile[],
  {
    changes,
    removed,
    unmoved,
    formatDisplayPath = keepPath,
  }: NoteInputs & { readonly removed: readonly RemovedHandler[]; readonly unmoved: readonly UnmovedHandler[] },
): readonly string[] {
  const movedPaths = [
    ...removed.flatMap(({ operation, newPath }) => (newPath === undefined ? [] : [operation])),
    ...unmoved.map(({ from }) => from),
  ];
  return listRemovedTypes(tree, changes).flatMap(({ service, type, routes }) => {
    const handlers = findHandlersObject(files, { type, routes });
    const isMoved = movedPaths.some((operation) => `${operation}.`.startsWith(`${service}.`));
    if (service === undefined || handlers === undefined || isMoved) {
      return [];
    }
    const members = isClass(handlers) ? [] : listMembers(handlers);
    const declarations = members.flatMap(({ object, key }) => listDeclarations(object, key));
    const positions = new Set([handlers, ...declarations].map(findRemovedPlace));
    const routesFiles = listPathsWith(files, routes).map(formatDisplayPath).join(", ");
    const routesText = routesFiles === "" ? "" : `, and ${routes} from ${routesFiles}`;
    const positionsText = [...positions].map(formatDisplayPath).join(", ");
    return `The service ${service} no longer exists. ${formatMovedHandlers(tree, service, changes)}Remove its handlers (${positionsText})${routesText}.`;
  });
}

/** Returns the handler types of an interface that this merge, or an earlier one, found missing in the schema. */
function listRemovedTypes(tree: HandlerTree, changes: HandlerChanges | undefined): readonly ServiceType[] {
  const types = [...(changes?.removedTypes ?? []), ...(changes?.typesRemovedEarlier ?? [])].filter(
    ({ interface: name, type }) =>
      name === tree.name && changes?.services.some((service) => service.type === type) === false,
  );
  return [...new Map(types.map((removedType) => [removedType.type, removedType])).values()];
}

/**
 * Formats the sentence about the handlers to which the operations of a removed service moved; empty if there are none.
 */
function formatMovedHandlers(tree: HandlerTree, service: string, changes: HandlerChanges | undefined): string {
  const paths = (changes?.moves ?? []).flatMap(({ interface: name, before, after }) =>
    name === tree.name && before.startsWith(`${service}.`) ? [after] : [],
  );
  return paths.length === 0
    ? ""
    : `The ${paths.length === 1 ? "handler" : "handlers"} ${paths.join(", ")} now ${paths.length === 1 ? "receives" : "receive"} the calls of its operations: move your code there. `;
}

/**
 * Returns the file that contains the code to remove, or the position of the code if the file also exports other
 * declarations.
 */
function findRemovedPlace(node: Node): string {
  const file = node.getSourceFile();
  return [...file.getExportedDeclarations().values()].flat().length > 1 ? formatPosition(node) : getPath(file);
}

/**
 * Creates the note about an interface that no longer exists. If its handlers now serve an interface with another name,
 * only imports must be changed.
 */
export function formatRemovedInterfaceNote(
  name: string,
  trees: readonly HandlerTree[],
  files: readonly SourceFile[],
  { serverPackage, formatDisplayPath = keepPath }: NoteInputs & { readonly serverPackage: string },
): string {
  const findImports = (module: string) =>
    files.flatMap((file) =>
      file
        .getImportDeclarations()
        .filter((importDeclaration) => importDeclaration.getModuleSpecifierValue() === `${serverPackage}/${module}`),
    );
  const imports = findImports(toSafeFileName(name));
  const importedNames = imports.flatMap((importDeclaration) =>
    importDeclaration.getNamedImports().map((named) => named.getName()),
  );
  const renamedTree = trees.find(
    (tree) =>
      importedNames.includes(tree.type) && importedNames.includes(tree.routes) && findImports(tree.module).length === 0,
  );
  const paths = [...new Set(imports.map((importDeclaration) => getPath(importDeclaration.getSourceFile())))];
  if (renamedTree !== undefined) {
    return `The interface ${name} is called ${renamedTree.name} now. Import from ${serverPackage}/${renamedTree.module}, not from ${serverPackage}/${toSafeFileName(name)}, in ${paths.map(formatDisplayPath).join(", ")}.`;
  }
  const routesFile = findRoutesFile(files.map(getPath));
  const handlerPaths = paths.filter((path) => path !== routesFile).map(formatDisplayPath);
  const handlersText = handlerPaths.length === 0 ? "" : ` (${handlerPaths.join(", ")})`;
  return `The interface ${name} no longer exists. Remove its handlers${handlersText}, and its routes in ${formatDisplayPath(routesFile)}.`;
}

/**
 * Creates the note about an interface or a service with another name, which lists the files that still import its old
 * names. Undefined if there are none.
 */
export function formatRenamedCodeNote(
  { kind, before, after, modules, names }: RenamedCode,
  files: readonly SourceFile[],
  { packages, formatDisplayPath = keepPath }: Omit<NoteInputs, "changes"> & { readonly packages: readonly string[] },
): string | undefined {
  const isOtherModule = modules.before !== modules.after;
  const oldModules = packages.map((name) => `${name}/${modules.before}`);
  const isOld = (specifier = "") => oldModules.some((module) => `${specifier}/`.startsWith(`${module}/`));
  const hasName = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text);
  const declarations = files
    .flatMap((file) => [...file.getImportDeclarations(), ...file.getExportDeclarations()])
    .filter((declaration) => isOld(declaration.getModuleSpecifierValue()))
    .filter((declaration) => isOtherModule || names.some((name) => hasName(declaration.getText(), name.before)));
  const positions = new Set(declarations.map(formatPosition).map(formatDisplayPath));
  const importedText = declarations.map((declaration) => declaration.getText()).join("\n");
  const renames = [
    ...packages
      .filter((name) => isOtherModule && importedText.includes(`${name}/${modules.before}`))
      .map((name) => ({ before: `${name}/${modules.before}`, after: `${name}/${modules.after}` })),
    ...names.filter((name) => hasName(importedText, name.before)),
  ];
  const texts = renames.map((rename) => `${rename.after} in place of ${rename.before}`);
  return positions.size === 0
    ? undefined
    : `The ${kind} ${before} is called ${after} now. Write ${texts.join(", ")}, in the files with these imports: ${[...positions].join(", ")}. Then run scaffold again.`;
}

function listPathsWith(files: readonly SourceFile[], name: string): readonly string[] {
  return files.filter((file) => new RegExp(`\\b${name}\\b`).test(file.getFullText())).map(getPath);
}

function getPath(file: SourceFile): string {
  return file.getFilePath().slice(1);
}
