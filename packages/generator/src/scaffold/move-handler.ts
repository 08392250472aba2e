import { Node, type ObjectLiteralExpression, type SourceFile, type VariableDeclaration } from "ts-morph";
import { addMember, memberOf, membersOf } from "./object-literals.js";

/** The old and the new path of a handler. */
export interface MemberMove {
  /** The type of all handlers: `VehicleHandlers`. */
  readonly type: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The new path of a handler, and its new file and constant. */
export interface HandlerMove extends MemberMove {
  /** An absolute path in the project. */
  readonly file: string;
  readonly constant: string;
}

/** Moves a handler that has a file of its own to another operation of the group. */
export function moveHandler(literal: ObjectLiteralExpression, move: HandlerMove): void {
  const [oldKey = "", newKey = ""] = [move.from.at(-1), move.to.at(-1)];
  const variable = handlerVariable(literal, oldKey);
  const file = variable?.getSourceFile();
  if (variable === undefined || file === undefined || file === literal.getSourceFile()) {
    return;
  }
  renameType(variable, move);
  variable.rename(move.constant);
  const property = propertyOf(literal, oldKey);
  property?.replaceWithText(move.constant === newKey ? newKey : `${newKey}: ${move.constant}`);
  moveFile(file, move.file);
}

/** Moves a member to another key, or to another group. Its file, if it has one, stays where it is. */
export function moveMember(
  move: MemberMove,
  source: ObjectLiteralExpression,
  groupOf: () => ObjectLiteralExpression | undefined,
): void {
  const [oldKey = "", newKey = ""] = [move.from.at(-1), move.to.at(-1)];
  const variable = handlerVariable(source, oldKey);
  if (variable !== undefined) {
    renameType(variable, move);
  }
  const property = propertyOf(source, oldKey);
  if (property === undefined) {
    return;
  }
  const text = withKey(property, newKey);
  if (groupOf() === source) {
    // ts-morph would change the indentation of the lines inside.
    source.getSourceFile().replaceText([property.getStart(), property.getEnd()], text);
    return;
  }
  removeLine(property);
  const group = groupOf();
  if (group !== undefined) {
    addMember(group, () => text);
  }
}

/** The text of a member with another key. */
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

/** Renames the path in the type of a handler: `VehicleHandlers["reg"]["checkMexico"]`. */
function renameType(variable: VariableDeclaration, { type, from, to }: MemberMove): void {
  const node = variable.getTypeNode();
  const text = node?.getText() ?? "";
  const keys = [...text.matchAll(/\[\s*(["'])([^"']+)\1\s*\]/g)];
  const quote = keys[0]?.[1] ?? '"';
  if (text.startsWith(`${type}[`) && keys.map((match) => match[2]).join(".") === from.join(".")) {
    node?.replaceWithText(`${type}${to.map((key) => `[${quote}${key}${quote}]`).join("")}`);
  }
}

/** Removes a member that has the text of a new one. Returns false, and removes nothing, if a person has changed it. */
export function removeUnwritten(literal: ObjectLiteralExpression, key: string, newText: string): boolean {
  const property = propertyOf(literal, key);
  const words = (text: string) => text.replace(/\s+/g, " ");
  if (property !== undefined && words(property.getText()) !== words(newText)) {
    return false;
  }
  if (property !== undefined) {
    removeLine(property);
  }
  return true;
}

/** Removes the member of a key, and the import of its handler. */
export function removeHandler(literal: ObjectLiteralExpression, key: string): void {
  const file = literal.getSourceFile();
  const handler = handlerVariable(literal, key)?.getSourceFile();
  const property = propertyOf(literal, key);
  if (property !== undefined) {
    removeLine(property);
  }
  const imported = file.getImportDeclarations().find((each) => each.getModuleSpecifierSourceFile() === handler);
  if (handler !== undefined && imported !== undefined) {
    removeLine(imported);
  }
}

/** Removes an import, or a member with its comma, and its line if nothing else is in it. ts-morph would remove more. */
function removeLine(node: Node): void {
  const file = node.getSourceFile();
  const text = file.getFullText();
  const before = text.slice(0, node.getStart());
  const [comma = ""] = /^\s*,/.exec(text.slice(node.getEnd())) ?? [];
  const end = node.getEnd() + comma.length;
  const [indent] = /(?<=\n|^)[ \t]*$/.exec(before) ?? [];
  const [lineEnd] = /^[ \t]*\r?\n/.exec(text.slice(end)) ?? [];
  const isAlone = indent !== undefined && lineEnd !== undefined;
  const range: [number, number] = isAlone
    ? [node.getStart() - indent.length, end + lineEnd.length]
    : [node.getStart(), end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0)];
  file.replaceText(range, "");
}

/** Moves a file within its folder. Imports of it keep their ending, which ts-morph would leave out. */
function moveFile(file: SourceFile, path: string): void {
  const imports = file
    .getReferencingSourceFiles()
    .flatMap((importer) => importer.getImportDeclarations())
    .filter((declaration) => declaration.getModuleSpecifierSourceFile() === file)
    .map((declaration) => ({ declaration, before: declaration.getModuleSpecifierValue() }));
  file.move(path);
  const name = file.getBaseNameWithoutExtension();
  for (const { declaration, before } of imports) {
    declaration.setModuleSpecifier(
      before.replace(/[^/]*?(\.[cm]?[jt]s)?$/, (_, ending: string = "") => `${name}${ending}`),
    );
  }
}

/** The file that contains only the handler of a key; undefined if there is none. */
export function handlerFile(literal: ObjectLiteralExpression, key: string): string | undefined {
  const file = handlerVariable(literal, key)?.getSourceFile();
  return file === undefined || file === literal.getSourceFile() ? undefined : file.getFilePath().slice(1);
}

function propertyOf(literal: ObjectLiteralExpression, key: string) {
  return literal
    .getProperties()
    .find(
      (property) => !Node.isSpreadAssignment(property) && property.getName().replace(/^(["'])(.*)\1$/, "$2") === key,
    );
}

function handlerVariable(literal: ObjectLiteralExpression, key: string): VariableDeclaration | undefined {
  const property = propertyOf(literal, key);
  const initializer = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
  const name = Node.isShorthandPropertyAssignment(property)
    ? property.getName()
    : Node.isIdentifier(initializer)
      ? initializer.getText()
      : undefined;
  if (name === undefined) {
    return undefined;
  }
  const file = literal.getSourceFile();
  for (const declaration of file.getImportDeclarations()) {
    for (const specifier of declaration.getNamedImports()) {
      if ((specifier.getAliasNode()?.getText() ?? specifier.getName()) === name) {
        return declaration.getModuleSpecifierSourceFile()?.getVariableDeclaration(specifier.getName());
      }
    }
  }
  return file.getVariableDeclaration(name);
}

/** The files that contain only the handler of a key, or only handlers of its group. */
export function filesOf(literal: ObjectLiteralExpression, key: string): readonly string[] {
  const file = handlerFile(literal, key);
  const member = memberOf(literal, key);
  const inside =
    member.kind === "literal" ? membersOf(member.literal).flatMap((each) => filesOf(member.literal, each.key)) : [];
  return [...new Set([...(file === undefined ? [] : [file]), ...inside])];
}
