import { Node, type SourceFile, SyntaxKind, type TypeAliasDeclaration } from "ts-morph";
import {
  type HandlerChanges,
  type HandlerNode,
  type HandlerTree,
  listNodes,
  type RemovedName,
} from "./handler-files.js";
import { isMemberName } from "./handler-members.js";
import {
  createPrefixReader,
  findTypeAlias,
  isSamePath,
  maxAliasDepth,
  type PrefixReader,
  readTypePath,
} from "./handler-types.js";
import { listMemberUses, replaceMemberUse } from "./member-uses.js";
import { findReferencedNode, formatPosition, isFunction } from "./read-members.js";

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
  const getPrefix = createPrefixReader(tree, oldPath);
  for (const node of findTypes(files, oldPath, getPrefix).reverse()) {
    const { name, prefix = [], quote } = readTypePath(node, getPrefix);
    if (isSamePath(prefix, newPath.slice(0, prefix.length))) {
      const newKeys = newPath.slice(prefix.length).map((key) => `[${quote}${key}${quote}]`);
      node.replaceWithText(`${name}${newKeys.join("")}`);
    }
  }
  if (!isSamePath(oldPath.slice(0, -1), newPath.slice(0, -1))) {
    return;
  }
  const newKey = newPath.at(-1) ?? "";
  for (const node of findKeys(files, oldPath, getPrefix).reverse()) {
    if (Node.isIdentifier(node)) {
      node.replaceWithText(newKey);
    } else {
      node.setLiteralValue(newKey);
    }
  }
}

/** Returns the code that names a handler in types and in lists of operations. */
export function listHandlerNames(
  files: readonly SourceFile[],
  tree: HandlerTree,
  path: readonly string[],
): readonly Node[] {
  const getPrefix = createPrefixReader(tree, path);
  const uses = listMemberUses(files, tree, path).map(({ node }) => node);
  return [...findTypes(files, path, getPrefix), ...findKeys(files, path, getPrefix), ...uses];
}

/**
 * Creates the note about types and lists that still name a handler after its move. Returns no note if there are none.
 */
export function listOldNamesNotes(
  files: readonly SourceFile[],
  { tree, oldPath, newPath }: MemberMove,
  { formatDisplayPath = returnSamePath }: ServerInputs,
): readonly string[] {
  const isNamed = listNodes(tree.root).some(({ path }) => isSamePath(path, oldPath));
  const positions = new Set(listHandlerNames(files, tree, oldPath).map(formatPosition).map(formatDisplayPath));
  return isNamed || positions.size === 0
    ? []
    : [
        `Other code still names ${oldPath.join(".")}, which is now ${newPath.join(".")}: ${[...positions].join(", ")}. Change the name there.`,
      ];
}

/** The inputs of a merge that concern names in the user's code. */
interface ServerInputs {
  readonly changes: HandlerChanges | undefined;
  readonly serverPackage: string;
  /** The names of the packages whose entry `operations` exports the constants of operations. */
  readonly operationPackages?: readonly string[] | undefined;
  /** Converts the path of a file in the server to the path that notes show; absent if both paths are the same. */
  readonly formatDisplayPath?: ((path: string) => string) | undefined;
}

function returnSamePath(path: string): string {
  return path;
}

/**
 * Changes the names that the user's code imports for the handlers of a renamed service. Returns notes about files that
 * already import the new name.
 */
export function renameServiceType(
  files: readonly SourceFile[],
  { tree, oldName, node }: { readonly tree: HandlerTree; readonly oldName: string; readonly node: HandlerNode },
  { changes, serverPackage, formatDisplayPath }: ServerInputs,
): readonly string[] {
  const removedTypes = [...(changes?.removedTypes ?? []), ...(changes?.typesRemovedEarlier ?? [])];
  const oldType = removedTypes.find((type) => type.interface === tree.name && type.service === oldName);
  const service = node.kind === "group" ? node.service : undefined;
  if (oldType === undefined || service === undefined) {
    return [];
  }
  const module = `${serverPackage}/${tree.module}`;
  renameImport(files, { module, before: oldType.type, after: service.type });
  renameImport(files, { module, before: oldType.routes, after: service.routes });
  return listNameNotes(files, { module, before: oldType.type, after: service.type }, formatDisplayPath);
}

/** Changes the imported names of a renamed operation, and of the types of its messages. */
export function renameMessageTypes(files: readonly SourceFile[], move: MemberMove, inputs: ServerInputs): void {
  for (const name of inputs.changes?.removedNames ?? []) {
    const { interface: interfaceName, before, after, operation } = name;
    if (
      interfaceName === move.tree.name &&
      after !== undefined &&
      operation !== undefined &&
      isMoved(operation, move)
    ) {
      for (const module of listModules(name, move.tree, inputs)) {
        renameImport(files, { module, before, after });
      }
    }
  }
}

/** Returns the modules of the generated packages that exported a name. */
function listModules(
  { isOperation }: RemovedName,
  tree: HandlerTree,
  { serverPackage, operationPackages = [] }: ServerInputs,
): readonly string[] {
  return isOperation === true
    ? operationPackages.map((name) => `${name}/${tree.module}/operations`)
    : [serverPackage, ...operationPackages].map((name) => `${name}/${tree.module}`);
}

/** Whether the handler of an operation was moved, with its group or without. */
function isMoved(operation: string, { tree, newPath }: MemberMove): boolean {
  return `${operation}.`.startsWith(`${withPrefix(newPath.join("."), tree)}.`);
}

/** A name that a module of the server package no longer exports, and its new name, if it has one. */
interface NameChange {
  readonly module: string;
  readonly before: string;
  readonly after?: string;
}

/**
 * Changes the name of a generated type or function in all files that import it, unless a file already uses the new
 * name.
 */
function renameImport(files: readonly SourceFile[], { module, before, after }: Required<NameChange>): void {
  for (const specifier of findImportSpecifiers(files, module, before)) {
    const file = specifier.getSourceFile();
    const identifiers = file.getDescendantsOfKind(SyntaxKind.Identifier).filter((node) => !isMemberName(node));
    if (identifiers.some((node) => node.getText() === after)) {
      continue;
    }
    if (specifier.getAliasNode() !== undefined) {
      specifier.getNameNode().replaceWithText(after);
      continue;
    }
    const declaresName = (node: Node) =>
      node.getText() === before && node.getParent() !== specifier && isDeclared(node);
    if (identifiers.some(declaresName)) {
      specifier.getNameNode().replaceWithText(`${after} as ${before}`);
      continue;
    }
    for (const node of identifiers.filter((node) => node.getText() === before).reverse()) {
      replaceName(node, after);
    }
  }
}

/** Whether an identifier declares a variable or a parameter, which other identifiers may then refer to. */
function isDeclared(node: Node): boolean {
  const parent = node.getParent();
  return (
    (Node.isVariableDeclaration(parent) || Node.isParameterDeclaration(parent) || Node.isBindingElement(parent)) &&
    parent.getNameNode() === node
  );
}

/** Replaces the name of an import. The member of an object, or an export, keeps the old name. */
function replaceName(node: Node, after: string): void {
  const parent = node.getParent();
  if (Node.isShorthandPropertyAssignment(parent)) {
    parent.replaceWithText(`${node.getText()}: ${after}`);
  } else if (Node.isExportSpecifier(parent) && parent.getAliasNode() === undefined) {
    parent.replaceWithText(`${after} as ${node.getText()}`);
  } else {
    node.replaceWithText(after);
  }
}

/**
 * Creates notes about imports of types and operations that the generated packages no longer export. `moves` are the
 * moves of this merge: without them, it is not certain that an operation and the types of its messages have new names.
 */
export function listRemovedNameNotes(
  tree: HandlerTree,
  files: readonly SourceFile[],
  { moves, ...inputs }: ServerInputs & { readonly moves: readonly MemberMove[] },
): readonly string[] {
  const removedNames = inputs.changes?.removedNames?.filter((removed) => removed.interface === tree.name) ?? [];
  return removedNames.flatMap((name) => {
    const { before, after, operation, isOperation } = name;
    const isCertain =
      operation === undefined || moves.some((move) => move.tree.name === tree.name && isMoved(operation, move));
    const newName = after === undefined || !isCertain ? {} : { after };
    const kind = isOperation === true ? "operation" : "type";
    return listModules(name, tree, inputs).flatMap((module) =>
      listNameNotes(files, { module, before, kind, ...newName }, inputs.formatDisplayPath),
    );
  });
}

function listNameNotes(
  files: readonly SourceFile[],
  { module, before, after, kind = "type" }: NameChange & { readonly kind?: "operation" | "type" },
  formatDisplayPath: (path: string) => string = returnSamePath,
): readonly string[] {
  const positions = findImportSpecifiers(files, module, before).map(formatPosition).map(formatDisplayPath);
  const text =
    after === undefined
      ? `The ${kind} ${before} no longer exists. Change the code`
      : `The ${kind} ${before} is called ${after} now. Change the name`;
  return positions.length === 0 ? [] : [`${text} in the files that import it: ${positions.join(", ")}.`];
}

function findImportSpecifiers(files: readonly SourceFile[], module: string, name: string) {
  return files
    .filter((file) => file.getFullText().includes(name))
    .flatMap((file) => file.getImportDeclarations())
    .filter((declaration) => declaration.getModuleSpecifierValue() === module)
    .flatMap((declaration) => declaration.getNamedImports())
    .filter((specifier) => specifier.getName() === name);
}

/** Finds the types that select a handler with brackets: `RegHandlers["checkMexico"]`. */
function findTypes(files: readonly SourceFile[], path: readonly string[], getPrefix: PrefixReader) {
  return listFilesWith(files, path)
    .flatMap((file) => file.getDescendantsOfKind(SyntaxKind.IndexedAccessType))
    .filter((node) => {
      const { prefix, keys } = readTypePath(node, getPrefix);
      return prefix !== undefined && keys.length > 0 && isSamePath([...prefix, ...keys], path);
    });
}

/**
 * Finds the texts and the keys of objects that name a handler: `"checkMexico"` in `Pick<RegHandlers, "checkMexico">`.
 */
function findKeys(files: readonly SourceFile[], path: readonly string[], getPrefix: PrefixReader) {
  const key = path.at(-1);
  const candidates = listFilesWith(files, path).flatMap((file) => [
    ...file.getDescendantsOfKind(SyntaxKind.StringLiteral).filter((literal) => literal.getLiteralText() === key),
    ...file
      .getDescendantsOfKind(SyntaxKind.PropertyAssignment)
      .map((property) => property.getNameNode())
      .filter(Node.isIdentifier)
      .filter((name) => name.getText() === key),
  ]);
  return candidates.filter((node) =>
    findSelectedTypes(node).some((type) => {
      const { prefix, keys } = readTypePath(type, getPrefix);
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
  if (!Node.isTypeReference(owner)) {
    return [];
  }
  const name = owner.getTypeName().getText();
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
    const type = isTyped ? ancestor.getTypeNode() : undefined;
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
