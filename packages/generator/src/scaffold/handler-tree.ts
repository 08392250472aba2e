import type { EndpointPlan, Plan, RestPlan, SoapPlan } from "../plan/plan.js";

/** The handlers that a server needs for one interface: a tree with the shape of the handlers object that people write. */
export interface HandlerInterface {
  /** The name of the interface: `vehicle`. */
  readonly name: string;
  /** `vehicle`: the module of the server package. */
  readonly module: string;
  /** The folder of its handlers below `src`: `vehicle`. */
  readonly folder: string;
  /** The path of `root` among the handlers of the interface: empty, except for a service that has handlers of its own. */
  readonly prefix: readonly string[];
  /** `VehicleHandlers`, the type of the whole tree. */
  readonly type: string;
  /** `vehicleRoutes`, the function that takes it. */
  readonly routes: string;
  readonly kind: "soap" | "rest";
  readonly root: HandlerGroup;
}

export interface HandlerGroup {
  readonly kind: "group";
  readonly key: string;
  readonly children: readonly HandlerNode[];
  /** Of a service: the type of its handlers, and the function that takes them. */
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

interface Placed {
  readonly rest: readonly string[];
  readonly endpoint: EndpointPlan;
}

function treeOf(placed: readonly Placed[]): readonly HandlerNode[] {
  const byKey = new Map<string, Placed[]>();
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

/** The file in a server's folder with the contract that its handlers were last merged with. */
export const recordFile = ".bothends-scaffold.json";

const recordFormat = 2;

/** The text of a record; `contract` is a text that only its writer understands. */
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
