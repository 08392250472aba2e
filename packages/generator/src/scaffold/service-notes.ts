import { Node, type SourceFile, SyntaxKind, type VariableDeclaration } from "ts-morph";
import { toSafeFileName } from "../plan/typescript-names.js";
import { findSpecifierStyle } from "./find/code-style.js";
import { findHandlersObject, findObjectAt, listServerFilesWith, listServiceTrees } from "./find/find-handlers.js";
import { listDeclarations } from "./find/handler-declarations.js";
import { isSamePath, listNodesOfKind } from "./find/handler-types.js";
import { isClass, listMembers, readMember } from "./find/read-members.js";
import { formatPosition, isFreezeCall, isNameOf, isWrapper } from "./find/resolve-names.js";
import { findRoutesFile } from "./find/server-project.js";
import { findUnreadHandlers } from "./find/unread-code.js";
import type { HandlerChanges, RenamedCode, ServiceType } from "./handler-changes.js";
import { getImportSpecifier } from "./handler-files.js";
import { keepPath, type NoteInputs } from "./handler-notes.js";
import type { HandlerGroup, HandlerTree } from "./handler-tree.js";
import type { RemovedHandler, UnmovedHandler } from "./merge-report.js";

// Describes what a user must do about services and interfaces that are new, renamed, or removed. The functions of this
// file change no code.

/** The only service that an interface still has, and the object of all services that the user's code still has. */
interface OnlyService {
  /** The type of the object of all services, which no longer exists. */
  readonly oldType: ServiceType;
  readonly service: string;
  /** The handlers of the service, as a member of the old object. */
  readonly oldTree: HandlerTree;
  /** The changes, with the new paths of operations in the old object. */
  readonly changes: HandlerChanges;
}

/**
 * Finds the object of all services of an interface that now has only one service. Returns undefined for any other
 * interface.
 */
export function findOnlyService(
  tree: HandlerTree,
  files: readonly SourceFile[],
  changes: HandlerChanges | undefined,
): OnlyService | undefined {
  const removedTypes = listRemovedTypes(tree, changes);
  const oldType = removedTypes.find((type) => type.service === undefined);
  const oldRoot = oldType && findHandlersObject(files, oldType);
  const service = changes?.services.find(
    (service) => service.interface === tree.name && service.type === tree.type,
  )?.service;
  const handlers = oldRoot && service !== undefined ? readMember(oldRoot, service) : undefined;
  if (changes === undefined || oldType === undefined || service === undefined || handlers?.kind !== "object") {
    return undefined;
  }
  const { type, routes, root } = tree;
  const group: HandlerGroup = { kind: "group", key: service, children: root.children, service: { type, routes } };
  const removedServices = removedTypes.flatMap((removedType) => removedType.service ?? []);
  return {
    oldType,
    service,
    oldTree: { ...tree, type: oldType.type, routes: oldType.routes, root: { ...root, children: [group] } },
    changes: {
      ...changes,
      moves: changes.moves
        .filter((move) => move.interface === tree.name)
        .map((move) => (move.after.startsWith(`${service}.`) ? move : { ...move, after: `${service}.${move.after}` })),
      removed: [...changes.removed, ...removedServices.map((operation) => ({ interface: tree.name, operation }))],
    },
  };
}

/** Creates the note about an interface that now has only one service. Its handlers have a different type now. */
export function formatOnlyServiceNote(
  tree: HandlerTree,
  files: readonly SourceFile[],
  {
    oldType,
    service,
    serverPackage,
    formatDisplayPath = keepPath,
  }: Pick<OnlyService, "oldType" | "service"> & Omit<NoteInputs, "changes"> & { readonly serverPackage: string },
): string {
  const oldRoot = findHandlersObject(files, oldType);
  const handlers = findObjectAt(files, oldType, [service]);
  const serviceType = new RegExp(`\\b${oldType.type}\\[\\s*["']${service}["']`);
  const typedFiles = files
    .filter((file) => serviceType.test(file.getFullText()))
    .map((file) => formatDisplayPath(getPath(file)));
  const [rootPosition, memberPosition] = [oldRoot, handlers].map((node) =>
    node === undefined ? "" : formatDisplayPath(formatPosition(node)),
  );
  const routesFiles = listPathsWith(files, oldType.routes).map(formatDisplayPath).join(", ");
  const steps = [
    `${service} is the only service of ${tree.name} now, so ${oldType.type} and ${oldType.routes} no longer exist.`,
    ...(typedFiles.length === 0
      ? []
      : [`Import ${tree.type}, and write it in place of ${oldType.type}["${service}"], in ${typedFiles.join(", ")}.`]),
    ...(oldRoot !== undefined && isClass(oldRoot)
      ? [`Remove ${oldType.type} from the class at ${rootPosition}, and pass its member ${service} (${memberPosition})`]
      : [
          `Replace the object at ${rootPosition} with its member ${service} (${memberPosition}), and its type with ${tree.type}.`,
          "Pass it",
        ]),
    `to ${tree.routes} of ${serverPackage}/${tree.module} in ${routesFiles}. Then run scaffold again.`,
  ];
  return steps.join(" ");
}

/**
 * Returns notes about the interfaces and services that have handlers, but whose routes no code makes. `newTrees` are
 * those whose handlers this merge has created.
 */
export function listUnservedNotes(
  trees: readonly HandlerTree[],
  files: readonly SourceFile[],
  {
    newTrees,
    ...inputs
  }: Omit<NoteInputs, "changes"> & { readonly serverPackage: string; readonly newTrees: readonly HandlerTree[] },
): readonly string[] {
  const isServed = ({ routes }: HandlerTree) => makesRoutes(files, routes);
  const isNew = (tree: HandlerTree) =>
    newTrees.some(({ name, prefix }) => name === tree.name && isSamePath(prefix, tree.prefix));
  const parts = trees.map((tree) => ({ tree, services: listServiceTrees(tree) }));
  // If no code of the server makes any routes, other code makes them from the handlers that the server exports.
  const isAnyServed = parts.some(({ tree, services }) => [tree, ...services].some(isServed));
  return parts.flatMap(({ tree, services }) => {
    const hasOwnObjects = services.some(
      ({ type, routes }) => findHandlersObject(files, { type, routes }) !== undefined,
    );
    const isDivided = services.some(isServed) || (hasOwnObjects && !isNew(tree));
    const unservedTrees = isServed(tree) ? [] : isDivided ? services.filter((service) => !isServed(service)) : [tree];
    return unservedTrees.flatMap((unserved) => {
      const handlers =
        findHandlersObject(files, unserved) ??
        findUnreadHandlers(files, unserved) ??
        (unserved === tree ? undefined : findObjectAt(files, tree, unserved.prefix));
      return handlers === undefined || !(isAnyServed || isNew(unserved))
        ? []
        : [formatUnservedNote(unserved, handlers, { ...inputs, files, trees, isNew: isNew(unserved) })];
    });
  });
}

/** Whether the server's code, except its tests, calls a function that makes routes, or passes it to other code. */
function makesRoutes(files: readonly SourceFile[], routes: string): boolean {
  return listServerFilesWith(files, routes).some((file) =>
    file
      .getDescendantsOfKind(SyntaxKind.Identifier)
      .filter((name) => isNameOf(name.getText(), routes, file))
      .some((name) => name.getFirstAncestor(Node.isImportDeclaration) === undefined),
  );
}

/**
 * Returns the path of the file that makes the routes: `routes.ts`, or the file of the user that makes most of them. If
 * there is none, returns the path of a new file.
 */
function findRoutesFileOf(files: readonly SourceFile[], trees: readonly HandlerTree[]): string {
  const paths = files.map(getPath);
  const defaultPath = findRoutesFile(paths);
  const counts = new Map<string, number>();
  for (const { routes } of paths.includes(defaultPath)
    ? []
    : trees.flatMap((tree) => [tree, ...listServiceTrees(tree)])) {
    for (const file of listServerFilesWith(files, routes).filter((other) => makesRoutes([other], routes))) {
      counts.set(getPath(file), (counts.get(getPath(file)) ?? 0) + 1);
    }
  }
  const [mostUsed] = [...counts].sort(([, left], [, right]) => right - left);
  return mostUsed?.[0] ?? defaultPath;
}

/** Creates the note about handlers that no code turns into routes. */
function formatUnservedNote(
  tree: HandlerTree,
  handlers: Node,
  {
    files,
    trees,
    isNew,
    serverPackage,
    formatDisplayPath = keepPath,
  }: Omit<NoteInputs, "changes"> & {
    readonly files: readonly SourceFile[];
    readonly trees: readonly HandlerTree[];
    readonly isNew: boolean;
    readonly serverPackage: string;
  },
): string {
  const routesFile = findRoutesFileOf(files, trees);
  const subject = tree.prefix.length === 0 ? `The interface ${tree.name}` : `The service ${tree.prefix.join(".")}`;
  const start = `${subject} ${isNew ? "is new" : "has no routes yet"}. In ${formatDisplayPath(routesFile)}, import ${tree.routes} from ${serverPackage}/${tree.module}`;
  const variable = findVariable(handlers);
  const file = getPath(handlers.getSourceFile());
  if (variable?.isExported() !== true || variable.isDefaultExport() || file === routesFile) {
    return `${start}, and add ${tree.routes}(…) to the routes, with the handlers at ${formatDisplayPath(formatPosition(handlers))}.`;
  }
  const name = variable.getName();
  return `${start} and ${name} from ${getImportSpecifier(routesFile, file, findSpecifierStyle(files))}, and add ${tree.routes}(${name}) to the routes.`;
}

/** Returns the variable whose value is an object: `all` in `const all = {…} satisfies VehicleHandlers`. */
function findVariable(node: Node): VariableDeclaration | undefined {
  const owner = Node.isVariableDeclaration(node)
    ? node
    : node.getAncestors().find((ancestor) => !isWrapper(ancestor) && !isFreezeCall(ancestor));
  return Node.isVariableDeclaration(owner) ? owner : undefined;
}

/**
 * Returns notes about removed services whose handlers are in an object of their own, unless the report already says
 * where these handlers belong.
 */
export function listRemovedServiceNotes(
  tree: HandlerTree,
  files: readonly SourceFile[],
  {
    changes,
    removed,
    unmoved,
    formatDisplayPath = keepPath,
  }: NoteInputs & { readonly removed: readonly RemovedHandler[]; readonly unmoved: readonly UnmovedHandler[] },
): readonly string[] {
  const movedPaths = [
    ...removed.flatMap(({ operation, newPath }) => (newPath === undefined ? [] : [operation])),
    ...unmoved.map(({ from }) => from),
  ];
  return listRemovedTypes(tree, changes).flatMap(({ service, type, routes }) => {
    const handlers = findHandlersObject(files, { type, routes });
    const isMoved = movedPaths.some((operation) => `${operation}.`.startsWith(`${service}.`));
    if (service === undefined || handlers === undefined || isMoved) {
      return [];
    }
    const members = isClass(handlers) ? [] : listMembers(handlers);
    const declarations = members.flatMap(({ object, key }) => listDeclarations(object, key));
    const positions = new Set([handlers, ...declarations].map(findRemovedPlace));
    const routesFiles = listPathsWith(files, routes).map(formatDisplayPath).join(", ");
    const routesText = routesFiles === "" ? "" : `, and ${routes} from ${routesFiles}`;
    const positionsText = [...positions].map(formatDisplayPath).join(", ");
    return `The service ${service} no longer exists. ${formatMovedHandlers(tree, service, changes)}Remove its handlers (${positionsText})${routesText}.`;
  });
}

/** Returns the handler types of an interface that this merge, or an earlier one, found missing in the schema. */
function listRemovedTypes(tree: HandlerTree, changes: HandlerChanges | undefined): readonly ServiceType[] {
  const types = [...(changes?.removedTypes ?? []), ...(changes?.typesRemovedEarlier ?? [])].filter(
    ({ interface: name, type }) =>
      name === tree.name && changes?.services.some((service) => service.type === type) === false,
  );
  return [...new Map(types.map((removedType) => [removedType.type, removedType])).values()];
}

/**
 * Formats the sentence about the handlers to which the operations of a removed service moved; empty if there are none.
 */
function formatMovedHandlers(tree: HandlerTree, service: string, changes: HandlerChanges | undefined): string {
  const paths = (changes?.moves ?? []).flatMap(({ interface: name, before, after }) =>
    name === tree.name && before.startsWith(`${service}.`) ? [after] : [],
  );
  return paths.length === 0
    ? ""
    : `The ${paths.length === 1 ? "handler" : "handlers"} ${paths.join(", ")} now ${paths.length === 1 ? "receives" : "receive"} the calls of its operations: move your code there. `;
}

/**
 * Returns the file that contains the code to remove, or the position of the code if the file also exports other
 * declarations.
 */
function findRemovedPlace(node: Node): string {
  const file = node.getSourceFile();
  return [...file.getExportedDeclarations().values()].flat().length > 1 ? formatPosition(node) : getPath(file);
}

/**
 * Creates notes about the interfaces that no longer exist: about a removal since the last merge, or as long as code
 * names the interface. `isOpen` is true if code still names one of them.
 */
export function listRemovedInterfaceNotes(
  trees: readonly HandlerTree[],
  files: readonly SourceFile[],
  { changes, ...inputs }: RemovedInterfaceInputs & Pick<NoteInputs, "changes">,
): { readonly notes: readonly string[]; readonly isOpen: boolean } {
  const { removedInterfaces = [], interfacesRemovedEarlier = [] } = changes ?? {};
  const isNamed = (name: string) => listModulePaths(files, toSafeFileName(name), inputs).length > 0;
  const remainingNames = interfacesRemovedEarlier.filter(
    (name) => !trees.some((tree) => tree.name === name) && isNamed(name),
  );
  const names = [...new Set([...removedInterfaces, ...remainingNames])];
  return {
    notes: names.map((name) => formatRemovedInterfaceNote(name, trees, files, inputs)),
    isOpen: names.some(isNamed),
  };
}

interface RemovedInterfaceInputs extends Pick<NoteInputs, "formatDisplayPath"> {
  readonly serverPackage: string;
  readonly operationPackages?: readonly string[];
}

/** Returns the paths of the files that name a module of the generated packages, such as `@example/server/stock`. */
function listModulePaths(
  files: readonly SourceFile[],
  module: string,
  { serverPackage, operationPackages = [] }: RemovedInterfaceInputs,
): readonly string[] {
  const modules = [serverPackage, ...operationPackages].map((name) => `${name}/${module}`);
  const isOfModule = (text: string) => modules.some((name) => text === name || text.startsWith(`${name}/`));
  return files
    .filter((file) => modules.some((name) => file.getFullText().includes(name)))
    .filter((file) => listNodesOfKind(file, SyntaxKind.StringLiteral).some((node) => isOfModule(node.getLiteralText())))
    .map(getPath);
}

/**
 * Creates the note about an interface that no longer exists. If its handlers now serve an interface with another name,
 * only imports must be changed.
 */
function formatRemovedInterfaceNote(
  name: string,
  trees: readonly HandlerTree[],
  files: readonly SourceFile[],
  inputs: RemovedInterfaceInputs,
): string {
  const { serverPackage, formatDisplayPath = keepPath } = inputs;
  const listImports = (module: string) =>
    files
      .flatMap((file) => file.getImportDeclarations())
      .filter((declaration) => declaration.getModuleSpecifierValue() === `${serverPackage}/${module}`);
  const module = toSafeFileName(name);
  const importedNames = listImports(module)
    .flatMap((declaration) => declaration.getNamedImports())
    .map((named) => named.getName());
  const renamedTree = trees.find(
    (tree) =>
      importedNames.includes(tree.type) && importedNames.includes(tree.routes) && listImports(tree.module).length === 0,
  );
  const paths = listModulePaths(files, module, inputs);
  if (renamedTree !== undefined) {
    return `The interface ${name} is called ${renamedTree.name} now. Import from ${serverPackage}/${renamedTree.module}, not from ${serverPackage}/${module}, in ${paths.map(formatDisplayPath).join(", ")}.`;
  }
  const routesFile = findRoutesFileOf(files, trees);
  const handlerPaths = paths.filter((path) => path !== routesFile).map(formatDisplayPath);
  const codeText = handlerPaths.length === 0 ? "" : ` (${handlerPaths.join(", ")})`;
  const routesText = `its routes in ${formatDisplayPath(routesFile)}`;
  const tasks = [
    ...(handlerPaths.length > 0 || paths.length === 0 ? [`its handlers${codeText}`] : []),
    ...(paths.includes(routesFile) || paths.length === 0 ? [routesText] : []),
  ];
  return `The interface ${name} no longer exists. Remove ${tasks.join(", and ")}.`;
}

/**
 * Creates the note about an interface or a service with another name, which lists the files that still import its old
 * names. Undefined if there are none.
 */
export function formatRenamedCodeNote(
  { kind, before, after, modules, names }: RenamedCode,
  files: readonly SourceFile[],
  { packages, formatDisplayPath = keepPath }: Omit<NoteInputs, "changes"> & { readonly packages: readonly string[] },
): string | undefined {
  const isOtherModule = modules.before !== modules.after;
  const oldModules = packages.map((name) => `${name}/${modules.before}`);
  const isOld = (specifier = "") => oldModules.some((module) => `${specifier}/`.startsWith(`${module}/`));
  const hasName = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text);
  const declarations = files
    .flatMap((file) => [...file.getImportDeclarations(), ...file.getExportDeclarations()])
    .filter((declaration) => isOld(declaration.getModuleSpecifierValue()))
    .filter((declaration) => isOtherModule || names.some((name) => hasName(declaration.getText(), name.before)));
  const positions = new Set(declarations.map(formatPosition).map(formatDisplayPath));
  const importedText = declarations.map((declaration) => declaration.getText()).join("\n");
  const renames = [
    ...packages
      .filter((name) => isOtherModule && importedText.includes(`${name}/${modules.before}`))
      .map((name) => ({ before: `${name}/${modules.before}`, after: `${name}/${modules.after}` })),
    ...names.filter((name) => hasName(importedText, name.before)),
  ];
  const texts = renames.map((rename) => `${rename.after} in place of ${rename.before}`);
  return positions.size === 0
    ? undefined
    : `The ${kind} ${before} is called ${after} now. Write ${texts.join(", ")}, in the files with these imports: ${[...positions].join(", ")}. Then run scaffold again.`;
}

function listPathsWith(files: readonly SourceFile[], name: string): readonly string[] {
  return files.filter((file) => new RegExp(`\\b${name}\\b`).test(file.getFullText())).map(getPath);
}

function getPath(file: SourceFile): string {
  return file.getFilePath().slice(1);
}
