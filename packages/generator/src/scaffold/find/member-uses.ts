import { Node, type SourceFile, SyntaxKind } from "ts-morph";
import type { HandlerTree } from "../handler-tree.js";
import { findObjectAt, findObjectWith } from "./find-handlers.js";
import {
  createPrefixReader,
  findHandlersPath,
  findWrittenType,
  type HandlerPaths,
  isSamePath,
} from "./handler-types.js";
import {
  findObject,
  type HandlerClass,
  type HandlerObject,
  isClass,
  isFunction,
  isHandlerObject,
} from "./read-members.js";
import { findReferencedNode, isNameOf, isWrapper } from "./resolve-names.js";

// Finds the code that selects a handler from a value, such as `handlers.reg.checkMexico` or `{ checkMexico } =
// handlers.reg`, and the members of other objects and classes of the same type, such as those of tests.

/** Code that selects or declares a handler. */
export interface MemberUse {
  /** The member access, the element of a destructuring pattern, or the member of an object or a class. */
  readonly node: Node;
  /** The path of the handler. */
  readonly path: readonly string[];
  readonly paths: HandlerPaths;
}

/**
 * Returns the code that certainly selects the handler, or the group of handlers, at a path, and the members at this
 * path of other objects and classes with the same type.
 */
export function listMemberUses(
  files: readonly SourceFile[],
  tree: HandlerTree,
  path: readonly string[],
): readonly MemberUse[] {
  const key = path.at(-1) ?? "";
  const candidates = files
    .filter((file) => file.getFullText().includes(key))
    .flatMap((file) => file.getDescendants())
    .filter((node) => (getSelectedKey(node) ?? getDeclaredKey(node)) === key);
  if (candidates.length === 0) {
    return [];
  }
  const paths = createHandlerPaths(files, tree, path);
  // The member of the server's own handlers is moved separately, with its comments and its file.
  const ownObject = findObjectWith(files, tree, path);
  return candidates
    .filter((node) => {
      const owner = getOwner(node);
      const ownerPath = owner === ownObject ? undefined : paths.findValue(owner);
      return ownerPath !== undefined && isSamePath([...ownerPath, key], path);
    })
    .map((node) => ({ node, path, paths }));
}

/** Changes the key of a member use. If the handler moves to another group, changes the path if it is written out. */
export function replaceMemberUse({ node, path, paths }: MemberUse, newPath: readonly string[]): void {
  const newKey = newPath.at(-1) ?? "";
  if (isSamePath(path.slice(0, -1), newPath.slice(0, -1))) {
    replaceKey(node, newKey);
    return;
  }
  let owner = getOwner(node);
  while (Node.isPropertyAccessExpression(node) && Node.isPropertyAccessExpression(owner)) {
    owner = owner.getExpression();
    const prefix = paths.findValue(owner);
    if (prefix !== undefined && isSamePath(prefix, newPath.slice(0, prefix.length))) {
      node.replaceWithText([owner.getText(), ...newPath.slice(prefix.length)].join("."));
      return;
    }
  }
}

/** Changes the key in code that selects a member, or in a member of an object or a class. */
export function replaceKey(node: Node, key: string): void {
  if (Node.isPropertyAccessExpression(node)) {
    node.getNameNode().replaceWithText(key);
  } else if (Node.isQualifiedName(node)) {
    node.getRight().replaceWithText(key);
  } else if (Node.isElementAccessExpression(node)) {
    const argument = node.getArgumentExpression();
    if (Node.isStringLiteral(argument)) {
      argument.setLiteralValue(key);
    }
  } else if (Node.isBindingElement(node)) {
    const property = node.getPropertyNameNode();
    if (property === undefined) {
      node.getNameNode().replaceWithText(`${key}: ${node.getName()}`);
    } else {
      property.replaceWithText(key);
    }
  } else if (Node.isShorthandPropertyAssignment(node)) {
    node.replaceWithText(`${key}: ${node.getName()}`);
  } else if (isMember(node)) {
    node.getNameNode().replaceWithText(key);
  }
}

/** Returns the key that a member access, the name of a type, or an element of a destructuring pattern selects. */
export function getSelectedKey(node: Node): string | undefined {
  if (Node.isPropertyAccessExpression(node)) {
    return node.getName();
  }
  if (Node.isQualifiedName(node)) {
    return node.getRight().getText();
  }
  if (Node.isElementAccessExpression(node)) {
    const argument = node.getArgumentExpression();
    return Node.isStringLiteral(argument) ? argument.getLiteralText() : undefined;
  }
  const isElement = Node.isBindingElement(node) && Node.isObjectBindingPattern(node.getParent());
  return isElement && node.getDotDotDotToken() === undefined
    ? (node.getPropertyNameNode() ?? node.getNameNode()).getText()
    : undefined;
}

/** Returns the key of a member of an object literal or a class. */
function getDeclaredKey(node: Node): string | undefined {
  if (Node.isShorthandPropertyAssignment(node)) {
    return node.getName();
  }
  const name = isMember(node) && isHandlerObject(node.getParentOrThrow()) ? node.getNameNode() : undefined;
  return Node.isStringLiteral(name) ? name.getLiteralText() : name?.getText();
}

function isMember(node: Node) {
  return (
    Node.isPropertyAssignment(node) ||
    Node.isMethodDeclaration(node) ||
    Node.isPropertyDeclaration(node) ||
    Node.isGetAccessorDeclaration(node)
  );
}

/**
 * Returns the node whose value contains the selected member: an expression, the declaration with the pattern, or the
 * object or the class that declares the member.
 */
export function getOwner(node: Node): Node | undefined {
  if (Node.isPropertyAccessExpression(node) || Node.isElementAccessExpression(node)) {
    return node.getExpression();
  }
  return Node.isQualifiedName(node)
    ? node.getLeft()
    : Node.isBindingElement(node)
      ? node.getParent().getParent()
      : node.getParent();
}

/** The maximum number of declarations that are followed from one value. */
const maxDepth = 10;

/** Reads which handlers of a tree the names in the user's code denote. `path` is the path of the handler to find. */
export function createHandlerPaths(
  files: readonly SourceFile[],
  tree: HandlerTree,
  path: readonly string[],
): HandlerPaths {
  return new HandlerPathReader(files, tree, path);
}

class HandlerPathReader implements HandlerPaths {
  readonly findPrefix: HandlerPaths["findPrefix"];
  readonly #files: readonly SourceFile[];
  readonly #tree: HandlerTree;
  readonly #path: readonly string[];
  #foundObjects: ReadonlyMap<Node, readonly string[]> | undefined;
  #nestedValues = 0;

  constructor(files: readonly SourceFile[], tree: HandlerTree, path: readonly string[]) {
    this.findPrefix = createPrefixReader(tree, path);
    this.#files = files;
    this.#tree = tree;
    this.#path = path;
  }

  findValue(value: Node | undefined): readonly string[] | undefined {
    // A type may contain `typeof value`, whose type may contain `typeof` again, possibly in a circle.
    if (this.#nestedValues >= maxDepth) {
      return undefined;
    }
    this.#nestedValues += 1;
    const found = this.#readValue(value);
    this.#nestedValues -= 1;
    return found;
  }

  /** The objects of the server's handlers. Found on first use, because the search takes long in a large server. */
  get #objects(): ReadonlyMap<Node, readonly string[]> {
    this.#foundObjects ??= mapObjects(this.#files, this.#tree, this.#path);
    return this.#foundObjects;
  }

  #readValue(value: Node | undefined, depth = 0): readonly string[] | undefined {
    if (value === undefined || depth > maxDepth) {
      return undefined;
    }
    const typePath = findHandlersPath(findWrittenType(value), this);
    if (typePath !== undefined) {
      return typePath;
    }
    if (isWrapper(value) || Node.isAwaitExpression(value) || Node.isNonNullExpression(value)) {
      return this.#readValue(value.getExpression(), depth + 1);
    }
    if (Node.isObjectLiteralExpression(value)) {
      return this.#objects.get(value) ?? this.#readContext(value, depth);
    }
    if (isClass(value) || Node.isThisExpression(value)) {
      const handlerClass = isClass(value) ? value : value.getFirstAncestor(isClass);
      return handlerClass && this.#readClass(handlerClass, depth);
    }
    if (Node.isVariableDeclaration(value)) {
      return findWrittenType(value) === undefined ? this.#readValue(value.getInitializer(), depth + 1) : undefined;
    }
    if (Node.isPropertyDeclaration(value) || Node.isPropertyAssignment(value)) {
      return this.#readMemberOf(value, depth) ?? this.#readValue(value.getInitializer(), depth + 1);
    }
    if (Node.isCallExpression(value)) {
      return this.#readResult(value.getExpression(), depth + 1) ?? this.#readObject(value);
    }
    return this.#readSelected(value, depth) ?? this.#readReference(value, depth) ?? this.#readObject(value);
  }

  #readClass(handlerClass: HandlerClass, depth: number): readonly string[] | undefined {
    const base = handlerClass.getExtends()?.getExpression();
    return (
      this.#objects.get(handlerClass) ??
      handlerClass
        .getImplements()
        .map((implemented) => findHandlersPath(implemented, this))
        .find((implementedPath) => implementedPath !== undefined) ??
      this.#readValue(base && findReferencedNode(base), depth + 1)
    );
  }

  /** Reads the type that the code around an object literal declares for it. */
  #readContext(value: Node, depth: number): readonly string[] | undefined {
    const parent = value.getParent();
    if (Node.isSatisfiesExpression(parent) || Node.isAsExpression(parent)) {
      return findHandlersPath(parent.getTypeNode(), this) ?? this.#readContext(parent, depth);
    }
    if (Node.isParenthesizedExpression(parent)) {
      return this.#readContext(parent, depth);
    }
    if (Node.isPropertyAssignment(parent) || Node.isPropertyDeclaration(parent)) {
      return findHandlersPath(findWrittenType(parent), this) ?? this.#readMemberOf(parent, depth);
    }
    if (Node.isVariableDeclaration(parent)) {
      return findHandlersPath(findWrittenType(parent), this);
    }
    if (Node.isCallExpression(parent)) {
      return parent.getArguments()[0] === value ? this.#readRoutes(parent.getExpression()) : undefined;
    }
    const returning = Node.isReturnStatement(parent) ? value.getFirstAncestor(isFunction) : parent;
    return returning !== undefined && isFunction(returning)
      ? findHandlersPath(returning.getReturnTypeNode(), this)
      : undefined;
  }

  #readMemberOf(member: Node, depth: number): readonly string[] | undefined {
    const key = getDeclaredKey(member);
    const ownerPath = key === undefined ? undefined : this.#readValue(member.getParent(), depth + 1);
    return key === undefined ? undefined : ownerPath && [...ownerPath, key];
  }

  /** Reads which handlers a function turns into routes. */
  #readRoutes(called: Node): readonly string[] | undefined {
    const isRoutes = (routes: string) => isNameOf(called.getText(), routes, called.getSourceFile());
    const service = this.#tree.root.children.find(
      (group) => group.kind === "group" && group.service !== undefined && isRoutes(group.service.routes),
    );
    return isRoutes(this.#tree.routes) ? [] : service && [service.key];
  }

  #readObject(value: Node): readonly string[] | undefined {
    const object = Node.isCallExpression(value) || Node.isNewExpression(value) ? findObject(value) : undefined;
    if (object === undefined) {
      return Node.isNewExpression(value)
        ? this.findPrefix(value.getExpression().getText(), value.getSourceFile())
        : undefined;
    }
    return this.#objects.get(object) ?? (isClass(object) ? this.#readClass(object, 0) : undefined);
  }

  #readSelected(value: Node, depth: number): readonly string[] | undefined {
    const key = getSelectedKey(value);
    const ownerPath = key === undefined ? undefined : this.#readValue(getOwner(value), depth + 1);
    return key === undefined ? undefined : ownerPath && [...ownerPath, key];
  }

  #readReference(value: Node, depth: number): readonly string[] | undefined {
    const declaration = findDeclarationOf(value);
    const isLocal =
      declaration !== undefined &&
      declaration.getSourceFile() === value.getSourceFile() &&
      declaration.getFirstAncestor(Node.isImportDeclaration) === undefined;
    // A default export may be a value without a declaration.
    return [declaration, ...(isLocal ? [] : [findReferencedNode(value)])]
      .filter((node) => node !== value)
      .map((node) => this.#readValue(node, depth + 1))
      .find((path) => path !== undefined);
  }

  #readResult(called: Node, depth: number): readonly string[] | undefined {
    const declaration = findDeclarationOf(called);
    const calledNode = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : declaration;
    return calledNode !== undefined && isFunction(calledNode) && depth <= maxDepth
      ? findHandlersPath(calledNode.getReturnTypeNode(), this)
      : undefined;
  }
}

/** Returns the objects of the server's handlers that lead to a path, each with its path. */
function mapObjects(
  files: readonly SourceFile[],
  tree: HandlerTree,
  path: readonly string[],
): ReadonlyMap<HandlerObject, readonly string[]> {
  const objects = new Map<HandlerObject, readonly string[]>();
  for (const group of path.map((_, index) => path.slice(0, index)).toReversed()) {
    for (const object of [findObjectWith(files, tree, path), findObjectAt(files, tree, group)]) {
      if (object !== undefined && !objects.has(object)) {
        objects.set(object, group);
      }
    }
  }
  return objects;
}

/** Returns the declaration of the variable, the parameter, the function or the member that an expression names. */
function findDeclarationOf(expression: Node): Node | undefined {
  const name = Node.isPropertyAccessExpression(expression)
    ? expression.getNameNode()
    : Node.isQualifiedName(expression)
      ? expression.getRight()
      : expression;
  const [declaration, ...others] =
    Node.isIdentifier(name) || name.isKind(SyntaxKind.PrivateIdentifier)
      ? (name.asKind(SyntaxKind.Identifier)?.getDefinitionNodes() ?? name.getSymbol()?.getDeclarations() ?? [])
      : [];
  return others.length === 0 ? declaration : undefined;
}
