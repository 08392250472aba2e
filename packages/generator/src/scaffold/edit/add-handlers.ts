import { posix } from "node:path";
import type { ObjectLiteralExpression, Project, SourceFile } from "ts-morph";
import { findImplementedGroup } from "../find/handler-types.js";
import {
  findImportedFile,
  type HandlerClass,
  type HandlerObject,
  isClass,
  listMembers,
  type UnreadMember,
} from "../find/read-members.js";
import { formatPosition } from "../find/resolve-names.js";
import { chooseImportSpecifier } from "../find/server-project.js";
import {
  chooseConstant,
  createHandlers,
  formatClassMember,
  formatMember,
  formatNode,
  getExtension,
  getFaultClass,
  getNodeFile,
  getTypeOfGroup,
  hasOwnFile,
} from "../handler-files.js";
import { formatCommonJsNote, formatUntypedClassNote, keepPath } from "../handler-notes.js";
import { type HandlerGroup, type HandlerNode, type HandlerTree, listOperations, listPaths } from "../handler-tree.js";
import type { MergeInputs } from "../merge-report.js";
import { addClassMember, addFaultImport, addImport, addMember, listIdentifiers } from "./edit-members.js";

/** A new handler, and the object to which it is added. */
interface Addition<T extends HandlerObject = HandlerObject> {
  readonly path: readonly string[];
  readonly node: HandlerNode;
  readonly object: T;
}

/** A handler that gets a file. */
interface NewHandler {
  readonly path: readonly string[];
  readonly node: HandlerNode;
  /** The file of the object to which the handler is added. */
  readonly siblingFile: SourceFile;
  /** The files of the other handlers in the same group. */
  readonly siblings?: readonly SourceFile[];
  readonly otherPath?: readonly string[];
}

/** An operation whose handler was added. `path` begins with the prefix of the tree: `reg.checkUSA`. */
export interface AddedHandler {
  readonly tree: HandlerTree;
  readonly path: string;
}

/** Adds the handlers of new operations to the user's code. */
export class HandlerAdditions {
  readonly #project: Project;
  readonly #inputs: MergeInputs;
  readonly #notes: string[];
  readonly added: AddedHandler[] = [];
  /** The interfaces and services that had no handlers before. */
  readonly newTrees: HandlerTree[] = [];

  /** Adds a note to `notes` for each handler that cannot be added. */
  constructor(project: Project, inputs: MergeInputs, notes: string[]) {
    this.#project = project;
    this.#inputs = inputs;
    this.#notes = notes;
  }

  /** Creates the handlers of a new interface or service. Returns false if its folder already contains files. */
  addInterface(tree: HandlerTree): boolean {
    const isTaken = this.#project.getSourceFiles().some((file) => file.getFilePath().startsWith(`/${tree.folder}/`));
    if (isTaken) {
      return false;
    }
    for (const [path, text] of createHandlers(tree, this.#inputs.serverPackage)) {
      this.#project.createSourceFile(`/${path}`, text);
    }
    this.added.push(...listOperations(tree.root, tree.prefix).map(({ path }) => ({ tree, path: path.join(".") })));
    this.newTrees.push(tree);
    return true;
  }

  /** Adds a handler, or the handlers of a group, to an object or a class. */
  add(tree: HandlerTree, { path, node, object }: Addition): void {
    if (isClass(object)) {
      this.#addToClass(tree, { path, node, object });
      return;
    }
    const file = object.getSourceFile();
    if (file.getExtension() === ".cjs") {
      const position = (this.#inputs.formatDisplayPath ?? keepPath)(formatPosition(object));
      this.#notes.push(formatCommonJsNote(listPaths(path, node), position));
      return;
    }
    this.#noteAdded(tree, path, node);
    if (!hasOwnFile(tree, path, node)) {
      if (node.kind === "group" && tree.kind === "soap") {
        this.#addService(tree, { path, node, object });
      } else {
        addMember(object, (indent) => formatMember(tree, node, indent));
        addFaultImport(file, getFaultClass(tree), `${this.#inputs.serverPackage}/${tree.module}`);
      }
      return;
    }
    const created = this.#createFile(tree, { path, node, siblingFile: file, siblings: listSiblingFiles(object) });
    addMember(object, () => (created.constant === node.key ? node.key : `${node.key}: ${created.constant}`));
    addImport(file, created.constant, chooseImportSpecifier(file, created.file));
  }

  /** Adds a handler to a class, if the class names the type of its handlers. */
  #addToClass(tree: HandlerTree, { path, node, object }: Addition<HandlerClass>): void {
    const { formatDisplayPath = keepPath } = this.#inputs;
    const type = findImplementedGroup(object, tree, path.slice(0, -1));
    if (type === undefined) {
      const position = formatDisplayPath(formatPosition(object));
      const handlersType = getTypeOfGroup(tree, path.slice(0, -1));
      this.#notes.push(formatUntypedClassNote(listPaths(path, node), { position, type: handlersType }));
      return;
    }
    this.#noteAdded(tree, path, node);
    const file = object.getSourceFile();
    addClassMember(object, (indent) => formatClassMember(tree, node, { type, indent }));
    addFaultImport(file, getFaultClass(tree), `${this.#inputs.serverPackage}/${tree.module}`);
  }

  /** Restores a deleted handler file if its name was the default; otherwise only reports that the file is missing. */
  restore(
    tree: HandlerTree,
    { path, node, deleted }: Omit<Addition, "object"> & { readonly deleted: UnreadMember },
  ): void {
    const { formatDisplayPath = keepPath } = this.#inputs;
    const file = getNodeFile(tree, path, deleted.file);
    if (deleted.file !== file) {
      this.#notes.push(
        `${formatDisplayPath(formatPosition(deleted.node))}: The handler of ${path.join(".")} is imported from the file ${deleted.specifier}, which does not exist. Restore it, or remove the import and run scaffold again.`,
      );
      return;
    }
    const names = { constant: deleted.constant, serverPackage: this.#inputs.serverPackage, file };
    this.#project.createSourceFile(`/${file}`, formatNode(tree, path, node, names));
    this.#noteAdded(tree, path, node);
  }

  /** Adds the handlers of a new service: an object literal, and one file for each member. */
  #addService(
    tree: HandlerTree,
    { path, node, object }: Addition<ObjectLiteralExpression> & { readonly node: HandlerGroup },
  ): void {
    const file = object.getSourceFile();
    const members: string[] = [];
    const imports: { constant: string; from: string }[] = [];
    for (const child of node.children) {
      const childPath = [...path, child.key];
      const { constant, file: childFile } = this.#createFile(tree, {
        path: childPath,
        node: child,
        siblingFile: file,
        otherPath: imports.map((imported) => imported.constant),
      });
      members.push(constant === child.key ? constant : `${child.key}: ${constant}`);
      imports.push({ constant, from: chooseImportSpecifier(file, childFile) });
    }
    addMember(
      object,
      (indent) => `${node.key}: {\n${members.map((member) => `${indent}  ${member},\n`).join("")}${indent}}`,
    );
    for (const handlerImport of imports) {
      addImport(file, handlerImport.constant, handlerImport.from);
    }
  }

  #createFile(tree: HandlerTree, newHandler: NewHandler): { readonly constant: string; readonly file: string } {
    const defaultFile = this.#chooseFile(tree, newHandler);
    const existingFile = this.#project.getSourceFile(`/${defaultFile}`);
    const takenNames = new Set([...listIdentifiers(newHandler.siblingFile), ...(newHandler.otherPath ?? [])]);
    const constant = chooseConstant(newHandler.path, takenNames);
    if (existingFile?.getExportedDeclarations().has(constant) === true) {
      return { constant, file: defaultFile };
    }
    // The file at the default path may contain the handler of another operation.
    const extension = getExtension(defaultFile);
    const base = defaultFile.slice(0, -extension.length);
    let file = defaultFile;
    for (let count = 2; this.#project.getSourceFile(`/${file}`) !== undefined; count++) {
      file = `${base}${count}${extension}`;
    }
    const names = { constant, serverPackage: this.#inputs.serverPackage, file };
    this.#project.createSourceFile(`/${file}`, formatNode(tree, newHandler.path, newHandler.node, names));
    return { constant, file };
  }

  /**
   * Returns a path beside the other handlers of the group if these are in one folder, and the default folder is not in
   * use.
   */
  #chooseFile(tree: HandlerTree, { path, siblingFile, siblings = [] }: NewHandler): string {
    const defaultFile = getNodeFile(tree, path, chooseLanguage(siblings, siblingFile));
    const defaultFolder = `/${posix.dirname(defaultFile)}/`;
    const isInUse = this.#project.getSourceFiles().some((file) => file.getFilePath().startsWith(defaultFolder));
    const [folder, ...otherFolders] = new Set(siblings.map((file) => file.getDirectoryPath().slice(1)));
    return isInUse || folder === undefined || otherFolders.length > 0
      ? defaultFile
      : posix.join(folder, posix.basename(defaultFile));
  }

  #noteAdded(tree: HandlerTree, path: readonly string[], node: HandlerNode): void {
    this.added.push(...listPaths(path, node).map((operation) => ({ tree, path: operation })));
  }
}

/** Returns the files from which the handlers of a group are imported. */
function listSiblingFiles(object: HandlerObject): readonly SourceFile[] {
  return listMembers(object).flatMap((member) => findImportedFile(member.object, member.key) ?? []);
}

/** Returns the path of a file in the language of most handlers of a group, or else of the file with their object. */
function chooseLanguage(siblings: readonly SourceFile[], siblingFile: SourceFile): string {
  const counts = new Map<string, number>();
  for (const file of siblings) {
    const extension = getExtension(file.getFilePath());
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  const [mostUsed] = [...counts].sort(([, left], [, right]) => right - left);
  return mostUsed?.[0] ?? siblingFile.getFilePath();
}
