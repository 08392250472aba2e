import {
  type ExportSpecifier,
  type ImportSpecifier,
  type ImportTypeNode,
  Node,
  type SourceFile,
  SyntaxKind,
} from "ts-morph";
import { listNodesOfKind } from "../find/handler-types.js";
import { getOwner, getSelectedKey, replaceKey } from "../find/member-uses.js";
import { formatPosition } from "../find/resolve-names.js";
import type { HandlerChanges, RemovedName } from "../handler-changes.js";
import type { HandlerNode, HandlerTree } from "../handler-tree.js";
import { isMemberName } from "./edit-members.js";
import { type MemberMove, withPrefix } from "./rename-handlers.js";

// Finds and changes the names of generated code that the user's code imports.

/** The inputs of a merge that concern names in the user's code. */
interface ServerInputs {
  readonly changes: HandlerChanges | undefined;
  readonly serverPackage: string;
  /** The names of the client package and the contract package, which the user's code may also import. */
  readonly operationPackages?: readonly string[] | undefined;
  /** Converts the path of a file in the server to the path that notes show; absent if both paths are the same. */
  readonly formatDisplayPath?: ((path: string) => string) | undefined;
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
  return listNameNotes(files, { modules: [module], before: oldType.type, after: service.type, formatDisplayPath });
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
  for (const use of listImportedNames(files, module, before).toReversed()) {
    if (Node.isImportSpecifier(use)) {
      renameSpecifier(use, { before, after });
    } else if (Node.isExportSpecifier(use)) {
      const alias = use.getAliasNode()?.getText() ?? before;
      use.replaceWithText(`${use.isTypeOnly() ? "type " : ""}${after}${alias === after ? "" : ` as ${alias}`}`);
    } else if (Node.isImportTypeNode(use)) {
      use.setQualifier(after);
    } else {
      replaceKey(use, after);
    }
  }
}

function renameSpecifier(
  specifier: ImportSpecifier,
  { before, after }: Pick<Required<NameChange>, "before" | "after">,
): void {
  const identifiers = specifier
    .getSourceFile()
    .getDescendantsOfKind(SyntaxKind.Identifier)
    .filter((node) => !isMemberName(node));
  if (identifiers.some((node) => node.getText() === after)) {
    return;
  }
  if (specifier.getAliasNode() !== undefined) {
    specifier.getNameNode().replaceWithText(after);
    return;
  }
  const declaresName = (node: Node) => node.getText() === before && node.getParent() !== specifier && isDeclared(node);
  if (identifiers.some(declaresName)) {
    specifier.getNameNode().replaceWithText(`${after} as ${before}`);
    return;
  }
  for (const node of identifiers.filter((node) => node.getText() === before).reverse()) {
    replaceName(node, after);
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
 * Creates notes about imports of types, functions and operations that the generated packages no longer export. `moves`
 * are the moves of this merge: without them, it is not certain that an operation and the types of its messages have new
 * names. Functions that make routes are left out if one of the other notes names them.
 */
export function listRemovedNameNotes(
  tree: HandlerTree,
  files: readonly SourceFile[],
  {
    moves,
    otherNotes,
    ...inputs
  }: ServerInputs & {
    readonly moves: readonly MemberMove[];
    readonly otherNotes: readonly string[];
  },
): readonly string[] {
  const removedNames = (inputs.changes?.removedNames ?? []).filter(
    ({ interface: name, before, isFunction }) =>
      name === tree.name && (isFunction !== true || !otherNotes.some((note) => note.includes(before))),
  );
  return removedNames.flatMap((name) => {
    const { before, after, operation, isOperation, isFunction } = name;
    const isCertain =
      operation === undefined || moves.some((move) => move.tree.name === tree.name && isMoved(operation, move));
    return listNameNotes(files, {
      modules: listModules(name, tree, inputs),
      before,
      kind: isOperation === true ? "operation" : isFunction === true ? "function" : "type",
      ...(after === undefined ? {} : { after }),
      ...(isCertain ? {} : { possibleOperation: operation }),
      formatDisplayPath: inputs.formatDisplayPath,
    });
  });
}

function listNameNotes(
  files: readonly SourceFile[],
  {
    modules,
    before,
    after,
    kind = "type",
    possibleOperation,
    formatDisplayPath = (path) => path,
  }: Omit<NameChange, "module"> & {
    readonly modules: readonly string[];
    readonly kind?: "operation" | "type" | "function";
    /** The new path of the operation or the group to which the name belongs, if it is uncertain. */
    readonly possibleOperation?: string | undefined;
    readonly formatDisplayPath?: ServerInputs["formatDisplayPath"];
  },
): readonly string[] {
  const uses = modules.flatMap((module) => listImportedNames(files, module, before));
  const positions = new Set(uses.map(formatPosition).map(formatDisplayPath));
  const subject = kind === "operation" ? "it" : "its operation";
  const possibleName =
    after === undefined || possibleOperation === undefined
      ? ""
      : ` If ${subject} was renamed to ${possibleOperation}, the new name is ${after}.`;
  const text =
    after === undefined || possibleOperation !== undefined
      ? `The ${kind} ${before} no longer exists.${possibleName} Change the code`
      : `The ${kind} ${before} is called ${after} now. Change the name`;
  return positions.size === 0 ? [] : [`${text} in the files that import it: ${[...positions].join(", ")}.`];
}

/**
 * Returns the code that imports a name from a module: the names in `import` and `export … from`, types such as
 * `import("client/stock").LookUp`, and the members of a namespace import, such as `operations.lookUp`.
 */
function listImportedNames(files: readonly SourceFile[], module: string, name: string): readonly Node[] {
  const isModule = (specifier: string | undefined) => specifier === module;
  return files
    .filter((file) => file.getFullText().includes(name) && file.getFullText().includes(module))
    .flatMap((file): readonly Node[] => {
      const imports = file.getImportDeclarations().filter((node) => isModule(node.getModuleSpecifierValue()));
      const exports = file.getExportDeclarations().filter((node) => isModule(node.getModuleSpecifierValue()));
      const specifiers = [...imports, ...exports].flatMap((node): readonly (ImportSpecifier | ExportSpecifier)[] =>
        Node.isImportDeclaration(node) ? node.getNamedImports() : node.getNamedExports(),
      );
      const namespaces = imports.flatMap((node) => node.getNamespaceImport()?.getText() ?? []);
      return [
        ...specifiers.filter((specifier) => specifier.getName() === name),
        ...listNodesOfKind(file, SyntaxKind.ImportType).filter((type) => isImportOf(type, module, name)),
        ...listNamespaceMembers(file, namespaces, name),
      ];
    });
}

function isImportOf(type: ImportTypeNode, module: string, name: string): boolean {
  const argument = type.getArgument();
  const literal = Node.isLiteralTypeNode(argument) ? argument.getLiteral() : undefined;
  return (
    Node.isStringLiteral(literal) && literal.getLiteralText() === module && type.getQualifier()?.getText() === name
  );
}

/** Returns the code that selects a name from a namespace import, in values and in types. */
function listNamespaceMembers(file: SourceFile, namespaces: readonly string[], name: string): readonly Node[] {
  const isNamespace = (owner: Node | undefined) => {
    const value = Node.isVariableDeclaration(owner) ? owner.getInitializer() : owner;
    return value !== undefined && namespaces.includes(value.getText());
  };
  return namespaces.length === 0
    ? []
    : file.getDescendants().filter((node) => getSelectedKey(node) === name && isNamespace(getOwner(node)));
}
