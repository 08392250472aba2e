import type { ObjectLiteralExpression, Project, SourceFile } from "ts-morph";
import { findImplementedGroup } from "../find/handler-types.js";
import { chooseHandlerFile, listNeighbours, type NeighbouringHandler } from "../find/neighbouring-handlers.js";
import { type HandlerClass, type HandlerObject, isClass, type UnreadMember } from "../find/read-members.js";
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
  isJavaScript,
} from "../handler-files.js";
import { formatCommonJsNote, formatUntypedClassNote, keepPath } from "../handler-notes.js";
import { type HandlerGroup, type HandlerNode, type HandlerTree, listOperations, listPaths } from "../handler-tree.js";
import type { MergeInputs } from "../merge-report.js";
import { addClassMember, addMember } from "./add-members.js";
import { addFaultImport, addImport, listIdentifiers } from "./edit-members.js";

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
  readonly objectFile: SourceFile;
  /** The other handlers in the same group; absent for a new group. */
  readonly neighbours?: readonly NeighbouringHandler[];
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
    const created = this.#createFile(tree, { path, node, objectFile: file, neighbours: listNeighbours(object) });
    addMember(object, () => (created.constant === node.key ? node.key : `${node.key}: ${created.constant}`));
    addImport(file, created.constant, chooseImportSpecifier(file, created.file));
  }

  /** Adds a handler to a class, if the class names the type of its handlers. */
  #addToClass(tree: HandlerTree, { path, node, object }: Addition<HandlerClass>): void {
    const { formatDisplayPath = keepPath } = this.#inputs;
    const type = findImplementedGroup(object, tree, path.slice(0, -1));
    if (type === undefined) {
      const position = formatDisplayPath(formatPosition(object));
      const isTypeScript = !isJavaScript(object.getSourceFile().getFilePath());
      const handlersType = getTypeOfGroup(tree, path.slice(0, -1));
      this.#notes.push(formatUntypedClassNote(listPaths(path, node), { position, type: handlersType, isTypeScript }));
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
        objectFile: file,
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
    const defaultFile = chooseHandlerFile(tree, newHandler);
    const existingFile = this.#project.getSourceFile(`/${defaultFile}`);
    const takenNames = new Set([...listIdentifiers(newHandler.objectFile), ...(newHandler.otherPath ?? [])]);
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

  #noteAdded(tree: HandlerTree, path: readonly string[], node: HandlerNode): void {
    this.added.push(...listPaths(path, node).map((operation) => ({ tree, path: operation })));
  }
}
