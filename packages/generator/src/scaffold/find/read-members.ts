import { posix } from "node:path";
import {
  type ArrowFunction,
  type ClassDeclaration,
  type ClassExpression,
  type FunctionDeclaration,
  type FunctionExpression,
  type MethodDeclaration,
  Node,
  type ObjectLiteralExpression,
  type PropertyDeclaration,
  type SourceFile,
  type SpreadAssignment,
  SyntaxKind,
  type VariableDeclaration,
} from "ts-morph";
import { isJavaScript } from "../handler-files.js";
import {
  cacheUntilEdited,
  findExport,
  findImport,
  findImportedSource,
  findReferencedNode,
  findRequiredValue,
  isFreezeCall,
  isWrapper,
  listExportedNames,
  resolveName,
  unwrapExpression,
} from "./resolve-names.js";

// Reads the members of the objects and classes that contain handlers.

/** A class whose members are handlers. */
export type HandlerClass = ClassDeclaration | ClassExpression;

/** An object literal or a class whose members are handlers. */
export type HandlerObject = ObjectLiteralExpression | HandlerClass;

/** Returns the expression whose value a member has: `mine` in `find: mine` and in `handlers.find = mine`. */
export function getValue(member: Node): Node | undefined {
  if (Node.isBinaryExpression(member)) {
    return member.getRight();
  }
  if (Node.isPropertyDeclaration(member) && member.getInitializer() === undefined) {
    return findConstructorValue(member);
  }
  const hasValue = Node.isPropertyAssignment(member) || Node.isPropertyDeclaration(member);
  // A variable is a member of an object that spreads the exports of its file.
  return hasValue || Node.isVariableDeclaration(member) ? member.getInitializer() : undefined;
}

/** Returns the only value that the constructor of a class assigns to a property: that of `this.reg = …`. */
function findConstructorValue(property: PropertyDeclaration): Node | undefined {
  const handlerClass = property.getParent();
  const [assignment, ...others] = handlerClass
    .getConstructors()
    .flatMap((constructorNode) => constructorNode.getDescendantsOfKind(SyntaxKind.BinaryExpression))
    .filter(({ compilerNode }) => compilerNode.operatorToken.kind === SyntaxKind.EqualsToken)
    .filter((node) => node.getLeft().getText() === `this.${property.getName()}`);
  return others.length === 0 ? assignment?.getRight() : undefined;
}

export function isClass(node: Node): node is HandlerClass {
  return Node.isClassDeclaration(node) || Node.isClassExpression(node);
}

export function isHandlerObject(node: Node): node is HandlerObject {
  return Node.isObjectLiteralExpression(node) || isClass(node);
}

type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunction | MethodDeclaration;

/** Whether a node is a function or a method with a body. */
export function isFunction(node: Node): node is FunctionNode {
  return (
    Node.isFunctionDeclaration(node) ||
    Node.isFunctionExpression(node) ||
    Node.isArrowFunction(node) ||
    Node.isMethodDeclaration(node)
  );
}

/**
 * Finds the object to which an expression refers, directly or through a variable: an object literal, the class of an
 * instance, or the result of a function.
 */
export function findObject(expression: Node | undefined, visited: readonly Node[] = []): HandlerObject | undefined {
  const value = unwrapExpression(expression);
  if (value === undefined || Node.isObjectLiteralExpression(value)) {
    return value;
  }
  const owner = Node.isPropertyAccessExpression(value) ? findObject(value.getExpression(), visited) : undefined;
  if (owner !== undefined && Node.isPropertyAccessExpression(value)) {
    const member = readMember(owner, value.getName());
    return member.kind === "object" ? member.object : undefined;
  }
  const required = findRequiredValue(value);
  if (required !== undefined) {
    const isRead = visited.includes(required) || !Node.isExpression(required);
    return isRead ? undefined : findObject(required, [...visited, required]);
  }
  const isNew = Node.isNewExpression(value);
  const isCall = Node.isCallExpression(value);
  const declaration = findReferencedNode(isNew || isCall ? value.getExpression() : value);
  if (declaration === undefined || visited.includes(declaration)) {
    return undefined;
  }
  const nodes = [...visited, declaration];
  const variableValue = Node.isVariableDeclaration(declaration)
    ? unwrapExpression(declaration.getInitializer())
    : declaration;
  if (isNew) {
    return variableValue !== undefined && isClass(variableValue) ? variableValue : undefined;
  }
  if (isCall) {
    return variableValue !== undefined && isFunction(variableValue)
      ? findReturnedObject(variableValue, nodes)
      : undefined;
  }
  return Node.isExpression(variableValue) ? findObject(variableValue, nodes) : undefined;
}

/** Returns the object in the final `return` of a function. */
export function findReturnedObject(node: FunctionNode, visited: readonly Node[] = []): HandlerObject | undefined {
  const body = node.getBody();
  const returnedExpression = Node.isBlock(body)
    ? body.getStatements().findLast(Node.isReturnStatement)?.getExpression()
    : body;
  return findObject(returnedExpression, visited);
}

/** Returns the file from which the handler of a key is imported; undefined if the handler is not imported. */
export function findHandlerFile(object: HandlerObject, key: string): string | undefined {
  return findImportedFile(object, key)?.getFilePath().slice(1);
}

/** Finds the file from which the handler of a member is imported. Undefined for handlers of other forms. */
export function findImportedFile(object: HandlerObject, key: string): SourceFile | undefined {
  const name = findHandlerName(object, key);
  const foundImport = name === undefined ? undefined : findImport(object.getSourceFile(), name);
  return foundImport && findImportedSource(foundImport.declaration);
}

/** Returns the member that an object declares with a key, ignoring members that it spreads or inherits. */
export function findProperty(object: HandlerObject, key: string): Node | undefined {
  const members = isClass(object) ? object.getInstanceMembers() : object.getProperties();
  return members.find((member) => findKey(member) === key);
}

/** Returns the name of the variable that is the handler of a key: `mexico` in `checkMexico: mexico`. */
export function findHandlerName(object: HandlerObject, key: string): string | undefined {
  const property = findProperty(object, key);
  const hasValue = Node.isPropertyAssignment(property) || Node.isPropertyDeclaration(property);
  const initializer = hasValue ? property.getInitializer() : undefined;
  if (Node.isShorthandPropertyAssignment(property)) {
    return property.getName();
  }
  return Node.isIdentifier(initializer) ? initializer.getText() : undefined;
}

/** Finds the variable to which the handler of a member refers by name. Undefined for handlers of other forms. */
export function findHandlerVariable(object: HandlerObject, key: string): VariableDeclaration | undefined {
  const name = findHandlerName(object, key);
  const declaration = name === undefined ? undefined : resolveName(object, name);
  return Node.isVariableDeclaration(declaration) ? declaration : undefined;
}

/** The value that an object has for a key. */
export type Member =
  | { readonly kind: "missing" }
  /** A group of handlers. */
  | { readonly kind: "object"; readonly object: HandlerObject }
  | UnreadMember
  /** A function, or any expression in the user's code that is not an object. */
  | { readonly kind: "other"; readonly node: Node };

/**
 * A value imported from a file that was not read: the file is outside the folder of the server's code, or does not
 * exist.
 */
export interface UnreadMember {
  readonly kind: "unread";
  /** The import of the value. */
  readonly node: Node;
  readonly specifier: string;
  /**
   * The path of the file relative to the server's folder: `src/stock/put.ts`, or `../lib/put.ts` for a file outside
   * that folder.
   */
  readonly file: string;
  /** The name under which the file exports the value. */
  readonly constant: string;
}

/**
 * Finds the value of a key. If the value is a variable of this file or an imported file, returns the variable's value.
 */
export function readMember(object: HandlerObject, key: string): Member {
  const property = listMembers(object).find((member) => member.key === key)?.node;
  if (property === undefined) {
    return { kind: "missing" };
  }
  if (Node.isShorthandPropertyAssignment(property)) {
    return findValueOfName(property, property.getName());
  }
  const expression = getValue(property);
  if (expression === undefined) {
    return { kind: "other", node: property };
  }
  const initializer = unwrapExpression(expression);
  if (Node.isIdentifier(initializer)) {
    return findValueOfName(property, initializer.getText());
  }
  const value = findObject(initializer);
  return value === undefined ? { kind: "other", node: property } : { kind: "object", object: value };
}

/** The extensions of files from which a server may import handlers. */
const codeExtensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

/**
 * Whether a file in a server's folder exists neither as TypeScript nor as JavaScript. False for a file outside the
 * folder, because such files are not read.
 */
export function isDeleted(path: string, files: ReadonlyMap<string, string>): boolean {
  const base = path.replace(/\.[cm]?[jt]sx?$/, "");
  const candidates = [path, ...codeExtensions.map((extension) => `${base}${extension}`)];
  return !path.startsWith("../") && !candidates.some((candidate) => files.has(candidate));
}

/**
 * Whether some members of an object are unknown, because a spread object or an extended class was not found, or because
 * the names of some members are the values of expressions.
 */
export function hasUnknownMembers(object: HandlerObject): boolean {
  if (isClass(object)) {
    return listClasses(object).at(-1)?.getExtends() !== undefined;
  }
  const isUnknown = ({ key, node }: { readonly key: string | undefined; readonly node: Node }) =>
    Node.isSpreadAssignment(node) ? hasUnknownSpread(node) : key === undefined && !hasSymbolKey(node);
  return readProperties(object).some(isUnknown) || readAssignments(object).some(({ key }) => key === undefined);
}

/** Returns the spreads of an object literal that add unknown members. */
export function listUnknownSpreads(object: ObjectLiteralExpression): readonly SpreadAssignment[] {
  return object.getProperties().filter(Node.isSpreadAssignment).filter(hasUnknownSpread);
}

function hasUnknownSpread(spread: SpreadAssignment): boolean {
  const value = findSpreadObject(spread);
  return value === undefined ? !listExportedNames(findSpreadNamespace(spread)).isComplete : hasUnknownMembers(value);
}

/** Whether the name of a property is a symbol, which no handler has: `[Symbol.dispose]`. */
function hasSymbolKey(property: Node): boolean {
  return Node.isPropertyNamed(property) && /^\[\s*Symbol\b/.test(property.getName());
}

/** Returns a class and the classes that it extends, except those that cannot be found. */
function listClasses(handlerClass: HandlerClass): readonly HandlerClass[] {
  const classes: HandlerClass[] = [];
  let next: Node | undefined = handlerClass;
  while (next !== undefined && isClass(next) && !classes.includes(next)) {
    classes.push(next);
    const base: Node | undefined = next.getExtends()?.getExpression();
    next = base && findReferencedNode(base);
  }
  return classes;
}

/** A member of an object, and the object that declares it: the same object, or an object that it spreads or extends. */
export interface ObjectMember {
  readonly key: string;
  readonly node: Node;
  readonly object: HandlerObject;
}

/** Returns the members of an object, including those that it spreads or inherits, if these can be found. */
export function listMembers(object: HandlerObject): readonly ObjectMember[] {
  if (isClass(object)) {
    return listClasses(object).flatMap((classDeclaration) =>
      classDeclaration.getInstanceMembers().flatMap((node) => {
        const key = findKey(node);
        return key === undefined ? [] : { key, node, object: classDeclaration };
      }),
    );
  }
  const members = readProperties(object).flatMap(({ key, node }): ObjectMember | readonly ObjectMember[] => {
    if (Node.isSpreadAssignment(node)) {
      const value = findSpreadObject(node);
      const namespace = value === undefined ? findSpreadNamespace(node) : undefined;
      return value === undefined ? listExportedMembers(object, namespace) : listMembers(value);
    }
    return key === undefined ? [] : { key, node, object };
  });
  const assigned = readAssignments(object).flatMap(({ key, node }) => (key === undefined ? [] : { key, node, object }));
  return [...members, ...assigned];
}

/** The properties of an object literal. A spread, and a property with a computed name, have no key. */
const readProperties = cacheUntilEdited((object: ObjectLiteralExpression) =>
  object.getProperties().map((node) => ({ key: findKey(node), node })),
);

/** Returns the file whose exports a spread adds: that of `import * as quotes` for `...quotes`. */
function findSpreadNamespace(spread: SpreadAssignment): SourceFile | undefined {
  const name = spread.getExpression().getText();
  const declaration = spread
    .getSourceFile()
    .getImportDeclaration((other) => other.getNamespaceImport()?.getText() === name);
  return declaration && findImportedSource(declaration);
}

/** Returns the exports of a file as members of the object that spreads them. */
function listExportedMembers(object: ObjectLiteralExpression, file: SourceFile | undefined): readonly ObjectMember[] {
  const { names } = listExportedNames(file);
  return [...names].flatMap((key) => {
    const node = findExport(file, key);
    return node === undefined ? [] : [{ key, node, object }];
  });
}

/**
 * Returns the code after an object literal that assigns members to it: `handlers.getQuote = …`. The key is undefined if
 * it is not known, as in `handlers[name] = …` and `Object.assign(handlers, …)`.
 */
const readAssignments = cacheUntilEdited(
  (object: ObjectLiteralExpression): readonly { readonly key: string | undefined; readonly node: Node }[] => {
    const path: string[] = [];
    let owner = findOwner(object);
    while (Node.isPropertyAssignment(owner)) {
      path.unshift(findKey(owner) ?? "");
      owner = findOwner(owner.getParentOrThrow());
    }
    if (!Node.isVariableDeclaration(owner)) {
      return [];
    }
    const [variable, name, file] = [owner, owner.getName(), owner.getSourceFile()];
    const isUsed = file.getFullText().split(name).length > 2;
    const uses = isUsed ? file.getDescendantsOfKind(SyntaxKind.Identifier).filter((use) => use.getText() === name) : [];
    return uses
      .filter((use) => resolveName(use, name) === variable)
      .flatMap((use) => {
        let value: Node | undefined = wrapExpression(use);
        for (const key of path) {
          const access = value?.getParent();
          value = access !== undefined && readAccess(access, value) === key ? wrapExpression(access) : undefined;
        }
        return value === undefined ? [] : readAssignment(value);
      });
  },
);

/** Reads the code that assigns a member to a value, or all members of other objects. */
function readAssignment(value: Node): readonly { readonly key: string | undefined; readonly node: Node }[] {
  const parent = value.getParent();
  if (Node.isCallExpression(parent)) {
    const isChanged = /^(?:Object\.(?:assign|definePropert(?:y|ies))|Reflect\.(?:set|defineProperty))$/.test(
      parent.getExpression().getText(),
    );
    return isChanged && parent.getArguments()[0] === value ? [{ key: undefined, node: parent }] : [];
  }
  const isAccess =
    (Node.isPropertyAccessExpression(parent) || Node.isElementAccessExpression(parent)) &&
    parent.getExpression() === value;
  const target = isAccess ? wrapExpression(parent) : undefined;
  const assignment = target?.getParent();
  return isAccess &&
    Node.isBinaryExpression(assignment) &&
    assignment.getLeft() === target &&
    /^(?:=|\?\?=|\|\|=)$/.test(assignment.getOperatorToken().getText())
    ? [{ key: readAccess(parent, value), node: assignment }]
    : [];
}

/** Returns the key that code such as `value.key` or `value["key"]` selects from a value. */
function readAccess(access: Node, value: Node | undefined): string | undefined {
  if (Node.isPropertyAccessExpression(access)) {
    return access.getExpression() === value ? access.getName() : undefined;
  }
  const argument =
    Node.isElementAccessExpression(access) && access.getExpression() === value
      ? access.getArgumentExpression()
      : undefined;
  return Node.isStringLiteral(argument) ? argument.getLiteralText() : undefined;
}

/** Returns an expression with the parentheses and types around it. */
function wrapExpression(node: Node): Node {
  const parent = node.getParent();
  return parent !== undefined && (isWrapper(parent) || Node.isNonNullExpression(parent))
    ? wrapExpression(parent)
    : node;
}

/** Returns the declaration or the property whose value an object literal is. */
function findOwner(object: Node): Node | undefined {
  const parent = wrapExpression(object).getParent();
  return isFreezeCall(parent) ? findOwner(parent) : parent;
}

/**
 * Returns the object literal that a spread adds: `{…}` of `const quotes = {…}` for `...quotes`. Undefined if that
 * literal contains the spread.
 */
export function findSpreadObject(spread: SpreadAssignment): ObjectLiteralExpression | undefined {
  const value = findObject(spread.getExpression());
  return Node.isObjectLiteralExpression(value) && !spread.getAncestors().includes(value) ? value : undefined;
}

function findKey(property: Node): string | undefined {
  const hasKey =
    Node.isPropertyNamed(property) ||
    Node.isShorthandPropertyAssignment(property) ||
    Node.isParameterDeclaration(property);
  const nameNode = hasKey ? property.getNameNode() : undefined;
  const name = Node.isComputedPropertyName(nameNode) ? nameNode.getExpression() : nameNode;
  if (name !== nameNode && !Node.isStringLiteral(name)) {
    return undefined;
  }
  return Node.isStringLiteral(name) ? name.getLiteralText() : name?.getText();
}

function findValueOfName(property: Node, name: string): Member {
  const file = property.getSourceFile();
  const foundImport = findImport(file, name);
  const specifier = foundImport?.declaration.getModuleSpecifierValue() ?? "";
  if (foundImport !== undefined && specifier.startsWith(".")) {
    const { declaration, name: constant } = foundImport;
    if (findImportedSource(declaration) === undefined) {
      const folder = posix.dirname(file.getFilePath().slice(1));
      const path = findSourcePath(posix.join(folder, specifier), file.getExtension());
      return { kind: "unread", node: declaration, specifier, file: path, constant };
    }
  }
  const declaration = resolveName(property, name);
  const initializer = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : declaration;
  const value = Node.isExpression(initializer) ? findObject(initializer, [initializer]) : undefined;
  return value === undefined ? { kind: "other", node: declaration ?? property } : { kind: "object", object: value };
}

/** Returns the path of the source to which an import refers, in the language of the file with the import. */
function findSourcePath(path: string, importerExtension: string): string {
  const isInJavaScript = isJavaScript(importerExtension);
  const isComplete = /\.[cm]?[jt]sx?$/.test(path);
  return isComplete ? (isInJavaScript ? path : path.replace(/\.([cm]?)js$/, ".$1ts")) : `${path}${importerExtension}`;
}
