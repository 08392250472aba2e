import { Node, type SourceFile, SyntaxKind, type TypeAliasDeclaration } from "ts-morph";
import {
  findTypeAlias,
  findWrittenType,
  type HandlerPaths,
  isSamePath,
  listNodesOfKind,
  maxAliasDepth,
  readTypePath,
} from "../find/handler-types.js";
import { createHandlerPaths, listMemberUses, replaceMemberUse } from "../find/member-uses.js";
import { isFunction } from "../find/read-members.js";
import { findImportedSource, findReferencedNode, formatPosition, listExportedNames } from "../find/resolve-names.js";
import { getTypeOfGroup } from "../handler-files.js";
import { type HandlerTree, listNodes } from "../handler-tree.js";
import { removeUnusedImport } from "./edit-members.js";

// Finds the code that names a handler by its path, in types and in lists of operations, and changes the names.

/** The old and the new path of a handler. */
export interface MemberMove {
  readonly tree: HandlerTree;
  readonly oldPath: readonly string[];
  readonly newPath: readonly string[];
}

/** Adds the tree's prefix to the path of an operation. */
export function withPrefix(path: string, { prefix }: HandlerTree): string {
  return [...prefix, path].join(".");
}

/**
 * Changes the path of a handler in all types of the server: `VehicleHandlers["reg"]["checkMexico"]`,
 * `RegHandlers["checkMexico"]`, and `Pick<RegHandlers, "checkMexico">`. The types may have aliases. Also changes the
 * keys and texts of values whose type contains `keyof RegHandlers`, and member accesses on values with handlers.
 */
export function renameHandler(files: readonly SourceFile[], { tree, oldPath, newPath }: MemberMove): void {
  // The types are renamed last, because they determine which values have handlers.
  for (const use of listMemberUses(files, tree, oldPath).toReversed()) {
    replaceMemberUse(use, newPath);
  }
  const paths = createHandlerPaths(files, tree, oldPath);
  for (const node of findTypes(files, oldPath, paths).reverse()) {
    const { name, prefix = [], quote } = readTypePath(node, paths);
    if (isSamePath(prefix, newPath.slice(0, prefix.length))) {
      const newKeys = newPath.slice(prefix.length).map((key) => `[${quote}${key}${quote}]`);
      node.replaceWithText(`${name}${newKeys.join("")}`);
    } else if (prefix.length === 1) {
      replaceServiceType(node, name, { type: getTypeOfGroup(tree, newPath.slice(0, 1)), key: newPath[1] });
    }
  }
  if (!isSamePath(oldPath.slice(0, -1), newPath.slice(0, -1))) {
    return;
  }
  const newKey = newPath.at(-1) ?? "";
  for (const node of findKeys(files, oldPath, paths).reverse()) {
    if (Node.isIdentifier(node)) {
      node.replaceWithText(newKey);
    } else {
      node.setLiteralValue(newKey);
    }
  }
}

/**
 * Replaces the type of a handler that moved to another service: `RegHandlers["checkMexico"]`. The new type is imported
 * beside the old one. Types with another form, such as those with an alias, do not change, nor those that a file of the
 * server exports without the others.
 */
function replaceServiceType(
  node: Node,
  oldType: string,
  { type, key }: { readonly type: string | undefined; readonly key: string | undefined },
): void {
  const file = node.getSourceFile();
  const specifier = file
    .getImportDeclarations()
    .flatMap((declaration) => declaration.getNamedImports())
    .find((named) => named.getName() === oldType && named.getAliasNode() === undefined);
  if (type === undefined || key === undefined || specifier === undefined || !Node.isIndexedAccessTypeNode(node)) {
    return;
  }
  const importDeclaration = specifier.getImportDeclaration();
  const source = findImportedSource(importDeclaration);
  if (source !== undefined && listExportedNames(source).isComplete) {
    return;
  }
  const isTypeOnly = specifier.isTypeOnly();
  const quote = node.getIndexTypeNode().getText().charAt(0);
  node.replaceWithText(`${type}[${quote}${key}${quote}]`);
  if (!importDeclaration.getNamedImports().some((named) => named.getName() === type)) {
    const index = importDeclaration.getNamedImports().indexOf(specifier);
    importDeclaration.insertNamedImport(index, { name: type, isTypeOnly });
  }
  removeUnusedImport(file, oldType);
}

/** Returns the code that names a handler in types and in lists of operations. */
export function listHandlerNames(
  files: readonly SourceFile[],
  tree: HandlerTree,
  path: readonly string[],
): readonly Node[] {
  const paths = createHandlerPaths(files, tree, path);
  const uses = listMemberUses(files, tree, path).map(({ node }) => node);
  return [...findTypes(files, path, paths), ...findKeys(files, path, paths), ...uses];
}

/**
 * Creates the note about types and lists that still name a handler after its move. Returns no note if there are none.
 */
export function listOldNamesNotes(
  files: readonly SourceFile[],
  { tree, oldPath, newPath }: MemberMove,
  formatDisplayPath: (path: string) => string = (path) => path,
): readonly string[] {
  const isNamed = listNodes(tree.root).some(({ path }) => isSamePath(path, oldPath));
  const positions = new Set(listHandlerNames(files, tree, oldPath).map(formatPosition).map(formatDisplayPath));
  return isNamed || positions.size === 0
    ? []
    : [
        `Other code still names ${oldPath.join(".")}, which is now ${newPath.join(".")}: ${[...positions].join(", ")}. Change the name there.`,
      ];
}

/** Finds the types that select a handler with brackets: `RegHandlers["checkMexico"]`. */
function findTypes(files: readonly SourceFile[], path: readonly string[], paths: HandlerPaths) {
  return listFilesWith(files, path)
    .flatMap((file) => listNodesOfKind(file, SyntaxKind.IndexedAccessType))
    .filter((node) => {
      const { prefix, keys } = readTypePath(node, paths);
      return prefix !== undefined && keys.length > 0 && isSamePath([...prefix, ...keys], path);
    });
}

/**
 * Finds the texts and the keys of objects that name a handler: `"checkMexico"` in `Pick<RegHandlers, "checkMexico">`.
 */
function findKeys(files: readonly SourceFile[], path: readonly string[], paths: HandlerPaths) {
  const key = path.at(-1);
  const candidates = listFilesWith(files, path).flatMap((file) => [
    ...listNodesOfKind(file, SyntaxKind.StringLiteral).filter((literal) => literal.getLiteralText() === key),
    ...file
      .getDescendantsOfKind(SyntaxKind.PropertyAssignment)
      .map((property) => property.getNameNode())
      .filter(Node.isIdentifier)
      .filter((name) => name.getText() === key),
  ]);
  return candidates.filter((node) =>
    findSelectedTypes(node).some((type) => {
      const { prefix, keys } = readTypePath(type, paths);
      return prefix !== undefined && isSamePath([...prefix, ...keys, key ?? ""], path);
    }),
  );
}

function listFilesWith(files: readonly SourceFile[], path: readonly string[]): readonly SourceFile[] {
  return files.filter((file) => file.getFullText().includes(path.at(-1) ?? ""));
}

/** Returns the types that have a member with the name in a text, or in the key of an object. */
function findSelectedTypes(node: Node): readonly Node[] {
  const literalType = node.getParent();
  return Node.isLiteralTypeNode(literalType)
    ? findSelectedTypesOf(literalType)
    : listTypesOfValue(node).flatMap((type) => findKeyOfTypes(type));
}

/**
 * Returns the types from which a type selects a member: `RegHandlers` for the literal in `Pick<RegHandlers,
 * "checkMexico">`, and in `Handler<"checkMexico">` if the parameter of the alias `Handler` extends `keyof RegHandlers`.
 * If the type is an alias, returns the types that its uses select from.
 */
function findSelectedTypesOf(type: Node, depth = 0): readonly Node[] {
  const parent = type.getParent();
  const list = Node.isUnionTypeNode(parent) ? parent : type;
  const owner = list.getParent();
  if (Node.isTypeAliasDeclaration(owner)) {
    return depth < maxAliasDepth ? listReferences(owner).flatMap((use) => findSelectedTypesOf(use, depth + 1)) : [];
  }
  if (!Node.isTypeReference(owner) && !Node.isExpressionWithTypeArguments(owner)) {
    return [];
  }
  const name = (Node.isTypeReference(owner) ? owner.getTypeName() : owner.getExpression()).getText();
  const typeArguments: readonly Node[] = owner.getTypeArguments();
  if (["Pick", "Omit"].includes(name)) {
    return typeArguments.slice(0, 1);
  }
  if (["Extract", "Exclude"].includes(name)) {
    return typeArguments.slice(0, 1).flatMap((argument) => findKeyOfTypes(argument));
  }
  const index = typeArguments.indexOf(list);
  return findKeyOfTypes(findTypeAlias(owner.getSourceFile(), name)?.getTypeParameters()[index]?.getConstraint());
}

/** Returns the references to an alias in the types of all files. */
function listReferences(alias: TypeAliasDeclaration): readonly Node[] {
  const files = alias.getProject().getSourceFiles();
  return files
    .filter((file) => file.getFullText().includes(alias.getName()))
    .flatMap((file) => file.getDescendantsOfKind(SyntaxKind.TypeReference))
    .filter((reference) => findTypeAlias(reference.getSourceFile(), reference.getTypeName().getText()) === alias);
}

/**
 * Returns the types in the code that determine the type of a value: of its variable, of the parameter to which it is
 * passed, of `satisfies`, and the arguments of `new Set<…>`.
 */
function listTypesOfValue(value: Node): readonly Node[] {
  const types = [...listParameterTypes(value)];
  for (const ancestor of value.getAncestors()) {
    if (isFunction(ancestor) || Node.isStatement(ancestor)) {
      break;
    }
    if (Node.isCallExpression(ancestor) || Node.isNewExpression(ancestor)) {
      types.push(...ancestor.getTypeArguments());
    }
    const isTyped =
      Node.isVariableDeclaration(ancestor) ||
      Node.isPropertyDeclaration(ancestor) ||
      Node.isSatisfiesExpression(ancestor) ||
      Node.isAsExpression(ancestor);
    const type = isTyped ? findWrittenType(ancestor) : undefined;
    types.push(...(type === undefined ? [] : [type]));
  }
  return types;
}

/**
 * Returns the type of the parameter to which an argument is passed, or what the type parameter of that name extends.
 */
function listParameterTypes(argument: Node): readonly Node[] {
  const call = argument.getParent();
  if (!Node.isCallExpression(call)) {
    return [];
  }
  const declaration = findReferencedNode(call.getExpression());
  const calledNode = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : declaration;
  const index = call.getArguments().indexOf(argument);
  const type =
    calledNode !== undefined && isFunction(calledNode) ? calledNode.getParameters()[index]?.getTypeNode() : undefined;
  if (type === undefined || calledNode === undefined || !isFunction(calledNode)) {
    return [];
  }
  return [type, calledNode.getTypeParameter(type.getText())?.getConstraint() ?? type];
}

/** Returns `RegHandlers` for each `keyof RegHandlers` in a type or in the aliases that it contains. */
function findKeyOfTypes(type: Node | undefined, depth = 0): readonly Node[] {
  if (type === undefined || depth > maxAliasDepth) {
    return [];
  }
  return [type, ...type.getDescendants()].flatMap((node) => {
    if (Node.isTypeOperatorTypeNode(node) && node.getOperator() === SyntaxKind.KeyOfKeyword) {
      return [node.getTypeNode()];
    }
    const alias = Node.isTypeReference(node)
      ? findTypeAlias(node.getSourceFile(), node.getTypeName().getText())
      : undefined;
    return findKeyOfTypes(alias?.getTypeNode(), depth + 1);
  });
}
