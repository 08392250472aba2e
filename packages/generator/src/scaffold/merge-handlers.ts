import { IndentationText, type Node, type ObjectLiteralExpression, Project, type SourceFile } from "ts-morph";
import {
  type ChangedHandler,
  constantOf,
  createHandlers,
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
  notImplemented,
  operationsOf,
  type RemovedHandler,
} from "./handler-files.js";
import {
  addImport,
  addMember,
  filesOf,
  handlerFile,
  hasSpread,
  identifiersOf,
  literalOfType,
  memberOf,
  membersOf,
  moveHandler,
  moveMember,
  placeOf,
  removeHandler,
  removeIfUnedited,
  syntaxProblems,
  type UnreadMember,
  withLineEndsOf,
} from "./handler-members.js";

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
  /** The name with which handlers import the server package. */
  readonly serverPackage: string;
  /** The new path of each renamed operation, by its old path. */
  readonly renames?: ReadonlyMap<string, string>;
}

/** Adds handlers for new operations to a server that the user has edited, and moves handlers of renamed operations. */
export function mergeHandlers(
  existing: ReadonlyMap<string, string>,
  interfaces: readonly HandlerTree[],
  inputs: MergeInputs,
): MergeResult {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces },
  });
  for (const [path, text] of existing) {
    if (path.endsWith(".ts")) {
      project.createSourceFile(`/${path}`, text);
    }
  }
  const problems = syntaxProblems(project);
  const merge = new Merge(project, existing, inputs);
  if (problems.length > 0) {
    return { ...merge.result(), problems };
  }
  for (const tree of interfaces) {
    merge.mergeInterface(tree);
  }
  for (const name of inputs.changes?.removedInterfaces ?? []) {
    merge.noteRemovedInterface(name);
  }
  return merge.result();
}

/** The extensions of files from which a server may import handlers. */
const codeExtensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

class Merge {
  readonly #project: Project;
  readonly #existing: ReadonlyMap<string, string>;
  readonly #inputs: MergeInputs;
  readonly #addedPaths: string[] = [];
  readonly #renames: { from: string; to: string }[] = [];
  readonly #removed: RemovedHandler[] = [];
  readonly #changedHandlers: ChangedHandler[] = [];
  readonly #notes: string[] = [];
  readonly #unusedRenames: Set<string>;

  constructor(project: Project, existing: ReadonlyMap<string, string>, inputs: MergeInputs) {
    this.#project = project;
    this.#existing = existing;
    this.#inputs = inputs;
    this.#unusedRenames = new Set(inputs.renames?.keys());
  }

  mergeInterface(tree: HandlerTree): void {
    const root = literalOfType(this.#project.getSourceFiles(), tree.type);
    if (root === undefined && (this.#mergeServices(tree) || this.#addInterface(tree))) {
      return;
    }
    if (root === undefined) {
      this.#notes.push(
        `The server has no object of the type ${tree.type}. Write \`const ${handlersConstant(tree)}: ${tree.type} = {…}\`, and run scaffold again.`,
      );
      return;
    }
    for (const [from, to] of this.#inputs.renames ?? []) {
      this.#rename(tree, from.split("."), to.split("."));
    }
    this.#reportChanged(tree, this.#literalAt(tree, []) ?? root);
    this.#mergeGroup(tree, [], tree.root);
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
    const hasHandlers = ({ type }: HandlerTree) => literalOfType(this.#project.getSourceFiles(), type) !== undefined;
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

  noteRemovedInterface(name: string): void {
    this.#notes.push(`The interface ${name} no longer exists. Remove its handlers, and its routes in src/routes.ts.`);
  }

  /** Creates the handlers of a new interface or service. Returns false if its folder already contains files. */
  #addInterface(tree: HandlerTree): boolean {
    const isTaken = this.#project
      .getSourceFiles()
      .some((file) => file.getFilePath().startsWith(`/src/${tree.folder}/`));
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
      `${newItem}. In src/routes.ts, import ${tree.routes} from ${this.#inputs.serverPackage}/${tree.module} and ${handlers} from ./${tree.folder}/handlers.js, and add ${tree.routes}(${handlers}) to the routes.`,
    );
    return true;
  }

  /** Moves a handler to a renamed operation, if the interface has both: the member, and its file, constant and type. */
  #rename(tree: HandlerTree, oldPath: readonly string[], newPath: readonly string[]): void {
    const [oldName, newName] = [oldPath.join("."), newPath.join(".")];
    const renamedNode = nodesOf(tree.root).find(({ path }) => path.join(".") === newName);
    const oldGroup = this.#literalAt(tree, oldPath.slice(0, -1));
    const key = oldPath.at(-1) ?? "";
    if (renamedNode === undefined || oldGroup === undefined || memberOf(oldGroup, key).kind === "missing") {
      return;
    }
    this.#unusedRenames.delete(oldName);
    if (!this.#removeIfUnedited(tree, renamedNode)) {
      this.#notes.push(`The operation ${newName} already has a handler. Remove it, and run scaffold --rename again.`);
      return;
    }
    const literal = this.#literalAt(tree, oldPath.slice(0, -1)) ?? oldGroup;
    const isSameGroup = oldPath.slice(0, -1).join(".") === newPath.slice(0, -1).join(".");
    if (isSameGroup && handlerFile(literal, key) !== undefined && hasOwnFile(tree, newPath, renamedNode.node)) {
      const constant = constantOf(newPath, new Set(identifiersOf(literal.getSourceFile())));
      const oldFile = `/${nodeFile(tree.folder, oldPath)}`;
      const newFile = `/${nodeFile(tree.folder, newPath)}`;
      moveHandler(literal, { type: tree.type, oldPath, newPath, oldFile, newFile, constant });
    } else if (!this.#moveToGroup(tree, oldPath, newPath)) {
      this.#notes.push(
        `The handler of ${oldName} cannot be moved to ${newName}, because the group of the new path is not an object literal. Move the handler yourself.`,
      );
      return;
    }
    this.#renames.push({ from: oldName, to: newName });
  }

  /** Moves a member to the group of its new path. Creates a missing group; returns false if the group is not an object literal. */
  #moveToGroup(tree: HandlerTree, oldPath: readonly string[], newPath: readonly string[]): boolean {
    for (const [index, key] of newPath.slice(0, -1).entries()) {
      const parent = this.#literalAt(tree, newPath.slice(0, index));
      if (parent !== undefined && memberOf(parent, key).kind === "missing") {
        addMember(parent, (indent) => `${key}: {\n${indent}}`);
      }
    }
    const [source, group] = [oldPath, newPath].map((path) => this.#literalAt(tree, path.slice(0, -1)));
    if (source === undefined || group === undefined) {
      return false;
    }
    const findGroup = () => this.#literalAt(tree, newPath.slice(0, -1));
    moveMember({ type: tree.type, oldPath, newPath }, source, findGroup);
    return true;
  }

  /** Removes the handler of an operation if the user has not implemented it. Returns false if the user has. */
  #removeIfUnedited(
    tree: HandlerTree,
    { path, node }: { readonly path: readonly string[]; readonly node: HandlerNode },
  ): boolean {
    const key = path.at(-1) ?? "";
    const literal = this.#literalAt(tree, path.slice(0, -1));
    const file = nodeFile(tree.folder, path);
    const source = hasOwnFile(tree, path, node) ? this.#project.getSourceFile(`/${file}`) : undefined;
    if (source === undefined) {
      return literal === undefined || removeIfUnedited(literal, key, memberText(tree, node, ""));
    }
    const constant = source.getVariableDeclarations()[0]?.getName() ?? "";
    const generatedText = nodeText(tree, path, node, { constant, serverPackage: this.#inputs.serverPackage });
    if (source.getFullText().replaceAll("\r\n", "\n") !== generatedText) {
      return false;
    }
    if (literal !== undefined) {
      removeHandler(literal, key);
    }
    this.#project.removeSourceFile(source);
    return true;
  }

  result(): MergeResult {
    const files = new Map<string, string>();
    for (const file of this.#project.getSourceFiles()) {
      const path = file.getFilePath().slice(1);
      const before = this.#existing.get(path);
      const text = withLineEndsOf(before ?? "", file.getFullText());
      if (before !== text) {
        files.set(path, text);
      }
    }
    const movedPaths = [...this.#existing.keys()].filter(
      (path) => path.endsWith(".ts") && this.#project.getSourceFile(`/${path}`) === undefined,
    );
    const report = {
      added: this.#addedPaths,
      renamed: this.#renames,
      removed: this.#removed,
      changed: this.#changedHandlers,
      notes: [
        ...this.#notes,
        ...[...this.#unusedRenames].map(
          (from) => `The handler ${from} was not renamed, because the handler or the new operation does not exist.`,
        ),
      ],
    };
    return { files, movedPaths, report, problems: [] };
  }

  /** Finds the object literal at a path. This is repeated for each use, because an edit invalidates the nodes of ts-morph. */
  #literalAt(tree: HandlerTree, path: readonly string[]): ObjectLiteralExpression | undefined {
    let literal = literalOfType(this.#project.getSourceFiles(), tree.type);
    for (const key of path) {
      const member = literal && memberOf(literal, key);
      literal = member?.kind === "literal" ? member.literal : undefined;
    }
    return literal;
  }

  #mergeGroup(tree: HandlerTree, path: readonly string[], group: HandlerGroup): void {
    for (const child of group.children) {
      const literal = this.#literalAt(tree, path);
      if (literal === undefined) {
        return;
      }
      const member = memberOf(literal, child.key);
      const childPath = [...path, child.key];
      if (member.kind === "missing") {
        if (hasSpread(literal)) {
          this.#notes.push(this.#uncertainNote(tree, childPath, literal));
        } else {
          this.#add(tree, { path: childPath, node: child, literal });
        }
      } else if (child.kind === "group" && member.kind === "literal") {
        this.#mergeGroup(tree, childPath, child);
      } else if (member.kind === "unread" && this.#isDeleted(member.file)) {
        this.#restore(tree, { path: childPath, node: child, deleted: member });
      } else if (child.kind === "group") {
        this.#notes.push(this.#uncertainNote(tree, childPath, member.kind === "literal" ? literal : member.node));
      }
    }
    this.#reportRemoved(tree, path, group);
  }

  #add(
    tree: HandlerTree,
    addition: {
      readonly path: readonly string[];
      readonly node: HandlerNode;
      readonly literal: ObjectLiteralExpression;
    },
  ): void {
    const { path, node, literal } = addition;
    const file = literal.getSourceFile();
    this.#addedPaths.push(...pathsOf(path, node));
    if (!hasOwnFile(tree, path, node)) {
      if (node.kind === "group" && tree.kind === "soap") {
        this.#addService(tree, { path, node, literal });
      } else {
        addMember(literal, (indent) => memberText(tree, node, indent));
      }
      return;
    }
    const constant = this.#createFile(tree, { path, node, siblingFile: file });
    addMember(literal, () => (constant === node.key ? constant : `${node.key}: ${constant}`));
    addImport(file, constant, importSpecifier(tree.folder, nodeFile(tree.folder, path)));
  }

  /** Whether the server contains a file neither as TypeScript nor as JavaScript. Files outside the server are unknown. */
  #isDeleted(path: string): boolean {
    const base = path.replace(/\.[cm]?[jt]sx?$/, "");
    const candidates = [path, ...codeExtensions.map((extension) => `${base}${extension}`)];
    return !path.startsWith("../") && !candidates.some((candidate) => this.#existing.has(candidate));
  }

  /** Creates a handler file again that the user deleted. Only reports a missing file that has another name. */
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
        `${placeOf(deleted.node)}: The handler of ${path.join(".")} is imported from the file ${deleted.specifier}, which does not exist. Restore it, or remove the import and run scaffold again.`,
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
      imports.push({ constant, from: importSpecifier(tree.folder, nodeFile(tree.folder, childPath)) });
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
        `The file ${path.slice(1)} exists, but does not declare \`${constant}\`. It was not changed: export the handler as \`${constant}\`.`,
      );
    }
    return constant;
  }

  #reportRemoved(tree: HandlerTree, path: readonly string[], group: HandlerGroup): void {
    const literal = this.#literalAt(tree, path);
    const knownKeys = new Set(group.children.map((child) => child.key));
    for (const { key, node } of literal === undefined ? [] : membersOf(literal)) {
      if (literal !== undefined && !knownKeys.has(key)) {
        const operation = [...path, key].join(".");
        const files = filesOf(literal, key);
        this.#removed.push({ operation, place: placeOf(node), files, renamed: this.#findNewPath(tree, operation) });
      }
    }
  }

  /** The new path of a removed handler, or of a group whose operations have all moved to another group. */
  #findNewPath(tree: HandlerTree, operation: string): string | undefined {
    const moves = (this.#inputs.changes?.moves ?? []).filter((each) => each.interface === tree.name);
    const newPaths = moves.flatMap((move) => {
      const [oldPath, newPath] = [withoutPrefix(move.before, tree), withoutPrefix(move.after, tree)];
      const restOfPath = oldPath.slice(operation.length);
      const isInside = oldPath.startsWith(operation) && (restOfPath === "" || restOfPath.startsWith("."));
      return isInside && newPath.endsWith(restOfPath) ? [newPath.slice(0, newPath.length - restOfPath.length)] : [];
    });
    const [onlyPath, ...otherPaths] = new Set(newPaths);
    return otherPaths.length === 0 ? onlyPath : undefined;
  }

  #reportChanged(tree: HandlerTree, root: ObjectLiteralExpression): void {
    const knownPaths = new Set(operationsOf(tree.root).map(({ path }) => path.join(".")));
    for (const { text, operations, ...change } of this.#inputs.changes?.changes ?? []) {
      const paths = operations.map((each) => withoutPrefix(each, tree));
      for (const operation of change.interface === tree.name ? paths.filter((each) => knownPaths.has(each)) : []) {
        const { node, isImplemented } = this.#handlerAt(tree, operation.split("."), root);
        this.#changedHandlers.push({ operation, place: placeOf(node), change: text, isImplemented });
      }
    }
  }

  /** The handler at a path. A handler that is not found, for example behind a spread, is in code of the user. */
  #handlerAt(
    tree: HandlerTree,
    path: readonly string[],
    root: ObjectLiteralExpression,
  ): { readonly node: Node; readonly isImplemented: boolean } {
    const group = this.#literalAt(tree, path.slice(0, -1));
    if (group === undefined) {
      return { node: root, isImplemented: true };
    }
    const member = memberOf(group, path.at(-1) ?? "");
    return member.kind === "other"
      ? { node: member.node, isImplemented: !member.node.getText().includes(notImplemented) }
      : { node: group, isImplemented: member.kind !== "missing" || hasSpread(group) };
  }

  #uncertainNote(tree: HandlerTree, path: readonly string[], node: Node): string {
    return `${placeOf(node)}: It is unknown whether this object has a handler for ${path.join(".")}. If TypeScript reports that the handler is missing in ${tree.type}, add it yourself.`;
  }
}

/** The paths of the operations of a node: `["reg.checkUSA"]`. */
function pathsOf(path: readonly string[], node: HandlerNode): readonly string[] {
  return node.kind === "group"
    ? operationsOf(node, path).map((operation) => operation.path.join("."))
    : [path.join(".")];
}

/** Removes the prefix of a service with separate handlers from the path of an operation. */
function withoutPrefix(path: string, { prefix }: HandlerTree): string {
  const start = prefix.map((key) => `${key}.`).join("");
  return path.startsWith(start) ? path.slice(start.length) : path;
}
