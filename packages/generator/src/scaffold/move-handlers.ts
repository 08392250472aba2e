import { Node, type ObjectLiteralExpression, type Project, type SourceFile } from "ts-morph";
import { findHandlersObject, findObjectAt, findObjectWith } from "./find-handlers.js";
import type { HandlerTree } from "./handler-files.js";
import { addMember, removeLine } from "./handler-members.js";
import { type MemberMove, renameHandler } from "./handler-names.js";
import {
  findHandlerName,
  findHandlerVariable,
  findImportedFile,
  findImportedSource,
  findProperty,
  type HandlerClass,
  type HandlerObject,
  isClass,
  isFunction,
  readMember,
} from "./read-members.js";

// Moves handlers to other keys, other groups and other files.

/** The old and the new path of a handler, with its files and its constant. */
export interface HandlerMove extends MemberMove {
  /** The absolute paths of the files that scaffold creates for the old and the new operation. */
  readonly oldFile: string;
  readonly newFile: string;
  /** The new name of the constant that the file exports. */
  readonly constant: string;
}

/**
 * Moves a handler in a separate file to another operation of the same group. If the user chose the name of the
 * constant, of its import or of the file, the name stays the same.
 */
export function moveHandler(literal: ObjectLiteralExpression, move: HandlerMove): void {
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
  if (file?.getFilePath() === move.oldFile) {
    moveFile(file, move.newFile);
  }
}

/**
 * Returns a sentence that says why a handler cannot move to the group of its new path; undefined if it can. Code moves
 * only to objects in its scope, because elsewhere the names that it uses may be unknown.
 */
export function findMoveObstacle(files: readonly SourceFile[], move: MemberMove): string | undefined {
  const { tree, oldPath, newPath } = move;
  const newGroupPath = newPath.slice(0, -1);
  if (oldPath.slice(0, -1).join(".") === newGroupPath.join(".")) {
    return undefined;
  }
  const source = findObjectWith(files, tree, oldPath);
  if (source === undefined || isClass(source)) {
    return "It is a member of a class.";
  }
  const target = findNearestObject(files, tree, newGroupPath);
  const newGroup = newGroupPath.join(".") || tree.name;
  if (!Node.isObjectLiteralExpression(target)) {
    return `The handlers of ${newGroup} are not an object literal.`;
  }
  const scope = source.getAncestors().find((node) => isFunction(node) || Node.isStatemented(node));
  return scope !== undefined && target.getAncestors().includes(scope)
    ? undefined
    : `Its code may use names that are unknown beside the handlers of ${newGroup}.`;
}

/** Returns the object at a path; if members are missing, the object to which the first of them can be added. */
function findNearestObject(
  files: readonly SourceFile[],
  tree: HandlerTree,
  path: readonly string[],
): HandlerObject | undefined {
  let object = findHandlersObject(files, tree);
  for (const key of path) {
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
export function moveToGroup(project: Project, move: MemberMove): boolean {
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

/** Moves a member to another key or another group. A separate file of the handler is not moved. */
function moveMember(
  move: MemberMove,
  source: ObjectLiteralExpression,
  findGroup: () => ObjectLiteralExpression | undefined,
): void {
  const [oldKey = "", newKey = ""] = [move.oldPath.at(-1), move.newPath.at(-1)];
  renameHandler(source.getProject().getSourceFiles(), move);
  const property = findProperty(source, oldKey);
  if (property === undefined) {
    return;
  }
  const text = withKey(property, newKey);
  if (findGroup() === source) {
    // Replaces the text of the member, because the edit functions of ts-morph would change the indentation.
    source.getSourceFile().replaceText([property.getStart(), property.getEnd()], text);
    return;
  }
  removeLine(property);
  const group = findGroup();
  if (group !== undefined) {
    addMember(group, () => text);
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
  const name =
    Node.isPropertyAssignment(property) || Node.isMethodDeclaration(property) ? property.getNameNode() : undefined;
  const value = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
  if (name === undefined || (Node.isIdentifier(value) && value.getText() === key)) {
    return name === undefined ? property.getText() : key;
  }
  const text = property.getText();
  const start = name.getStart() - property.getStart();
  return `${text.slice(0, start)}${key}${text.slice(start + name.getText().length)}`;
}

/**
 * Gives a file a new path in the same folder. Imports of the file keep their extension, which ts-morph would remove.
 */
function moveFile(file: SourceFile, path: string): void {
  const imports = file
    .getReferencingSourceFiles()
    .flatMap((importer) => importer.getImportDeclarations())
    .filter((declaration) => findImportedSource(declaration) === file)
    .map((declaration) => ({ declaration, before: declaration.getModuleSpecifierValue() }));
  file.move(path);
  const name = file.getBaseNameWithoutExtension();
  for (const { declaration, before: oldSpecifier } of imports) {
    declaration.setModuleSpecifier(
      oldSpecifier.replace(/[^/]*?(\.[cm]?[jt]s)?$/, (_, extension: string = "") => `${name}${extension}`),
    );
  }
}
