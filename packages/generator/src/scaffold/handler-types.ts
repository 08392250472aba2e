import { Node, type SourceFile, type TypeAliasDeclaration } from "ts-morph";
import type { HandlerTree } from "./handler-files.js";
import { findImport, findImportedSource, type HandlerClass, isNameOf } from "./read-members.js";

// Reads which handlers a type in the user's code denotes.

/** Returns the path, among all handlers, that a type's name denotes; undefined if it does not denote handlers. */
export type PrefixReader = (name: string, file: SourceFile) => readonly string[] | undefined;

export function createPrefixReader(tree: HandlerTree, path: readonly string[]): PrefixReader {
  const [serviceKey = ""] = path;
  const group = tree.root.children.find((child) => child.key === serviceKey);
  const serviceType = group?.kind === "group" ? group.service?.type : undefined;
  return (name, file) => {
    const isNamed = (type: string | undefined) => type !== undefined && isNameOf(name, type, file);
    return isNamed(tree.type) ? [] : isNamed(serviceType) ? [serviceKey] : undefined;
  };
}

export function isSamePath(left: readonly string[], right: readonly string[]): boolean {
  return left.join(".") === right.join(".");
}

/** A type of handlers in the user's code: `VehicleHandlers["reg"]`, or `Reg["checkMexico"]` with an alias. */
interface TypePath {
  readonly name: string;
  /**
   * The path, among all handlers, of the handlers that the type's name denotes; undefined if the name does not denote
   * handlers.
   */
  readonly prefix: readonly string[] | undefined;
  /** The keys in brackets after the name. */
  readonly keys: readonly string[];
  /** The quotation mark around the keys. */
  readonly quote: string;
}

/**
 * Reads which handlers a type selects: `VehicleHandlers["reg"]["checkMexico"]` has the keys `reg` and `checkMexico`.
 * `getPrefix` returns the path of a type that is generated for handlers. Any other name is followed if it is an alias.
 */
export function readTypePath(node: Node, getPrefix: PrefixReader, depth = 0): TypePath {
  const text = node.getText();
  const name = /^[^[\s]*/.exec(text)?.[0] ?? "";
  const matches = [...text.matchAll(/\[\s*(["'])([^"']+)\1\s*\]/g)];
  const alias = findTypeAlias(node.getSourceFile(), name);
  const aliasNode = depth < maxAliasDepth && alias?.getTypeParameters().length === 0 ? alias.getTypeNode() : undefined;
  const aliasPath = aliasNode && readTypePath(unwrapType(aliasNode), getPrefix, depth + 1);
  const aliasPrefix = aliasPath?.prefix && [...aliasPath.prefix, ...aliasPath.keys];
  return {
    name,
    prefix: getPrefix(name, node.getSourceFile()) ?? aliasPrefix,
    keys: matches.map((match) => match[2] ?? ""),
    quote: matches[0]?.[1] ?? '"',
  };
}

/** The maximum length of a chain of aliases. An endless chain, in which an alias refers to itself, does not compile. */
export const maxAliasDepth = 10;

/** Finds the alias that a file declares, or imports from another file of the server. */
export function findTypeAlias(file: SourceFile, name: string): TypeAliasDeclaration | undefined {
  const foundImport = findImport(file, name);
  return (
    file.getTypeAlias(name) ??
    (foundImport && findImportedSource(foundImport.declaration)?.getTypeAlias(foundImport.name))
  );
}

/** The generic types whose members have the same names as those of their first argument. */
const wrapperTypes = ["Awaited", "NonNullable", "Omit", "Partial", "Pick", "Promise", "Readonly", "Required"];

/** Removes wrappers such as `NonNullable<…>`, parentheses and `| undefined` from a type. */
function unwrapType(type: Node): Node {
  if (Node.isParenthesizedTypeNode(type)) {
    return unwrapType(type.getTypeNode());
  }
  if (Node.isUnionTypeNode(type)) {
    const [member, ...others] = type.getTypeNodes().filter((node) => !["null", "undefined"].includes(node.getText()));
    return member !== undefined && others.length === 0 ? unwrapType(member) : type;
  }
  const name = Node.isTypeReference(type)
    ? type.getTypeName()
    : Node.isExpressionWithTypeArguments(type)
      ? type.getExpression()
      : undefined;
  const isWrapper = name !== undefined && wrapperTypes.includes(name.getText());
  const [argument] =
    Node.isTypeReference(type) || Node.isExpressionWithTypeArguments(type) ? type.getTypeArguments() : [];
  return isWrapper && argument !== undefined ? unwrapType(argument) : type;
}

/**
 * Returns the path of the handlers that a type denotes, ignoring wrappers such as `Readonly<…>`; undefined for any
 * other type.
 */
export function findHandlersPath(type: Node | undefined, getPrefix: PrefixReader): readonly string[] | undefined {
  if (type === undefined) {
    return undefined;
  }
  const { prefix, keys } = readTypePath(unwrapType(type), getPrefix);
  return prefix && [...prefix, ...keys];
}

/**
 * Returns the type of the handlers at a path that a class implements, without wrappers, as written in the class:
 * `stock.StockHandlers`, or an alias. Undefined if the class implements no such type.
 */
export function findImplementedGroup(
  handlerClass: HandlerClass,
  tree: HandlerTree,
  path: readonly string[],
): string | undefined {
  const getPrefix = createPrefixReader(tree, path);
  const type = handlerClass.getImplements().find((implemented) => {
    const handlersPath = findHandlersPath(implemented, getPrefix);
    return handlersPath !== undefined && isSamePath(handlersPath, path);
  });
  return type && unwrapType(type).getText();
}
