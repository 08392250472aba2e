import { Node, type ObjectLiteralExpression, type SourceFile, type VariableDeclaration } from "ts-morph";

/** The new operation of a handler, and its new file and constant. */
export interface HandlerMove {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** An absolute path in the project. */
  readonly file: string;
  readonly constant: string;
}

/** Moves a handler that has a file of its own to another operation. Returns the new path; undefined if it has none. */
export function moveHandler(literal: ObjectLiteralExpression, move: HandlerMove): string | undefined {
  const [oldKey = "", newKey = ""] = [move.from.at(-1), move.to.at(-1)];
  const variable = handlerVariable(literal, oldKey);
  const file = variable?.getSourceFile();
  if (variable === undefined || file === undefined || file === literal.getSourceFile()) {
    return undefined;
  }
  const type = variable.getTypeNode();
  type?.replaceWithText(
    type.getText().replace(/\[(["'])([^"']+)\1\]$/, (_, quote: string) => `[${quote}${newKey}${quote}]`),
  );
  variable.rename(move.constant);
  const property = propertyOf(literal, oldKey);
  property?.replaceWithText(move.constant === newKey ? newKey : `${newKey}: ${move.constant}`);
  moveFile(file, move.file);
  return file.getFilePath();
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

/** Names a new operation of the same group for each removed handler whose name is similar, or that is the only one. */
export function withSuggestions<Removed extends { readonly operation: string }>(
  removed: readonly Removed[],
  added: readonly string[],
): readonly (Removed & { readonly renamed: string | undefined })[] {
  return removed.map((each) => {
    const candidates = added.filter((operation) => groupOf(operation) === groupOf(each.operation));
    const rest = removed.filter(({ operation }) => groupOf(operation) === groupOf(each.operation));
    const only = candidates.length === 1 && rest.length === 1 ? candidates[0] : undefined;
    return { ...each, renamed: similarName(each.operation, candidates) ?? only };
  });
}

function groupOf(operation: string): string {
  return operation.slice(0, operation.lastIndexOf(".") + 1);
}

/** The candidate that shares at least three quarters of a name, counted at its beginning and its end. */
function similarName(name: string, candidates: readonly string[]): string | undefined {
  const group = groupOf(name).length;
  const share = (other: string): number => {
    const limit = Math.min(name.length, other.length);
    let start = group;
    while (start < limit && name[start] === other[start]) {
      start += 1;
    }
    let end = 0;
    while (end < limit - start && name.at(-1 - end) === other.at(-1 - end)) {
      end += 1;
    }
    return (start - group + end) / (name.length - group);
  };
  const [best] = candidates.map((each) => ({ each, share: share(each) })).sort((a, b) => b.share - a.share);
  return best !== undefined && best.share >= 0.75 ? best.each : undefined;
}
