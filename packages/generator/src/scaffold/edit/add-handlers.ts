import type { ObjectLiteralExpression, Project, SourceFile } from "ts-morph";
import { findCodeStyle, findTypicalFile, isCommonJs, listHandlerFiles, readCodeStyle } from "../find/code-style.js";
import { findObjectAt } from "../find/find-handlers.js";
import { findImplementedGroup } from "../find/handler-types.js";
import { chooseHandlerFile, listNeighbours, type NeighbouringHandler } from "../find/neighbouring-handlers.js";
import { type HandlerClass, type HandlerObject, isClass, type UnreadMember } from "../find/read-members.js";
import { findExtensible } from "../find/required-members.js";
import { formatPosition } from "../find/resolve-names.js";
import { chooseImportSpecifier } from "../find/server-project.js";
import {
  type CodeStyle,
  chooseConstant,
  createHandlers,
  formatClassMember,
  formatMember,
  formatNode,
  formatNodeType,
  getExtension,
  getFaultClass,
  getNodeFile,
  getTypeOfGroup,
  hasOwnFile,
  isJavaScript,
  listNodesWithFiles,
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

interface AdditionInputs extends MergeInputs {
  readonly notes: string[];
  readonly trees: readonly HandlerTree[];
}

/** Adds the handlers of new operations to the user's code. */
export class HandlerAdditions {
  readonly #project: Project;
  readonly #inputs: MergeInputs;
  readonly #notes: string[];
  /** The handlers that the user must add, because scaffold does not change their objects. */
  readonly #left: { readonly tree: HandlerTree; readonly path: readonly string[]; readonly node: HandlerNode }[] = [];
  /** The handlers of all interfaces. */
  readonly #trees: readonly HandlerTree[];
  readonly added: AddedHandler[] = [];
  /** The interfaces and services that had no handlers before. */
  readonly newTrees: HandlerTree[] = [];

  /** Adds a note to `notes` for each handler that cannot be restored. */
  constructor(project: Project, inputs: AdditionInputs) {
    this.#project = project;
    this.#inputs = inputs;
    this.#notes = inputs.notes;
    this.#trees = inputs.trees;
  }

  /** Creates the handlers of a new interface or service. Returns false if its folder already contains files. */
  addInterface(tree: HandlerTree): boolean {
    const isTaken = this.#project.getSourceFiles().some((file) => file.getFilePath().startsWith(`/${tree.folder}/`));
    if (isTaken) {
      return false;
    }
    const files = this.#project.getSourceFiles();
    for (const [path, text] of createHandlers(tree, this.#inputs.serverPackage, findCodeStyle(files, this.#trees))) {
      this.#project.createSourceFile(`/${path}`, text);
    }
    this.added.push(...listOperations(tree.root, tree.prefix).map(({ path }) => ({ tree, path: path.join(".") })));
    this.newTrees.push(tree);
    return true;
  }

  /** Adds a handler, or the handlers of a group, to an object or a class. */
  add(tree: HandlerTree, { path, node, object }: Addition): void {
    const file = object.getSourceFile();
    if (isCommonJs(file)) {
      this.#left.push({ tree, path, node });
      return;
    }
    if (isClass(object)) {
      this.#addToClass(tree, { path, node, object });
      return;
    }
    this.#noteAdded(tree, path, node);
    if (!hasOwnFile(tree, path, node)) {
      if (node.kind === "group" && listNodesWithFiles(tree, { path, node }).length > 0) {
        this.#addGroup(tree, { path, node, object });
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

  /** Adds a handler to a class in JavaScript, or to one in TypeScript that names the type of its handlers. */
  #addToClass(tree: HandlerTree, { path, node, object }: Addition<HandlerClass>): void {
    const group = path.slice(0, -1);
    const file = object.getSourceFile();
    const isTypeScript = !isJavaScript(file.getFilePath());
    const module = `${this.#inputs.serverPackage}/${tree.module}`;
    const implemented = findImplementedGroup(object, tree, group);
    if (implemented === undefined && isTypeScript) {
      this.#left.push({ tree, path, node });
      return;
    }
    const type = implemented ?? `import("${module}").${formatNodeType(tree, group)}`;
    this.#noteAdded(tree, path, node);
    addClassMember(object, (indent) => formatClassMember(tree, node, { type, indent, isTypeScript }));
    addFaultImport(file, getFaultClass(tree), module);
  }

  /**
   * Returns the notes about the objects and classes to which the user must add handlers, by their positions, which are
   * current.
   */
  listNotes(): ReadonlyMap<string, string> {
    const { formatDisplayPath = keepPath } = this.#inputs;
    const tasks = new Map<string, { readonly format: (operations: readonly string[]) => string; paths: string[] }>();
    for (const { tree, path, node } of this.#left) {
      const group = path.slice(0, -1);
      const owner = findObjectAt(this.#project.getSourceFiles(), tree, group);
      const object = owner && (findExtensible(owner, node.key, { tree, path: group }) ?? owner);
      if (object !== undefined) {
        const position = formatDisplayPath(formatPosition(object));
        const isInClass = isClass(object);
        const format = isCommonJs(object.getSourceFile())
          ? (operations: readonly string[]) => formatCommonJsNote(operations, { position, isInClass })
          : (operations: readonly string[]) =>
              formatUntypedClassNote(operations, { position, type: getTypeOfGroup(tree, group) });
        const { paths } = tasks.get(position) ?? { paths: [] };
        tasks.set(position, { format, paths: [...paths, ...listPaths(path, node)] });
      }
    }
    return new Map([...tasks].map(([position, { format, paths }]) => [position, format(paths)]));
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
    const names = {
      constant: deleted.constant,
      serverPackage: this.#inputs.serverPackage,
      file,
      isCommonJs: getExtension(file) === ".cjs",
    };
    this.#project.createSourceFile(`/${file}`, formatNode(tree, path, node, names));
    this.#noteAdded(tree, path, node);
  }

  /** Adds the handlers of a new service or namespace: an object literal, and one file for each member. */
  #addGroup(
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
    const style = this.#findStyle(tree, newHandler);
    const { extension } = style;
    const defaultFile = chooseHandlerFile(tree, { ...newHandler, extension });
    const existingFile = this.#project.getSourceFile(`/${defaultFile}`);
    const takenNames = new Set([...listIdentifiers(newHandler.objectFile), ...(newHandler.otherPath ?? [])]);
    const constant = chooseConstant(newHandler.path, takenNames);
    if (existingFile?.getExportedDeclarations().has(constant) === true) {
      return { constant, file: defaultFile };
    }
    // The file at the default path may contain the handler of another operation.
    const base = defaultFile.slice(0, -extension.length);
    let file = defaultFile;
    for (let count = 2; this.#project.getSourceFile(`/${file}`) !== undefined; count++) {
      file = `${base}${count}${extension}`;
    }
    const names = { constant, serverPackage: this.#inputs.serverPackage, file, isCommonJs: style.isCommonJs };
    this.#project.createSourceFile(`/${file}`, formatNode(tree, newHandler.path, newHandler.node, names));
    return { constant, file };
  }

  /** Returns the style of the other handlers in the group, or else in the interface, or else of their object. */
  #findStyle(tree: HandlerTree, { objectFile, neighbours = [] }: NewHandler): CodeStyle {
    const files = this.#project.getSourceFiles();
    const groupFiles = neighbours.map(({ file }) => file);
    const handlerFiles = groupFiles.length > 0 ? groupFiles : listHandlerFiles(files, tree);
    return readCodeStyle(findTypicalFile(handlerFiles) ?? objectFile, files);
  }

  #noteAdded(tree: HandlerTree, path: readonly string[], node: HandlerNode): void {
    this.added.push(...listPaths(path, node).map((operation) => ({ tree, path: operation })));
  }
}
