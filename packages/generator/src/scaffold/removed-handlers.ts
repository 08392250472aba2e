import { type ExportDeclaration, type ExportSpecifier, Node, type SourceFile } from "ts-morph";
import type { MoveCheck } from "./edit/move-handlers.js";
import { listHandlerNames, type MemberMove } from "./edit/rename-handlers.js";
import { findHandlersObject, findObjectAt, locateHandlers } from "./find/find-handlers.js";
import { isOnlyExport, listDeclarations } from "./find/handler-declarations.js";
import { findInTypes } from "./find/handler-types.js";
import {
  type HandlerObject,
  isClass,
  listMembers,
  type Member,
  type ObjectMember,
  readMember,
} from "./find/read-members.js";
import { findDeclaredType } from "./find/required-members.js";
import { findImport, findImportedSource, formatPosition } from "./find/resolve-names.js";
import { findNewPath, type HandlerChanges, isMovedToService, withoutPrefix } from "./handler-changes.js";
import { findHandlerAt, listOperationChanges } from "./handler-notes.js";
import {
  findNode,
  type HandlerGroup,
  type HandlerNode,
  type HandlerTree,
  type LocatedNode,
  listNodes,
  listOperations,
  listPaths,
} from "./handler-tree.js";
import type { RemovedHandler, UnmovedHandler } from "./merge-report.js";

// Finds the handlers of removed operations, and the code that the user must move or remove together with them.

/** The inputs of `listRemovedHandlers`. */
interface RemovalInputs {
  readonly changes: HandlerChanges | undefined;
  /** The moves that are known from the schemas or from the user. */
  readonly moves: HandlerChanges["moves"];
  readonly checkMove: (move: MemberMove, node: HandlerNode) => MoveCheck;
  /** The tree of the interface, if the removed handlers are those of a service with an object of its own. */
  readonly whole: HandlerTree;
}

/** The handlers of removed operations. Each of them is either in `removed` or in `unmoved`. */
interface RemovedHandlers {
  readonly removed: readonly RemovedHandler[];
  /** The handlers whose operations moved, but which only the user can move. */
  readonly unmoved: readonly UnmovedHandler[];
}

/** Returns the handlers of removed operations. Other members of a class are ignored. */
export function listRemovedHandlers(
  tree: HandlerTree,
  files: readonly SourceFile[],
  { changes, moves, checkMove, whole }: RemovalInputs,
): RemovedHandlers {
  const removed: RemovedHandler[] = [];
  const unmoved: UnmovedHandler[] = [];
  const removedPaths = changes === undefined ? [] : listOperationChanges(tree, changes).removed;
  const wasOperation = (operation: string) => removedPaths.some((path) => `${path}.`.startsWith(`${operation}.`));
  const nodes = new Map(listNodes(tree.root).map((located) => [located.path.join("."), located]));
  // The object of another service, if each service has an object of its own.
  const isInOtherObject = (newPath: string) =>
    !nodes.has(newPath) &&
    changes?.removed.some(({ interface: name, operation }) => name === tree.name && operation === newPath) !== true;
  // Found only if a handler was removed, because the search takes long in a large server.
  let foundNodes: ReadonlySet<Node> | undefined;
  const findKeptNodes = () => {
    foundNodes ??= new Set(listHandlerNodes(tree.root, findHandlersObject(files, tree)));
    return foundNodes;
  };
  const addMember = (path: readonly string[], { key, node: member, object: owner }: ObjectMember): void => {
    const operation = path.join(".");
    const newPath = findNewPath(tree, operation, moves);
    const target = newPath === undefined ? undefined : nodes.get(newPath);
    const isKept = target !== undefined && hasKeptOperations(tree, target, { operation, changes, moves });
    // The handler of an operation that moved to a service whose handlers are another object.
    const otherTarget = newPath !== undefined && isInOtherObject(newPath) ? findNode(whole, newPath) : undefined;
    const move = target
      ? { tree, oldPath: path, newPath: target.path }
      : otherTarget && { tree: whole, oldPath: [...tree.prefix, ...path], newPath: otherTarget.path };
    const node = (target ?? otherTarget)?.node;
    const check: MoveCheck | undefined = isKept ? { kind: "taken" } : move && node && checkMove(move, node);
    const reportedName = (move?.oldPath ?? path).join(".");
    if (check?.kind !== "possible" && hasMovedMembers(tree, operation, { member: readMember(owner, key), moves })) {
      addMembers(path, []);
    } else if (move !== undefined && check?.kind === "refused") {
      const { reason } = check;
      const objectMember = { key, node: member, object: owner };
      unmoved.push(describeUnmoved(files, { move, reason, member: objectMember, keptNodes: findKeptNodes() }));
    } else {
      const isElsewhere =
        newPath !== undefined && (check?.kind === "taken" || (check === undefined && isInOtherObject(newPath)));
      removed.push({
        operation: check?.kind === "possible" ? reportedName : operation,
        position: formatPosition(member),
        ...describeRemovedCode(owner, key, { names: listHandlerNames(files, tree, path), keptNodes: findKeptNodes() }),
        newPath: check?.kind === "possible" ? newPath : undefined,
        ...(isMovedToService(tree, operation, newPath) ? { isMoved: true } : {}),
        includedIn: findNewPath(tree, operation, changes?.included) ?? (isElsewhere ? newPath : undefined),
      });
    }
  };
  const addMembers = (path: readonly string[], children: readonly HandlerNode[]): void => {
    const object = findObjectAt(files, tree, path);
    if (object === undefined) {
      return;
    }
    for (const child of children) {
      if (child.kind === "group") {
        addMembers([...path, child.key], child.children);
      }
    }
    const knownKeys = new Set(children.map((child) => child.key));
    for (const member of listMembers(object)) {
      const memberPath = [...path, member.key];
      // A file whose exports are spread may export other code, too.
      const isOutside = member.node.getParent() !== member.object;
      const isOwnMember =
        isClass(member.object) || isOutside || declaresMember(findDeclaredType(member.object), member.key);
      if (!knownKeys.has(member.key) && (!isOwnMember || wasOperation(memberPath.join(".")))) {
        addMember(memberPath, member);
      }
    }
  };
  addMembers([], tree.root.children);
  return { removed, unmoved };
}

/** Whether a type declares a member itself: `StockHandlers & { more: string }`, or an interface of the user. */
function declaresMember(type: Node | undefined, key: string): boolean {
  return (type === undefined ? [] : [type, ...type.getDescendants()]).some((node) => {
    const declared = Node.isTypeReference(node)
      ? findInTypes(node.getSourceFile(), node.getTypeName().getText(), (file, name) => file.getInterface(name))
      : node;
    const members = Node.isInterfaceDeclaration(declared) || Node.isTypeLiteral(declared) ? declared.getMembers() : [];
    return members.some(
      (member) => (Node.isPropertyNamed(member) || Node.isMethodSignature(member)) && member.getName() === key,
    );
  });
}

/**
 * Whether a group has operations that are neither new nor moved from the removed group. The removed group then became a
 * part of this group, so it was not renamed.
 */
function hasKeptOperations(
  tree: HandlerTree,
  { path, node }: LocatedNode,
  {
    operation,
    changes,
    moves,
  }: {
    readonly operation: string;
    readonly changes: HandlerChanges | undefined;
    readonly moves: HandlerChanges["moves"];
  },
): boolean {
  const movedOperations = moves
    .filter(({ before }) => withoutPrefix(before, tree).startsWith(`${operation}.`))
    .map((move) => ({ interface: move.interface, operation: move.after }));
  const newOperations = [...movedOperations, ...(changes?.added ?? []), ...(changes?.addedEarlier ?? [])];
  const newPaths = new Set(
    newOperations
      .filter((newOperation) => newOperation.interface === tree.name)
      .map((newOperation) => withoutPrefix(newOperation.operation, tree)),
  );
  return node.kind === "group" && !listPaths(path, node).every((operationPath) => newPaths.has(operationPath));
}

/** Whether operations of a removed group have known new paths. The operations are then listed instead of the group. */
function hasMovedMembers(
  tree: HandlerTree,
  operation: string,
  { member, moves }: { readonly member: Member; readonly moves: HandlerChanges["moves"] },
): boolean {
  return (
    member.kind === "object" &&
    listMembers(member.object).some(({ key }) => findNewPath(tree, `${operation}.${key}`, moves) !== undefined)
  );
}

/** Describes a handler that the user must move to another group. */
function describeUnmoved(
  files: readonly SourceFile[],
  {
    move: { tree, oldPath, newPath },
    reason,
    member,
    keptNodes,
  }: {
    readonly move: MemberMove;
    readonly reason: string;
    readonly member: ObjectMember;
    readonly keptNodes: ReadonlySet<Node>;
  },
): UnmovedHandler {
  const findHandler = (path: readonly string[]) => {
    const located = locateHandlers(files, tree, path);
    return findHandlerAt(findHandlersObject(files, located.tree) ?? member.object, located.path).node;
  };
  const handler = findHandler(oldPath);
  const names = listHandlerNames(files, tree, oldPath).filter((node) => !node.getAncestors().includes(handler));
  const { uses = [], ...code } = describeRemovedCode(member.object, member.key, { names, keptNodes });
  const group = oldPath.slice(0, -1).join(".");
  return {
    interface: tree.name,
    from: oldPath.join("."),
    to: newPath.join("."),
    reason,
    position: formatPosition(handler),
    newPosition: formatPosition(findHandler(newPath)),
    uses,
    code: { ...code, member: formatPosition(member.node) },
    ...(group === "" || findNode(tree, group) !== undefined ? {} : { removedGroup: group }),
  };
}

/**
 * Whether an operation existed before, at another path or as part of another operation. The path of an operation in a
 * new service begins in the interface, even if the service has an object of its own.
 */
export function existedBefore(tree: HandlerTree, path: string, changes: HandlerChanges | undefined): boolean {
  return [...(changes?.split ?? []), ...(changes?.moves ?? [])].some(
    ({ interface: name, after }) => name === tree.name && (after === path || withoutPrefix(after, tree) === path),
  );
}

/**
 * Returns the operations that earlier merges added, and whose handlers the user has not changed since. If the changes
 * of earlier merges are unknown, each unchanged handler may be one of these.
 */
export function listEarlierAdditions(
  tree: HandlerTree,
  changes: HandlerChanges | undefined,
  isFree: (located: LocatedNode) => boolean,
): readonly string[] {
  const moves = changes?.moves.filter((move) => move.interface === tree.name);
  const newPaths = new Set(moves?.map(({ after }) => after));
  const isUnknown = changes === undefined || changes.isIncomplete === true;
  const earlierPaths = new Set(
    (changes?.addedEarlier ?? [])
      .filter((operation) => operation.interface === tree.name && !newPaths.has(operation.operation))
      .map(({ operation }) => withoutPrefix(operation, tree)),
  );
  return listOperations(tree.root)
    .filter(({ path }) => isUnknown || earlierPaths.has(path.join(".")))
    .filter(({ path, operation: node }) => isFree({ path, node }))
    .map(({ path }) => path.join("."));
}

/** Returns the declarations of the handlers of all operations in a group. */
function listHandlerNodes(group: HandlerGroup, object: HandlerObject | undefined): readonly Node[] {
  return group.children.flatMap((child) => {
    const member = object && readMember(object, child.key);
    if (child.kind === "group") {
      return member?.kind === "object" ? listHandlerNodes(child, member.object) : [];
    }
    return member?.kind === "other" ? [member.node] : [];
  });
}

/**
 * Describes the code that the user must remove together with the handler of a key, or with the handlers of a group.
 * `names` is the code that names the handler. `keptNodes` are the handlers of other operations.
 */
function describeRemovedCode(
  object: HandlerObject,
  key: string,
  { names, keptNodes }: { readonly names: readonly Node[]; readonly keptNodes: ReadonlySet<Node> },
): Pick<RemovedHandler, "files" | "declarations" | "reExports" | "uses" | "isGroup" | "isInClass"> {
  const declarations = listDeclarations(object, key).filter((declaration) => !keptNodes.has(declaration));
  const onlyExports = declarations.filter(isOnlyExport);
  const files = onlyExports.map((declaration) => declaration.getSourceFile());
  const removedNodes = [
    ...declarations,
    ...listMembers(object).flatMap((member) => (member.key === key ? member.node : [])),
  ];
  const isRemoved = (node: Node) =>
    files.includes(node.getSourceFile()) ||
    [node, ...node.getAncestors()].some((removedNode) => removedNodes.includes(removedNode));
  const exportedDeclarations = declarations.map(findExports);
  const imports = exportedDeclarations
    .flatMap(listImports)
    .filter((node) => node.getSourceFile() !== object.getSourceFile());
  const uses = [...imports, ...names].filter((node) => !isRemoved(node)).map(formatPosition);
  return {
    files: files.map((file) => file.getFilePath().slice(1)),
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
  const foundImport = specifier && findImport(declaration.getSourceFile(), specifier.getName());
  return foundImport && findImportedSource(foundImport.declaration);
}

/** Returns the name under which the original file exports a re-exported declaration. */
function getImportedName(specifier: ExportSpecifier): string {
  const name = specifier.getName();
  return specifier.getExportDeclaration().hasModuleSpecifier()
    ? name
    : (findImport(specifier.getSourceFile(), name)?.name ?? name);
}
