import { posix } from "node:path";
import type { SourceFile } from "ts-morph";
import { capitalize } from "../../text.js";
import { getFileWord, getNodeFile, getNodeFolder } from "../handler-files.js";
import type { HandlerTree } from "../handler-tree.js";
import { getDeclaration } from "./handler-declarations.js";
import {
  findImportedFile,
  getValue,
  type HandlerObject,
  listMembers,
  type ObjectMember,
  readMember,
} from "./read-members.js";
import { findReferencedNode, unwrapExpression } from "./resolve-names.js";

// Finds the files of a group's handlers, and the path of a new file beside them.

/** A handler of the same group as a new one, in another file than the object of the group. */
export interface NeighbouringHandler {
  readonly key: string;
  readonly file: SourceFile;
}

/** Returns the handlers of a group whose code is not in the file of the group's object. */
export function listNeighbours(object: HandlerObject): readonly NeighbouringHandler[] {
  return listMembers(object).flatMap((member) => {
    const file = findCodeFile(member);
    return file === object.getSourceFile() ? [] : [{ key: member.key, file }];
  });
}

/** Returns the file from which a handler is imported, or else the file that contains its code. */
function findCodeFile({ object, key, node }: ObjectMember): SourceFile {
  const member = readMember(object, key);
  // The code of `audited(getQuote)` is that of the wrapped function.
  const value = member.kind === "object" ? member.object : member.kind === "other" ? getDeclaration(member.node) : node;
  const declaration = value === node ? findReferencedNode(unwrapExpression(getValue(node)) ?? node) : value;
  return findImportedFile(object, key) ?? (declaration ?? value).getSourceFile();
}

/** The new handler, and the file of the object to which it is added. */
interface NewFile {
  readonly path: readonly string[];
  readonly objectFile: SourceFile;
  /** The other handlers of the group; absent for a new group. */
  readonly neighbours?: readonly NeighbouringHandler[];
  /** The extension of the new file. */
  readonly extension: string;
}

/**
 * Returns the path of the file for a new handler or group: in the folder that contains the neighbouring handlers, with
 * a name in their style. If some of them are in the default folder, or if they are in several folders without a name
 * in common, the file is in the default folder.
 */
export function chooseHandlerFile(tree: HandlerTree, newFile: NewFile): string {
  const { path, objectFile, neighbours = [], extension } = newFile;
  const defaultFile = getNodeFile(tree, path, extension);
  const defaultFolder = posix.dirname(defaultFile);
  // The folder of another group contains handlers that both groups use.
  const otherGroups = tree.root.children.filter(({ kind, key: group }) => kind === "group" && group !== path[0]);
  const otherFolders = new Set(otherGroups.map(({ key: group }) => getNodeFolder(tree, [group])));
  const folders = neighbours
    .map(({ file }) => file.getDirectoryPath().slice(1))
    .filter((neighbourFolder) => !otherFolders.has(neighbourFolder));
  if (newFile.neighbours?.length === 0 && isInUserFolder(tree, objectFile)) {
    // The object contains the other handlers.
    folders.push(tree.folder);
  }
  const folder = findCommonFolder(folders);
  const isFound = folders.includes(folder) || !isInside(defaultFolder, folder);
  const key = path.at(-1) ?? "";
  const word = posix.basename(defaultFile, extension);
  const name = word === getFileWord(key) ? formatFileName(key, neighbours) : word;
  return `${isFound && !folders.includes(defaultFolder) ? folder : defaultFolder}/${name}${extension}`;
}

/** Whether the object of the handlers is in a folder that the user chose for the handlers. */
function isInUserFolder({ folder }: HandlerTree, objectFile: SourceFile): boolean {
  return objectFile.getDirectoryPath().slice(1) === folder && objectFile.getBaseNameWithoutExtension() !== "handlers";
}

/** Returns the folder that contains all folders; for none, that of the whole server. */
function findCommonFolder([first = "", ...others]: readonly string[]): string {
  let folder = first;
  while (!others.every((other) => isInside(other, folder))) {
    folder = posix.dirname(folder);
  }
  return folder;
}

function isInside(path: string, folder: string): boolean {
  return folder === "." || folder === "" || `${path}/`.startsWith(`${folder}/`);
}

/** The styles of file names: `check-usa`, `check_usa`, `checkUSA`, `CheckUSA`. The first is the default. */
const nameStyles = [
  { pattern: /^[a-z\d]+(?:-[a-z\d]+)*$/, format: getFileWord },
  { pattern: /^[a-z\d]+(?:_[a-z\d]+)*$/, format: (key: string) => getFileWord(key).replaceAll("-", "_") },
  { pattern: /^[a-z][A-Za-z\d]*$/, format: (key: string) => key },
  { pattern: /^[A-Z][A-Za-z\d]*$/, format: capitalize },
];

/** Formats the name of a handler's file, without its extension, in the style of the neighbouring files. */
function formatFileName(key: string, neighbours: readonly NeighbouringHandler[]): string {
  const names = neighbours.map(({ key: otherKey, file }) => {
    const [, word = "", ending = ""] = /^([^.]*)(.*)\.\w+$/.exec(file.getBaseName()) ?? [];
    return { key: otherKey, word, ending };
  });
  const style = nameStyles.find(({ pattern }) => names.every(({ word }) => pattern.test(word)));
  const format = style?.format ?? getFileWord;
  const suffix = findCommon(
    names.map(({ key: otherKey, word }) =>
      word.startsWith(format(otherKey)) ? word.slice(format(otherKey).length) : "",
    ),
  );
  return `${format(key)}${suffix}${findCommon(names.map(({ ending }) => ending))}`;
}

/** Returns the text that all are equal to; empty if they differ. */
function findCommon(texts: readonly string[]): string {
  const [first = "", ...others] = new Set(texts);
  return others.length === 0 ? first : "";
}
