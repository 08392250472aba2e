import { type KindToNodeMappings, Node, type SourceFile, SyntaxKind, type TypeAliasDeclaration } from "ts-morph";
import { isJavaScript } from "../handler-files.js";
import type { HandlerTree } from "../handler-tree.js";
import type { HandlerClass } from "./read-members.js";
import { findImport, findImportedSource, findModule, isNameOf } from "./resolve-names.js";

// Reads which handlers a type in the user's code denotes.

/** Returns the path, among all handlers, that a type's name denotes; undefined if it does not denote handlers. */
type PrefixReader = (name: string, file: SourceFile) => readonly string[] | undefined;

/** Reads which handlers names of types and values in the user's code denote. */
export interface HandlerPaths {
  readonly findPrefix: PrefixReader;
  /** Returns the path of the handlers in a value; undefined if it is not certain that the value contains handlers. */
  readonly findValue: (value: Node | undefined) => readonly string[] | undefined;
}

/**
 * Returns a function that finds the handlers whose type a name in the user's code denotes. The function returns their
 * path; undefined for other names.
 */
export function createPrefixReader(tree: HandlerTree, path: readonly string[]): PrefixReader {
  const [serviceKey = ""] = path;
  const group = tree.root.children.find((child) => child.key === serviceKey);
  const serviceType = group?.kind === "group" ? group.service?.type : undefined;
  return (name, file) => {
    const isNamed = (type: string | undefined) => type !== undefined && isNameOf(name, type, file);
    return isNamed(tree.type)
      ? []
      : isNamed(serviceType)
        ? [serviceKey]
        : findSameMembers(tree, findImport(file, name)?.name ?? name.replace(/^.*\./, ""));
  };
}

/** Returns the path, in a tree, of a type with the same members as some of the handlers. */
function findSameMembers({ prefix, sameMembers }: HandlerTree, type: string): readonly string[] | undefined {
  const path = sameMembers?.get(type);
  return path !== undefined && isSamePath(path.slice(0, prefix.length), prefix) ? path.slice(prefix.length) : undefined;
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
 * Aliases, interfaces that extend a type of handlers, and `typeof handlers` are followed.
 */
export function readTypePath(node: Node, paths: HandlerPaths, depth = 0): TypePath {
  const keys: string[] = [];
  let quote = '"';
  let base = node;
  while (Node.isIndexedAccessTypeNode(base)) {
    const index = base.getIndexTypeNode();
    const literal = Node.isLiteralTypeNode(index) ? index.getLiteral() : undefined;
    if (!Node.isStringLiteral(literal)) {
      return { name: base.getText(), prefix: undefined, keys, quote };
    }
    keys.unshift(literal.getLiteralText());
    quote = literal.getText().charAt(0);
    base = base.getObjectTypeNode();
  }
  return { name: base.getText(), prefix: findPrefix(base, paths, depth), keys, quote };
}

function findPrefix(base: Node, paths: HandlerPaths, depth: number): readonly string[] | undefined {
  const type = unwrapType(base);
  if (Node.isTypeQuery(type)) {
    return paths.findValue(type.getExprName());
  }
  if (type !== base) {
    return readWholePath(type, paths, depth);
  }
  const nameNode = Node.isTypeReference(base)
    ? base.getTypeName()
    : Node.isExpressionWithTypeArguments(base)
      ? base.getExpression()
      : Node.isImportTypeNode(base)
        ? base.getQualifier()
        : undefined;
  if (nameNode === undefined) {
    return undefined;
  }
  const [name, file] = [nameNode.getText(), findTypeFile(base)];
  const prefix = paths.findPrefix(name, file);
  return prefix !== undefined || depth >= maxAliasDepth
    ? prefix
    : listDenotedTypes(file, name)
        .map((denoted) => readWholePath(denoted, paths, depth + 1))
        .find((path) => path !== undefined);
}

/** Returns the file in which the name of a type is known: another file of the server for `import("./types.js").Reg`. */
function findTypeFile(type: Node): SourceFile {
  const argument = Node.isImportTypeNode(type) ? type.getArgument() : undefined;
  const literal = Node.isLiteralTypeNode(argument) ? argument.getLiteral() : undefined;
  const file = type.getSourceFile();
  return (Node.isStringLiteral(literal) ? findModule(file, literal.getLiteralText()) : undefined) ?? file;
}

function readWholePath(type: Node, paths: HandlerPaths, depth: number): readonly string[] | undefined {
  const { prefix, keys } = readTypePath(type, paths, depth);
  return prefix && [...prefix, ...keys];
}

/** Returns the type of an alias without parameters, or the types that an interface extends. */
export function listDenotedTypes(file: SourceFile, name: string): readonly Node[] {
  const alias = findTypeAlias(file, name);
  const type = alias?.getTypeParameters().length === 0 ? alias.getTypeNode() : findInTypes(file, name, findTypedef);
  const extended = findInTypes(file, name, (source, sourceName) => source.getInterface(sourceName))?.getExtends();
  return [...(type === undefined ? [] : [type]), ...(extended ?? [])];
}

/** The maximum length of a chain of aliases. An endless chain, in which an alias refers to itself, does not compile. */
export const maxAliasDepth = 10;

/** Finds the alias that a file declares, or imports from another file of the server. */
export function findTypeAlias(file: SourceFile, name: string): TypeAliasDeclaration | undefined {
  return findInTypes(file, name, (source, sourceName) => source.getTypeAlias(sourceName));
}

/** Finds the type of a `@typedef` in the JSDoc comments of a JavaScript file. */
function findTypedef(file: SourceFile, name: string): Node | undefined {
  const tag = listNodesOfKind(file, SyntaxKind.JSDocTypedefTag).find(
    ({ compilerNode }) => compilerNode.name?.getText() === name,
  );
  return tag?.getDescendants().find(Node.isJSDocTypeExpression)?.getTypeNode();
}

/** Returns the type that code declares for a value; in a JavaScript file, also that of its tag `@type`. */
export function findWrittenType(node: Node): Node | undefined {
  const typeNode = Node.isTyped(node) ? node.getTypeNode() : undefined;
  if (typeNode !== undefined || !isJavaScript(node.getSourceFile().getFilePath())) {
    return typeNode;
  }
  const owner = Node.isVariableDeclaration(node) ? node.getVariableStatement() : node;
  const tags = Node.isJSDocable(owner) ? owner.getJsDocs().flatMap((comment) => comment.getTags()) : [];
  const tag = tags.find((other) => Node.isJSDocTypeTag(other) || Node.isJSDocSatisfiesTag(other));
  return tag?.getTypeExpression()?.getTypeNode();
}

/** Returns the nodes of a kind in a file; in a JavaScript file, also those in JSDoc comments. */
export function listNodesOfKind<Kind extends SyntaxKind>(
  file: SourceFile,
  kind: Kind,
): readonly KindToNodeMappings[Kind][] {
  return isJavaScript(file.getFilePath())
    ? file.getDescendants().flatMap((node) => node.asKind(kind) ?? [])
    : file.getDescendantsOfKind(kind);
}

/** Finds a declaration in a file, or in the file of the server from which its name is imported. */
export function findInTypes<T>(
  file: SourceFile,
  name: string,
  find: (file: SourceFile, name: string) => T | undefined,
): T | undefined {
  const foundImport = findImport(file, name);
  const source = foundImport && findImportedSource(foundImport.declaration);
  return find(file, name) ?? (source && find(source, foundImport.name));
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
export function findHandlersPath(type: Node | undefined, paths: HandlerPaths): readonly string[] | undefined {
  return type && readWholePath(type, paths, 0);
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
  const paths = { findPrefix: createPrefixReader(tree, path), findValue: () => undefined };
  const type = listImplementedTypes(handlerClass).find(({ node, importedName }) => {
    const handlersPath =
      importedName === undefined
        ? findHandlersPath(node, paths)
        : paths.findPrefix(importedName, handlerClass.getSourceFile());
    return handlersPath !== undefined && isSamePath(handlersPath, path);
  });
  return type?.text ?? (type && unwrapType(type.node).getText());
}

/** A type that a class implements. */
interface ImplementedType {
  readonly node: Node;
  /** The text and the name of a type such as `import("@example/server/stock").StockHandlers` in a JSDoc comment. */
  readonly text?: string;
  readonly importedName?: string;
}

/** Returns the types that a class implements; in a JavaScript file, those of its tags `@implements`. */
export function listImplementedTypes(handlerClass: HandlerClass): readonly ImplementedType[] {
  if (!isJavaScript(handlerClass.getSourceFile().getFilePath())) {
    return handlerClass.getImplements().map((node) => ({ node }));
  }
  const owner = Node.isClassExpression(handlerClass)
    ? handlerClass.getFirstAncestorByKind(SyntaxKind.VariableStatement)
    : handlerClass;
  const tags = owner?.getJsDocs().flatMap((comment) => comment.getTags()) ?? [];
  return tags.filter(Node.isJSDocImplementsTag).flatMap((tag) => {
    // The parser of TypeScript does not read the type of an import in this tag.
    const [, text, importedName] = /^@implements\s*\{?\s*(import\s*\([^)]*\)\.([\w$]+))/.exec(tag.getText()) ?? [];
    const node = tag.getDescendants().find(Node.isExpressionWithTypeArguments);
    return node === undefined
      ? []
      : [{ node, ...(text === undefined ? {} : { text }), ...(importedName === undefined ? {} : { importedName }) }];
  });
}
