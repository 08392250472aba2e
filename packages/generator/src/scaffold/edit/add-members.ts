import { Node, type ObjectLiteralExpression, type SourceFile, SyntaxKind } from "ts-morph";
import type { HandlerClass } from "../find/read-members.js";

// Adds members to the object literals and classes that contain a user's handlers.

/**
 * Adds a member at the end of an object literal, with the file's indentation and style of trailing commas: on the same
 * line if the literal is one line and has room. `comment` follows the comma.
 */
export function addMember(literal: ObjectLiteralExpression, member: (indent: string) => string, comment = ""): void {
  const file = literal.getSourceFile();
  const code = member("");
  if (!isBroken(literal) && literal.getProperties().length > 0) {
    const index = listLiterals(file).indexOf(literal);
    if (comment === "" && !code.includes("\n")) {
      const maxLength = findMaxLength(file);
      addToLine(literal, code);
      breakLongLine(file, index, maxLength);
      return;
    }
    breakLongLine(file, index, 0);
    addMember(listLiterals(file)[index] ?? literal, member, comment);
    return;
  }
  const properties = literal.getProperties();
  const lastProperty = properties.at(-1);
  const base = getIndentationAt(file, literal.getStart());
  const indentedProperty = properties.findLast((property) => startsLine(file, property.getStart()));
  const indent =
    indentedProperty === undefined
      ? `${base}${getIndentationUnit(file)}`
      : getIndentationAt(file, indentedProperty.getStart());
  const memberCode = withIndentationOf(file, member(indent));
  if (lastProperty === undefined) {
    const contentStart = literal.getStart() + 1;
    file.replaceText([contentStart, literal.getEnd() - 1], `\n${indent}${memberCode},${comment}\n${base}`);
    return;
  }
  const text = file.getFullText();
  const hasComma = lastProperty.getNextSibling()?.getKind() === SyntaxKind.CommaToken;
  // Inserts after the last text inside the braces, which may be a comment.
  const end = literal.getStart() + 1 + text.slice(literal.getStart() + 1, literal.getEnd() - 1).trimEnd().length;
  const insertedText = `\n${indent}${memberCode}${hasComma ? "," : ""}${comment}`;
  if (hasComma) {
    file.insertText(end, insertedText);
  } else {
    const textBetween = text.slice(lastProperty.getEnd(), end);
    file.replaceText([lastProperty.getEnd(), end], `,${textBetween}${insertedText}`);
  }
}

/** Returns the object literals of a file. An edit that changes only white space does not change their order. */
function listLiterals(file: SourceFile): readonly ObjectLiteralExpression[] {
  return file.getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression);
}

/** Whether the first member of an object literal begins a line. Formatters then keep each member on its own line. */
function isBroken(literal: ObjectLiteralExpression): boolean {
  const [firstProperty] = literal.getProperties();
  return firstProperty !== undefined && startsLine(literal.getSourceFile(), firstProperty.getStart());
}

/** Adds a member after the last member and its comments, on the same line. */
function addToLine(literal: ObjectLiteralExpression, code: string): void {
  const file = literal.getSourceFile();
  const comma = literal.getProperties().at(-1)?.getNextSiblingIfKind(SyntaxKind.CommaToken);
  const contentLength = file
    .getFullText()
    .slice(literal.getStart(), literal.getEnd() - 1)
    .trimEnd().length;
  file.insertText(
    comma?.getEnd() ?? literal.getStart() + contentLength,
    comma === undefined ? `, ${code}` : ` ${code},`,
  );
}

/** The usual maximum length of a line of code, and the longest that many formatters allow. */
const [usualLength, greatestLength] = [80, 120];

/** Returns the length of the longest line of code in a file, at least the usual maximum. */
function findMaxLength(file: SourceFile): number {
  const lengths = file.getFullText().split("\n").map(measureLine);
  return Math.max(usualLength, ...lengths.filter((length) => length <= greatestLength));
}

/** Breaks the object literals of a line, beginning with the outermost one, until the line is not too long. */
function breakLongLine(file: SourceFile, index: number, maxLength: number): void {
  for (let literal = listLiterals(file)[index]; literal !== undefined; literal = listLiterals(file)[index]) {
    const outermost = listUnbroken(literal).at(-1);
    const line = file.getFullText().split("\n")[literal.getStartLineNumber() - 1] ?? "";
    if (outermost === undefined || measureLine(line) <= maxLength) {
      return;
    }
    breakLiteral(outermost);
  }
}

/** Returns the length of a line without the comment at its end. */
function measureLine(line: string): number {
  return line.replace(/\s*(?:\/\/.*)?$/, "").length;
}

/** Returns an object literal and the literals that contain it, except those that are broken. */
function listUnbroken(literal: ObjectLiteralExpression): readonly ObjectLiteralExpression[] {
  const line = literal.getStartLineNumber();
  return [literal, ...literal.getAncestors()]
    .filter(Node.isObjectLiteralExpression)
    .filter((outer) => outer.getStartLineNumber() === line && !isBroken(outer));
}

/** Writes each member of an object literal, with its comments, on a line of its own. */
function breakLiteral(literal: ObjectLiteralExpression): void {
  const file = literal.getSourceFile();
  const base = getIndentationAt(file, literal.getStart());
  const indent = `${base}${getIndentationUnit(file)}`;
  const text = file.getFullText();
  const lines: string[] = [];
  let start = literal.getStart() + 1;
  for (const property of literal.getProperties()) {
    const comma = property.getNextSiblingIfKind(SyntaxKind.CommaToken);
    const end = comma?.getStart() ?? property.getEnd();
    lines.push(`${text.slice(start, end).trim()},`);
    start = comma?.getEnd() ?? end;
  }
  const rest = text.slice(start, literal.getEnd() - 1).trim();
  const content = [...lines, ...(rest === "" ? [] : [rest])].map((line) => `\n${indent}${line}`).join("");
  file.replaceText([literal.getStart() + 1, literal.getEnd() - 1], `${content}\n${base}`);
}

/** Adds a member at the end of a class, with the indentation of the class. */
export function addClassMember(handlerClass: HandlerClass, member: (indent: string) => string): void {
  const file = handlerClass.getSourceFile();
  const text = file.getFullText();
  const [firstMember] = handlerClass.getMembers();
  const base = getIndentationAt(file, handlerClass.getStart());
  const indent =
    firstMember !== undefined && startsLine(file, firstMember.getStart())
      ? getIndentationAt(file, firstMember.getStart())
      : `${base}${getIndentationUnit(file)}`;
  const braceStart = handlerClass.getEnd() - 1;
  // Inserts after the last text inside the braces, which may be a comment.
  const end = text.slice(0, braceStart).trimEnd().length;
  const blankLine = firstMember === undefined ? "" : "\n";
  const lineEnd = text.slice(end, braceStart).includes("\n") ? "" : `\n${base}`;
  file.insertText(end, `${blankLine}\n${indent}${withIndentationOf(file, member(indent))}${lineEnd}`);
}

function startsLine(file: SourceFile, position: number): boolean {
  const text = file.getFullText();
  return /(^|\n)[ \t]*$/.test(text.slice(Math.max(0, text.lastIndexOf("\n", position - 1)), position));
}

function getIndentationAt(file: SourceFile, position: number): string {
  const text = file.getFullText();
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", position - 1) + 1))?.[0] ?? "";
}

function getIndentationUnit(file: SourceFile): string {
  return usesTabs(file) ? "\t" : "  ";
}

function usesTabs(file: SourceFile): boolean {
  return /^\t/m.test(file.getFullText());
}

/** If the file uses tabs, replaces the two spaces of each level, except the first level, with a tab. */
function withIndentationOf(file: SourceFile, code: string): string {
  return usesTabs(file)
    ? code.replace(/^(\t*)((?: {2})+)/gm, (_, tabs: string, spaces: string) => tabs + "\t".repeat(spaces.length / 2))
    : code;
}
