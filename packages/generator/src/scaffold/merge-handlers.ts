import { IndentationText, type Node, type ObjectLiteralExpression, Project, type SourceFile } from "ts-morph";
import {
  constantOf,
  createHandlers,
  type HandlerGroup,
  type HandlerInterface,
  type HandlerNode,
  handlersConstant,
  hasOwnFile,
  importSpecifier,
  kebab,
  memberText,
  nodeFile,
  nodesOf,
  nodeText,
  operationsOf,
} from "./handler-files.js";
import {
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
} from "./handler-members.js";

/** The changes of a merge, and the remaining tasks for the user. Positions are `file:line`. */
export interface MergeReport {
  readonly added: readonly string[];
  /** The operations to which handlers were moved. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  readonly removed: readonly RemovedHandler[];
  readonly changed: readonly ChangedHandler[];
  /** Handlers that could not be added, with the reason. */
  readonly notes: readonly string[];
}

/** A handler whose operation is no longer in the schema. */
export interface RemovedHandler {
  readonly operation: string;
  /** Its position among the handlers. */
  readonly place: string;
  /** The files that contain only it, or only the handlers of its group. */
  readonly files: readonly string[];
  /** The path that its operation probably has now. */
  readonly renamed: string | undefined;
}

/** A change to an operation that has a handler. */
export interface ChangedHandler {
  readonly operation: string;
  readonly place: string;
  /** `VehicleData.Colour: An optional member was added`. */
  readonly change: string;
}

/** The changes since handlers were last merged. Paths are those of operations among the handlers: `reg.checkUSA`. */
export interface HandlerChanges {
  readonly changes: readonly {
    readonly interface: string;
    readonly text: string;
    readonly operations: readonly string[];
  }[];
  /** Operations that are, or may be, at a different path now. */
  readonly moves: readonly { readonly interface: string; readonly before: string; readonly after: string }[];
  /** Interfaces that no longer exist. */
  readonly removedInterfaces: readonly string[];
}

export interface Merged {
  /** The complete text of new and changed files. */
  readonly files: ReadonlyMap<string, string>;
  /** Files whose text has moved to another file. */
  readonly moved: readonly string[];
  readonly report: MergeReport;
}

/** The inputs of a merge. */
export interface MergeInputs {
  /** Undefined if the changes are unknown. */
  readonly changes: HandlerChanges | undefined;
  readonly serverPackage: string;
  /** The new operation for each renamed operation, by path. */
  readonly renames?: ReadonlyMap<string, string>;
}

/** Adds handlers for new operations to a server that has been edited. Nothing else in it changes. */
export function mergeHandlers(
  existing: ReadonlyMap<string, string>,
  interfaces: readonly HandlerInterface[],
  inputs: MergeInputs,
): Merged {
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
  const merge = new Merge(project, inputs);
  for (const target of interfaces) {
    merge.interface(target);
  }
  for (const name of inputs.changes?.removedInterfaces ?? []) {
    merge.removedInterface(name);
  }
  return merge.result(existing);
}

class Merge {
  readonly #project: Project;
  readonly #inputs: MergeInputs;
  readonly #added: string[] = [];
  readonly #renamed: { from: string; to: string }[] = [];
  readonly #removed: RemovedHandler[] = [];
  readonly #changed: ChangedHandler[] = [];
  readonly #notes: string[] = [];
  readonly #unusedRenames: Set<string>;

  constructor(project: Project, inputs: MergeInputs) {
    this.#project = project;
    this.#inputs = inputs;
    this.#unusedRenames = new Set(inputs.renames?.keys());
  }

  interface(target: HandlerInterface): void {
    const root = literalOfType(this.#project.getSourceFiles(), target.type);
    if (root === undefined && (this.#services(target) || this.#addInterface(target))) {
      return;
    }
    if (root === undefined) {
      this.#notes.push(
        `No object of type ${target.type} was found: write \`const ${handlersConstant(target)}: ${target.type} = {…}\`, and run scaffold again.`,
      );
      return;
    }
    for (const [from, to] of this.#inputs.renames ?? []) {
      this.#rename(target, from.split("."), to.split("."));
    }
    this.#reportChanged(target, this.#literalAt(target, []) ?? root);
    this.#group(target, [], target.root);
  }

  /**
   * Merges services that have separate handlers: an interface that had one service now has several. Returns false if there are no
   * such handlers.
   */
  #services(target: HandlerInterface): boolean {
    const services = target.root.children.flatMap((group): readonly HandlerInterface[] =>
      group.kind === "group" && group.service !== undefined
        ? [{ ...target, ...group.service, root: group, prefix: [...target.prefix, group.key] }]
        : [],
    );
    const hasHandlers = ({ type }: HandlerInterface) =>
      literalOfType(this.#project.getSourceFiles(), type) !== undefined;
    if (!services.some(hasHandlers)) {
      return false;
    }
    for (const service of services) {
      if (hasHandlers(service)) {
        this.interface(service);
      } else {
        this.#addInterface({ ...service, folder: `${target.folder}/${service.prefix.map(kebab).join("/")}` });
      }
    }
    return true;
  }

  removedInterface(name: string): void {
    this.#notes.push(`${name} is no longer an interface: remove its handlers, and its routes in src/routes.ts.`);
  }

  /** Creates the handlers of a new interface or service. Returns false if its folder contains files. */
  #addInterface(target: HandlerInterface): boolean {
    const isTaken = this.#project
      .getSourceFiles()
      .some((file) => file.getFilePath().startsWith(`/src/${target.folder}/`));
    if (isTaken) {
      return false;
    }
    for (const [path, text] of createHandlers(target, this.#inputs.serverPackage)) {
      this.#project.createSourceFile(`/${path}`, text);
    }
    this.#added.push(...operationsOf(target.root, target.prefix).map(({ path }) => path.join(".")));
    const handlers = handlersConstant(target);
    const what =
      target.prefix.length === 0 ? `${target.name} is a new interface` : `${target.prefix.join(".")} is a new service`;
    this.#notes.push(
      `${what}: add ${target.routes}(${handlers}) to the routes of the server (src/routes.ts), with ${handlers} from ./${target.folder}/handlers.js.`,
    );
    return true;
  }

  /** Moves a handler to another operation, if the interface has it: its file, constant, type, and member. */
  #rename(target: HandlerInterface, from: readonly string[], to: readonly string[]): void {
    const [oldName, newName] = [from.join("."), to.join(".")];
    const known = nodesOf(target.root).find(({ path }) => path.join(".") === newName);
    const before = this.#literalAt(target, from.slice(0, -1));
    const key = from.at(-1) ?? "";
    if (known === undefined || before === undefined || memberOf(before, key).kind === "missing") {
      return;
    }
    this.#unusedRenames.delete(oldName);
    if (!this.#removeIfUnedited(target, known)) {
      this.#notes.push(`${newName} has a handler already. Remove it, and rename again.`);
      return;
    }
    const literal = this.#literalAt(target, from.slice(0, -1)) ?? before;
    const isSameGroup = from.slice(0, -1).join(".") === to.slice(0, -1).join(".");
    if (isSameGroup && handlerFile(literal, key) !== undefined && hasOwnFile(target, to, known.node)) {
      const constant = constantOf(to, new Set(identifiersOf(literal.getSourceFile())));
      moveHandler(literal, { type: target.type, from, to, file: `/${nodeFile(target.folder, to)}`, constant });
    } else if (!this.#moveToGroup(target, from, to)) {
      this.#notes.push(`${newName}: its group is not an object literal. Move the handler of ${oldName} by hand.`);
      return;
    }
    this.#renamed.push({ from: oldName, to: newName });
  }

  /**
   * Moves a member to the group of its new path, creating the group's object if it is missing. Returns false if there is no
   * target.
   */
  #moveToGroup(target: HandlerInterface, from: readonly string[], to: readonly string[]): boolean {
    for (const [index, key] of to.slice(0, -1).entries()) {
      const parent = this.#literalAt(target, to.slice(0, index));
      if (parent !== undefined && memberOf(parent, key).kind === "missing") {
        addMember(parent, (indent) => `${key}: {\n${indent}}`);
      }
    }
    const [source, group] = [from, to].map((path) => this.#literalAt(target, path.slice(0, -1)));
    if (source === undefined || group === undefined) {
      return false;
    }
    moveMember({ type: target.type, from, to }, source, () => this.#literalAt(target, to.slice(0, -1)));
    return true;
  }

  /** Removes the handler of a new operation that has not been implemented yet. Returns false if it has been. */
  #removeIfUnedited(
    target: HandlerInterface,
    { path, node }: { readonly path: readonly string[]; readonly node: HandlerNode },
  ): boolean {
    const key = path.at(-1) ?? "";
    const literal = this.#literalAt(target, path.slice(0, -1));
    const file = nodeFile(target.folder, path);
    const source = hasOwnFile(target, path, node) ? this.#project.getSourceFile(`/${file}`) : undefined;
    if (source === undefined) {
      return literal === undefined || removeIfUnedited(literal, key, memberText(target, node, ""));
    }
    const constant = source.getVariableDeclarations()[0]?.getName() ?? "";
    const unwritten = nodeText(target, path, node, { constant, serverPackage: this.#inputs.serverPackage });
    if (source.getFullText().replaceAll("\r\n", "\n") !== unwritten) {
      return false;
    }
    if (literal !== undefined) {
      removeHandler(literal, key);
    }
    this.#project.removeSourceFile(source);
    return true;
  }

  result(existing: ReadonlyMap<string, string>): Merged {
    const files = new Map<string, string>();
    for (const file of this.#project.getSourceFiles()) {
      const path = file.getFilePath().slice(1);
      const before = existing.get(path);
      const text = withLineEndsOf(before ?? "", file.getFullText());
      if (before !== text) {
        files.set(path, text);
      }
    }
    const moved = [...existing.keys()].filter(
      (path) => path.endsWith(".ts") && this.#project.getSourceFile(`/${path}`) === undefined,
    );
    const report = {
      added: this.#added,
      renamed: this.#renamed,
      removed: this.#removed,
      changed: this.#changed,
      notes: [
        ...this.#notes,
        ...[...this.#unusedRenames].map(
          (from) => `There is no handler ${from}, or no operation that it is renamed to.`,
        ),
      ],
    };
    return { files, moved, report };
  }

  /** Finds the literal at a path anew each time, because an edit invalidates earlier nodes. */
  #literalAt(target: HandlerInterface, path: readonly string[]): ObjectLiteralExpression | undefined {
    let literal = literalOfType(this.#project.getSourceFiles(), target.type);
    for (const key of path) {
      if (literal === undefined) {
        return undefined;
      }
      const member = memberOf(literal, key);
      literal = member.kind === "literal" ? member.literal : undefined;
    }
    return literal;
  }

  #group(target: HandlerInterface, path: readonly string[], group: HandlerGroup): void {
    for (const child of group.children) {
      const literal = this.#literalAt(target, path);
      if (literal === undefined) {
        return;
      }
      const member = memberOf(literal, child.key);
      const childPath = [...path, child.key];
      if (member.kind === "missing") {
        if (hasSpread(literal)) {
          this.#notes.push(this.#unsure(target, childPath, literal));
        } else {
          this.#add(target, { path: childPath, node: child, literal });
        }
      } else if (child.kind === "group" && member.kind === "literal") {
        this.#group(target, childPath, child);
      } else if (child.kind === "group") {
        this.#notes.push(this.#unsure(target, childPath, member.kind === "other" ? member.node : literal));
      }
    }
    this.#reportRemoved(target, path, group);
  }

  #add(
    target: HandlerInterface,
    what: { readonly path: readonly string[]; readonly node: HandlerNode; readonly literal: ObjectLiteralExpression },
  ): void {
    const { path, node, literal } = what;
    const file = literal.getSourceFile();
    const below =
      node.kind === "group" ? operationsOf(node, path).map((operation) => operation.path.join(".")) : [path.join(".")];
    this.#added.push(...below);
    if (!hasOwnFile(target, path, node)) {
      if (node.kind === "group" && target.kind === "soap") {
        this.#addService(target, { path, node, literal });
      } else {
        addMember(literal, (indent) => memberText(target, node, indent));
      }
      return;
    }
    const constant = this.#newFile(target, { path, node, beside: file });
    addMember(literal, () => (constant === node.key ? constant : `${node.key}: ${constant}`));
    this.#import(file, constant, importSpecifier(target.folder, nodeFile(target.folder, path)));
  }

  /** Adds a new service: a literal with one file per member. */
  #addService(
    target: HandlerInterface,
    what: { readonly path: readonly string[]; readonly node: HandlerGroup; readonly literal: ObjectLiteralExpression },
  ): void {
    const { path, node, literal } = what;
    const file = literal.getSourceFile();
    const members: string[] = [];
    const imports: { constant: string; from: string }[] = [];
    for (const child of node.children) {
      const childPath = [...path, child.key];
      const constant = this.#newFile(target, {
        path: childPath,
        node: child,
        beside: file,
        also: imports.map((imported) => imported.constant),
      });
      members.push(constant === child.key ? constant : `${child.key}: ${constant}`);
      imports.push({ constant, from: importSpecifier(target.folder, nodeFile(target.folder, childPath)) });
    }
    addMember(
      literal,
      (indent) => `${node.key}: {\n${members.map((member) => `${indent}  ${member},\n`).join("")}${indent}}`,
    );
    for (const imported of imports) {
      this.#import(file, imported.constant, imported.from);
    }
  }

  #newFile(
    target: HandlerInterface,
    what: {
      readonly path: readonly string[];
      readonly node: HandlerNode;
      readonly beside: SourceFile;
      readonly also?: readonly string[];
    },
  ): string {
    const path = `/${nodeFile(target.folder, what.path)}`;
    const existing = this.#project.getSourceFile(path);
    const taken = new Set([...identifiersOf(what.beside), ...(what.also ?? [])]);
    const constant = constantOf(what.path, taken);
    if (existing === undefined) {
      const text = nodeText(target, what.path, what.node, { constant, serverPackage: this.#inputs.serverPackage });
      this.#project.createSourceFile(path, text);
    } else if (existing.getVariableDeclaration(constant) === undefined) {
      this.#notes.push(`${path.slice(1)} exists, and does not declare \`${constant}\`. It is not changed.`);
    }
    return constant;
  }

  #import(file: SourceFile, constant: string, from: string): void {
    const text = file.getFullText();
    const quote = /from '/.test(text) ? "'" : '"';
    const imports = file.getImportDeclarations();
    const last = imports[imports.length - 1];
    const semicolon = last === undefined || last.getText().endsWith(";") ? ";" : "";
    const statement = `import { ${constant} } from ${quote}${from}${quote}${semicolon}`;
    if (last === undefined) {
      file.insertText(0, `${statement}\n`);
    } else {
      file.insertText(last.getEnd(), `\n${statement}`);
    }
  }

  #reportRemoved(target: HandlerInterface, path: readonly string[], group: HandlerGroup): void {
    const literal = this.#literalAt(target, path);
    const known = new Set(group.children.map((child) => child.key));
    for (const { key, node } of literal === undefined ? [] : membersOf(literal)) {
      if (literal !== undefined && !known.has(key)) {
        const operation = [...path, key].join(".");
        const files = filesOf(literal, key);
        this.#removed.push({ operation, place: placeOf(node), files, renamed: this.#newPath(target, operation) });
      }
    }
  }

  /** The new path of a handler, or of a group of handlers moved together. */
  #newPath(target: HandlerInterface, operation: string): string | undefined {
    const moves = (this.#inputs.changes?.moves ?? []).filter((each) => each.interface === target.name);
    const found = moves.flatMap((move) => {
      const [before, after] = [withoutPrefix(move.before, target), withoutPrefix(move.after, target)];
      const rest = before.slice(operation.length);
      const isInside = before.startsWith(operation) && (rest === "" || rest.startsWith("."));
      return isInside && after.endsWith(rest) ? [after.slice(0, after.length - rest.length)] : [];
    });
    const [only, ...others] = new Set(found);
    return others.length === 0 ? only : undefined;
  }

  #reportChanged(target: HandlerInterface, root: ObjectLiteralExpression): void {
    const known = new Set(operationsOf(target.root).map(({ path }) => path.join(".")));
    for (const { text, operations, ...change } of this.#inputs.changes?.changes ?? []) {
      const paths = operations.map((each) => withoutPrefix(each, target));
      for (const operation of change.interface === target.name ? paths.filter((each) => known.has(each)) : []) {
        const place = this.#placeAt(target, operation.split(".")) ?? placeOf(root);
        this.#changed.push({ operation, place, change: text });
      }
    }
  }

  #placeAt(target: HandlerInterface, path: readonly string[]): string | undefined {
    const literal = this.#literalAt(target, path.slice(0, -1));
    const key = path[path.length - 1];
    if (literal === undefined || key === undefined) {
      return undefined;
    }
    const member = memberOf(literal, key);
    return member.kind === "other" ? placeOf(member.node) : placeOf(literal);
  }

  #unsure(target: HandlerInterface, path: readonly string[], node: Node): string {
    return `${placeOf(node)}: it is not clear whether ${path.join(".")} has a handler here. If the compiler reports it missing in ${target.type}, add it by hand.`;
  }
}

/** The path of an operation below the root of its handlers. */
function withoutPrefix(path: string, { prefix }: HandlerInterface): string {
  const start = prefix.map((key) => `${key}.`).join("");
  return path.startsWith(start) ? path.slice(start.length) : path;
}

/** Converts the line ends of inserted text to those of the file. */
function withLineEndsOf(before: string, text: string): string {
  return before.includes("\r\n") ? text.replace(/\r?\n/g, "\r\n") : text;
}
