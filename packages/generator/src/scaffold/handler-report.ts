import type { ExportDeclaration, ExportSpecifier, Node, SourceFile } from "ts-morph";
import { toSafeFileName } from "../plan/names.js";
import { findHandlersObject, findObjectAt } from "./find-handlers.js";
import {
  type ChangedHandler,
  findNewPath,
  type HandlerChanges,
  type HandlerGroup,
  type HandlerNode,
  type HandlerTree,
  listNodes,
  listOperations,
  listPaths,
  notImplementedMessage,
  type RefusedMove,
  type RemovedHandler,
  type UnmovedHandler,
  withoutPrefix,
} from "./handler-files.js";
import { listHandlerNames } from "./handler-names.js";
import {
  findImport,
  findImportedSource,
  formatPosition,
  getDeclaration,
  type HandlerObject,
  hasUnknownMembers,
  isClass,
  isHandlerObject,
  isOnlyExport,
  listDeclarations,
  listMembers,
  readMember,
} from "./read-members.js";

// Describes the handlers that a user must change. The functions of this file change no code.

/** The inputs for notes that describe tasks for the user. */
export interface NoteInputs {
  /** The changes since the last merge; undefined if they are unknown. */
  readonly changes: HandlerChanges | undefined;
  /** Converts the path of a file in the server to the path that notes show; absent if both paths are the same. */
  readonly formatDisplayPath?: ((path: string) => string) | undefined;
}

function createUnchangedReport(path: string): string {
  return path;
}

/** Returns the changed operations that have a handler in `root`, each with the position of the handler. */
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
      const { node, isImplemented } = findHandlerAt(root, operation.split("."));
      return { operation, position: formatPosition(node), change: text, isImplemented };
    });
  });
}

/**
 * Finds the handler at a path. A handler that cannot be found, for example in a spread object, counts as written by the
 * user.
 */
function findHandlerAt(root: Node, path: readonly string[]): { readonly node: Node; readonly isImplemented: boolean } {
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

/** Describes a handler that the user must move to another group. */
export function describeUnmoved(tree: HandlerTree, files: readonly SourceFile[], move: RefusedMove): UnmovedHandler {
  const root = findHandlersObject(files, tree);
  const findPosition = (path: string) =>
    root === undefined ? "" : formatPosition(findHandlerAt(root, path.split(".")).node);
  const uses = listHandlerNames(files, tree, move.from.split(".")).map(formatPosition);
  return { ...move, position: findPosition(move.from), newPosition: findPosition(move.to), uses: [...new Set(uses)] };
}

/** The inputs for the handlers of removed operations. */
interface RemovalInputs {
  readonly changes: HandlerChanges | undefined;
  /** Whether another handler can move to a path, because the user has not written the handler there. */
  readonly isFree: (path: readonly string[], node: HandlerNode) => boolean;
}

/** Returns the handlers of removed operations. Other members of a class are ignored. */
export function listRemovedHandlers(
  tree: HandlerTree,
  files: readonly SourceFile[],
  { changes, isFree }: RemovalInputs,
): readonly RemovedHandler[] {
  const removedPaths = changes === undefined ? [] : listOperationChanges(tree, changes).removed;
  const wasOperation = (operation: string) => removedPaths.some((removed) => `${removed}.`.startsWith(`${operation}.`));
  const nodes = new Map(listNodes(tree.root).map(({ path, node }) => [path.join("."), { path, node }]));
  const findFreePath = (operation: string) => {
    const newPath = findNewPath(tree, operation, changes?.moves);
    const found = newPath === undefined ? undefined : nodes.get(newPath);
    return found !== undefined && isFree(found.path, found.node) ? newPath : undefined;
  };
  // Handlers cannot be moved to the object of another service, so the user must do that.
  const findPathInOtherObject = (operation: string) => {
    const newPath = findNewPath(tree, operation, changes?.moves);
    const isRemoved = changes?.removed.some(
      (removed) => removed.interface === tree.name && removed.operation === newPath,
    );
    return newPath === undefined || nodes.has(newPath) || isRemoved === true ? undefined : newPath;
  };
  const listIn = (path: readonly string[], group: HandlerGroup): readonly RemovedHandler[] => {
    const object = findObjectAt(files, tree, path);
    if (object === undefined) {
      return [];
    }
    const knownKeys = new Set(group.children.map((child) => child.key));
    const removedMembers = listMembers(object)
      .map((member) => ({ ...member, operation: [...path, member.key].join(".") }))
      .filter(
        ({ key, object: owner, operation }) => !knownKeys.has(key) && (!isClass(owner) || wasOperation(operation)),
      );
    return [
      ...group.children.flatMap((child) => (child.kind === "group" ? listIn([...path, child.key], child) : [])),
      ...removedMembers.map(({ key, node, object: owner, operation }) => ({
        operation,
        position: formatPosition(node),
        ...describeRemovedCode(owner, key, listHandlerNames(files, tree, [...path, key])),
        renamed: findFreePath(operation),
        includedIn: findNewPath(tree, operation, changes?.included) ?? findPathInOtherObject(operation),
      })),
    ];
  };
  return listIn([], tree.root);
}

/** Returns the operations that earlier merges added, and whose handlers the user has not changed since. */
export function listEarlierAdditions(tree: HandlerTree, { changes, isFree }: RemovalInputs): readonly string[] {
  const moves = changes?.moves.filter((move) => move.interface === tree.name);
  const newPaths = new Set(moves?.map(({ after }) => after));
  const earlierPaths = new Set(
    (changes?.addedEarlier ?? [])
      .filter((operation) => operation.interface === tree.name && !newPaths.has(operation.operation))
      .map(({ operation }) => withoutPrefix(operation, tree)),
  );
  return listOperations(tree.root)
    .filter(({ path, operation }) => earlierPaths.has(path.join(".")) && isFree(path, operation))
    .map(({ path }) => path.join("."));
}

/**
 * Describes the code that the user must remove together with the handler of a key, or with the handlers of a group.
 * `names` is the code that names the handler.
 */
export function describeRemovedCode(
  object: HandlerObject,
  key: string,
  names: readonly Node[] = [],
): Pick<RemovedHandler, "files" | "declarations" | "reExports" | "uses" | "isGroup" | "isInClass"> {
  const declarations = listDeclarations(object, key);
  const onlyExports = declarations.filter(isOnlyExport);
  const files = onlyExports.map((declaration) => declaration.getSourceFile());
  const removedNodes = [
    ...declarations,
    ...listMembers(object).flatMap((member) => (member.key === key ? member.node : [])),
  ];
  const isRemoved = (node: Node) =>
    files.includes(node.getSourceFile()) || node.getAncestors().some((ancestor) => removedNodes.includes(ancestor));
  const exportedDeclarations = declarations.map(findExports);
  const imports = exportedDeclarations
    .flatMap(listImports)
    .filter((node) => node.getSourceFile() !== object.getSourceFile());
  const uses = [...imports, ...names].filter((node) => !isRemoved(node)).map(formatPosition);
  return {
    files: files.map(getPath),
    declarations: declarations.filter((declaration) => !onlyExports.includes(declaration)).map(formatPosition),
    reExports: exportedDeclarations.flatMap(({ reExports }) => reExports).map(formatPosition),
    ...(uses.length === 0 ? {} : { uses: [...new Set(uses)] }),
    ...(readMember(object, key).kind === "object" ? { isGroup: true } : {}),
    ...(isClass(object) ? { isInClass: true } : {}),
  };
}

/** The names under which files export a declaration, and the `export` declarations that re-export it. */
interface Exports {
  readonly names: readonly { readonly file: SourceFile; readonly name: string }[];
  readonly reExports: readonly Node[];
}

/**
 * Finds the `export` declarations that no longer compile if a declaration is removed: those in its file, and those in
 * files that re-export it.
 */
function findExports(declaration: Node): Exports {
  const declaringFile = declaration.getSourceFile();
  const [exportedName = ""] =
    [...declaringFile.getExportedDeclarations()].find(([, nodes]) => nodes.some((node) => node === declaration)) ?? [];
  const isOnly = isOnlyExport(declaration);
  const projectFiles = declaringFile.getProject().getSourceFiles();
  const exportDeclarations = projectFiles.flatMap((sourceFile) => sourceFile.getExportDeclarations());
  const foundNodes = new Set<Node>();
  const names: { file: SourceFile; name: string }[] = [];
  const follow = (file: SourceFile, name: string): void => {
    if (names.some((visited) => visited.file === file && visited.name === name)) {
      return;
    }
    names.push({ file, name });
    for (const exportDeclaration of exportDeclarations.filter((other) => findExportingFile(other, name) === file)) {
      const specifiers = exportDeclaration.getNamedExports().filter((specifier) => getImportedName(specifier) === name);
      const isStar = exportDeclaration.getNamedExports().length === 0;
      if (specifiers.length > 0 || (isStar && isOnly && file === declaringFile)) {
        foundNodes.add(exportDeclaration);
      }
      const exportedNames = specifiers.map((specifier) => specifier.getAliasNode()?.getText() ?? specifier.getName());
      for (const next of isStar ? [name] : exportedNames) {
        follow(exportDeclaration.getSourceFile(), next);
      }
    }
  };
  follow(declaringFile, exportedName);
  return { names, reExports: [...foundNodes] };
}

/**
 * Returns the imports of an exported declaration, as written in each file: `checkMexico` or `checkMexico as mexico`.
 */
function listImports({ names }: Exports): readonly Node[] {
  return names.flatMap(({ file, name }) =>
    file
      .getProject()
      .getSourceFiles()
      .flatMap((importer) => importer.getImportDeclarations())
      .filter((imported) => findImportedSource(imported) === file)
      .flatMap((imported) => imported.getNamedImports())
      .filter((specifier) => specifier.getName() === name),
  );
}

/**
 * Returns the file from which a re-exported name comes: the file that `export … from` names, or the file from which the
 * name was imported.
 */
function findExportingFile(declaration: ExportDeclaration, name: string): SourceFile | undefined {
  if (declaration.hasModuleSpecifier()) {
    return findImportedSource(declaration);
  }
  const specifier = declaration.getNamedExports().find((namedExport) => getImportedName(namedExport) === name);
  const imported = specifier && findImport(declaration.getSourceFile(), specifier.getName());
  return imported && findImportedSource(imported.declaration);
}

/** Returns the name under which the original file exports a re-exported declaration. */
function getImportedName(specifier: ExportSpecifier): string {
  const name = specifier.getName();
  return specifier.getExportDeclaration().hasModuleSpecifier()
    ? name
    : (findImport(specifier.getSourceFile(), name)?.name ?? name);
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
    formatDisplayPath = createUnchangedReport,
  }: { readonly node: Node; readonly formatDisplayPath?: NoteInputs["formatDisplayPath"] },
): string {
  return `${formatDisplayPath(formatPosition(node))}: It is unknown whether this object has a handler for ${path.join(".")}. If TypeScript reports that the handler is missing in ${tree.type}, add the handler yourself.`;
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
  { changes, formatDisplayPath = createUnchangedReport }: NoteInputs,
): readonly string[] {
  const start = `${formatDisplayPath(formatPosition(handlers))}: These handlers were not changed, because they are not an object literal or a class.`;
  if (changes === undefined) {
    return [`${start} Add the handlers that TypeScript reports as missing in ${tree.type}.`];
  }
  const { added, removed: removedMembers } = listOperationChanges(tree, changes);
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

/** Whether operations at a path, or below it, were added or removed since the last merge. */
export function hasOtherOperations(
  tree: HandlerTree,
  path: readonly string[],
  { node, changes }: { readonly node: HandlerNode; readonly changes: HandlerChanges },
): boolean {
  const { added, removed } = listOperationChanges(tree, changes);
  return (
    listPaths(path, node).some((operation) => added.includes(operation)) ||
    removed.some((operation) => operation.startsWith(`${path.join(".")}.`))
  );
}

/**
 * Creates notes about an interface that now has only one service. One object used to contain the handlers of all its
 * services; now the handlers have a different type. Returns undefined for any other interface.
 */
export function createOnlyServiceReport(
  tree: HandlerTree,
  files: readonly SourceFile[],
  {
    changes,
    serverPackage,
    formatDisplayPath = createUnchangedReport,
  }: NoteInputs & { readonly serverPackage: string },
): { readonly notes: readonly string[]; readonly removed: readonly RemovedHandler[] } | undefined {
  const oldType = changes?.removedTypes.find((type) => type.interface === tree.name && type.service === undefined);
  const oldRoot = oldType && findHandlersObject(files, oldType);
  const service = changes?.services.find(
    (service) => service.interface === tree.name && service.type === tree.type,
  )?.service;
  const handlers = oldRoot && service !== undefined ? readMember(oldRoot, service) : undefined;
  if (oldType === undefined || oldRoot === undefined || service === undefined || handlers?.kind !== "object") {
    return undefined;
  }
  const serviceType = new RegExp(`\\b${oldType.type}\\[\\s*["']${service}["']`);
  const typedFiles = files
    .filter((file) => serviceType.test(file.getFullText()))
    .map((file) => formatDisplayPath(getPath(file)));
  const removedServices = changes?.removedTypes.map((removedType) => removedType.service);
  const removedMembers = listMembers(oldRoot).filter(
    ({ key }) => key !== service && (!isClass(oldRoot) || removedServices?.includes(key) === true),
  );
  const [rootPosition, memberPosition] = [oldRoot, handlers.object].map((node) =>
    formatDisplayPath(formatPosition(node)),
  );
  const routesFiles = listPathsWith(files, oldType.routes).map(formatDisplayPath).join(", ");
  const steps = [
    `${service} is the only service of ${tree.name} now, so ${oldType.type} and ${oldType.routes} no longer exist.`,
    ...(typedFiles.length === 0
      ? []
      : [`Import ${tree.type}, and write it in place of ${oldType.type}["${service}"], in ${typedFiles.join(", ")}.`]),
    ...(isClass(oldRoot)
      ? [`Remove ${oldType.type} from the class at ${rootPosition}, and pass its member ${service} (${memberPosition})`]
      : [
          `Replace the object at ${rootPosition} with its member ${service} (${memberPosition}), and its type with ${tree.type}.`,
          "Pass it",
        ]),
    `to ${tree.routes} of ${serverPackage}/${tree.module} in ${routesFiles}. Then run scaffold again.`,
  ];
  return {
    notes: [steps.join(" ")],
    removed: removedMembers.map(({ key, node, object }) => ({
      operation: key,
      position: formatPosition(node),
      ...describeRemovedCode(object, key),
      renamed: undefined,
    })),
  };
}

/**
 * Returns notes about removed services whose handlers are in an object of their own, unless the report already asks if
 * the service was renamed.
 */
export function listRemovedServiceNotes(
  tree: HandlerTree,
  files: readonly SourceFile[],
  {
    changes,
    removed,
    formatDisplayPath = createUnchangedReport,
  }: NoteInputs & { readonly removed: readonly RemovedHandler[] },
): readonly string[] {
  const removedTypes = changes?.removedTypes.filter((type) => type.interface === tree.name) ?? [];
  return removedTypes.flatMap(({ service, type, routes }) => {
    const handlers = findHandlersObject(files, { type, routes });
    const isQuestion = removed.some(({ operation, renamed }) => operation === service && renamed !== undefined);
    if (service === undefined || handlers === undefined || isQuestion) {
      return [];
    }
    const members = isClass(handlers) ? [] : listMembers(handlers);
    const declarations = members.flatMap(({ object, key }) => listDeclarations(object, key));
    const places = new Set([handlers, ...declarations].map(findRemovedPlace));
    const routesFiles = listPathsWith(files, routes).map(formatDisplayPath).join(", ");
    const routesText = routesFiles === "" ? "" : `, and ${routes} from ${routesFiles}`;
    return `The service ${service} no longer exists. Remove its handlers (${[...places].map(formatDisplayPath).join(", ")})${routesText}.`;
  });
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
  { serverPackage, formatDisplayPath = createUnchangedReport }: NoteInputs & { readonly serverPackage: string },
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
  const renamed = trees.find(
    (tree) =>
      importedNames.includes(tree.type) && importedNames.includes(tree.routes) && findImports(tree.module).length === 0,
  );
  const paths = [...new Set(imports.map((importDeclaration) => getPath(importDeclaration.getSourceFile())))];
  if (renamed !== undefined) {
    return `The interface ${name} is called ${renamed.name} now. Import from ${serverPackage}/${renamed.module}, not from ${serverPackage}/${toSafeFileName(name)}, in ${paths.map(formatDisplayPath).join(", ")}.`;
  }
  const handlerPaths = paths.filter((path) => path !== "src/routes.ts").map(formatDisplayPath);
  const handlersText = handlerPaths.length === 0 ? "" : ` (${handlerPaths.join(", ")})`;
  return `The interface ${name} no longer exists. Remove its handlers${handlersText}, and its routes in ${formatDisplayPath("src/routes.ts")}.`;
}

function listPathsWith(files: readonly SourceFile[], name: string): readonly string[] {
  return files.filter((file) => new RegExp(`\\b${name}\\b`).test(file.getFullText())).map(getPath);
}

function getPath(file: SourceFile): string {
  return file.getFilePath().slice(1);
}
