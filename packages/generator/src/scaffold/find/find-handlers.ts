import { posix } from "node:path";
import { Node, type SourceFile, SyntaxKind } from "ts-morph";
import type { HandlerTree } from "../handler-tree.js";
import { findWrittenType, listDenotedTypes, listImplementedTypes, maxAliasDepth } from "./handler-types.js";
import {
  findObject,
  findReturnedObject,
  type HandlerClass,
  type HandlerObject,
  isClass,
  isFunction,
  listMembers,
  readMember,
} from "./read-members.js";
import {
  findReferencedNode,
  isFreezeCall,
  isNameOf,
  isTypeWrapper,
  isWrapper,
  refersToType,
  unwrapExpression,
} from "./resolve-names.js";

// Finds the object literal or the class with all handlers in the user's code.

/** The type of all handlers of an interface or a service, and the function that turns them into routes. */
export interface HandlersType {
  readonly type: string;
  readonly routes: string;
  /** All handlers and groups. Their keys distinguish the object with the handlers from other arguments. */
  readonly root?: { readonly children: readonly { readonly key: string }[] };
  /** The keys of handlers and groups that were removed since the last merge, but that the object may still have. */
  readonly removedKeys?: readonly string[];
}

/**
 * Finds the object with all handlers: the argument of the function that turns them into routes. If the argument cannot
 * be found, finds a value with the type of the handlers: a variable, the result of a function, or a class that
 * implements the type.
 */
export function findHandlersObject(
  files: readonly SourceFile[],
  { type, routes, root, removedKeys = [] }: HandlersType,
): HandlerObject | undefined {
  const keys = new Set([...(root?.children ?? []).map(({ key }) => key), ...removedKeys]);
  const passedObject = findFirst(listFilesWith(files, routes), (file) =>
    findFirst(file.getDescendantsOfKind(SyntaxKind.CallExpression), (call) =>
      isNameOf(call.getExpression().getText(), routes, file)
        ? findObjectOrArgument(call.getArguments()[0], keys)
        : undefined,
    ),
  );
  if (passedObject !== undefined) {
    return passedObject;
  }
  // The type may have an alias, so that the file with the handlers does not contain its name.
  return findTypedObjectIn(listFilesWith(files, type), type, keys) ?? findTypedObjectIn(files, type, keys);
}

/**
 * Finds the object to which an expression refers. If the expression is a call whose result is not known, such as
 * `withAudit({ … })`, finds the object among the arguments: the only one whose members are all handlers.
 */
function findObjectOrArgument(
  expression: Node | undefined,
  keys: ReadonlySet<string>,
  depth = 0,
): HandlerObject | undefined {
  const object = findObject(expression);
  const value = unwrapExpression(expression);
  if (object !== undefined || value === undefined || depth > maxAliasDepth) {
    return object;
  }
  if (!Node.isCallExpression(value)) {
    const declaration = findReferencedNode(value);
    return Node.isVariableDeclaration(declaration)
      ? findObjectOrArgument(declaration.getInitializer(), keys, depth + 1)
      : undefined;
  }
  const found = value.getArguments().map((argument) => findObjectOrArgument(argument, keys, depth + 1));
  const [candidate, ...others] = found.filter((argument) => argument !== undefined && hasHandlers(argument, keys));
  // `Object.assign` copies the members of all arguments, so that handlers may be in any of them.
  const isCopied =
    value.getExpression().getText() === "Object.assign" &&
    found.some((argument) => argument === undefined || (argument !== candidate && !isEmpty(argument)));
  const isOnlyObject = others.length === 0 && !isCopied && Node.isObjectLiteralExpression(candidate);
  return isOnlyObject && listMembers(candidate).every(({ key }) => keys.has(key)) ? candidate : undefined;
}

function hasHandlers(object: HandlerObject, keys: ReadonlySet<string>): boolean {
  return listMembers(object).some(({ key }) => keys.has(key));
}

function isEmpty(object: HandlerObject): boolean {
  return Node.isObjectLiteralExpression(object) && object.getProperties().length === 0;
}

/** The files of tests, whose objects are not the handlers of the server. */
const testFile = /(?:^|\/)(?:__)?tests?(?:__)?\/|[.-](?:test|spec)\.[cm]?[jt]sx?$/;

function findTypedObjectIn(
  files: readonly SourceFile[],
  type: string,
  keys: ReadonlySet<string>,
): HandlerObject | undefined {
  const typedObjects = files
    .filter((file) => !testFile.test(file.getFilePath()))
    .flatMap((file) => file.getDescendants())
    .flatMap((node) => findTypedObject(node, type, keys) ?? []);
  return typedObjects.find(Node.isObjectLiteralExpression) ?? typedObjects[0];
}

/** Returns the object with handlers that a node declares, if the declaration has the type of the handlers. */
function findTypedObject(node: Node, type: string, keys: ReadonlySet<string>): HandlerObject | undefined {
  if (isClass(node)) {
    return implementsType(node, type) ? node : undefined;
  }
  if (Node.isVariableDeclaration(node)) {
    const value = node.getInitializer();
    return denotesType(findWrittenType(node), type) || satisfiesType(value, type)
      ? findObjectOrArgument(value, keys)
      : undefined;
  }
  return isFunction(node) && denotesType(node.getReturnTypeNode(), type) ? findReturnedObject(node) : undefined;
}

/**
 * Whether a type in the user's code denotes the given type, possibly through an alias. A part of the type, such as
 * `Partial<VehicleHandlers>`, is not the type of all handlers.
 */
function denotesType(node: Node | undefined, type: string, depth = 0): boolean {
  const expression = Node.isExpressionWithTypeArguments(node) ? node.getExpression() : node;
  return (
    expression !== undefined &&
    (refersToType(expression, type) ||
      (depth < maxAliasDepth &&
        listDenotedTypes(expression.getSourceFile(), expression.getText()).some((denoted) =>
          denotesType(denoted, type, depth + 1),
        )))
  );
}

function satisfiesType(node: Node | undefined, type: string): boolean {
  if (isFreezeCall(node)) {
    return satisfiesType(node.getArguments()[0], type);
  }
  const isTyped = isTypeWrapper(node) && denotesType(node.getTypeNode(), type);
  return isTyped || (isWrapper(node) && satisfiesType(node.getExpression(), type));
}

function implementsType(handlerClass: HandlerClass, type: string): boolean {
  return listImplementedTypes(handlerClass).some(
    ({ node, importedName }) => importedName === type || denotesType(node, type),
  );
}

/**
 * Returns the folder for new handler files: the default folder, or the folder to which the user moved the object with
 * the handlers, or a new folder beside it.
 */
export function getHandlerFolder(files: readonly SourceFile[], folder: string, handlers: HandlerObject): string {
  const path = handlers.getSourceFile().getFilePath().slice(1);
  const userFolder = posix.dirname(path);
  if (files.some((file) => file.getFilePath().startsWith(`/${folder}/`))) {
    return folder;
  }
  if (/^.+\/.+\/handlers\.\w+$/.test(path)) {
    return userFolder;
  }
  const codeFolder = posix.dirname(folder);
  return path.startsWith(`${codeFolder}/`) && userFolder !== codeFolder
    ? userFolder
    : posix.join(userFolder, posix.basename(folder));
}

/**
 * Finds the object at a path in the object with all handlers. Callers must find it again after each edit, because an
 * edit invalidates the nodes of ts-morph.
 */
export function findObjectAt(
  files: readonly SourceFile[],
  type: HandlersType | HandlerTree,
  path: readonly string[],
): HandlerObject | undefined {
  const located = "prefix" in type ? locateHandlers(files, type, path) : { tree: type, path };
  let object = findHandlersObject(files, located.tree);
  for (const key of located.path) {
    const member = object && readMember(object, key);
    object = member?.kind === "object" ? member.object : undefined;
  }
  return object;
}

/**
 * Returns the tree that contains the handlers at a path, and their path in it. If each service has an object of its
 * own, the tree is that of a service, with the folder of this object.
 */
export function locateHandlers(
  files: readonly SourceFile[],
  tree: HandlerTree,
  path: readonly string[],
): { readonly tree: HandlerTree; readonly path: readonly string[] } {
  const [serviceKey, ...remainingPath] = path;
  const services = serviceKey === undefined ? [] : listServiceTrees(tree);
  const service = services.find(({ root }) => root.key === serviceKey);
  const object =
    service !== undefined && findHandlersObject(files, tree) === undefined
      ? findHandlersObject(files, service)
      : undefined;
  return service === undefined || object === undefined
    ? { tree, path }
    : { tree: { ...service, folder: object.getSourceFile().getDirectoryPath().slice(1) }, path: remainingPath };
}

/**
 * Finds the object that declares the member at a path: the object of the group, or an object that the group's object
 * spreads or inherits from.
 */
export function findObjectWith(
  files: readonly SourceFile[],
  type: HandlersType | HandlerTree,
  path: readonly string[],
): HandlerObject | undefined {
  const group = findObjectAt(files, type, path.slice(0, -1));
  return group && listMembers(group).find(({ key }) => key === path.at(-1))?.object;
}

/** Returns a tree for each service of an interface, for handlers in a separate object for each service. */
export function listServiceTrees(tree: HandlerTree): readonly HandlerTree[] {
  return tree.root.children.flatMap((group): readonly HandlerTree[] =>
    group.kind === "group" && group.service !== undefined
      ? [{ ...tree, ...group.service, root: group, prefix: [...tree.prefix, group.key] }]
      : [],
  );
}

/** Returns the files that contain a text, except those of tests. */
export function listServerFilesWith(files: readonly SourceFile[], text: string): readonly SourceFile[] {
  return listFilesWith(files, text).filter((file) => !testFile.test(file.getFilePath()));
}

/** Returns the files that contain a text. */
export function listFilesWith(files: readonly SourceFile[], text: string): readonly SourceFile[] {
  return files.filter((file) => file.getFullText().includes(text));
}

/** Returns the first result that is not undefined. */
export function findFirst<T, R>(items: readonly T[], findIn: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = findIn(item);
    if (result !== undefined) {
      return result;
    }
  }
  return undefined;
}
