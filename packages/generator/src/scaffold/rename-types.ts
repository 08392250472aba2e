import { Node, type SourceFile, SyntaxKind, type TypeAliasDeclaration } from "ts-morph";
import type { HandlerTree } from "./handler-files.js";
import { findImport, findImportedSource, isNameOf } from "./read-members.js";

// Changes the types of a renamed handler in the user's code.

/** The old and the new path of a handler. */
export interface MemberMove {
  readonly tree: HandlerTree;
  readonly oldPath: readonly string[];
  readonly newPath: readonly string[];
}

/**
 * Changes the path of a handler in all types of the server: `VehicleHandlers["reg"]["checkMexico"]`,
 * `RegHandlers["checkMexico"]`, and `Pick<RegHandlers, "checkMexico">`. The types may have aliases.
 */
export function renameTypes(files: readonly SourceFile[], { tree, oldPath, newPath }: MemberMove): void {
  const [serviceKey = ""] = oldPath;
  const group = tree.root.children.find((child) => child.key === serviceKey);
  const serviceType = group?.kind === "group" && newPath[0] === serviceKey ? group.service?.type : undefined;
  const getPrefix = (name: string, file: SourceFile) => {
    const isNamed = (type: string | undefined) => type !== undefined && isNameOf(name, type, file);
    return isNamed(tree.type) ? [] : isNamed(serviceType) ? [serviceKey] : undefined;
  };
  const isSame = (left: readonly string[] | undefined, right: readonly string[]) => left?.join(".") === right.join(".");
  for (const node of files.flatMap((file) => file.getDescendantsOfKind(SyntaxKind.IndexedAccessType)).reverse()) {
    const { name, prefix, keys, quote } = readTypePath(node, getPrefix);
    const newPrefix = newPath.slice(0, prefix?.length);
    if (prefix !== undefined && isSame([...prefix, ...keys], oldPath) && isSame(prefix, newPrefix)) {
      const newKeys = newPath.slice(prefix.length).map((key) => `[${quote}${key}${quote}]`);
      node.replaceWithText(`${name}${newKeys.join("")}`);
    }
  }
  if (!isSame(oldPath.slice(0, -1), newPath.slice(0, -1))) {
    return;
  }
  for (const literal of files.flatMap((file) => file.getDescendantsOfKind(SyntaxKind.StringLiteral)).reverse()) {
    const selectedType = findSelectedType(literal);
    const { prefix, keys } =
      selectedType === undefined ? { prefix: undefined, keys: [] } : readTypePath(selectedType, getPrefix);
    if (prefix !== undefined && isSame([...prefix, ...keys, literal.getLiteralText()], oldPath)) {
      literal.setLiteralValue(newPath.at(-1) ?? "");
    }
  }
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

/** Reads the path of a type. `getPrefix` returns the path that a name denotes if the name is not an alias. */
function readTypePath(
  node: Node,
  getPrefix: (name: string, file: SourceFile) => readonly string[] | undefined,
  depth = 0,
): TypePath {
  const text = node.getText();
  const name = /^[^[\s]*/.exec(text)?.[0] ?? "";
  const matches = [...text.matchAll(/\[\s*(["'])([^"']+)\1\s*\]/g)];
  const alias = findTypeAlias(node.getSourceFile(), name);
  const aliasNode = depth < maxAliasDepth && alias?.getTypeParameters().length === 0 ? alias.getTypeNode() : undefined;
  const aliasPath = aliasNode && readTypePath(aliasNode, getPrefix, depth + 1);
  const aliasPrefix = aliasPath?.prefix && [...aliasPath.prefix, ...aliasPath.keys];
  return {
    name,
    prefix: getPrefix(name, node.getSourceFile()) ?? aliasPrefix,
    keys: matches.map((match) => match[2] ?? ""),
    quote: matches[0]?.[1] ?? '"',
  };
}

/** The maximum length of a chain of aliases. An endless chain, in which an alias refers to itself, does not compile. */
const maxAliasDepth = 10;

/** Finds the alias that a file declares, or imports from another file of the server. */
function findTypeAlias(file: SourceFile, name: string): TypeAliasDeclaration | undefined {
  const imported = findImport(file, name);
  return file.getTypeAlias(name) ?? (imported && findImportedSource(imported.declaration)?.getTypeAlias(imported.name));
}

/**
 * Returns the type from which a type reference selects a member: `RegHandlers` for the literal in `Pick<RegHandlers,
 * "checkMexico">`, and in `Handler<"checkMexico">` if the parameter of the alias `Handler` extends `keyof RegHandlers`.
 */
function findSelectedType(literal: Node): Node | undefined {
  const literalType = literal.getParent();
  const list = literalType?.getParent();
  const reference = Node.isUnionTypeNode(list) ? list.getParent() : list;
  if (!Node.isLiteralTypeNode(literalType) || !Node.isTypeReference(reference)) {
    return undefined;
  }
  const [name, typeArguments] = [reference.getTypeName().getText(), reference.getTypeArguments()];
  if (["Pick", "Omit"].includes(name)) {
    return typeArguments[0];
  }
  const index = typeArguments.indexOf(Node.isUnionTypeNode(list) ? list : literalType);
  const constraint = findTypeAlias(reference.getSourceFile(), name)?.getTypeParameters()[index]?.getConstraint();
  const isKeyOf = Node.isTypeOperatorTypeNode(constraint) && constraint.getOperator() === SyntaxKind.KeyOfKeyword;
  return isKeyOf ? constraint.getTypeNode() : undefined;
}
