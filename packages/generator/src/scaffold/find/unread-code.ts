import { Node, type SourceFile, SyntaxKind } from "ts-morph";
import { type HandlerTree, listNodes } from "../handler-tree.js";
import { findFirst, type HandlersType, listFilesWith, listServerFilesWith } from "./find-handlers.js";
import { isSamePath, maxAliasDepth } from "./handler-types.js";
import {
  findObject,
  getValue,
  hasUnknownMembers,
  isClass,
  isFunction,
  isHandlerObject,
  listMembers,
  listUnknownSpreads,
  readMember,
} from "./read-members.js";
import {
  findExport,
  findNamespace,
  findOrigins,
  findParameterOwner,
  findReferencedNode,
  isNameOf,
  listExportedNames,
  refersToType,
  resolveName,
  unwrapExpression,
} from "./resolve-names.js";

// Finds the code that contains handlers but is neither an object literal nor a class, and what can be known about it.

/**
 * Finds handlers whose object was not recognized: a variable with the type of the handlers, a function that returns
 * this type, or the value that is passed to the function that makes routes.
 */
export function findUnreadHandlers(
  files: readonly SourceFile[],
  { type, routes }: Pick<HandlersType, "type" | "routes">,
): Node | undefined {
  const typedNode = listFilesWith(files, type)
    .flatMap((file) => file.getDescendants())
    .find(
      (node) =>
        (Node.isVariableDeclaration(node) && refersToType(node.getTypeNode(), type)) ||
        (isFunction(node) && refersToType(node.getReturnTypeNode(), type)),
    );
  const passedValues = listCalls(files, routes).flatMap((call) => call.getArguments().slice(0, 1));
  return typedNode ?? findFirst(passedValues, (value) => findOrigins(value)[0] ?? value);
}

/** Returns the calls of a function, such as one that makes routes, except those in tests. */
function listCalls(files: readonly SourceFile[], name: string) {
  return listServerFilesWith(files, name)
    .flatMap((file) => file.getDescendantsOfKind(SyntaxKind.CallExpression))
    .filter((call) => isNameOf(call.getExpression().getText(), name, call.getSourceFile()));
}

/**
 * Whether the server's code, except its tests, seems to have the handler of an operation. If code that can be read
 * declares the group of the handler, this group decides. Otherwise, any member or text with the name of the handler
 * counts; in a REST interface, where many handlers are called `list`, only together with the name of its group.
 */
export function declaresHandler(files: readonly SourceFile[], tree: HandlerTree, operation: string): boolean {
  const path = operation.split(".");
  const [group, key = ""] = [path.slice(0, -1), path.at(-1)];
  const siblings = new Set(
    listNodes(tree.root).flatMap((node) => (isSamePath(node.path.slice(0, -1), group) ? node.path.slice(-1) : [])),
  );
  const objects = group.length === 0 ? [] : listGroups(files, group.at(-1) ?? "", siblings);
  return objects.length === 0
    ? path.slice(tree.kind === "rest" ? -2 : -1).every((name) => declaresKey(files, name))
    : objects.some(
        (object) =>
          listMembers(object).some((member) => member.key === key) ||
          (hasUnknownMembers(object) && declaresKey(files, key)),
      );
}

/** Returns the objects and classes that are members with a key, and that have some of the siblings as members. */
function listGroups(files: readonly SourceFile[], key: string, siblings: ReadonlySet<string>) {
  return listServerFilesWith(files, key)
    .flatMap((file) => file.getDescendants())
    .filter(isHandlerObject)
    .flatMap((object) => {
      const member = readMember(object, key);
      const group = member.kind === "object" ? member.object : undefined;
      return group !== undefined && listMembers(group).some((sibling) => siblings.has(sibling.key)) ? [group] : [];
    });
}

/** Whether the server's code, except its tests, has a member or an export with a name, or contains it as a text. */
function declaresKey(files: readonly SourceFile[], key: string): boolean {
  return listServerFilesWith(files, key).some(
    (file) => listExportedNames(file).names.has(key) || containsKey(file, key),
  );
}

function containsKey(code: Node, key: string): boolean {
  return [code, ...code.getDescendants()].some((node) =>
    Node.isStringLiteral(node)
      ? node.getLiteralText() === key
      : isHandlerObject(node) && listMembers(node).some((member) => member.key === key),
  );
}

/**
 * Whether code, or a declaration of the server to which it refers, has a member with a key, or contains the key as a
 * text. Unlike `declaresHandler`, distinguishes the handlers of two services.
 */
export function refersToKey(code: Node, key: string): boolean {
  const reachedNodes = new Set([code]);
  // The loop also visits the nodes that it adds.
  for (const node of reachedNodes) {
    if (Node.isSourceFile(node) ? listExportedNames(node).names.has(key) : containsKey(node, key)) {
      return true;
    }
    for (const name of [node, ...node.getDescendants()].filter(Node.isIdentifier)) {
      const declaration = findReferencedNode(name) ?? findNamespace(name) ?? findDestructured(name);
      // The values that are passed to a function are reached with its calls, unless the code is a part of the function.
      const isInside =
        declaration === undefined && node.getAncestors().some((other) => other === findParameterOwner(name));
      const passedValues = isInside ? (listPassedValues(name) ?? []) : [];
      for (const reached of declaration === undefined ? passedValues : [declaration]) {
        reachedNodes.add(reached);
      }
    }
  }
  return false;
}

/**
 * Whether handlers may come from code that is not in the server's folder, such as another package, or from a parameter.
 * `keys` are the names of the handlers: a call with an object that has some of them probably returns these handlers.
 */
export function mayBeExternal(
  code: Node | undefined,
  keys: ReadonlySet<string>,
  visited: readonly Node[] = [],
): boolean {
  const node = unwrapExpression(code);
  if (node === undefined || visited.includes(node) || visited.length > maxAliasDepth) {
    return false;
  }
  const isExternal = (other: Node | undefined) => mayBeExternal(other, keys, [...visited, node]);
  if (Node.isImportDeclaration(node)) {
    return true;
  }
  if (Node.isObjectLiteralExpression(node)) {
    return listUnknownSpreads(node).some((spread) => isExternal(spread.getExpression()));
  }
  if (Node.isIdentifier(node)) {
    const declaration = resolveName(node, node.getText()) ?? findDestructured(node);
    return declaration === undefined
      ? !isKnownName(node) && !visited.some(isFunction) && listPassedValues(node)?.some(isExternal) !== false
      : isExternal(declaration);
  }
  if (Node.isArrayLiteralExpression(node)) {
    return node.getElements().some(isExternal);
  }
  if (Node.isPropertyAccessExpression(node) || Node.isElementAccessExpression(node) || Node.isNonNullExpression(node)) {
    return isExternal(node.getExpression());
  }
  if (Node.isConditionalExpression(node)) {
    return isExternal(node.getWhenTrue()) || isExternal(node.getWhenFalse());
  }
  if (Node.isCallExpression(node) || Node.isNewExpression(node)) {
    const passedNodes = node.getArguments();
    const hasHandlers = passedNodes
      .flatMap((argument) => findObject(argument) ?? [])
      .some((object) => listMembers(object).some(({ key }) => keys.has(key)));
    return !hasHandlers && [node.getExpression(), ...passedNodes].some(isExternal);
  }
  if (isFunction(node)) {
    const body = node.getBody();
    const statements = Node.isBlock(body) ? body.getDescendantsOfKind(SyntaxKind.ReturnStatement) : [];
    const results = statements.filter((statement) => statement.getFirstAncestor(isFunction) === node);
    return [...results.map((statement) => statement.getExpression()), ...(Node.isBlock(body) ? [] : [body])].some(
      isExternal,
    );
  }
  return isExternal(isClass(node) ? node.getExtends()?.getExpression() : getWrittenValue(node));
}

/** Returns the variable declaration whose pattern declares a name: that of `const { reg } = create()`. */
function findDestructured(name: Node): Node | undefined {
  return name
    .getSourceFile()
    .getDescendantsOfKind(SyntaxKind.BindingElement)
    .find((element) => element.getName() === name.getText())
    ?.getFirstAncestor(Node.isVariableDeclaration);
}

/** Returns the values that the server's code passes to the function with a parameter; undefined if it passes none. */
function listPassedValues(parameter: Node): readonly Node[] | undefined {
  const owner = findParameterOwner(parameter);
  const declaration = owner?.getParent();
  const name = Node.isFunctionDeclaration(owner)
    ? owner.getName()
    : Node.isVariableDeclaration(declaration)
      ? declaration.getName()
      : undefined;
  const calls = name === undefined ? [] : listCalls(parameter.getProject().getSourceFiles(), name);
  return calls.length === 0 ? undefined : calls.flatMap((call) => call.getArguments());
}

/** Returns the expression in a declaration or a member: `create()` in `reg: create()`. */
export function getWrittenValue(node: Node): Node | undefined {
  return Node.isShorthandPropertyAssignment(node) ? node.getNameNode() : getValue(node);
}

/** Whether a name is that of a file of the server that is imported as a namespace, or of a global object. */
function isKnownName(name: Node): boolean {
  return findNamespace(name) !== undefined || name.getText() in globalThis;
}

/**
 * Returns the file whose exports are the handlers in code, such as `reg: quotes` after `import * as quotes`. Undefined
 * for other code, and if some exports are unknown.
 */
export function findHandlerModule(code: Node): SourceFile | undefined {
  const value = unwrapExpression(getWrittenValue(code) ?? code);
  const file = Node.isIdentifier(value) ? findNamespace(value) : undefined;
  return listExportedNames(file).isComplete ? file : undefined;
}

/** Whether a file exports the handler at a path, or an object that has it or may have it. */
export function exportsHandler(file: SourceFile, [name = "", ...path]: readonly string[]): boolean {
  const exported = findExport(file, name);
  let object = Node.isVariableDeclaration(exported) ? findObject(exported.getInitializer(), [exported]) : undefined;
  for (const key of object === undefined ? [] : path) {
    const member = object === undefined ? undefined : readMember(object, key);
    if (object !== undefined && member?.kind === "missing" && !hasUnknownMembers(object)) {
      return false;
    }
    object = member?.kind === "object" ? member.object : undefined;
  }
  return listExportedNames(file).names.has(name);
}

/** The option `missing` of routes, with which a server need not have a handler for each operation. */
export function findMissingOption(files: readonly SourceFile[], { routes }: Pick<HandlerTree, "routes">) {
  return findFirst(listCalls(files, routes), (call) => {
    const options = findObject(call.getArguments()[1]);
    return options && listMembers(options).find(({ key }) => key === "missing")?.node;
  });
}
