import { posix } from "node:path";
import type { EndpointPlan, Plan, RestPlan, SoapPlan } from "../plan/plan-model.js";
import { avoidDeviceName, Scope } from "../plan/typescript-names.js";
import { capitalize } from "../text.js";

// Lists the handlers that a server needs, and writes the files of new handlers.

/**
 * Creates the handler files of an interface: one file for each operation or group of routes, and a file that combines
 * the handlers.
 */
export function createHandlers(tree: HandlerTree, serverPackage: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const imports: string[] = [];
  const usedNames = new Set<string>();

  const formatNodeText = (node: HandlerNode, path: readonly string[], indent: string): string => {
    if (hasOwnFile(tree, path, node)) {
      const constant = chooseConstant(path, usedNames);
      usedNames.add(constant);
      const file = getNodeFile(tree, path);
      files.set(file, formatNode(tree, path, node, { constant, serverPackage }));
      imports.push(`import { ${constant} } from "${getImportSpecifier(getHandlersFile(tree.folder), file)}";`);
      return constant === node.key ? constant : `${node.key}: ${constant}`;
    }
    const children = node.kind === "group" ? node.children : [];
    const members = children.map(
      (child) => `${indent}  ${formatNodeText(child, [...path, child.key], `${indent}  `)},\n`,
    );
    return `${path.length === 0 ? "" : `${node.key}: `}{\n${members.join("")}${indent}}`;
  };

  const objectText = formatNodeText(tree.root, [], "");
  const importText = [...imports].sort().join("\n");
  files.set(
    getHandlersFile(tree.folder),
    `import type { ${tree.type} } from "${serverPackage}/${tree.module}";\n${importText}\n\n/** The handlers of all operations. TypeScript reports missing handlers. */\nexport const ${getHandlersConstantName(tree)}: ${tree.type} = ${objectText};\n`,
  );
  return files;
}

/** Returns the name of the constant with an interface's handlers, such as `vehicleHandlers`. */
export function getHandlersConstantName(tree: HandlerTree): string {
  return `${tree.type.charAt(0).toLowerCase()}${tree.type.slice(1)}`;
}

/** Returns the specifier that one file of the server uses to import another, such as `./reg/check-usa.js`. */
export function getImportSpecifier(importer: string, file: string): string {
  const path = posix.relative(posix.dirname(importer), file).replace(/\.ts$/, ".js");
  return path.startsWith("../") ? path : `./${path}`;
}

/**
 * Returns the file that combines the handlers of an interface in a scaffolded server: `src/vehicle/handlers.ts`. Each
 * other file in the folder contains one operation of a SOAP service, or one group of routes.
 */
export function getHandlersFile(folder: string): string {
  return `src/${folder}/handlers.ts`;
}

/** Whether a handler or a group of handlers has a separate file. */
export function hasOwnFile(tree: HandlerTree, path: readonly string[], node: HandlerNode): boolean {
  return tree.kind === "soap"
    ? node.kind === "operation"
    : path.length === 2 || (path.length === 1 && node.kind === "operation");
}

/** Returns the path of the file for a handler or a group, such as `src/vehicle/reg/check-usa.ts`. */
export function getNodeFile(tree: HandlerTree, path: readonly string[]): string {
  return `src/${getNodeFolder(tree, path)}.ts`;
}

/** Returns the folder of a group below `src`, such as `vehicle/reg`. */
export function getNodeFolder(tree: HandlerTree, path: readonly string[]): string {
  const words: string[] = [];
  let group: HandlerGroup | undefined = tree.root;
  for (const key of path) {
    words.push(group === undefined ? getFileWord(key) : (listWordsIn(group).get(key) ?? getFileWord(key)));
    const child: HandlerNode | undefined = group?.children.find((node) => node.key === key);
    group = child?.kind === "group" ? child : undefined;
  }
  return [tree.folder, ...words].join("/");
}

const wordsOfGroups = new WeakMap<HandlerGroup, ReadonlyMap<string, string>>();

/**
 * Returns the file or folder name of each child of a group, keyed by the child's key. The names are all different, so
 * that no file replaces another.
 */
function listWordsIn(group: HandlerGroup): ReadonlyMap<string, string> {
  const knownWords = wordsOfGroups.get(group);
  if (knownWords !== undefined) {
    return knownWords;
  }
  const files = new Scope(["handlers"]);
  const folders = new Scope();
  const words = new Map(
    group.children.map(({ kind, key }) => [key, (kind === "group" ? folders : files).takeName(getFileWord(key))]),
  );
  wordsOfGroups.set(group, words);
  return words;
}

/** The maximum length of a file name without its extension. Common file systems allow 255 bytes. */
const maxFileWord = 200;

function getFileWord(key: string): string {
  return avoidDeviceName(toKebabCase(key).slice(0, maxFileWord));
}

/** Formats the type of a handler or a group: `VehicleHandlers["reg"]["checkUSA"]`. */
export function formatNodeType(tree: HandlerTree, path: readonly string[]): string {
  return tree.type + path.map((key) => `[${JSON.stringify(key)}]`).join("");
}

/**
 * Returns the handler type of a group: that of the interface (`VehicleHandlers`), or that of a service (`RegHandlers`).
 * Undefined for groups that are not services.
 */
export function getTypeOfGroup(tree: HandlerTree, path: readonly string[]): string | undefined {
  const group = tree.root.children.find((child) => path.length === 1 && child.key === path[0]);
  return path.length === 0 ? tree.type : group?.kind === "group" ? group.service?.type : undefined;
}

/** Formats a new file with one handler or one group of handlers. */
export function formatNode(
  tree: HandlerTree,
  path: readonly string[],
  node: HandlerNode,
  names: { readonly constant: string; readonly serverPackage: string },
): string {
  const module = `"${names.serverPackage}/${tree.module}"`;
  const importStatement = `import { type ${tree.type}, ${getFaultClass(tree)} } from ${module};`;
  return `${importStatement}\n\nexport const ${names.constant}: ${formatNodeType(tree, path)} = ${formatValue(tree, node, "")};\n`;
}

/** Formats an object literal with a handler for each operation of a group. */
function formatGroup(tree: HandlerTree, group: HandlerGroup, indent: string): string {
  const memberIndent = `${indent}  `;
  const members = group.children.map((child) => `${memberIndent}${formatMember(tree, child, memberIndent)},\n`);
  return `{\n${members.join("")}${indent}}`;
}

/** Formats a member for a handler or a group: `list: async (_input, _context) => { … }`. */
export function formatMember(tree: HandlerTree, node: HandlerNode, indent: string): string {
  return `${node.key}: ${formatValue(tree, node, indent)}`;
}

/** Formats a class member for a handler or a group. `type` is the type of the class: `QuotesHandlers`. */
export function formatClassMember(
  tree: HandlerTree,
  node: HandlerNode,
  { type, indent }: { readonly type: string; readonly indent: string },
): string {
  return `readonly ${node.key}: ${type}[${JSON.stringify(node.key)}] = ${formatValue(tree, node, indent)};`;
}

/** Formats a new handler, or an object literal with new handlers. */
export function formatValue(tree: HandlerTree, node: HandlerNode, indent: string): string {
  return node.kind === "group" ? formatGroup(tree, node, indent) : formatHandler(tree, indent);
}

/** The error message of new handlers. It identifies handlers that the user has not implemented yet. */
export const notImplementedMessage = "This operation is not implemented yet.";

/** Formats a new handler. The handler throws an error, because an empty answer would look like a result. */
function formatHandler(tree: HandlerTree, indent: string): string {
  const fault =
    tree.kind === "soap"
      ? `{ reason: "${notImplementedMessage}" }`
      : `{ code: "not_implemented", message: "${notImplementedMessage}", status: 501 }`;
  return `async (_input, _context) => {\n${indent}  throw new ${getFaultClass(tree)}(${fault});\n${indent}}`;
}

/** Returns the name of the error class that new handlers throw. */
export function getFaultClass(tree: HandlerTree): string {
  return tree.kind === "soap" ? "SoapFault" : "RestError";
}

/**
 * Chooses the name of the constant that a handler file exports: the last key of the handler's path, or all keys if that
 * name is taken or reserved.
 */
export function chooseConstant(path: readonly string[], usedNames: ReadonlySet<string>): string {
  const lastKey = path[path.length - 1] ?? "handlers";
  if (!usedNames.has(lastKey) && !reservedWords.has(lastKey)) {
    return lastKey;
  }
  const allKeys = path.map((key, index) => (index === 0 ? key : capitalize(key))).join("");
  let name = reservedWords.has(allKeys) ? `${allKeys}Handler` : allKeys;
  for (let count = 2; usedNames.has(name); count++) {
    name = `${allKeys}${count}`;
  }
  return name;
}

const reservedWords: ReadonlySet<string> = new Set(
  "delete new default class function return import export switch case in of void typeof null true false this enum with".split(
    " ",
  ),
);

function toKebabCase(key: string): string {
  return key
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}

/**
 * The handlers that a server needs for one interface, as a tree. The user's object of handlers has the same members.
 */
export interface HandlerTree {
  /** The name of the interface, such as `vehicle`. */
  readonly name: string;
  /** The entry point of the server package that declares the handlers, such as `vehicle`. */
  readonly module: string;
  /** The folder of the handlers below `src`, such as `vehicle`. */
  readonly folder: string;
  /**
   * The path of `root` in the handlers of the interface. Empty, unless the tree contains the handlers of only one
   * service.
   */
  readonly prefix: readonly string[];
  /** The type of the object with all handlers, such as `VehicleHandlers`. */
  readonly type: string;
  /** The function that turns the handlers into routes, such as `vehicleRoutes`. */
  readonly routes: string;
  readonly kind: "soap" | "rest";
  readonly root: HandlerGroup;
  /**
   * Other types and classes with the same members, such as clients, each with its path among the handlers of the
   * interface: `RegClient` with `["reg"]`.
   */
  readonly sameMembers?: ReadonlyMap<string, readonly string[]>;
}

/** A group of handlers: all of an interface, or those of a service or of a group of endpoints. */
export interface HandlerGroup {
  readonly kind: "group";
  readonly key: string;
  readonly children: readonly HandlerNode[];
  /** For a SOAP service: the type of its handlers, and the function that turns them into routes. */
  readonly service?: { readonly type: string; readonly routes: string };
}

/** A handler in a tree of handlers. */
export interface HandlerOperation {
  readonly kind: "operation";
  readonly key: string;
}

export type HandlerNode = HandlerGroup | HandlerOperation;

/** Returns the operations in a tree of handlers, each with its path. */
export function listOperations(
  group: HandlerGroup,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly operation: HandlerOperation }[] {
  return group.children.flatMap((child) =>
    child.kind === "group"
      ? listOperations(child, [...path, child.key])
      : [{ path: [...path, child.key], operation: child }],
  );
}

/** Returns the paths of a node's operations: `["reg.checkUSA"]`. */
export function listPaths(path: readonly string[], node: HandlerNode): readonly string[] {
  return node.kind === "group"
    ? listOperations(node, path).map((operation) => operation.path.join("."))
    : [path.join(".")];
}

/** A group or an operation in a tree of handlers, with its path. */
export interface LocatedNode {
  readonly path: readonly string[];
  readonly node: HandlerNode;
}

/** Returns the groups and operations in a tree of handlers. */
export function listNodes(group: HandlerGroup, path: readonly string[] = []): readonly LocatedNode[] {
  return group.children.flatMap((node) => {
    const locatedNode = { path: [...path, node.key], node };
    return node.kind === "group" ? [locatedNode, ...listNodes(node, locatedNode.path)] : [locatedNode];
  });
}

/** Finds a group or an operation by its path, such as `reg.checkUSA`. */
export function findNode(tree: HandlerTree, name: string): LocatedNode | undefined {
  return listNodes(tree.root).find(({ path }) => path.join(".") === name);
}

/** Returns the handlers that a server needs, as trees with the structure of the generated types. */
export function createHandlerTrees(plan: Plan): readonly HandlerTree[] {
  return plan.interfaces.map((interfacePlan) => {
    const children =
      interfacePlan.kind === "soap" ? createServiceNodes(interfacePlan) : createGroupNodes(interfacePlan);
    const root: HandlerGroup = { kind: "group", key: "", children };
    const { handlers: type, routes, kind, folder: module } = interfacePlan;
    const name = interfacePlan.interface.name;
    const sameMembers = interfacePlan.kind === "soap" ? listClients(interfacePlan) : listBranchTypes(interfacePlan);
    return { name, module, folder: module, prefix: [], type, routes, kind, root, sameMembers };
  });
}

/** Returns the client classes of a SOAP interface, with the paths of their members. */
function listClients({ client, hasFacade, services }: SoapPlan): ReadonlyMap<string, readonly string[]> {
  const paths = services.map((service) => [service.client, hasFacade ? [service.member] : []] as const);
  return new Map<string, readonly string[]>([[client, []], ...paths]);
}

/** Returns the client classes and the types of the groups of a REST interface, with the paths of their members. */
function listBranchTypes({ client, groups, tree }: RestPlan): ReadonlyMap<string, readonly string[]> {
  const types = new Map<string, readonly string[]>([[client, []]]);
  for (const group of groups) {
    const path = group.member === undefined ? [] : [group.member];
    types.set(group.client, path).set(group.handlers, path);
  }
  const visit = ({ name, words, branches }: RestPlan["tree"]): void => {
    types.set(name, words);
    for (const { branch } of branches) {
      visit(branch);
    }
  };
  visit(tree);
  return types;
}

function createServiceNodes(plan: SoapPlan): HandlerNode[] {
  return plan.services.flatMap((service): HandlerNode[] => {
    const children = service.operations.map(({ method }): HandlerOperation => ({ kind: "operation", key: method }));
    const names = { type: service.handlers, routes: service.routes };
    return plan.hasFacade ? [{ kind: "group", key: service.member, children, service: names }] : children;
  });
}

/** Returns the groups of a REST interface. Omits index routes, which the runtime answers without a handler. */
function createGroupNodes(plan: RestPlan): HandlerNode[] {
  return plan.groups.flatMap((group): HandlerNode[] => {
    const endpoints = group.endpoints.filter(({ path }) => !(path.length === 1 && path[0] === "index"));
    if (endpoints.length === 0) {
      return [];
    }
    const children = createNodes(endpoints.map((endpoint) => ({ remainingPath: endpoint.path, endpoint })));
    return group.member === undefined ? [...children] : [{ kind: "group", key: group.member, children }];
  });
}

interface EndpointAtPath {
  readonly remainingPath: readonly string[];
  readonly endpoint: EndpointPlan;
}

function createNodes(endpoints: readonly EndpointAtPath[]): readonly HandlerNode[] {
  const endpointsByKey = new Map<string, EndpointAtPath[]>();
  for (const endpoint of endpoints) {
    const key = endpoint.remainingPath[0] ?? "";
    endpointsByKey.set(key, [...(endpointsByKey.get(key) ?? []), endpoint]);
  }
  return [...endpointsByKey].map(([key, members]): HandlerOperation | HandlerGroup => {
    if (members.some((member) => member.remainingPath.length === 1)) {
      return { kind: "operation", key };
    }
    const children = createNodes(
      members.map(({ remainingPath, endpoint }) => ({ remainingPath: remainingPath.slice(1), endpoint })),
    );
    return { kind: "group", key, children };
  });
}

/** The changes since handlers were last merged. Operations are identified by their handler paths: `reg.checkUSA`. */
export interface HandlerChanges {
  readonly changes: readonly {
    readonly interface: string;
    readonly text: string;
    readonly operations: readonly string[];
    /** What to do in the handlers, before their names: `remove any code for X from`. Default: `check`. */
    readonly step?: string;
    /** True if code that compiled before may not compile any more. */
    readonly affectsCode?: true;
  }[];
  /** The operations with a changed path, or with a path that probably changed. */
  readonly moves: readonly { readonly interface: string; readonly before: string; readonly after: string }[];
  /** The pairs of removed and added operations that are equally likely to be the same operation. */
  readonly possibleMoves?: HandlerChanges["moves"];
  /** The operations whose endpoint was merged into that of another existing operation. */
  readonly included?: HandlerChanges["moves"];
  /** Interfaces that no longer exist. */
  readonly removedInterfaces: readonly string[];
  /** Interfaces and services with another name, whose handlers have the same paths as before. */
  readonly renamedCode?: readonly RenamedCode[];
  /**
   * The paths of the operations that only the new contract has (`added`), or only the contract of the last merge
   * (`removed`).
   */
  readonly added: readonly OperationOf[];
  readonly removed: readonly OperationOf[];
  /** The operations that earlier merges added while the handlers of removed operations still existed. */
  readonly addedEarlier?: readonly OperationOf[];
  /**
   * The operations that were split from another operation, whose path was `before`, because the ports of that operation
   * now have different messages.
   */
  readonly split: HandlerChanges["moves"];
  /** The handler types that existed at the last merge, but no longer exist. */
  readonly removedTypes: readonly ServiceType[];
  /** The handler types that no longer existed at the last merge, but that the user's code may still name. */
  readonly typesRemovedEarlier?: readonly ServiceType[];
  /** The current handler types of services. */
  readonly services: readonly ServiceType[];
  /** True if an older version of bothends wrote the record, so that some changes of earlier merges are missing. */
  readonly isIncomplete?: true;
  /** The other types and operations that generated packages no longer export, with the new name of a renamed one. */
  readonly removedNames?: readonly RemovedName[];
}

/** Returns the new path of a removed handler, or of a removed group if all its operations moved to one other group. */
export function findNewPath(
  tree: HandlerTree,
  operation: string,
  allMoves: HandlerChanges["moves"] = [],
): string | undefined {
  const moves = allMoves.filter((move) => move.interface === tree.name);
  const newPaths = moves.flatMap((move) => {
    const [oldPath, newPath] = [withoutPrefix(move.before, tree), withoutPrefix(move.after, tree)];
    const remainingPath = oldPath.slice(operation.length);
    const isInside = oldPath.startsWith(operation) && (remainingPath === "" || remainingPath.startsWith("."));
    return isInside && newPath.endsWith(remainingPath) ? [newPath.slice(0, newPath.length - remainingPath.length)] : [];
  });
  const [onlyPath, ...otherPaths] = new Set(newPaths);
  return otherPaths.length === 0 ? onlyPath : undefined;
}

/** Removes the tree's prefix from the path of an operation. */
export function withoutPrefix(path: string, { prefix }: HandlerTree): string {
  const start = prefix.map((key) => `${key}.`).join("");
  return path.startsWith(start) ? path.slice(start.length) : path;
}

/** An operation, and the name of its interface. */
export interface OperationOf {
  readonly interface: string;
  /** The path of the operation, such as `reg.checkUSA`. */
  readonly operation: string;
}

interface Rename {
  readonly before: string;
  readonly after: string;
}

/** The generated code of an interface with another name in `bothends.json`, or of a service with another name. */
export interface RenamedCode extends Rename {
  readonly kind: "interface" | "service";
  /** The name of the interface now. */
  readonly interface: string;
  /** The path of the service, whose handlers may be an object of their own; absent if it is the only service. */
  readonly service?: string;
  /** The entry points of the generated packages, such as `vehicle`. */
  readonly modules: Rename;
  /** The types, functions and classes whose names have changed. */
  readonly names: readonly Rename[];
}

/** A type, a function or an operation that a generated package exported at the last merge. */
export interface RemovedName {
  readonly interface: string;
  readonly before: string;
  /** True for the constant of an operation or of a service, which the entry `operations` exports. */
  readonly isOperation?: true;
  /** True for the function that makes the routes of a service or of a group of routes. */
  readonly isFunction?: true;
  /** The new name of the type; absent if the type was probably removed. */
  readonly after?: string;
  /** The path of the renamed operation, or of the operation whose message has the type. Absent for other causes. */
  readonly operation?: string;
}

/** The type of a service's handlers, and the function that turns them into routes. */
export interface ServiceType {
  readonly interface: string;
  /** The key of the service among the handlers of its interface; undefined for the type of all services. */
  readonly service: string | undefined;
  readonly type: string;
  readonly routes: string;
}
