import { Node, type SourceFile, SyntaxKind } from "ts-morph";
import { findObjectAt, findObjectWith } from "./find-handlers.js";
import type { HandlerTree } from "./handler-files.js";
import { createPrefixReader, findHandlersPath, isSamePath } from "./handler-types.js";
import { findObject, type HandlerObject, isFunction, isWrapper } from "./read-members.js";

// Finds the code that selects a handler from a value: `handlers.reg.checkMexico`, or `{ checkMexico } = handlers.reg`.

/** Code that selects a handler from a value. */
export interface MemberUse {
  /** The member access, or the element of a destructuring pattern. */
  readonly node: Node;
  /** The path of the handler. */
  readonly path: readonly string[];
  /** Returns the path of the handlers in a value; undefined if it is not certain that the value contains handlers. */
  readonly readPath: PathReader;
}

type PathReader = (value: Node | undefined) => readonly string[] | undefined;

/** Returns the code that certainly selects the handler, or the group of handlers, at a path. */
export function listMemberUses(
  files: readonly SourceFile[],
  tree: HandlerTree,
  path: readonly string[],
): readonly MemberUse[] {
  const key = path.at(-1) ?? "";
  const candidates = files
    .filter((file) => file.getFullText().includes(key))
    .flatMap((file) => file.getDescendants())
    .filter((node) => getSelectedKey(node) === key);
  if (candidates.length === 0) {
    return [];
  }
  const readPath = createPathReader(files, tree, path);
  return candidates
    .filter((node) => {
      const ownerPath = readPath(getOwner(node));
      return ownerPath !== undefined && isSamePath([...ownerPath, key], path);
    })
    .map((node) => ({ node, path, readPath }));
}

/** Changes the key of a member use. If the handler moves to another group, changes the path if it is written out. */
export function replaceMemberUse({ node, path, readPath }: MemberUse, newPath: readonly string[]): void {
  const newKey = newPath.at(-1) ?? "";
  if (isSamePath(path.slice(0, -1), newPath.slice(0, -1))) {
    replaceKey(node, newKey);
    return;
  }
  let owner = getOwner(node);
  while (Node.isPropertyAccessExpression(node) && Node.isPropertyAccessExpression(owner)) {
    owner = owner.getExpression();
    const prefix = readPath(owner);
    if (prefix !== undefined && isSamePath(prefix, newPath.slice(0, prefix.length))) {
      node.replaceWithText([owner.getText(), ...newPath.slice(prefix.length)].join("."));
      return;
    }
  }
}

function replaceKey(node: Node, key: string): void {
  if (Node.isPropertyAccessExpression(node)) {
    node.getNameNode().replaceWithText(key);
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
  }
}

/** Returns the key that a member access, or an element of a destructuring pattern, selects. */
function getSelectedKey(node: Node): string | undefined {
  if (Node.isPropertyAccessExpression(node)) {
    return node.getName();
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

/** Returns the node whose value contains the selected member: an expression, or the declaration with the pattern. */
function getOwner(node: Node): Node | undefined {
  return Node.isPropertyAccessExpression(node) || Node.isElementAccessExpression(node)
    ? node.getExpression()
    : node.getParent()?.getParent();
}

/** The maximum number of declarations that are followed from one value. */
const maxDepth = 10;

function createPathReader(files: readonly SourceFile[], tree: HandlerTree, path: readonly string[]): PathReader {
  const getPrefix = createPrefixReader(tree, path);
  const groups = path.map((_, index) => path.slice(0, index));
  const objects = new Map<HandlerObject, readonly string[]>();
  for (const group of groups.toReversed()) {
    for (const object of [findObjectWith(files, tree, path), findObjectAt(files, tree, group)]) {
      if (object !== undefined && !objects.has(object)) {
        objects.set(object, group);
      }
    }
  }
  const readValue = (value: Node | undefined, depth = 0): readonly string[] | undefined => {
    if (value === undefined || depth > maxDepth) {
      return undefined;
    }
    const typePath = Node.isTyped(value) ? findHandlersPath(value.getTypeNode(), getPrefix) : undefined;
    if (typePath !== undefined) {
      return typePath;
    }
    if (isWrapper(value) || Node.isAwaitExpression(value) || Node.isNonNullExpression(value)) {
      return readValue(value.getExpression(), depth + 1);
    }
    if (Node.isObjectLiteralExpression(value)) {
      return objects.get(value);
    }
    if (Node.isVariableDeclaration(value)) {
      return value.getTypeNode() === undefined ? readValue(value.getInitializer(), depth + 1) : undefined;
    }
    if (Node.isCallExpression(value)) {
      return readResult(value.getExpression(), depth + 1) ?? readObject(value);
    }
    return readSelected(value, depth) ?? readReference(value, depth) ?? readObject(value);
  };
  const readObject = (value: Node) => {
    const object = Node.isCallExpression(value) || Node.isNewExpression(value) ? findObject(value) : undefined;
    return object && objects.get(object);
  };
  const readSelected = (value: Node, depth: number) => {
    const key = getSelectedKey(value);
    const ownerPath = key === undefined ? undefined : readValue(getOwner(value), depth + 1);
    return key === undefined ? undefined : ownerPath && [...ownerPath, key];
  };
  const readReference = (value: Node, depth: number) => {
    const declaration = findDeclarationOf(value);
    return declaration === undefined || declaration === value ? undefined : readValue(declaration, depth + 1);
  };
  const readResult = (called: Node, depth: number) => {
    const declaration = findDeclarationOf(called);
    const calledNode = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : declaration;
    return calledNode !== undefined && isFunction(calledNode) && depth <= maxDepth
      ? findHandlersPath(calledNode.getReturnTypeNode(), getPrefix)
      : undefined;
  };
  return (value) => readValue(value);
}

/** Returns the declaration of the variable, the parameter, the function or the member that an expression names. */
function findDeclarationOf(expression: Node): Node | undefined {
  const name = Node.isPropertyAccessExpression(expression) ? expression.getNameNode() : expression;
  const [declaration, ...others] =
    Node.isIdentifier(name) || name.isKind(SyntaxKind.PrivateIdentifier)
      ? (name.asKind(SyntaxKind.Identifier)?.getDefinitionNodes() ?? name.getSymbol()?.getDeclarations() ?? [])
      : [];
  return others.length === 0 ? declaration : undefined;
}
