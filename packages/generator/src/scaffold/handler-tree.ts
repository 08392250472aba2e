import type { EndpointPlan, Plan, RestPlan, SoapPlan } from "../plan/plan-model.js";

/**
 * The handlers that a server needs for one interface, as a tree. The user's object of handlers has the same members.
 */
export interface HandlerTree {
  /** The name of the interface, such as `vehicle`. */
  readonly name: string;
  /** The entry point of the server package that declares the handlers, such as `vehicle`. */
  readonly module: string;
  /** The folder of the handlers in the server's folder, such as `src/vehicle`. */
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
  /** The first keys of the operations of this interface that were removed since the last merge. */
  readonly removedKeys?: readonly string[];
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
    return { name, module, folder: `src/${module}`, prefix: [], type, routes, kind, root, sameMembers };
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
