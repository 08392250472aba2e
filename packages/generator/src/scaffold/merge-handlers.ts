import { IndentationText, type Node, type ObjectLiteralExpression, Project, type SourceFile } from "ts-morph";
import {
  classMember,
  extensibleLiteral,
  handlerFile,
  handlersLiteral,
  hasUnknownSpread,
  isDeleted,
  literalAt,
  literalWith,
  memberOf,
  membersOf,
  otherHandlers,
  positionOf,
  type UnreadMember,
} from "./find-handlers.js";
import {
  type ChangedHandler,
  constantOf,
  createHandlers,
  faultOf,
  type HandlerChanges,
  type HandlerGroup,
  type HandlerNode,
  type HandlerTree,
  handlersConstant,
  hasOwnFile,
  importSpecifier,
  kebabCase,
  type MergeReport,
  memberText,
  nodeFile,
  nodesOf,
  nodeText,
  nodeType,
  operationsOf,
  pathsOf,
  type RemovedHandler,
} from "./handler-files.js";
import {
  addFaultImport,
  addImport,
  addMember,
  identifiersOf,
  moveHandler,
  moveToGroup,
  removeUnimplemented,
  syntaxProblems,
  withLineEndsOf,
} from "./handler-members.js";
import {
  changedHandlers,
  findNewPath,
  onlyServiceReport,
  operationChanges,
  removedCode,
  removedInterfaceNote,
  removedServiceNotes,
  uncertainNote,
  unmergedNotes,
  withoutPrefix,
} from "./handler-report.js";

export interface MergeResult {
  /** The texts of new and changed files. */
  readonly files: ReadonlyMap<string, string>;
  /** Files whose text has moved to another file. */
  readonly movedPaths: readonly string[];
  readonly report: MergeReport;
  /** The syntax errors in the server, because of which nothing was merged: `src/main.ts:12: '}' expected.` */
  readonly problems: readonly string[];
}

/** The inputs for merging handlers, besides the handlers. */
export interface MergeInputs {
  /** The changes since the last merge; undefined if they are unknown. */
  readonly changes: HandlerChanges | undefined;
  /** Converts the path of a file of the server to the path in notes; absent if both are the same. */
  readonly displayPath?: ((path: string) => string) | undefined;
  /** The name with which handlers import the server package. */
  readonly serverPackage: string;
  /** The new path of each renamed operation, by its old path. */
  readonly renames?: ReadonlyMap<string, string>;
}

/** Adds the handlers of new operations to a server that the user has edited, and moves the handlers of renamed operations. */
export function mergeHandlers(
  existingFiles: ReadonlyMap<string, string>,
  interfaces: readonly HandlerTree[],
  inputs: MergeInputs,
): MergeResult {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces },
  });
  for (const [path, text] of existingFiles) {
    if (path.endsWith(".ts")) {
      project.createSourceFile(`/${path}`, text);
    }
  }
  const problems = syntaxProblems(project);
  const merge = new Merge(project, existingFiles, inputs);
  if (problems.length > 0) {
    return { ...merge.result(), problems };
  }
  for (const tree of interfaces) {
    merge.mergeInterface(tree);
  }
  merge.noteRemovals(interfaces);
  return merge.result();
}

/** A new handler, and the literal to which it is added. */
interface Addition {
  readonly path: readonly string[];
  readonly node: HandlerNode;
  readonly literal: ObjectLiteralExpression;
}

class Merge {
  readonly #project: Project;
  readonly #existingFiles: ReadonlyMap<string, string>;
  readonly #inputs: MergeInputs;
  readonly #addedPaths: string[] = [];
  readonly #renames: { from: string; to: string }[] = [];
  readonly #removed: RemovedHandler[] = [];
  readonly #changedHandlers: ChangedHandler[] = [];
  readonly #notes: string[] = [];
  readonly #unusedRenames: Set<string>;

  constructor(project: Project, existingFiles: ReadonlyMap<string, string>, inputs: MergeInputs) {
    this.#project = project;
    this.#existingFiles = existingFiles;
    this.#inputs = inputs;
    this.#unusedRenames = new Set(inputs.renames?.keys());
  }

  get #files(): readonly SourceFile[] {
    return this.#project.getSourceFiles();
  }

  #displayPath(path: string): string {
    return this.#inputs.displayPath?.(path) ?? path;
  }

  mergeInterface(tree: HandlerTree): void {
    const root = handlersLiteral(this.#files, tree);
    if (root === undefined) {
      this.#mergeWithoutLiteral(tree);
      return;
    }
    for (const [from, to] of this.#inputs.renames ?? []) {
      this.#rename(tree, from.split("."), to.split("."));
    }
    this.#changedHandlers.push(
      ...changedHandlers(tree, literalAt(this.#files, tree, []) ?? root, this.#inputs.changes),
    );
    this.#mergeGroup(tree, [], tree.root);
  }

  /** Merges handlers that no object literal contains: new ones, one object for each service, a class, or other code. */
  #mergeWithoutLiteral(tree: HandlerTree): void {
    const handlers = otherHandlers(this.#files, tree.type);
    if (handlers !== undefined) {
      this.#changedHandlers.push(...changedHandlers(tree, handlers, this.#inputs.changes));
      this.#notes.push(...unmergedNotes(tree, handlers, this.#inputs), ...this.#unrenamedNotes(tree, handlers));
    } else if (!this.#reportOnlyService(tree) && !this.#mergeServices(tree) && !this.#addInterface(tree)) {
      this.#notes.push(
        `The server has no object of the type ${tree.type}. Write \`const ${handlersConstant(tree)}: ${tree.type} = {…}\`, and run scaffold again.`,
      );
    }
  }

  /** Reports the renames of handlers in a class, which scaffold does not change. */
  #unrenamedNotes(tree: HandlerTree, handlers: Node): readonly string[] {
    return [...(this.#inputs.renames ?? [])].flatMap(([from, to]) => {
      const member = classMember(handlers, withoutPrefix(from, tree));
      if (member === handlers) {
        return [];
      }
      this.#unusedRenames.delete(from);
      const position = this.#displayPath(positionOf(member));
      return [
        `${position}: The handler ${from} was not renamed, because it is in a class. Rename it to ${to} yourself.`,
      ];
    });
  }

  /** Reports what the user must do if only one service of an interface is left. Returns false if that is not the case. */
  #reportOnlyService(tree: HandlerTree): boolean {
    const report = onlyServiceReport(tree, this.#files, this.#inputs);
    this.#notes.push(...(report?.notes ?? []));
    this.#removed.push(...(report?.removed ?? []));
    return report !== undefined;
  }

  /**
   * Merges the handlers of services that have separate objects, because the interface had only one service before. Returns false if no
   * service has such an object.
   */
  #mergeServices(tree: HandlerTree): boolean {
    const services = tree.root.children.flatMap((group): readonly HandlerTree[] =>
      group.kind === "group" && group.service !== undefined
        ? [{ ...tree, ...group.service, root: group, prefix: [...tree.prefix, group.key] }]
        : [],
    );
    const files = this.#files;
    const hasHandlers = (service: HandlerTree) =>
      handlersLiteral(files, service) !== undefined || otherHandlers(files, service.type) !== undefined;
    if (!services.some(hasHandlers)) {
      return false;
    }
    for (const service of services) {
      if (hasHandlers(service)) {
        this.mergeInterface(service);
      } else {
        this.#addInterface({ ...service, folder: `${tree.folder}/${service.prefix.map(kebabCase).join("/")}` });
      }
    }
    return true;
  }

  /** Reports the handlers of services and interfaces that no longer exist. */
  noteRemovals(trees: readonly HandlerTree[]): void {
    for (const tree of trees) {
      this.#notes.push(...removedServiceNotes(tree, this.#files, this.#inputs));
    }
    for (const name of this.#inputs.changes?.removedInterfaces ?? []) {
      this.#notes.push(removedInterfaceNote(name, trees, this.#files, this.#inputs));
    }
  }

  /** Creates the handlers of a new interface or service. Returns false if its folder already contains files. */
  #addInterface(tree: HandlerTree): boolean {
    const isTaken = this.#files.some((file) => file.getFilePath().startsWith(`/src/${tree.folder}/`));
    if (isTaken) {
      return false;
    }
    for (const [path, text] of createHandlers(tree, this.#inputs.serverPackage)) {
      this.#project.createSourceFile(`/${path}`, text);
    }
    this.#addedPaths.push(...operationsOf(tree.root, tree.prefix).map(({ path }) => path.join(".")));
    const handlers = handlersConstant(tree);
    const newItem =
      tree.prefix.length === 0 ? `The interface ${tree.name} is new` : `The service ${tree.prefix.join(".")} is new`;
    this.#notes.push(
      `${newItem}. In ${this.#displayPath("src/routes.ts")}, import ${tree.routes} from ${this.#inputs.serverPackage}/${tree.module} and ${handlers} from ./${tree.folder}/handlers.js, and add ${tree.routes}(${handlers}) to the routes.`,
    );
    return true;
  }

  /** Moves a handler to a renamed operation, if the interface has both: the member, and its file, constant and type. */
  #rename(tree: HandlerTree, oldPath: readonly string[], newPath: readonly string[]): void {
    const [oldName, newName] = [oldPath.join("."), newPath.join(".")];
    const renamedNode = nodesOf(tree.root).find(({ path }) => path.join(".") === newName);
    const key = oldPath.at(-1) ?? "";
    if (renamedNode === undefined || literalWith(this.#files, tree, oldPath) === undefined) {
      return;
    }
    this.#unusedRenames.delete(oldName);
    if (!removeUnimplemented(this.#project, tree, { ...renamedNode, serverPackage: this.#inputs.serverPackage })) {
      this.#notes.push(`The operation ${newName} already has a handler. Remove it, and run scaffold --rename again.`);
      return;
    }
    const literal = literalWith(this.#files, tree, oldPath);
    const isSameGroup = oldPath.slice(0, -1).join(".") === newPath.slice(0, -1).join(".");
    if (
      literal !== undefined &&
      isSameGroup &&
      handlerFile(literal, key) !== undefined &&
      hasOwnFile(tree, newPath, renamedNode.node)
    ) {
      const constant = constantOf(newPath, new Set(identifiersOf(literal.getSourceFile())));
      const oldFile = `/${nodeFile(tree.folder, oldPath)}`;
      const newFile = `/${nodeFile(tree.folder, newPath)}`;
      moveHandler(literal, { type: tree.type, oldPath, newPath, oldFile, newFile, constant });
    } else if (!moveToGroup(this.#project, tree, { oldPath, newPath })) {
      this.#notes.push(
        `The handler of ${oldName} cannot be moved to ${newName}, because the group of the new path is not an object literal. Move the handler yourself.`,
      );
      return;
    }
    this.#renames.push({ from: oldName, to: newName });
  }

  result(): MergeResult {
    const files = new Map<string, string>();
    for (const file of this.#files) {
      const path = file.getFilePath().slice(1);
      const before = this.#existingFiles.get(path);
      const text = withLineEndsOf(before ?? "", file.getFullText());
      if (before !== text) {
        files.set(path, text);
      }
    }
    const movedPaths = [...this.#existingFiles.keys()].filter(
      (path) => path.endsWith(".ts") && this.#project.getSourceFile(`/${path}`) === undefined,
    );
    const report = {
      added: this.#addedPaths,
      split: this.#inputs.changes?.split ?? [],
      renamed: this.#renames,
      removed: this.#removed,
      changed: this.#changedHandlers,
      notes: [
        ...this.#notes,
        ...[...this.#unusedRenames].map(
          (oldPath) =>
            `The handler ${oldPath} was not renamed, because the handler or the new operation does not exist.`,
        ),
      ],
    };
    return { files, movedPaths, report, problems: [] };
  }

  #mergeGroup(tree: HandlerTree, path: readonly string[], group: HandlerGroup): void {
    for (const child of group.children) {
      const literal = literalAt(this.#files, tree, path);
      if (literal === undefined) {
        return;
      }
      const member = memberOf(literal, child.key);
      const childPath = [...path, child.key];
      if (member.kind === "missing") {
        if (hasUnknownSpread(literal)) {
          this.#noteIfNew(tree, childPath, { node: child, literal });
        } else {
          this.#add(tree, { path: childPath, node: child, literal: extensibleLiteral(literal, nodeType(tree, path)) });
        }
      } else if (child.kind === "group" && member.kind === "literal") {
        this.#mergeGroup(tree, childPath, child);
      } else if (member.kind === "unread" && isDeleted(member.file, this.#existingFiles)) {
        this.#restore(tree, { path: childPath, node: child, deleted: member });
      } else if (child.kind === "group") {
        this.#notes.push(
          uncertainNote(tree, childPath, {
            node: member.kind === "literal" ? literal : member.node,
            displayPath: this.#inputs.displayPath,
          }),
        );
      }
    }
    this.#reportRemoved(tree, path, group);
  }

  /** Reports an operation that may have a handler in a spread object, unless the operation existed at the last merge. */
  #noteIfNew(
    tree: HandlerTree,
    path: readonly string[],
    { node, literal }: { readonly node: HandlerNode; readonly literal: ObjectLiteralExpression },
  ): void {
    const addedOperations =
      this.#inputs.changes === undefined ? undefined : operationChanges(tree, this.#inputs.changes).added;
    if (addedOperations === undefined || pathsOf(path, node).some((operation) => addedOperations.includes(operation))) {
      this.#notes.push(uncertainNote(tree, path, { node: literal, displayPath: this.#inputs.displayPath }));
    }
  }

  #add(tree: HandlerTree, { path, node, literal }: Addition): void {
    const file = literal.getSourceFile();
    this.#addedPaths.push(...pathsOf(path, node));
    if (!hasOwnFile(tree, path, node)) {
      if (node.kind === "group" && tree.kind === "soap") {
        this.#addService(tree, { path, node, literal });
      } else {
        addMember(literal, (indent) => memberText(tree, node, indent));
        addFaultImport(file, faultOf(tree), `${this.#inputs.serverPackage}/${tree.module}`);
      }
      return;
    }
    const constant = this.#createFile(tree, { path, node, siblingFile: file });
    addMember(literal, () => (constant === node.key ? constant : `${node.key}: ${constant}`));
    addImport(file, constant, importSpecifier(file.getFilePath().slice(1), nodeFile(tree.folder, path)));
  }

  /** Creates a handler file that the user deleted. If the missing file has another name than scaffold gives, only reports it. */
  #restore(
    tree: HandlerTree,
    {
      path,
      node,
      deleted,
    }: { readonly path: readonly string[]; readonly node: HandlerNode; readonly deleted: UnreadMember },
  ): void {
    const file = nodeFile(tree.folder, path);
    if (deleted.file !== file) {
      this.#notes.push(
        `${this.#displayPath(positionOf(deleted.node))}: The handler of ${path.join(".")} is imported from the file ${deleted.specifier}, which does not exist. Restore it, or remove the import and run scaffold again.`,
      );
      return;
    }
    const { serverPackage } = this.#inputs;
    this.#project.createSourceFile(
      `/${file}`,
      nodeText(tree, path, node, { constant: deleted.constant, serverPackage }),
    );
    this.#addedPaths.push(...pathsOf(path, node));
  }

  /** Adds the handlers of a new service: an object literal, and a file for each member. */
  #addService(
    tree: HandlerTree,
    addition: {
      readonly path: readonly string[];
      readonly node: HandlerGroup;
      readonly literal: ObjectLiteralExpression;
    },
  ): void {
    const { path, node, literal } = addition;
    const file = literal.getSourceFile();
    const members: string[] = [];
    const imports: { constant: string; from: string }[] = [];
    for (const child of node.children) {
      const childPath = [...path, child.key];
      const constant = this.#createFile(tree, {
        path: childPath,
        node: child,
        siblingFile: file,
        otherPath: imports.map((imported) => imported.constant),
      });
      members.push(constant === child.key ? constant : `${child.key}: ${constant}`);
      imports.push({ constant, from: importSpecifier(file.getFilePath().slice(1), nodeFile(tree.folder, childPath)) });
    }
    addMember(
      literal,
      (indent) => `${node.key}: {\n${members.map((member) => `${indent}  ${member},\n`).join("")}${indent}}`,
    );
    for (const imported of imports) {
      addImport(file, imported.constant, imported.from);
    }
  }

  #createFile(
    tree: HandlerTree,
    newHandler: {
      readonly path: readonly string[];
      readonly node: HandlerNode;
      readonly siblingFile: SourceFile;
      readonly otherPath?: readonly string[];
    },
  ): string {
    const path = `/${nodeFile(tree.folder, newHandler.path)}`;
    const existingFile = this.#project.getSourceFile(path);
    const takenNames = new Set([...identifiersOf(newHandler.siblingFile), ...(newHandler.otherPath ?? [])]);
    const constant = constantOf(newHandler.path, takenNames);
    if (existingFile === undefined) {
      const text = nodeText(tree, newHandler.path, newHandler.node, {
        constant,
        serverPackage: this.#inputs.serverPackage,
      });
      this.#project.createSourceFile(path, text);
    } else if (existingFile.getVariableDeclaration(constant) === undefined) {
      this.#notes.push(
        `The file ${this.#displayPath(path.slice(1))} exists, but does not declare \`${constant}\`. It was not changed: export the handler as \`${constant}\`.`,
      );
    }
    return constant;
  }

  #reportRemoved(tree: HandlerTree, path: readonly string[], group: HandlerGroup): void {
    const literal = literalAt(this.#files, tree, path);
    const knownKeys = new Set(group.children.map((child) => child.key));
    for (const { key, node, literal: container } of literal === undefined ? [] : membersOf(literal)) {
      if (!knownKeys.has(key)) {
        const operation = [...path, key].join(".");
        this.#removed.push({
          operation,
          position: positionOf(node),
          ...removedCode(container, key),
          renamed: findNewPath(tree, operation, this.#inputs.changes?.moves),
          includedIn: findNewPath(tree, operation, this.#inputs.changes?.included),
        });
      }
    }
  }
}
