import { posix } from "node:path";
import {
  type ClassDeclaration,
  type ClassExpression,
  type ExportDeclaration,
  type ExportSpecifier,
  Node,
  type ObjectLiteralExpression,
  type SourceFile,
  type SpreadAssignment,
  SyntaxKind,
  type VariableDeclaration,
} from "ts-morph";

// Finds handlers in the user's code.

/** The type of all handlers of an interface or a service, and the function to which they are passed. */
export interface HandlersType {
  readonly type: string;
  readonly routes: string;
}

/**
 * Finds the object literal with all handlers: the value of a variable with their type, the result of a function that returns their type,
 * or the argument of the function that makes their routes.
 */
export function handlersLiteral(
  files: readonly SourceFile[],
  { type, routes }: HandlersType,
): ObjectLiteralExpression | undefined {
  const variableLiteral = findFirst(
    files.flatMap((file) => file.getVariableDeclarations()),
    (variable) => typedLiteral(variable, type),
  );
  return (
    variableLiteral ??
    findFirst(filesWith(files, type), (file) =>
      findFirst(file.getDescendants(), (node) =>
        Node.isVariableDeclaration(node)
          ? typedLiteral(node, type)
          : isFunction(node) && namesType(node.getReturnTypeNode(), type)
            ? returnedLiteral(node.getBody())
            : undefined,
      ),
    ) ??
    findFirst(filesWith(files, routes), (file) =>
      findFirst(file.getDescendantsOfKind(SyntaxKind.CallExpression), (call) => {
        const argument = unwrapped(call.getArguments()[0]);
        const isRoutesCall = call.getExpression().getText() === routes;
        return isRoutesCall && Node.isObjectLiteralExpression(argument) ? argument : undefined;
      }),
    )
  );
}

/**
 * Finds the object literal at a path in the literal with all handlers. It must be found again after each edit, because an edit
 * invalidates the nodes of ts-morph.
 */
export function literalAt(
  files: readonly SourceFile[],
  type: HandlersType,
  path: readonly string[],
): ObjectLiteralExpression | undefined {
  let literal = handlersLiteral(files, type);
  for (const key of path) {
    const member = literal && memberOf(literal, key);
    literal = member?.kind === "literal" ? member.literal : undefined;
  }
  return literal;
}

/** Finds the object literal that contains the member at a path. The literal of the group may spread it. */
export function literalWith(
  files: readonly SourceFile[],
  type: HandlersType,
  path: readonly string[],
): ObjectLiteralExpression | undefined {
  const group = literalAt(files, type, path.slice(0, -1));
  return group && membersOf(group).find(({ key }) => key === path.at(-1))?.literal;
}

/** Finds handlers that are not an object literal: a class that implements their type, or a variable or function with this type. */
export function otherHandlers(files: readonly SourceFile[], type: string): Node | undefined {
  const nodes = filesWith(files, type).flatMap((file) => file.getDescendants());
  const implementingClass = nodes.find(
    (node) => isClass(node) && node.getImplements().some((implemented) => namesType(implemented.getExpression(), type)),
  );
  return (
    implementingClass ??
    nodes.find(
      (node) =>
        (Node.isVariableDeclaration(node) && namesType(node.getTypeNode(), type)) ||
        (isFunction(node) && namesType(node.getReturnTypeNode(), type)),
    )
  );
}

/** The member of a class with a key. Returns the node itself if it is not a class, or if the class has no such member. */
export function classMember(node: Node, key: string): Node {
  return (
    (isClass(node) ? node.getMember((member) => Node.hasName(member) && member.getName() === key) : undefined) ?? node
  );
}

/**
 * The declaration to which a member refers, such as a method, or a function in another file. Returns the member itself if it contains the
 * handler, or if no file of the server declares the handler.
 */
export function declarationOf(member: Node): Node {
  const hasValue = Node.isPropertyAssignment(member) || Node.isPropertyDeclaration(member);
  const value = hasValue ? member.getInitializer() : member;
  const isReference = hasValue || Node.isShorthandPropertyAssignment(member);
  const nodes = value === undefined || !isReference ? [] : [value, ...value.getDescendants()];
  if (nodes.some(isFunction)) {
    return member;
  }
  const declarations = nodes
    .filter(Node.isIdentifier)
    .flatMap((name) => name.getDefinitionNodes())
    // For a shorthand member, TypeScript returns the import.
    .flatMap((node) => importedName(node)?.getDefinitionNodes() ?? [node])
    .filter((node) => node !== member && !Node.isSourceFile(node));
  return declarations.at(-1) ?? member;
}

/** The name that an import declares; undefined if a node is not part of an import. */
function importedName(node: Node) {
  const name = Node.isImportSpecifier(node)
    ? (node.getAliasNode() ?? node.getNameNode())
    : Node.isImportClause(node)
      ? node.getDefaultImport()
      : undefined;
  return Node.isIdentifier(name) ? name : undefined;
}

function isClass(node: Node): node is ClassDeclaration | ClassExpression {
  return Node.isClassDeclaration(node) || Node.isClassExpression(node);
}

function filesWith(files: readonly SourceFile[], text: string): readonly SourceFile[] {
  return files.filter((file) => file.getFullText().includes(text));
}

function findFirst<T, R>(items: readonly T[], findIn: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = findIn(item);
    if (result !== undefined) {
      return result;
    }
  }
  return undefined;
}

/** The object literal of a variable that has a type: `const handlers: VehicleHandlers = {…}`, or `{…} satisfies VehicleHandlers`. */
function typedLiteral(variable: VariableDeclaration, type: string): ObjectLiteralExpression | undefined {
  let hasType = namesType(variable.getTypeNode(), type);
  let value: Node | undefined = variable.getInitializer();
  while (isWrapper(value)) {
    hasType ||= Node.isSatisfiesExpression(value) && namesType(value.getTypeNode(), type);
    value = value.getExpression();
  }
  return hasType && Node.isObjectLiteralExpression(value) ? value : undefined;
}

function isFunction(node: Node) {
  return (
    Node.isFunctionDeclaration(node) ||
    Node.isFunctionExpression(node) ||
    Node.isArrowFunction(node) ||
    Node.isMethodDeclaration(node)
  );
}

/** The object literal that a function returns at its end. */
function returnedLiteral(body: Node | undefined): ObjectLiteralExpression | undefined {
  const returnedExpression = Node.isBlock(body)
    ? body.getStatements().findLast(Node.isReturnStatement)?.getExpression()
    : body;
  const value = unwrapped(returnedExpression);
  return Node.isObjectLiteralExpression(value) ? value : undefined;
}

function isWrapper(node: Node | undefined) {
  return Node.isParenthesizedExpression(node) || Node.isAsExpression(node) || Node.isSatisfiesExpression(node);
}

/** An expression without parentheses, `as` and `satisfies`. */
function unwrapped(node: Node | undefined): Node | undefined {
  return isWrapper(node) ? unwrapped(node.getExpression()) : node;
}

/** Whether a name in the user's code means a type: `VehicleHandlers`, `vehicle.VehicleHandlers`, an alias of the import, or a promise. */
export function namesType(node: Node | undefined, type: string): boolean {
  const name = node?.getText().replace(/^Promise<(.*)>$/s, "$1");
  return node !== undefined && name !== undefined && isNameOf(name, type, node.getSourceFile());
}

/** Whether a name in a file means a type. */
export function isNameOf(name: string, type: string, file: SourceFile): boolean {
  return name === type || name.endsWith(`.${type}`) || importOf(file, name)?.name === type;
}

/** The file from which the handler of a key is imported; undefined if it is not imported. */
export function handlerFile(literal: ObjectLiteralExpression, key: string): string | undefined {
  return importedFile(literal, key)?.getFilePath().slice(1);
}

export function importedFile(literal: ObjectLiteralExpression, key: string): SourceFile | undefined {
  const name = handlerName(literal, key);
  const imported = name === undefined ? undefined : importOf(literal.getSourceFile(), name);
  return imported?.declaration.getModuleSpecifierSourceFile();
}

export function propertyOf(literal: ObjectLiteralExpression, key: string) {
  return literal
    .getProperties()
    .find(
      (property) => !Node.isSpreadAssignment(property) && property.getName().replace(/^(["'])(.*)\1$/, "$2") === key,
    );
}

/** The name of the variable that is the handler of a key: `mexico` in `checkMexico: mexico`. */
export function handlerName(literal: ObjectLiteralExpression, key: string): string | undefined {
  const property = propertyOf(literal, key);
  const initializer = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
  if (Node.isShorthandPropertyAssignment(property)) {
    return property.getName();
  }
  return Node.isIdentifier(initializer) ? initializer.getText() : undefined;
}

export function handlerVariable(literal: ObjectLiteralExpression, key: string): VariableDeclaration | undefined {
  const name = handlerName(literal, key);
  return name === undefined ? undefined : variableOf(literal.getSourceFile(), name);
}

/** The variable that a name means in a file, which declares or imports it. */
function variableOf(file: SourceFile, name: string): VariableDeclaration | undefined {
  const imported = importOf(file, name);
  return imported === undefined
    ? file.getVariableDeclaration(name)
    : exportedVariable(imported.declaration.getModuleSpecifierSourceFile(), imported.name);
}

/** The import of a name, and the name under which the other file exports it. */
function importOf(file: SourceFile, name: string) {
  for (const declaration of file.getImportDeclarations()) {
    for (const specifier of declaration.getNamedImports()) {
      if ((specifier.getAliasNode()?.getText() ?? specifier.getName()) === name) {
        return { declaration, name: specifier.getName() };
      }
    }
  }
  return undefined;
}

/** The variable that a file exports under a name: `mine` for `export { mine as checkMexico }`. */
function exportedVariable(file: SourceFile | undefined, name: string): VariableDeclaration | undefined {
  const aliases = (file?.getExportDeclarations() ?? []).flatMap((declaration) => declaration.getNamedExports());
  const alias = aliases.find((specifier) => specifier.getAliasNode()?.getText() === name);
  return file?.getVariableDeclaration(alias?.getName() ?? name);
}

/** The declarations in other files to which the member of a key refers: its handler, or its group and the handlers of the group. */
export function declarationsOf(literal: ObjectLiteralExpression, key: string): readonly Node[] {
  const member = memberOf(literal, key);
  const property = propertyOf(literal, key);
  const isGroup =
    member.kind === "literal" && property !== undefined && member.literal.getAncestors().includes(property);
  const declaration = property === undefined || isGroup ? undefined : declarationOf(property);
  const file = declaration?.getSourceFile();
  const isElsewhere = file !== undefined && file !== literal.getSourceFile() && !file.isDeclarationFile();
  const innerDeclarations =
    member.kind === "literal"
      ? membersOf(member.literal).flatMap((member) => declarationsOf(member.literal, member.key))
      : [];
  return [...new Set([...(declaration !== undefined && isElsewhere ? [declaration] : []), ...innerDeclarations])];
}

/** Whether a file exports only this declaration, so that the file can be deleted with it. */
export function isOnlyExport(declaration: Node): boolean {
  const exportedDeclarations = [...declaration.getSourceFile().getExportedDeclarations().values()].flat();
  return exportedDeclarations.length > 0 && exportedDeclarations.every((exported) => exported === declaration);
}

/**
 * The `export` declarations that no longer compile without a declaration: those that export it from its file, or from a file that
 * exports it again.
 */
export function reExportsOf(declaration: Node): readonly Node[] {
  const declaringFile = declaration.getSourceFile();
  const [exportedName = ""] =
    [...declaringFile.getExportedDeclarations()].find(([, nodes]) => nodes.some((node) => node === declaration)) ?? [];
  const isOnly = isOnlyExport(declaration);
  const projectFiles = declaringFile.getProject().getSourceFiles();
  const exportDeclarations = projectFiles.flatMap((sourceFile) => sourceFile.getExportDeclarations());
  const foundNodes = new Set<Node>();
  const visitedFiles = new Set<string>();
  const follow = (file: SourceFile, name: string): void => {
    const key = `${file.getFilePath()} ${name}`;
    if (visitedFiles.has(key)) {
      return;
    }
    visitedFiles.add(key);
    for (const exportDeclaration of exportDeclarations.filter((other) => exportingFile(other, name) === file)) {
      const specifiers = exportDeclaration.getNamedExports().filter((specifier) => importedNameOf(specifier) === name);
      const isStar = exportDeclaration.getNamedExports().length === 0;
      if (specifiers.length > 0 || (isStar && isOnly && file === declaringFile)) {
        foundNodes.add(exportDeclaration);
      }
      const exportedNames = specifiers.map((specifier) => specifier.getAliasNode()?.getText() ?? specifier.getName());
      for (const next of isStar ? [name] : exportedNames) {
        follow(exportDeclaration.getSourceFile(), next);
      }
    }
  };
  follow(declaringFile, exportedName);
  return [...foundNodes];
}

/** The file from which a declaration exports: the one that it names, or the one from which the names are imported. */
function exportingFile(declaration: ExportDeclaration, name: string): SourceFile | undefined {
  if (declaration.hasModuleSpecifier()) {
    return declaration.getModuleSpecifierSourceFile();
  }
  const specifier = declaration.getNamedExports().find((namedExport) => importedNameOf(namedExport) === name);
  return (
    specifier && importOf(declaration.getSourceFile(), specifier.getName())?.declaration.getModuleSpecifierSourceFile()
  );
}

/** The name under which the other file exports what a specifier exports again. */
function importedNameOf(specifier: ExportSpecifier): string {
  const name = specifier.getName();
  return specifier.getExportDeclaration().hasModuleSpecifier()
    ? name
    : (importOf(specifier.getSourceFile(), name)?.name ?? name);
}

/** The value of a key in an object literal. */
export type Member =
  | { readonly kind: "missing" }
  | { readonly kind: "literal"; readonly literal: ObjectLiteralExpression }
  | UnreadMember
  /** A function, or any other expression in the user's code. */
  | { readonly kind: "other"; readonly node: Node };

/** A value that is imported from a file that was not read: a file outside the server's folder, a JavaScript file, or a missing file. */
export interface UnreadMember {
  readonly kind: "unread";
  /** The import. */
  readonly node: Node;
  readonly specifier: string;
  /** The path of the file relative to the server's folder: `src/stock/put.ts`; `../lib/put.ts` for a file outside. */
  readonly file: string;
  /** The name under which the file exports the value. */
  readonly constant: string;
}

/** Finds the value of a key. If it is the name of a variable, in this file or an imported one, the variable's value is returned. */
export function memberOf(literal: ObjectLiteralExpression, key: string): Member {
  const property = membersOf(literal).find((member) => member.key === key)?.node;
  if (property === undefined) {
    return { kind: "missing" };
  }
  if (Node.isShorthandPropertyAssignment(property)) {
    return valueOfName(property, property.getName());
  }
  if (!Node.isPropertyAssignment(property)) {
    return { kind: "other", node: property };
  }
  const initializer = unwrapped(property.getInitializer());
  if (Node.isObjectLiteralExpression(initializer)) {
    return { kind: "literal", literal: initializer };
  }
  return Node.isIdentifier(initializer)
    ? valueOfName(property, initializer.getText())
    : { kind: "other", node: property };
}

/** The extensions of files from which a server may import handlers. */
const codeExtensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

/**
 * Whether a file in a server's folder is missing, both as TypeScript and as JavaScript. False for a file outside the folder, which is not
 * read.
 */
export function isDeleted(path: string, files: ReadonlyMap<string, string>): boolean {
  const base = path.replace(/\.[cm]?[jt]sx?$/, "");
  const candidates = [path, ...codeExtensions.map((extension) => `${base}${extension}`)];
  return !path.startsWith("../") && !candidates.some((candidate) => files.has(candidate));
}

/** Whether a literal spreads an object that is not found, so that it is unknown whether a key is missing. */
export function hasUnknownSpread(literal: ObjectLiteralExpression): boolean {
  const spreads = literal.getProperties().filter(Node.isSpreadAssignment);
  return spreads.some((spread) => {
    const object = spreadLiteral(spread);
    return object === undefined || hasUnknownSpread(object);
  });
}

/** A member of a literal, and the literal in which it is written, which may be one that the first literal spreads. */
interface LiteralMember {
  readonly key: string;
  readonly node: Node;
  readonly literal: ObjectLiteralExpression;
}

/** The members of a literal, and the members of the objects that it spreads, if they are found. */
export function membersOf(literal: ObjectLiteralExpression): readonly LiteralMember[] {
  return literal.getProperties().flatMap((property): readonly LiteralMember[] => {
    if (!Node.isSpreadAssignment(property)) {
      return [{ key: keyOf(property) ?? "", node: property, literal }];
    }
    const object = spreadLiteral(property);
    return object === undefined ? [] : membersOf(object);
  });
}

/**
 * Returns the literal to which a new member is added: a literal that this one spreads and that is declared with the type, otherwise this
 * literal.
 */
export function extensibleLiteral(literal: ObjectLiteralExpression, type: string): ObjectLiteralExpression {
  const objects = literal
    .getProperties()
    .map((property) => (Node.isSpreadAssignment(property) ? spreadLiteral(property) : undefined));
  const typeOf = (object: Node) => object.getFirstAncestorByKind(SyntaxKind.VariableDeclaration)?.getTypeNode();
  return (
    objects.find((candidate) => candidate && typeOf(candidate)?.getText().replaceAll("'", '"') === type) ?? literal
  );
}

/** The object literal that a spread adds: `{…}` of `const quotes = {…}` for `...quotes`. Undefined if the literal contains the spread. */
function spreadLiteral(spread: SpreadAssignment): ObjectLiteralExpression | undefined {
  const expression = unwrapped(spread.getExpression());
  if (Node.isObjectLiteralExpression(expression)) {
    return expression;
  }
  const value = Node.isIdentifier(expression) ? valueOfName(spread, expression.getText()) : undefined;
  return value?.kind === "literal" && !spread.getAncestors().includes(value.literal) ? value.literal : undefined;
}

function keyOf(property: Node): string | undefined {
  const hasName =
    Node.isPropertyAssignment(property) ||
    Node.isShorthandPropertyAssignment(property) ||
    Node.isMethodDeclaration(property);
  if (!hasName) {
    return undefined;
  }
  const name = property.getNameNode();
  return Node.isStringLiteral(name) ? name.getLiteralText() : name.getText();
}

function valueOfName(property: Node, name: string): Member {
  const file = property.getSourceFile();
  const imported = importOf(file, name);
  const specifier = imported?.declaration.getModuleSpecifierValue() ?? "";
  if (imported !== undefined && specifier.startsWith(".")) {
    const { declaration, name: constant } = imported;
    if (declaration.getModuleSpecifierSourceFile() === undefined) {
      const folder = posix.dirname(file.getFilePath().slice(1));
      const path = posix.join(folder, specifier).replace(/\.js$/, ".ts");
      return { kind: "unread", node: declaration, specifier, file: path, constant };
    }
  }
  const variable = variableOf(file, name);
  const value = unwrapped(variable?.getInitializer());
  if (Node.isObjectLiteralExpression(value)) {
    return { kind: "literal", literal: value };
  }
  return { kind: "other", node: variable ?? property };
}

/** The file and line of a node: `src/vehicle/handlers.ts:12`. */
export function positionOf(node: Node): string {
  return `${node.getSourceFile().getFilePath().slice(1)}:${node.getStartLineNumber()}`;
}
