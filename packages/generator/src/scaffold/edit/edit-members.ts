import { posix } from "node:path";
import { Node, type Project, type SourceFile, SyntaxKind } from "ts-morph";
import { isCommonJs } from "../find/code-style.js";
import { findObjectAt } from "../find/find-handlers.js";
import {
  findHandlerVariable,
  findProperty,
  type HandlerObject,
  hasUnknownMembers,
  isClass,
  listMembers,
  readMember,
} from "../find/read-members.js";
import { findImportedSource } from "../find/resolve-names.js";
import { formatNode, formatValue, getFaultClass, hasOwnFile } from "../handler-files.js";
import type { HandlerNode, HandlerTree } from "../handler-tree.js";

// Removes members of the object literals and classes that contain a user's handlers, and adds imports.

/** A handler or a group of handlers of a server, and the package whose types the server imports. */
interface ScaffoldedNode {
  readonly path: readonly string[];
  readonly node: HandlerNode;
  readonly serverPackage: string;
}

/** Whether a handler, or each handler of a group, is missing, or the same as when scaffold created it. */
export function isUnwritten(project: Project, tree: HandlerTree, scaffolded: ScaffoldedNode): boolean {
  const { path, node, serverPackage } = scaffolded;
  const { object, file } = findScaffoldedCode(project, tree, scaffolded);
  if (file !== undefined) {
    const constant = file.getVariableDeclarations()[0]?.getName() ?? "";
    const names = { constant, serverPackage, file: file.getFilePath(), isCommonJs: isCommonJs(file) };
    const scaffoldedText = formatNode(tree, path, node, names);
    return file.getFullText().replaceAll("\r\n", "\n") === scaffoldedText;
  }
  const children = listSeparateChildren(tree, scaffolded);
  if (children.length > 0) {
    return children.every((child) => isUnwritten(project, tree, child));
  }
  const property = object && findProperty(object, path.at(-1) ?? "");
  const hasValue = Node.isPropertyAssignment(property) || Node.isPropertyDeclaration(property);
  const collapseSpace = (text: string) => text.replace(/\s+/g, " ");
  const value = hasValue ? (property.getInitializer()?.getText() ?? "") : "";
  if (property === undefined) {
    // A handler that other code assigns to the object is a member, but not a property.
    return object === undefined || readMember(object, path.at(-1) ?? "").kind === "missing";
  }
  return collapseSpace(value) === collapseSpace(formatValue(tree, node, ""));
}

/**
 * Whether another handler can replace a handler or a group: the user has not written it, or anything else in a group.
 */
export function isReplaceable(project: Project, tree: HandlerTree, scaffolded: ScaffoldedNode): boolean {
  const { node } = scaffolded;
  const keys = new Set(node.kind === "group" ? node.children.map((child) => child.key) : []);
  const group = node.kind === "group" ? findObjectAt(project.getSourceFiles(), tree, scaffolded.path) : undefined;
  const hasOtherMembers =
    Node.isObjectLiteralExpression(group) &&
    (hasUnknownMembers(group) || listMembers(group).some((member) => !keys.has(member.key)));
  return !hasOtherMembers && isUnwritten(project, tree, scaffolded);
}

/** Removes a handler or a group that `isReplaceable` accepts. */
export function removeUnimplemented(project: Project, tree: HandlerTree, scaffolded: ScaffoldedNode): void {
  const key = scaffolded.path.at(-1) ?? "";
  const { object, file } = findScaffoldedCode(project, tree, scaffolded);
  if (file !== undefined) {
    if (object !== undefined) {
      removeHandler(object, key);
    }
    project.removeSourceFile(file);
    return;
  }
  for (const child of listSeparateChildren(tree, scaffolded)) {
    removeUnimplemented(project, tree, child);
  }
  const owner = findObjectAt(project.getSourceFiles(), tree, scaffolded.path.slice(0, -1));
  const property = owner && findProperty(owner, key);
  if (owner !== undefined && property !== undefined) {
    const ownerFile = owner.getSourceFile();
    if (isClass(owner)) {
      removeClassMember(property);
    } else {
      removeLine(property);
    }
    removeUnusedImport(ownerFile, getFaultClass(tree));
  }
}

/** Creates the note about a handler or a group that did not move, because `isReplaceable` refuses its new path. */
export function formatTakenNote(oldName: string, newName: string, { kind }: HandlerNode): string {
  return kind === "operation"
    ? `The operation ${newName} already has a handler. Remove it, and run scaffold --rename again.`
    : `The group ${newName} already has handlers, so ${oldName} was not moved as a whole.`;
}

/** Removes the import of a name if no other code of the file contains the name. */
export function removeUnusedImport(file: SourceFile, name: string): void {
  const specifier = file
    .getImportDeclarations()
    .flatMap((declaration) => declaration.getNamedImports())
    .find((named) => (named.getAliasNode()?.getText() ?? named.getName()) === name);
  const uses = file.getDescendantsOfKind(SyntaxKind.Identifier).filter((node) => node.getText() === name);
  if (specifier === undefined || uses.some((node) => node.getParent() !== specifier)) {
    return;
  }
  const importDeclaration = specifier.getImportDeclaration();
  if (importDeclaration.getNamedImports().length === 1 && importDeclaration.getDefaultImport() === undefined) {
    removeLine(importDeclaration);
  } else {
    specifier.remove();
  }
}

/** Returns the members of a group whose members have separate files. */
function listSeparateChildren(
  tree: HandlerTree,
  { path, node, serverPackage }: ScaffoldedNode,
): readonly ScaffoldedNode[] {
  const children = node.kind === "group" ? node.children : [];
  return children
    .map((child) => ({ path: [...path, child.key], node: child, serverPackage }))
    .filter((child) => hasOwnFile(tree, child.path, child.node));
}

/**
 * Finds the object with a handler or a group, and the file from which the object imports its constant. The path of the
 * file does not identify the handler, because the handlers of other operations may be in any file.
 */
function findScaffoldedCode(project: Project, tree: HandlerTree, { path, node }: ScaffoldedNode) {
  const object = findObjectAt(project.getSourceFiles(), tree, path.slice(0, -1));
  const variable =
    object !== undefined && hasOwnFile(tree, path, node) ? findHandlerVariable(object, path.at(-1) ?? "") : undefined;
  const file = variable?.getSourceFile();
  return { object, file: file === object?.getSourceFile() ? undefined : file };
}

/** Removes a member of a class, the comment with its type that scaffold wrote, and the blank lines before it. */
function removeClassMember(property: Node): void {
  const file = property.getSourceFile();
  const textBefore = file.getFullText().slice(0, property.getStart());
  const end = textBefore.replace(/\/\*\* @type \{[^\n*]*\} \*\/\s*$/, "").trimEnd().length;
  file.replaceText([end, property.getEnd()], "");
}

/** Removes the member with this key, and the import of its handler. */
function removeHandler(object: HandlerObject, key: string): void {
  const file = object.getSourceFile();
  const handlerFile = findHandlerVariable(object, key)?.getSourceFile();
  const property = findProperty(object, key);
  if (property !== undefined) {
    removeLine(property);
  }
  const importDeclaration = file
    .getImportDeclarations()
    .find((declaration) => findImportedSource(declaration) === handlerFile);
  if (handlerFile !== undefined && importDeclaration !== undefined) {
    removeLine(importDeclaration);
  }
}

/** Removes an import, or a member with its comma. The functions of ts-morph would remove more. */
function removeLine(node: Node): void {
  const file = node.getSourceFile();
  removeText(file, node.getStart(), findEndWithComma(node));
}

function findEndWithComma(node: Node): number {
  const end = node.getEnd();
  return end + (/^\s*,/.exec(node.getSourceFile().getFullText().slice(end))?.[0].length ?? 0);
}

/** Removes a part of a file, with the rest of its lines if they contain nothing else. */
function removeText(file: SourceFile, start: number, end: number): void {
  const text = file.getFullText();
  const [indent] = /(?<=\n|^)[ \t]*$/.exec(text.slice(0, start)) ?? [];
  const [lineEnd] = /^[ \t]*\r?\n/.exec(text.slice(end)) ?? [];
  const isOnlyOnLine = indent !== undefined && lineEnd !== undefined;
  // In `{ a, b }`, the comma before `b` is removed with it.
  const [comma = ""] = /^[ \t]*\}/.test(text.slice(end)) ? (/,[ \t]*$/.exec(text.slice(0, start)) ?? []) : [];
  const range: [number, number] = isOnlyOnLine
    ? [start - indent.length, end + lineEnd.length]
    : comma !== ""
      ? [start - comma.length, end]
      : [start, end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0)];
  // `replaceText` would throw if the first statement of the file were removed.
  file.replaceWithText(text.slice(0, range[0]) + text.slice(range[1]));
}

/** The comments that belong to a member. */
interface MemberComments {
  /** The comments directly above the member, without a blank line between them. */
  readonly above: readonly string[];
  /** The comment after the member on the same line, with the space before it; empty if there is none. */
  readonly after: string;
}

/** Removes a member of an object literal with its comma and its comments. Returns the comments. */
export function removeMember(member: Node): MemberComments {
  const file = member.getSourceFile();
  const text = file.getFullText();
  const above: string[] = [];
  let start = member.getStart();
  for (const comment of member.getLeadingCommentRanges().toReversed()) {
    if (/\n\s*\n/.test(text.slice(comment.getEnd(), start))) {
      break;
    }
    above.unshift(comment.getText());
    start = comment.getPos();
  }
  const end = findEndWithComma(member);
  const [after = ""] = /^[ \t]*(?:\/\/[^\r\n]*|\/\*.*\*\/(?=[ \t]*\r?\n))/.exec(text.slice(end)) ?? [];
  removeText(file, start, end + after.length);
  return { above, after };
}

/** Imports a constant after the other imports, with the quotation marks and semicolons of the file. */
export function addImport(file: SourceFile, constant: string, specifier: string): void {
  const text = file.getFullText();
  const quote = /from '/.test(text) ? "'" : '"';
  const imports = file.getImportDeclarations();
  const lastImport = imports[imports.length - 1];
  const semicolon = lastImport === undefined || lastImport.getText().endsWith(";") ? ";" : "";
  const statement = `import { ${constant} } from ${quote}${specifier}${quote}${semicolon}`;
  if (lastImport === undefined) {
    file.insertText(findFirstImportPosition(file), `${statement}\n`);
  } else {
    // A comment after the import on the same line belongs to the import.
    const [comment = ""] = /^[ \t]*(?:\/\/.*|\/\*.*\*\/[ \t]*(?=\r?\n|$))/.exec(text.slice(lastImport.getEnd())) ?? [];
    file.insertText(lastImport.getEnd() + comment.length, `\n${statement}`);
  }
}

/** The first lines of a file that must stay first: the name of an interpreter, and comments that configure tools. */
const firstLines = /^(?:(?:#!|\/\/\s*(?:@|eslint|biome)|\/\*\s*(?:@|eslint|biome)).*\r?\n)*/;

/** Returns the position of the first import in a file: after its directives and the comments of the whole file. */
function findFirstImportPosition(file: SourceFile): number {
  const text = file.getFullText();
  const statements = file.getStatements();
  const isDirective = (node: Node) => Node.isExpressionStatement(node) && Node.isStringLiteral(node.getExpression());
  const index = statements.findIndex((statement) => !isDirective(statement));
  const directivesEnd = index > 0 ? text.indexOf("\n", statements[index - 1]?.getEnd()) + 1 : 0;
  const comments = text.slice(directivesEnd, statements[index]?.getStart());
  // A comment directly above a statement belongs to it.
  const [fileComments = ""] = /^[\s\S]*\n[ \t]*\r?\n/.exec(comments) ?? firstLines.exec(comments) ?? [];
  return directivesEnd + fileComments.length;
}

/** Imports a class that new handlers throw, unless the file already declares or imports its name. */
export function addFaultImport(file: SourceFile, fault: string, specifier: string): void {
  if (!new Set(listIdentifiers(file)).has(fault)) {
    addImport(file, fault, specifier);
  }
}

/** Returns the names that a file declares or imports. */
export function listIdentifiers(file: SourceFile): Iterable<string> {
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

const maxProblems = 5;

/**
 * Returns the syntax errors in the sources of a server, such as unresolved merge conflicts. Editing a file with errors
 * could damage it.
 */
export function listSyntaxProblems(project: Project, sourceFolder: string): readonly string[] {
  const program = project.getProgram();
  return project
    .getSourceFiles(posix.join("/", sourceFolder, "**"))
    .flatMap((file) => program.getSyntacticDiagnostics(file).slice(0, 1))
    .slice(0, maxProblems)
    .map((problem) => {
      const file = problem.getSourceFile();
      const message = problem.getMessageText();
      const text = typeof message === "string" ? message : message.getMessageText();
      return `${file.getFilePath().slice(1)}:${file.getLineAndColumnAtPos(problem.getStart()).line}: ${text}`;
    });
}

/**
 * Converts the line ends of a file's new content to those of its old content. If the old content has mixed line ends,
 * the new content is unchanged.
 */
export function withLineEndsOf(before: string, text: string): string {
  return before.includes("\r\n") && !/(?<!\r)\n/.test(before) ? text.replace(/\r?\n/g, "\r\n") : text;
}

/** Whether an identifier is the name of a member: `id` in `order.id`, `{ id: 1 }` or `{ id: orderId } = order`. */
export function isMemberName(node: Node): boolean {
  const parent = node.getParent();
  if (Node.isBindingElement(parent)) {
    return parent.getPropertyNameNode() === node;
  }
  return (
    (Node.isPropertyAccessExpression(parent) ||
      Node.isPropertyAssignment(parent) ||
      Node.isPropertyDeclaration(parent) ||
      Node.isPropertySignature(parent) ||
      Node.isMethodDeclaration(parent)) &&
    parent.getNameNode() === node
  );
}
