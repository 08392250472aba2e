import { IndentationText, type Node, type ObjectLiteralExpression, Project, type SourceFile } from "ts-morph";
import {
  constantOf,
  handlersConstant,
  hasOwnFile,
  importSpecifier,
  memberText,
  nodeFile,
  nodeText,
} from "./handler-files.js";
import {
  type HandlerGroup,
  type HandlerInterface,
  type HandlerNode,
  operationsOf,
  type ScaffoldRecord,
} from "./handler-tree.js";
import { handlerFile, moveHandler, removeHandler, withSuggestions } from "./move-handler.js";
import { addMember, hasSpread, literalOfType, memberOf, membersOf } from "./object-literals.js";
import { shapeChanges } from "./shapes.js";

/** What a merge changed, and what it leaves to a person. Places are `file:line`. */
export interface MergeReport {
  readonly added: readonly string[];
  /** The operations that handlers were moved to. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  readonly removed: readonly RemovedHandler[];
  readonly changed: readonly ChangedHandler[];
  /** Handlers that could not be added, with the reason. */
  readonly notes: readonly string[];
}

/** A handler whose operation is no longer in the schema. */
export interface RemovedHandler {
  readonly operation: string;
  /** Where it is among the handlers. */
  readonly place: string;
  /** The file that contains it, and nothing else; undefined if it has none. */
  readonly file: string | undefined;
  /** A new operation that it may be renamed to. */
  readonly renamed: string | undefined;
}

/** A handler whose operation changed. */
export interface ChangedHandler {
  readonly operation: string;
  readonly place: string;
  /** `VehicleData.Colour added (string, optional)`. */
  readonly changes: readonly string[];
}

export interface Merged {
  /** The whole text of new and changed files. */
  readonly files: ReadonlyMap<string, string>;
  /** Files whose text is now in another file. */
  readonly moved: readonly string[];
  readonly report: MergeReport;
}

/** What a merge starts from. */
export interface MergeFacts {
  readonly record: ScaffoldRecord;
  readonly serverPackage: string;
  /** The new operation for each operation that was renamed, by their paths. */
  readonly renames?: ReadonlyMap<string, string>;
}

/** Adds handlers for new operations to a server that people have edited. Nothing else in it changes. */
export function mergeHandlers(
  existing: ReadonlyMap<string, string>,
  interfaces: readonly HandlerInterface[],
  facts: MergeFacts,
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
  const merge = new Merge(project, facts);
  for (const target of interfaces) {
    merge.interface(target);
  }
  return merge.result(existing);
}

class Merge {
  readonly #project: Project;
  readonly #facts: MergeFacts;
  readonly #added: string[] = [];
  readonly #renamed: { from: string; to: string }[] = [];
  readonly #removed: RemovedHandler[] = [];
  readonly #changed: ChangedHandler[] = [];
  readonly #notes: string[] = [];

  constructor(project: Project, facts: MergeFacts) {
    this.#project = project;
    this.#facts = facts;
  }

  interface(target: HandlerInterface): void {
    const root = literalOfType(this.#project.getSourceFiles(), target.type);
    if (root === undefined) {
      this.#notes.push(
        `No object of type ${target.type} was found: write \`const ${handlersConstant(target)}: ${target.type} = {…}\`, and run scaffold again.`,
      );
      return;
    }
    for (const [from, to] of this.#facts.renames ?? []) {
      this.#rename(target, from.split("."), to.split("."));
    }
    this.#reportChanged(target, this.#literalAt(target, []) ?? root);
    this.#group(target, [], target.root);
  }

  /** Moves a handler to another operation: its file, its constant, its type, and its member. */
  #rename(target: HandlerInterface, from: readonly string[], to: readonly string[]): void {
    const parent = from.slice(0, -1);
    const known = nodesOf(target.root).find(({ path }) => path.join(".") === to.join("."));
    const isSameGroup = parent.join(".") === to.slice(0, -1).join(".");
    const before = this.#literalAt(target, parent);
    if (known === undefined || before === undefined || !isSameGroup || !hasOwnFile(target, to, known.node)) {
      return;
    }
    if (handlerFile(before, from.at(-1) ?? "") === undefined) {
      this.#notes.push(`${from.join(".")} has no file of its own, so that its handler is not moved.`);
      return;
    }
    if (!this.#removeUnwritten(target, known, before)) {
      return;
    }
    const literal = this.#literalAt(target, parent) ?? before;
    const constant = constantOf(to, new Set(identifiersOf(literal.getSourceFile())));
    moveHandler(literal, { from, to, file: `/${nodeFile(target.module, to)}`, constant });
    this.#renamed.push({ from: from.join("."), to: to.join(".") });
  }

  /** Removes the handler of a new operation that nobody has written yet. Returns false if somebody has. */
  #removeUnwritten(
    target: HandlerInterface,
    { path, node }: { readonly path: readonly string[]; readonly node: HandlerNode },
    literal: ObjectLiteralExpression,
  ): boolean {
    const key = path.at(-1) ?? "";
    const file = nodeFile(target.module, path);
    const source = this.#project.getSourceFile(`/${file}`);
    if (source === undefined && memberOf(literal, key).kind === "missing") {
      return true;
    }
    const constant = source?.getVariableDeclarations()[0]?.getName() ?? "";
    const { serverPackage } = this.#facts;
    const unwritten = source !== undefined && nodeText(target, path, node, { constant, serverPackage });
    if (source === undefined || source.getFullText().replaceAll("\r\n", "\n") !== unwritten) {
      this.#notes.push(`${path.join(".")} has a handler already. Remove it, and rename again.`);
      return false;
    }
    removeHandler(literal, key);
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
      removed: withSuggestions(this.#removed, this.#added),
      changed: this.#changed,
      notes: this.#notes,
    };
    return { files, moved, report };
  }

  /** Finds the literal at a path again each time: an edit makes earlier nodes invalid. */
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
    const now = this.#literalAt(target, path);
    if (now !== undefined) {
      this.#reportRemoved(path, group, now);
    }
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
    this.#import(file, constant, importSpecifier(target.module, nodeFile(target.module, path)));
  }

  /** A new service: a literal whose members have a file each. */
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
        also: imports.map((one) => one.constant),
      });
      members.push(constant === child.key ? constant : `${child.key}: ${constant}`);
      imports.push({ constant, from: importSpecifier(target.module, nodeFile(target.module, childPath)) });
    }
    addMember(
      literal,
      (indent) => `${node.key}: {\n${members.map((member) => `${indent}  ${member},\n`).join("")}${indent}}`,
    );
    for (const one of imports) {
      this.#import(file, one.constant, one.from);
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
    const path = `/${nodeFile(target.module, what.path)}`;
    const there = this.#project.getSourceFile(path);
    const taken = new Set([...identifiersOf(what.beside), ...(what.also ?? [])]);
    const constant = constantOf(what.path, taken);
    if (there === undefined) {
      const text = nodeText(target, what.path, what.node, { constant, serverPackage: this.#facts.serverPackage });
      this.#project.createSourceFile(path, text);
    } else if (there.getVariableDeclaration(constant) === undefined) {
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

  #reportRemoved(path: readonly string[], group: HandlerGroup, literal: ObjectLiteralExpression): void {
    const known = new Set(group.children.map((child) => child.key));
    for (const { key, node } of membersOf(literal)) {
      if (!known.has(key)) {
        this.#removed.push({
          operation: [...path, key].join("."),
          place: placeOf(node),
          file: handlerFile(literal, key),
          renamed: undefined,
        });
      }
    }
  }

  #reportChanged(target: HandlerInterface, root: ObjectLiteralExpression): void {
    const before = this.#facts.record.interfaces[target.module] ?? {};
    const shape = this.#facts.record.shapes?.[target.module];
    for (const { path, operation } of operationsOf(target.root)) {
      const name = path.join(".");
      const signature = before[name];
      if (signature === undefined || signature === operation.signature) {
        continue;
      }
      this.#changed.push({
        operation: name,
        place: this.#placeAt(target, path) ?? placeOf(root),
        changes: shape === undefined ? [] : shapeChanges(shape, target.shape, name),
      });
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

/** The nodes of a tree with their paths. */
function nodesOf(
  group: HandlerGroup,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly node: HandlerNode }[] {
  return group.children.flatMap((node) => {
    const here = { path: [...path, node.key], node };
    return node.kind === "group" ? [here, ...nodesOf(node, here.path)] : [here];
  });
}

/** Gives inserted lines the line ends of the file. */
function withLineEndsOf(before: string, text: string): string {
  return before.includes("\r\n") ? text.replace(/\r?\n/g, "\r\n") : text;
}

function identifiersOf(file: SourceFile): Iterable<string> {
  const names = new Set<string>();
  for (const declaration of file.getImportDeclarations()) {
    for (const specifier of declaration.getNamedImports()) {
      names.add(specifier.getAliasNode()?.getText() ?? specifier.getName());
    }
  }
  for (const variable of file.getVariableDeclarations()) {
    names.add(variable.getName());
  }
  for (const declaration of file.getFunctions()) {
    names.add(declaration.getName() ?? "");
  }
  return names;
}

function placeOf(node: Node): string {
  return `${node.getSourceFile().getFilePath().slice(1)}:${node.getStartLineNumber()}`;
}
