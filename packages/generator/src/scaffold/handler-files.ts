import { posix } from "node:path";
import { Scope, withoutDeviceName } from "../plan/names.js";
import type { EndpointPlan, Plan, RestPlan, SoapPlan } from "../plan/plan.js";

// The handlers that a server needs, and the files of new handlers.

/** Makes the handler files of an interface: one for each operation or group of routes, and the file that combines them. */
export function createHandlers(tree: HandlerTree, serverPackage: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const imports: string[] = [];
  const usedNames = new Set<string>();

  const textOfNode = (node: HandlerNode, path: readonly string[], indent: string): string => {
    if (hasOwnFile(tree, path, node)) {
      const constant = chooseConstant(path, usedNames);
      usedNames.add(constant);
      const file = getNodeFile(tree, path);
      files.set(file, formatNode(tree, path, node, { constant, serverPackage }));
      imports.push(`import { ${constant} } from "${getImportSpecifier(getHandlersFile(tree.folder), file)}";`);
      return constant === node.key ? constant : `${node.key}: ${constant}`;
    }
    const children = node.kind === "group" ? node.children : [];
    const members = children.map((child) => `${indent}  ${textOfNode(child, [...path, child.key], `${indent}  `)},\n`);
    return `${path.length === 0 ? "" : `${node.key}: `}{\n${members.join("")}${indent}}`;
  };

  const objectText = textOfNode(tree.root, [], "");
  const importText = [...imports].sort().join("\n");
  files.set(
    getHandlersFile(tree.folder),
    `import type { ${tree.type} } from "${serverPackage}/${tree.module}";\n${importText}\n\n/** The handlers of all operations. TypeScript reports missing handlers. */\nexport const ${getHandlersConstant(tree)}: ${tree.type} = ${objectText};\n`,
  );
  return files;
}

/** The constant with the handlers of an interface: `vehicleHandlers`. */
export function getHandlersConstant(tree: HandlerTree): string {
  return `${tree.type.charAt(0).toLowerCase()}${tree.type.slice(1)}`;
}

/** The specifier with which a file of the server imports another one: `./reg/check-usa.js`. */
export function getImportSpecifier(importer: string, file: string): string {
  const path = posix.relative(posix.dirname(importer), file).replace(/\.ts$/, ".js");
  return path.startsWith("../") ? path : `./${path}`;
}

/**
 * The file of a scaffolded server that combines the handlers of an interface: `src/vehicle/handlers.ts`. Each other file in its folder
 * contains one operation of a SOAP service, or one group of routes.
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

/** The path of the file for a handler or a group: `src/vehicle/reg/check-usa.ts`. */
export function getNodeFile(tree: HandlerTree, path: readonly string[]): string {
  return `src/${getNodeFolder(tree, path)}.ts`;
}

/** The folder of a group below `src`: `vehicle/reg`. */
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

/** The names of the files and folders of a group's children, by their keys. No two are equal, so that none replaces another. */
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
  return withoutDeviceName(toKebabCase(key).slice(0, maxFileWord));
}

/** The type of a handler or a group: `VehicleHandlers["reg"]["checkUSA"]`. */
export function formatNodeType(tree: HandlerTree, path: readonly string[]): string {
  return tree.type + path.map((key) => `[${JSON.stringify(key)}]`).join("");
}

/** The name of the type of the handlers of a group: `VehicleHandlers`, or `RegHandlers`. Groups that are not services have none. */
export function getTypeOfGroup(tree: HandlerTree, path: readonly string[]): string | undefined {
  const group = tree.root.children.find((child) => path.length === 1 && child.key === path[0]);
  return path.length === 0 ? tree.type : group?.kind === "group" ? group.service?.type : undefined;
}

/** The text of a new file with one handler or one group of handlers. */
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

/** The text of an object literal with a handler for each operation of a group. */
function groupText(tree: HandlerTree, group: HandlerGroup, indent: string): string {
  const memberIndent = `${indent}  `;
  const members = group.children.map((child) => `${memberIndent}${formatMember(tree, child, memberIndent)},\n`);
  return `{\n${members.join("")}${indent}}`;
}

/** The text of a member for a handler or a group: `list: async (_input, _context) => { … }`. */
export function formatMember(tree: HandlerTree, node: HandlerNode, indent: string): string {
  return `${node.key}: ${formatValue(tree, node, indent)}`;
}

/** The text of a member of a class for a handler or a group. `type` is the type of the class: `QuotesHandlers`. */
export function formatClassMember(
  tree: HandlerTree,
  node: HandlerNode,
  { type, indent }: { readonly type: string; readonly indent: string },
): string {
  return `readonly ${node.key}: ${type}[${JSON.stringify(node.key)}] = ${formatValue(tree, node, indent)};`;
}

/** The text of a new handler, or of an object literal with new handlers. */
export function formatValue(tree: HandlerTree, node: HandlerNode, indent: string): string {
  return node.kind === "group" ? groupText(tree, node, indent) : formatHandler(tree, indent);
}

/** The message of the error that a new handler throws. It identifies handlers that the user has not implemented yet. */
export const notImplemented = "This operation is not implemented yet.";

/** The text of a new handler. It throws an error, because an empty answer would look like a result. */
function formatHandler(tree: HandlerTree, indent: string): string {
  const fault =
    tree.kind === "soap"
      ? `{ reason: "${notImplemented}" }`
      : `{ code: "not_implemented", message: "${notImplemented}", status: 501 }`;
  return `async (_input, _context) => {\n${indent}  throw new ${getFaultClass(tree)}(${fault});\n${indent}}`;
}

/** The class that new handlers throw. */
export function getFaultClass(tree: HandlerTree): string {
  return tree.kind === "soap" ? "SoapFault" : "RestError";
}

/** The name of the constant that a handler file exports: the last key of its path, or all keys if that name is taken or reserved. */
export function chooseConstant(path: readonly string[], usedNames: ReadonlySet<string>): string {
  const lastKey = path[path.length - 1] ?? "handlers";
  if (!usedNames.has(lastKey) && !reservedWords.has(lastKey)) {
    return lastKey;
  }
  const allKeys = path.map((key, index) => (index === 0 ? key : key.charAt(0).toUpperCase() + key.slice(1))).join("");
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

/** The handlers that a server needs for one interface. The user's object of handlers has the same members. */
export interface HandlerTree {
  /** The name of the interface: `vehicle`. */
  readonly name: string;
  /** The entry of the server package that declares the handlers: `vehicle`. */
  readonly module: string;
  /** The folder of the handlers below `src`: `vehicle`. */
  readonly folder: string;
  /** The path of `root` among the handlers of the interface. Empty, unless the tree contains only the handlers of one service. */
  readonly prefix: readonly string[];
  /** The type of the object with all handlers: `VehicleHandlers`. */
  readonly type: string;
  /** The function to which the handlers are passed: `vehicleRoutes`. */
  readonly routes: string;
  readonly kind: "soap" | "rest";
  readonly root: HandlerGroup;
}

export interface HandlerGroup {
  readonly kind: "group";
  readonly key: string;
  readonly children: readonly HandlerNode[];
  /** If the group is a SOAP service: the type of its handlers, and the function to which they are passed. */
  readonly service?: { readonly type: string; readonly routes: string };
}

export interface HandlerOperation {
  readonly kind: "operation";
  readonly key: string;
}

export type HandlerNode = HandlerGroup | HandlerOperation;

/** The operations in a tree of handlers, each with the keys that lead to it. */
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

/** The paths of the operations of a node: `["reg.checkUSA"]`. */
export function listPaths(path: readonly string[], node: HandlerNode): readonly string[] {
  return node.kind === "group"
    ? listOperations(node, path).map((operation) => operation.path.join("."))
    : [path.join(".")];
}

/** The groups and operations in a tree of handlers, each with the keys that lead to it. */
export function listNodes(
  group: HandlerGroup,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly node: HandlerNode }[] {
  return group.children.flatMap((node) => {
    const locatedNode = { path: [...path, node.key], node };
    return node.kind === "group" ? [locatedNode, ...listNodes(node, locatedNode.path)] : [locatedNode];
  });
}

/** The handlers that a server of these interfaces needs, as the generated types declare them. */
export function createHandlerTrees(plan: Plan): readonly HandlerTree[] {
  return plan.interfaces.map((interfacePlan) => {
    const children =
      interfacePlan.kind === "soap" ? createServiceNodes(interfacePlan) : createGroupNodes(interfacePlan);
    const root: HandlerGroup = { kind: "group", key: "", children };
    const { handlers: type, routes, kind, folder: module } = interfacePlan;
    return { name: interfacePlan.interface.name, module, folder: module, prefix: [], type, routes, kind, root };
  });
}

function createServiceNodes(plan: SoapPlan): HandlerNode[] {
  return plan.services.flatMap((service): HandlerNode[] => {
    const children = service.operations.map(({ method }): HandlerOperation => ({ kind: "operation", key: method }));
    const names = { type: service.handlers, routes: service.routes };
    return plan.hasFacade ? [{ kind: "group", key: service.member, children, service: names }] : children;
  });
}

/** The groups of a REST interface. Indexes are left out, because the runtime answers them without a handler. */
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

/** The file in a server's folder that records the contract with which its handlers were last merged. */
export const recordFile = ".bothends-scaffold.json";

const recordFormat = 2;

/** Writes the record. `contract` is the text of a contract in the caller's format. */
export function recordText(contract: string): string {
  return `${JSON.stringify({ format: recordFormat, contract }, null, 2)}\n`;
}

/** Reads the contract in a record; returns undefined if the record is missing, damaged, or of another version. */
export function readRecordedContract(text: string | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    const member = (name: string) =>
      typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    const contract: unknown = member("contract");
    return member("format") === recordFormat && typeof contract === "string" ? contract : undefined;
  } catch {
    return undefined;
  }
}

/** The changes of a merge, and the remaining tasks for the user. Positions are `file:line`. */
export interface MergeReport {
  /** The operations for which handlers were added: `reg.checkUSA`. */
  readonly added: readonly string[];
  /** The operations that were a part of another operation before, by their paths among all handlers. */
  readonly split: readonly string[];
  /** The handlers that were moved to another operation. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  readonly removed: readonly RemovedHandler[];
  readonly changed: readonly ChangedHandler[];
  /** Sentences about tasks for the user, such as adding a handler that could not be added automatically. */
  readonly notes: readonly string[];
}

/** A handler whose operation is no longer in the schema. */
export interface RemovedHandler {
  readonly operation: string;
  /** The position of the handler: `src/vehicle/handlers.ts:12`. */
  readonly position: string;
  /** The files that export only this handler, or only a handler of its group. */
  readonly files: readonly string[];
  /** The positions of handlers in files that export something else too. */
  readonly declarations: readonly string[];
  /** Present if the member is a group of handlers. */
  readonly isGroup?: true;
  /** Present if the handler is a member of a class, where it may still compile. */
  readonly isInClass?: true;
  /** The positions of the `export … from` declarations that export the handler again. */
  readonly reExports: readonly string[];
  /** The path that the operation probably has now; undefined if it was probably removed. */
  readonly renamed: string | undefined;
  /** The operation that receives its calls now, and that had a handler before. */
  readonly includedIn?: string | undefined;
}

/** A change to an operation that has a handler. */
export interface ChangedHandler {
  readonly operation: string;
  readonly position: string;
  /** A sentence that describes the change: `VehicleData.Colour: An optional member was added`. */
  readonly change: string;
  /** Whether the user has written the handler. */
  readonly isImplemented: boolean;
}

/** The changes since handlers were last merged. Paths are those of operations among the handlers: `reg.checkUSA`. */
export interface HandlerChanges {
  readonly changes: readonly {
    readonly interface: string;
    readonly text: string;
    readonly operations: readonly string[];
  }[];
  /** The operations whose path has changed, or may have changed. */
  readonly moves: readonly { readonly interface: string; readonly before: string; readonly after: string }[];
  /** The operations that other operations, which existed before, now include: one endpoint has the methods of two. */
  readonly included?: HandlerChanges["moves"];
  /** Interfaces that no longer exist. */
  readonly removedInterfaces: readonly string[];
  /** The operations that only one of the two contracts has, by their paths. */
  readonly added: readonly OperationOf[];
  readonly removed: readonly OperationOf[];
  /** The paths of new operations that were a part of another operation before: the messages of its ports now differ. */
  readonly split: readonly string[];
  /** The types of handlers that the last merge had and that no longer exist. */
  readonly removedTypes: readonly ServiceType[];
  /** The types of the handlers of services now. */
  readonly services: readonly ServiceType[];
}

interface OperationOf {
  readonly interface: string;
  /** The path of the operation: `reg.checkUSA`. */
  readonly operation: string;
}

/** The type of the handlers of a service, and the function to which they are passed. */
export interface ServiceType {
  readonly interface: string;
  /** The member of the service; undefined for the type of all services of an interface. */
  readonly service: string | undefined;
  readonly type: string;
  readonly routes: string;
}
