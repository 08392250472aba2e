import { Node, type SourceFile, SyntaxKind } from "ts-morph";
import {
  findObject,
  findReturnedObject,
  type HandlerClass,
  type HandlerObject,
  isClass,
  isFunction,
  isNameOf,
  isWrapper,
  listMembers,
  namesType,
  readMember,
} from "./read-members.js";

// Finds the object with all handlers in the user's code: an object literal, or the class of the object.

/** The type of all handlers of an interface or a service, and the function to which they are passed. */
export interface HandlersType {
  readonly type: string;
  readonly routes: string;
}

/**
 * Finds the object with all handlers: the one that is passed to the function that makes their routes. If the call does not show it, finds
 * an object with their type: the value of a variable, the result of a function, or an instance of a class that implements the type.
 */
export function findHandlersObject(
  files: readonly SourceFile[],
  { type, routes }: HandlersType,
): HandlerObject | undefined {
  const passedObject = findFirst(listFilesWith(files, routes), (file) =>
    findFirst(file.getDescendantsOfKind(SyntaxKind.CallExpression), (call) =>
      isNameOf(call.getExpression().getText(), routes, file) ? findObject(call.getArguments()[0]) : undefined,
    ),
  );
  if (passedObject !== undefined) {
    return passedObject;
  }
  const typedObjects = listFilesWith(files, type)
    .flatMap((file) => file.getDescendants())
    .flatMap((node) => findTypedObject(node, type) ?? []);
  return typedObjects.find(Node.isObjectLiteralExpression) ?? typedObjects[0];
}

/** The object that a node declares with the type of handlers. */
function findTypedObject(node: Node, type: string): HandlerObject | undefined {
  if (isClass(node)) {
    return findImplementedType(node, type) === undefined ? undefined : node;
  }
  if (Node.isVariableDeclaration(node)) {
    const value = node.getInitializer();
    return namesType(node.getTypeNode(), type) || satisfiesType(value, type) ? findObject(value) : undefined;
  }
  return isFunction(node) && namesType(node.getReturnTypeNode(), type) ? findReturnedObject(node) : undefined;
}

function satisfiesType(node: Node | undefined, type: string): boolean {
  const isSatisfied = Node.isSatisfiesExpression(node) && namesType(node.getTypeNode(), type);
  return isSatisfied || (isWrapper(node) && satisfiesType(node.getExpression(), type));
}

/** The type of handlers that a class implements, as the class writes it: `stock.StockHandlers`. */
export function findImplementedType(handlerClass: HandlerClass, type: string): string | undefined {
  return handlerClass
    .getImplements()
    .map((implemented) => implemented.getExpression())
    .find((expression) => namesType(expression, type))
    ?.getText();
}

/** The folder of new handler files below `src`: where scaffold creates them, or where the user has moved them. */
export function getHandlerFolder(files: readonly SourceFile[], folder: string, handlers: HandlerObject): string {
  const [, userFolder] = /^\/src\/(.+)\/handlers\.ts$/.exec(handlers.getSourceFile().getFilePath()) ?? [];
  const isMoved = !files.some((file) => file.getFilePath().startsWith(`/src/${folder}/`));
  return isMoved ? (userFolder ?? folder) : folder;
}

/**
 * Finds the object at a path in the object with all handlers. It must be found again after each edit, because an edit invalidates the
 * nodes of ts-morph.
 */
export function findObjectAt(
  files: readonly SourceFile[],
  type: HandlersType,
  path: readonly string[],
): HandlerObject | undefined {
  let object = findHandlersObject(files, type);
  for (const key of path) {
    const member = object && readMember(object, key);
    object = member?.kind === "object" ? member.object : undefined;
  }
  return object;
}

/** Finds the object that contains the member at a path. The object of the group may spread it, or inherit it. */
export function findObjectWith(
  files: readonly SourceFile[],
  type: HandlersType,
  path: readonly string[],
): HandlerObject | undefined {
  const group = findObjectAt(files, type, path.slice(0, -1));
  return group && listMembers(group).find(({ key }) => key === path.at(-1))?.object;
}

/** Finds handlers whose object is not found: a variable with their type, or a function that returns their type. */
export function listUnreadHandlers(files: readonly SourceFile[], type: string): Node | undefined {
  return listFilesWith(files, type)
    .flatMap((file) => file.getDescendants())
    .find(
      (node) =>
        (Node.isVariableDeclaration(node) && namesType(node.getTypeNode(), type)) ||
        (isFunction(node) && namesType(node.getReturnTypeNode(), type)),
    );
}

function listFilesWith(files: readonly SourceFile[], text: string): readonly SourceFile[] {
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
