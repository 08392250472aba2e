import { posix } from "node:path";
import {
  type ExportDeclaration,
  type ImportDeclaration,
  Node,
  type ObjectLiteralExpression,
  type Project,
  type SourceFile,
  SyntaxKind,
} from "ts-morph";
import {
  findHandlersObject,
  findObjectAt,
  findObjectWith,
  listServiceTrees,
  locateHandlers,
} from "../find/find-handlers.js";
import { isOnlyExport } from "../find/handler-declarations.js";
import {
  findHandlerFile,
  findHandlerName,
  findHandlerVariable,
  findImportedFile,
  findProperty,
  type HandlerClass,
  type HandlerObject,
  isClass,
  isFunction,
  listMembers,
  readMember,
} from "../find/read-members.js";
import { findImport, findImportedSource } from "../find/resolve-names.js";
import { changeSpecifiers, chooseImportSpecifier } from "../find/server-project.js";
import type { HandlerChanges } from "../handler-changes.js";
import { chooseConstant, getNodeFile, hasOwnFile, listNodesWithFiles } from "../handler-files.js";
import { findNode, type HandlerNode, type HandlerTree, listPaths } from "../handler-tree.js";
import { addMember } from "./add-members.js";
import {
  addImport,
  isMemberName,
  isReplaceable,
  listIdentifiers,
  removeMember,
  removeUnusedImport,
} from "./edit-members.js";
import { type MemberMove, renameHandler, withPrefix } from "./rename-handlers.js";

// Moves handlers to other keys, other groups and other files.

/** The old and the new path of a handler, with its files and its constant. */
interface HandlerMove extends MemberMove {
  /** The absolute paths of the files that scaffold creates for the old and the new operation. */
  readonly oldFile: string;
  readonly newFile: string;
  /** The new name of the constant that the file exports. */
  readonly constant: string;
}

/**
 * Returns the moves that `--rename` requests. The request to move a group is one move for each operation. If each
 * service has an object of its own, the paths in the request may begin in that object.
 */
export function listRequestedMoves(
  tree: HandlerTree,
  renames: ReadonlyMap<string, string> = new Map(),
): HandlerChanges["moves"] {
  return [...renames].flatMap(([before, after]) => {
    return [tree, ...listServiceTrees(tree)].flatMap((located) => {
      const target = findNode(located, after);
      const newPaths = target === undefined ? [] : listPaths(target.path, target.node);
      return newPaths.map((path) => ({
        interface: tree.name,
        before: withPrefix(`${before}${path.slice(after.length)}`, located),
        after: withPrefix(path, located),
      }));
    });
  });
}

/** A handler or a group of handlers that moved. */
interface MovedNode {
  /** The files that could not move. Absent if there are none. */
  readonly keptFiles?: readonly string[];
}

/**
 * Moves a handler or a group of handlers to the path of `node`, which must be free. Returns undefined if a group is not
 * an object literal.
 */
export function moveNode(project: Project, move: MemberMove, node: HandlerNode): MovedNode | undefined {
  const { tree, oldPath, newPath } = move;
  const object = findObjectWith(project.getSourceFiles(), tree, oldPath);
  const isSameGroup = oldPath.slice(0, -1).join(".") === newPath.slice(0, -1).join(".");
  if (
    Node.isObjectLiteralExpression(object) &&
    isSameGroup &&
    findHandlerFile(object, oldPath.at(-1) ?? "") !== undefined &&
    hasOwnFile(tree, newPath, node)
  ) {
    const constant = chooseConstant(newPath, new Set(listIdentifiers(object.getSourceFile())));
    const handlerFile = findHandlerFile(object, oldPath.at(-1) ?? "");
    const oldFile = `/${getNodeFile(tree, oldPath, handlerFile)}`;
    const newFile = `/${getNodeFile(tree, newPath, handlerFile)}`;
    return toMovedNode(moveHandler(object, { ...move, oldFile, newFile, constant }));
  }
  if (!moveToGroup(project, move)) {
    return undefined;
  }
  return toMovedNode(isSameGroup && node.kind === "operation" ? [] : moveFiles(project, move, node));
}

function toMovedNode(keptFiles: readonly string[]): MovedNode {
  return keptFiles.length === 0 ? {} : { keptFiles };
}

/** Code that depends on the folder of its file. */
const folderCode = /\bimport\s*(?:\.\s*meta\b|\()|\brequire\b|\b__(?:dirname|filename)\b/;

/**
 * Moves the files that scaffold created for handlers to the folder of the new group. Returns the paths of those that
 * stay in the old folder, because they export something else, or because their code depends on the folder.
 */
function moveFiles(project: Project, { tree, oldPath, newPath }: MemberMove, node: HandlerNode): readonly string[] {
  return listNodesWithFiles(tree, { path: newPath, node }).flatMap(({ path }) => {
    const key = path.at(-1) ?? "";
    const object = findObjectAt(project.getSourceFiles(), tree, path.slice(0, -1));
    const file = object && findImportedFile(object, key);
    const [oldFile, newFile] = [[...oldPath, ...path.slice(newPath.length)], path].map((filePath) => {
      const located = locateHandlers(project.getSourceFiles(), tree, filePath);
      return `/${getNodeFile(located.tree, located.path, file?.getFilePath())}`;
    }) as [string, string];
    if (file?.getFilePath() !== oldFile || oldFile === newFile) {
      return [];
    }
    const variable = object && findHandlerVariable(object, key);
    if (
      variable === undefined ||
      !isOnlyExport(variable) ||
      folderCode.test(file.getFullText()) ||
      project.getSourceFile(newFile) !== undefined
    ) {
      return [oldFile.slice(1)];
    }
    moveFile(file, newFile);
    return [];
  });
}

/**
 * Moves a handler in a separate file to another operation of the same group. If the user chose the name of the
 * constant, of its import or of the file, the name stays the same. Returns the path of the file that scaffold created
 * for the handler if the file cannot have its new path, because another file has it.
 */
function moveHandler(literal: ObjectLiteralExpression, move: HandlerMove): readonly string[] {
  const [oldKey = "", newKey = ""] = [move.oldPath.at(-1), move.newPath.at(-1)];
  const oldName = findHandlerName(literal, oldKey) ?? oldKey;
  const variable = findHandlerVariable(literal, oldKey);
  const file = findImportedFile(literal, oldKey);
  renameHandler(literal.getProject().getSourceFiles(), move);
  const isRenamed = variable !== undefined && variable.getName() === oldName && file?.getFilePath() === move.oldFile;
  if (isRenamed) {
    variable.rename(move.constant);
  }
  const name = isRenamed ? move.constant : oldName;
  findProperty(literal, oldKey)?.replaceWithText(name === newKey ? newKey : `${newKey}: ${name}`);
  if (file?.getFilePath() !== move.oldFile) {
    return [];
  }
  if (file.getProject().getSourceFile(move.newFile) !== undefined) {
    return [move.oldFile.slice(1)];
  }
  moveFile(file, move.newFile);
  return [];
}

/**
 * Whether a handler can move to its new path. "refused": only the user can move it; a sentence gives the reason.
 * "taken": the user has already written a handler for the new path.
 */
export type MoveCheck =
  | { readonly kind: "possible" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "taken" };

/** Checks whether a handler, or a group of handlers, can move to the path of `node`. */
export function checkMove(
  project: Project,
  move: MemberMove,
  target: { readonly node: HandlerNode; readonly serverPackage: string },
): MoveCheck {
  const { tree, path } = locateHandlers(project.getSourceFiles(), move.tree, move.newPath);
  if (!isReplaceable(project, tree, { path, ...target })) {
    return { kind: "taken" };
  }
  const reason =
    findGroupObstacle(project.getSourceFiles(), move, target.node) ?? findMoveObstacle(project.getSourceFiles(), move);
  return reason === undefined ? { kind: "possible" } : { kind: "refused", reason };
}

/** Returns a sentence that says why a group of handlers cannot become one operation; undefined for other moves. */
function findGroupObstacle(
  files: readonly SourceFile[],
  { tree, oldPath, newPath }: MemberMove,
  { kind }: HandlerNode,
): string | undefined {
  const group = kind === "operation" ? findObjectAt(files, tree, oldPath) : undefined;
  const [oldName, newName] = [oldPath.join("."), newPath.join(".")];
  const keys = group === undefined ? [] : listMembers(group).map(({ key }) => key);
  return group === undefined
    ? undefined
    : `${oldName} is a group of handlers, but ${newName} is one operation. To move a handler of the group, name it: --rename ${oldName}.${keys[0] ?? "<name>"}=${newName}.`;
}

/**
 * Returns a sentence that says why a handler cannot move to the group of its new path; undefined if it can. Code moves
 * only to objects in its scope, because elsewhere the names that it uses may be unknown. The import of a handler can be
 * moved to any file.
 */
function findMoveObstacle(files: readonly SourceFile[], move: MemberMove): string | undefined {
  const { tree, oldPath, newPath } = move;
  const newGroupPath = newPath.slice(0, -1);
  const source = findObjectWith(files, tree, oldPath);
  const member = source && listMembers(source).find(({ key }) => key === oldPath.at(-1))?.node;
  if (member !== undefined && member.getParent() !== source) {
    return Node.isBinaryExpression(member)
      ? "Other code assigns it to the object of the handlers."
      : "The object of the handlers spreads all exports of its file.";
  }
  if (oldPath.slice(0, -1).join(".") === newGroupPath.join(".")) {
    return undefined;
  }
  if (source === undefined || isClass(source)) {
    return "It is a member of a class.";
  }
  const target = findNearestObject(files, tree, newGroupPath);
  const newGroup = newGroupPath.join(".") || tree.name;
  if (!Node.isObjectLiteralExpression(target)) {
    return `The handlers of ${newGroup} are not an object literal.`;
  }
  if (findHandlerImport(source, oldPath.at(-1) ?? "") !== undefined) {
    return undefined;
  }
  const scope = source.getAncestors().find((node) => isFunction(node) || Node.isStatemented(node));
  return scope !== undefined && target.getAncestors().includes(scope)
    ? undefined
    : describeOtherScope(files, move, { source, newGroup });
}

/** Returns sentences that say why a handler cannot move to an object in another scope. */
function describeOtherScope(
  files: readonly SourceFile[],
  { tree, oldPath }: MemberMove,
  { source, newGroup }: { readonly source: ObjectLiteralExpression; readonly newGroup: string },
): string {
  const isSpread = findObjectAt(files, tree, oldPath.slice(0, -1)) !== source;
  const oldGroup = oldPath.slice(0, -1).join(".") || tree.name;
  const spreadText = isSpread
    ? `It is a member of an object that the handlers of ${oldGroup} spread, and that other code may use, too. `
    : "";
  const names = listOuterNames(findProperty(source, oldPath.at(-1) ?? ""));
  const namesText = names.length === 0 ? "" : `: ${names.join(", ")}`;
  const verb = names.length === 0 ? "may use names that are" : "uses names that may be";
  return `${spreadText}Its code ${verb} unknown beside the handlers of ${newGroup}${namesText}.`;
}

/** Returns the names that a member uses, and that its file or an enclosing function declares or imports. */
function listOuterNames(member: Node | undefined): readonly string[] {
  const scopes = member?.getAncestors().filter(Node.isStatemented) ?? [];
  const outerNames = new Set(
    scopes.flatMap((scope) =>
      [...scope.getVariableDeclarations(), ...scope.getFunctions(), ...scope.getClasses()].map((node) =>
        node.getName(),
      ),
    ),
  );
  for (const name of member === undefined ? [] : listIdentifiers(member.getSourceFile())) {
    outerNames.add(name);
  }
  const usedNames = (member?.getDescendantsOfKind(SyntaxKind.Identifier) ?? [])
    .filter((node) => !isMemberName(node))
    .map((node) => node.getText());
  return [...new Set(usedNames)].filter((name) => outerNames.has(name));
}

/** Returns the object at a path; if members are missing, the object to which the first of them can be added. */
function findNearestObject(
  files: readonly SourceFile[],
  tree: HandlerTree,
  path: readonly string[],
): HandlerObject | undefined {
  const located = locateHandlers(files, tree, path);
  let object = findHandlersObject(files, located.tree);
  for (const key of located.path) {
    const member = object && readMember(object, key);
    if (member?.kind === "missing") {
      return object;
    }
    object = member?.kind === "object" ? member.object : undefined;
  }
  return object;
}

/**
 * Moves a member to the group of its new path, and creates the group if it is missing. Returns false if a group is not
 * an object literal: a member of a class can be renamed, but not moved to another group.
 */
function moveToGroup(project: Project, move: MemberMove): boolean {
  const { tree, oldPath, newPath } = move;
  const findLiteral = (path: readonly string[]) => {
    const object = findObjectAt(project.getSourceFiles(), tree, path);
    return Node.isObjectLiteralExpression(object) ? object : undefined;
  };
  const oldGroup = findObjectWith(project.getSourceFiles(), tree, oldPath);
  const isSameGroup = oldPath.slice(0, -1).join(".") === newPath.slice(0, -1).join(".");
  if (oldGroup !== undefined && isClass(oldGroup)) {
    return isSameGroup && renameClassMember(move, oldGroup);
  }
  for (const [index, key] of newPath.slice(0, -1).entries()) {
    const parent = findLiteral(newPath.slice(0, index));
    if (parent !== undefined && readMember(parent, key).kind === "missing") {
      addMember(parent, (indent) => `${key}: {\n${indent}}`);
    }
  }
  const source = findObjectWith(project.getSourceFiles(), tree, oldPath);
  if (!Node.isObjectLiteralExpression(source)) {
    return false;
  }
  const findGroup = () => (isSameGroup ? source : findLiteral(newPath.slice(0, -1)));
  if (findGroup() === undefined) {
    return false;
  }
  moveMember(move, source, findGroup);
  return true;
}

/**
 * Moves a member to another key or another group, with its comments. The file of the handler is not moved. If the old
 * group is no longer in the schema and has no other members, removes the group.
 */
function moveMember(
  move: MemberMove,
  source: ObjectLiteralExpression,
  findGroup: () => ObjectLiteralExpression | undefined,
): void {
  const project = source.getProject();
  const [oldKey = "", newKey = ""] = [move.oldPath.at(-1), move.newPath.at(-1)];
  renameHandler(project.getSourceFiles(), move);
  const property = findProperty(source, oldKey);
  if (property === undefined) {
    return;
  }
  const text = withKey(property, newKey);
  const sourceFile = source.getSourceFile();
  const imported = findHandlerImport(source, oldKey);
  const targetFile = findGroup()?.getSourceFile();
  if (findGroup() === source) {
    // Replaces the text of the member, because the edit functions of ts-morph would change the indentation.
    sourceFile.replaceText([property.getStart(), property.getEnd()], text);
    return;
  }
  const { above, after } = removeMember(property);
  const group = findGroup();
  if (group === undefined || targetFile === undefined) {
    return;
  }
  if (imported === undefined || targetFile === sourceFile) {
    addMember(group, (indent) => [...above, text].join(`\n${indent}`), after);
  } else {
    const { name, isNew } = chooseImportedName(targetFile, imported, move.newPath);
    const memberText = name === newKey ? newKey : `${newKey}: ${name}`;
    addMember(group, (indent) => [...above, memberText].join(`\n${indent}`), after);
    if (isNew) {
      const { exportedName, file } = imported;
      const specifier = chooseImportSpecifier(targetFile, file.getFilePath().slice(1));
      addImport(targetFile, name === exportedName ? name : `${exportedName} as ${name}`, specifier);
    }
    removeUnusedImport(sourceFile, imported.name);
  }
  removeEmptyGroup(project, move);
}

/** The import of a handler: its name in the importing file, and the file that exports it. */
interface HandlerImport {
  readonly name: string;
  readonly exportedName: string;
  readonly file: SourceFile;
}

/** Finds the import of the handler of a key. Undefined if the handler is not imported from a file of the server. */
function findHandlerImport(object: HandlerObject, key: string): HandlerImport | undefined {
  const name = findHandlerName(object, key);
  const foundImport = name === undefined ? undefined : findImport(object.getSourceFile(), name);
  const file = foundImport && findImportedSource(foundImport.declaration);
  return name === undefined || foundImport === undefined || file === undefined
    ? undefined
    : { name, exportedName: foundImport.name, file };
}

/** Returns the name under which a file declares or imports a handler, or a name for a new import. */
function chooseImportedName(
  file: SourceFile,
  { exportedName, file: handlerFile }: HandlerImport,
  newPath: readonly string[],
): { readonly name: string; readonly isNew: boolean } {
  if (handlerFile === file) {
    return { name: exportedName, isNew: false };
  }
  const specifier = file
    .getImportDeclarations()
    .filter((declaration) => findImportedSource(declaration) === handlerFile)
    .flatMap((declaration) => declaration.getNamedImports())
    .find((named) => named.getName() === exportedName);
  return specifier === undefined
    ? { name: chooseConstant(newPath, new Set(listIdentifiers(file))), isNew: true }
    : { name: specifier.getAliasNode()?.getText() ?? exportedName, isNew: false };
}

/** Removes the old group of a moved handler if the schema no longer has the group, and its object is empty. */
function removeEmptyGroup(project: Project, { tree, oldPath }: MemberMove): void {
  const groupPath = oldPath.slice(0, -1);
  const files = project.getSourceFiles();
  const group = findObjectAt(files, tree, groupPath);
  const owner = findObjectWith(files, tree, groupPath);
  const property = owner && findProperty(owner, groupPath.at(-1) ?? "");
  const isEmpty = Node.isObjectLiteralExpression(group) && /^\{\s*\}$/.test(group.getText());
  if (
    findNode(tree, groupPath.join(".")) === undefined &&
    isEmpty &&
    Node.isPropertyAssignment(property) &&
    property.getInitializer() === group
  ) {
    removeMember(property);
  }
}

/**
 * Renames a member of a class, and all references to it in the user's code. Returns false if the class has no such
 * member.
 */
function renameClassMember(move: MemberMove, handlerClass: HandlerClass): boolean {
  const [oldKey = "", newKey = ""] = [move.oldPath.at(-1), move.newPath.at(-1)];
  renameHandler(handlerClass.getProject().getSourceFiles(), move);
  const property = findProperty(handlerClass, oldKey);
  if (property === undefined || !(Node.isPropertyNamed(property) || Node.isParameterDeclaration(property))) {
    return false;
  }
  const name = property.getNameNode();
  if (Node.isIdentifier(name)) {
    name.rename(newKey, { usePrefixAndSuffixText: true });
  } else {
    name.replaceWithText(newKey);
  }
  return true;
}

/** Returns the code of a member, with its key replaced. */
function withKey(property: Node, key: string): string {
  if (Node.isShorthandPropertyAssignment(property)) {
    return property.getName() === key ? key : `${key}: ${property.getName()}`;
  }
  const name = Node.isPropertyNamed(property) ? property.getNameNode() : undefined;
  const value = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
  if (name === undefined || (Node.isIdentifier(value) && value.getText() === key)) {
    return name === undefined ? property.getText() : key;
  }
  const text = property.getText();
  const start = name.getStart() - property.getStart();
  return `${text.slice(0, start)}${key}${text.slice(start + name.getText().length)}`;
}

/** Gives a file a new path. Imports keep their form and their extension, which ts-morph would change. */
function moveFile(file: SourceFile, path: string): void {
  const ownReferences = listReferences(file)
    .filter((declaration) => declaration.getModuleSpecifierValue()?.startsWith("."))
    .map((declaration) => ({ declaration, target: posix.join(file.getDirectoryPath(), getSpecifier(declaration)) }));
  changeSpecifiers(file, path);
  file.move(path);
  for (const { declaration, target } of ownReferences) {
    const specifier = posix.relative(declaration.getSourceFile().getDirectoryPath(), target);
    declaration.setModuleSpecifier(specifier.startsWith("../") ? specifier : `./${specifier}`);
  }
}

function listReferences(file: SourceFile): readonly (ImportDeclaration | ExportDeclaration)[] {
  return [...file.getImportDeclarations(), ...file.getExportDeclarations()];
}

function getSpecifier(declaration: ImportDeclaration | ExportDeclaration): string {
  return declaration.getModuleSpecifierValue() ?? "";
}
