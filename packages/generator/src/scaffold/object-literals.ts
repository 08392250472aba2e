import { Node, type ObjectLiteralExpression, type SourceFile } from "ts-morph";

/** The value of a key in an object literal. */
export type Member =
  | { readonly kind: "missing" }
  | { readonly kind: "literal"; readonly literal: ObjectLiteralExpression }
  /** A function, or any other expression that a person wrote. */
  | { readonly kind: "other"; readonly node: Node };

/** Finds the variable with a type, `const handlers: VehicleHandlers = {…}`, in any file. */
export function literalOfType(files: readonly SourceFile[], type: string): ObjectLiteralExpression | undefined {
  for (const file of files) {
    for (const variable of file.getVariableDeclarations()) {
      const initializer = variable.getInitializer();
      if (initializer === undefined) {
        continue;
      }
      if (Node.isSatisfiesExpression(initializer) && initializer.getTypeNode()?.getText() === type) {
        const expression = initializer.getExpression();
        if (Node.isObjectLiteralExpression(expression)) {
          return expression;
        }
      }
      if (variable.getTypeNode()?.getText() === type && Node.isObjectLiteralExpression(initializer)) {
        return initializer;
      }
    }
  }
  return undefined;
}

/** Finds a key in a literal. A name is followed to the object that it refers to, in this file or an imported one. */
export function memberOf(literal: ObjectLiteralExpression, key: string): Member {
  for (const property of literal.getProperties()) {
    if (Node.isSpreadAssignment(property)) {
      continue;
    }
    if (keyOf(property) !== key) {
      continue;
    }
    if (Node.isShorthandPropertyAssignment(property)) {
      return follow(property, property.getName());
    }
    if (!Node.isPropertyAssignment(property)) {
      return { kind: "other", node: property };
    }
    const initializer = property.getInitializer();
    if (Node.isObjectLiteralExpression(initializer)) {
      return { kind: "literal", literal: initializer };
    }
    if (Node.isIdentifier(initializer)) {
      return follow(property, initializer.getText());
    }
    return { kind: "other", node: property };
  }
  return { kind: "missing" };
}

/** Whether a literal has a spread. Its keys are not known, so that none is certainly missing. */
export function hasSpread(literal: ObjectLiteralExpression): boolean {
  return literal.getProperties().some(Node.isSpreadAssignment);
}

/** The keys of a literal with their nodes, without spreads. */
export function membersOf(literal: ObjectLiteralExpression): readonly { readonly key: string; readonly node: Node }[] {
  return literal
    .getProperties()
    .filter((property) => !Node.isSpreadAssignment(property))
    .map((property) => ({ key: keyOf(property) ?? "", node: property }));
}

function keyOf(property: Node): string | undefined {
  const named =
    Node.isPropertyAssignment(property) ||
    Node.isShorthandPropertyAssignment(property) ||
    Node.isMethodDeclaration(property);
  if (!named) {
    return undefined;
  }
  const name = property.getNameNode();
  return Node.isStringLiteral(name) ? name.getLiteralText() : name.getText();
}

function follow(from: Node, name: string): Member {
  const file = from.getSourceFile();
  const here = file.getVariableDeclaration(name);
  const declaration = here ?? importedVariable(file, name);
  const initializer = declaration?.getInitializer();
  const value = Node.isSatisfiesExpression(initializer) ? initializer.getExpression() : initializer;
  if (Node.isObjectLiteralExpression(value)) {
    return { kind: "literal", literal: value };
  }
  return { kind: "other", node: declaration ?? from };
}

function importedVariable(file: SourceFile, name: string) {
  for (const declaration of file.getImportDeclarations()) {
    for (const specifier of declaration.getNamedImports()) {
      if ((specifier.getAliasNode()?.getText() ?? specifier.getName()) !== name) {
        continue;
      }
      return declaration.getModuleSpecifierSourceFile()?.getVariableDeclaration(specifier.getName());
    }
  }
  return undefined;
}

/** Adds a member behind the last one, in the hand of the file: its indentation and its trailing comma. */
export function addMember(literal: ObjectLiteralExpression, member: (indent: string) => string): void {
  const file = literal.getSourceFile();
  const properties = literal.getProperties();
  const last = properties[properties.length - 1];
  const base = indentationAt(file, literal.getStart());
  const indent =
    last !== undefined && startsLine(file, last.getStart()) ? indentationAt(file, last.getStart()) : `${base}  `;
  const written = member(indent);
  if (last === undefined) {
    const open = literal.getStart() + 1;
    file.replaceText([open, literal.getEnd() - 1], `\n${indent}${written},\n${base}`);
    return;
  }
  const text = file.getFullText();
  const hasComma = /^\s*,/.test(text.slice(last.getEnd()));
  const oneLine = !startsLine(file, last.getStart());
  // Insert after the last text in the braces, which may be a comment.
  const end = literal.getStart() + 1 + text.slice(literal.getStart() + 1, literal.getEnd() - 1).trimEnd().length;
  const added = `\n${indent}${written}${hasComma || oneLine ? "," : ""}`;
  if (hasComma) {
    file.insertText(end, added + (oneLine ? `\n${base}` : ""));
  } else {
    const between = text.slice(last.getEnd(), end);
    file.replaceText([last.getEnd(), end], `,${between}${added}${oneLine ? `\n${base}` : ""}`);
  }
}

function startsLine(file: SourceFile, position: number): boolean {
  const text = file.getFullText();
  return /(^|\n)[ \t]*$/.test(text.slice(Math.max(0, text.lastIndexOf("\n", position - 1)), position));
}

function indentationAt(file: SourceFile, position: number): string {
  const text = file.getFullText();
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", position - 1) + 1))?.[0] ?? "";
}

/** The names that a file declares or imports. */
export function identifiersOf(file: SourceFile): Iterable<string> {
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

/** `src/vehicle/handlers.ts:12`. */
export function placeOf(node: Node): string {
  return `${node.getSourceFile().getFilePath().slice(1)}:${node.getStartLineNumber()}`;
}
