import type { EndpointPlan, Plan, RestPlan, SoapPlan } from "../plan/plan.js";

// The handlers that a server needs, and the files for new ones.

/** The handler files of a new server: one per operation or group of routes, and the file that combines them. */
export function createHandlers(target: HandlerInterface, serverPackage: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const imports: string[] = [];
  const usedNames = new Set<string>();

  const literal = (node: HandlerNode, path: readonly string[], indent: string): string => {
    if (hasOwnFile(target, path, node)) {
      const constant = constantOf(path, usedNames);
      usedNames.add(constant);
      const file = nodeFile(target.folder, path);
      files.set(file, nodeText(target, path, node, { constant, serverPackage }));
      imports.push(`import { ${constant} } from "${importSpecifier(target.folder, file)}";`);
      return constant === node.key ? constant : `${node.key}: ${constant}`;
    }
    const children = node.kind === "group" ? node.children : [];
    const members = children.map((child) => `${indent}  ${literal(child, [...path, child.key], `${indent}  `)},\n`);
    return `${path.length === 0 ? "" : `${node.key}: `}{\n${members.join("")}${indent}}`;
  };

  const whole = literal(target.root, [], "");
  const head = [...imports].sort().join("\n");
  files.set(
    handlersFile(target.folder),
    `import type { ${target.type} } from "${serverPackage}/${target.module}";\n${head}\n\n/** The handler of every operation. A missing one is a compile error. */\nexport const ${handlersConstant(target)}: ${target.type} = ${whole};\n`,
  );
  return files;
}

/** `vehicleHandlers`. */
export function handlersConstant(target: HandlerInterface): string {
  return `${target.type.charAt(0).toLowerCase()}${target.type.slice(1)}`;
}

/** The specifier with which the handlers file imports another file in its folder. */
export function importSpecifier(folder: string, file: string): string {
  return `./${file.slice(`src/${folder}/`.length).replace(/\.ts$/, ".js")}`;
}

/**
 * The file of a scaffolded server that combines the handlers of an interface, `src/vehicle/handlers.ts`. Each of the files beside
 * it contains one operation of a SOAP service or one group of routes.
 */
export function handlersFile(folder: string): string {
  return `src/${folder}/handlers.ts`;
}

/** Whether a node has its own file. */
export function hasOwnFile(target: HandlerInterface, path: readonly string[], node: HandlerNode): boolean {
  return target.kind === "soap"
    ? node.kind === "operation"
    : path.length === 2 || (path.length === 1 && node.kind === "operation");
}

/** `src/vehicle/reg/check-usa.ts`. */
export function nodeFile(folder: string, path: readonly string[]): string {
  return `src/${folder}/${path.map(kebab).join("/")}.ts`;
}

/** `VehicleHandlers["reg"]["checkUSA"]`. */
export function nodeType(target: HandlerInterface, path: readonly string[]): string {
  return target.type + path.map((key) => `[${JSON.stringify(key)}]`).join("");
}

/** The text of a new file with one operation or one group. */
export function nodeText(
  target: HandlerInterface,
  path: readonly string[],
  node: HandlerNode,
  names: { readonly constant: string; readonly serverPackage: string },
): string {
  const from = `"${names.serverPackage}/${target.module}"`;
  const imported = `import { type ${target.type}, ${faultOf(target)} } from ${from};`;
  const value = node.kind === "group" ? groupText(target, node, "") : handlerText(target, "");
  return `${imported}\n\nexport const ${names.constant}: ${nodeType(target, path)} = ${value};\n`;
}

/** An object literal with a handler per operation. */
export function groupText(target: HandlerInterface, group: HandlerGroup, indent: string): string {
  const inner = `${indent}  `;
  const members = group.children.map((child) => `${inner}${memberText(target, child, inner)},\n`);
  return `{\n${members.join("")}${indent}}`;
}

/** `list: async (input, context) => []`, or a group. */
export function memberText(target: HandlerInterface, node: HandlerNode, indent: string): string {
  return `${node.key}: ${node.kind === "group" ? groupText(target, node, indent) : handlerText(target, indent)}`;
}

/** A new handler throws an error that it is not implemented: an empty answer would look like a result. */
function handlerText(target: HandlerInterface, indent: string): string {
  const fault =
    target.kind === "soap"
      ? '{ reason: "This operation is not implemented yet." }'
      : '{ code: "not_implemented", message: "This operation is not implemented yet.", status: 501 }';
  return `async (_input, _context) => {\n${indent}  throw new ${faultOf(target)}(${fault});\n${indent}}`;
}

function faultOf(target: HandlerInterface): string {
  return target.kind === "soap" ? "SoapFault" : "RestError";
}

/** The name of a file's exported constant: the last key, or all keys if that is taken or reserved. */
export function constantOf(path: readonly string[], usedNames: ReadonlySet<string>): string {
  const last = path[path.length - 1] ?? "handlers";
  if (!usedNames.has(last) && !reserved.has(last)) {
    return last;
  }
  const whole = path.map((key, index) => (index === 0 ? key : key.charAt(0).toUpperCase() + key.slice(1))).join("");
  let name = reserved.has(whole) ? `${whole}Handler` : whole;
  for (let count = 2; usedNames.has(name); count++) {
    name = `${whole}${count}`;
  }
  return name;
}

const reserved: ReadonlySet<string> = new Set(
  "delete new default class function return import export switch case in of void typeof null true false this enum with".split(
    " ",
  ),
);

export function kebab(key: string): string {
  return key
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}

/** The handlers that a server needs for one interface: a tree with the same shape as the user's object of handlers. */
export interface HandlerInterface {
  /** The name of the interface: `vehicle`. */
  readonly name: string;
  /** `vehicle`: the module of the server package. */
  readonly module: string;
  /** The folder of its handlers below `src`: `vehicle`. */
  readonly folder: string;
  /** The path of `root` among the handlers of the interface: empty, except for a service with separate handlers. */
  readonly prefix: readonly string[];
  /** `VehicleHandlers`, the type of the whole tree. */
  readonly type: string;
  /** `vehicleRoutes`, the function that accepts it. */
  readonly routes: string;
  readonly kind: "soap" | "rest";
  readonly root: HandlerGroup;
}

export interface HandlerGroup {
  readonly kind: "group";
  readonly key: string;
  readonly children: readonly HandlerNode[];
  /** For a service: the type of its handlers, and the function that accepts them. */
  readonly service?: { readonly type: string; readonly routes: string };
}

export interface HandlerOperation {
  readonly kind: "operation";
  readonly key: string;
}

export type HandlerNode = HandlerGroup | HandlerOperation;

/** The operations of a tree in order, each with the keys that lead to it. */
export function operationsOf(
  group: HandlerGroup,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly operation: HandlerOperation }[] {
  return group.children.flatMap((child) =>
    child.kind === "group"
      ? operationsOf(child, [...path, child.key])
      : [{ path: [...path, child.key], operation: child }],
  );
}

/** The nodes of a tree in order, each with the keys that lead to it. */
export function nodesOf(
  group: HandlerGroup,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly node: HandlerNode }[] {
  return group.children.flatMap((node) => {
    const here = { path: [...path, node.key], node };
    return node.kind === "group" ? [here, ...nodesOf(node, here.path)] : [here];
  });
}

/** The handlers that a server of these interfaces needs, as the generated types declare them. */
export function handlerTrees(plan: Plan): readonly HandlerInterface[] {
  return plan.interfaces.map((target) => {
    const children = target.kind === "soap" ? servicesOf(target) : groupsOf(target);
    const root: HandlerGroup = { kind: "group", key: "", children };
    const { handlers: type, routes, kind, folder: module } = target;
    return { name: target.interface.name, module, folder: module, prefix: [], type, routes, kind, root };
  });
}

function servicesOf(plan: SoapPlan): HandlerNode[] {
  return plan.services.flatMap((service): HandlerNode[] => {
    const children = service.operations.map(({ method }): HandlerOperation => ({ kind: "operation", key: method }));
    const names = { type: service.handlers, routes: service.routes };
    return plan.hasFacade ? [{ kind: "group", key: service.member, children, service: names }] : children;
  });
}

/** Indexes have no handlers: the runtime answers them. */
function groupsOf(plan: RestPlan): HandlerNode[] {
  return plan.groups.flatMap((group): HandlerNode[] => {
    const endpoints = group.endpoints.filter(({ path }) => !(path.length === 1 && path[0] === "index"));
    if (endpoints.length === 0) {
      return [];
    }
    const children = treeOf(endpoints.map((endpoint) => ({ rest: endpoint.path, endpoint })));
    return group.member === undefined ? [...children] : [{ kind: "group", key: group.member, children }];
  });
}

interface EndpointAtPath {
  readonly rest: readonly string[];
  readonly endpoint: EndpointPlan;
}

function treeOf(placed: readonly EndpointAtPath[]): readonly HandlerNode[] {
  const byKey = new Map<string, EndpointAtPath[]>();
  for (const each of placed) {
    const key = each.rest[0] ?? "";
    byKey.set(key, [...(byKey.get(key) ?? []), each]);
  }
  return [...byKey].map(([key, members]): HandlerOperation | HandlerGroup => {
    if (members.some((member) => member.rest.length === 1)) {
      return { kind: "operation", key };
    }
    const children = treeOf(members.map(({ rest, endpoint }) => ({ rest: rest.slice(1), endpoint })));
    return { kind: "group", key, children };
  });
}

/** The file in a server's folder that records the contract with which its handlers were last merged. */
export const recordFile = ".bothends-scaffold.json";

const recordFormat = 2;

/** The text of a record; `contract` is an opaque text. */
export function recordText(contract: string): string {
  return `${JSON.stringify({ format: recordFormat, contract }, null, 2)}\n`;
}

/** Reads the contract in a record. Undefined if the record is missing, damaged, or of another version. */
export function recordedContract(text: string | undefined): string | undefined {
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
