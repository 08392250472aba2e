import type { Endpoint, Operation, RestInterface } from "../model/index.js";
import type { EndpointPlan, Plan, RestPlan, SoapPlan } from "../plan/plan.js";
import { type InterfaceShape, restShape, soapShape } from "./shapes.js";
import { endpointSignature, operationSignature } from "./signatures.js";

/** The handlers that a server needs for one interface: a tree with the shape of the handlers object that people write. */
export interface HandlerInterface {
  /** `vehicle`: the module of the server package, and the folder. */
  readonly module: string;
  /** `VehicleHandlers`, the type of the whole tree. */
  readonly type: string;
  /** `vehicleRoutes`, the function that takes it. */
  readonly routes: string;
  readonly kind: "soap" | "rest";
  readonly root: HandlerGroup;
  /** The messages of all operations, to say what changed. */
  readonly shape: InterfaceShape;
}

export interface HandlerGroup {
  readonly kind: "group";
  readonly key: string;
  readonly children: readonly HandlerNode[];
}

export interface HandlerOperation {
  readonly kind: "operation";
  readonly key: string;
  /** Changes when the input or the output of the operation changes. */
  readonly signature: string;
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

/** The handlers that a server of these interfaces needs, as the generated types declare them. */
export function handlerTrees(plan: Plan): readonly HandlerInterface[] {
  return plan.interfaces.map((target) => {
    const children = target.kind === "soap" ? servicesOf(target) : groupsOf(target);
    const root: HandlerGroup = { kind: "group", key: "", children };
    const shape = target.kind === "soap" ? soapShape(target, soapPaths(target)) : restShape(target, restPaths(target));
    return { module: target.folder, type: target.handlers, routes: target.routes, kind: target.kind, root, shape };
  });
}

function servicesOf(plan: SoapPlan): HandlerNode[] {
  return plan.services.flatMap((service): HandlerNode[] => {
    const children = service.operations.map(
      ({ operation, method }): HandlerOperation => ({
        kind: "operation",
        key: method,
        signature: operationSignature(plan.interface, operation),
      }),
    );
    return plan.hasFacade ? [{ kind: "group", key: service.member, children }] : children;
  });
}

function soapPaths({ services, hasFacade }: SoapPlan): ReadonlyMap<Operation, string> {
  return new Map(
    services.flatMap(({ member, operations }) =>
      operations.map(({ operation, method }) => [operation, hasFacade ? `${member}.${method}` : method] as const),
    ),
  );
}

function restPaths({ groups }: RestPlan): ReadonlyMap<Endpoint, string> {
  return new Map(
    groups.flatMap(({ member, endpoints }) =>
      endpoints.map(
        ({ endpoint, path }) => [endpoint, [...(member === undefined ? [] : [member]), ...path].join(".")] as const,
      ),
    ),
  );
}

/** Indexes have no handlers: the runtime answers them. */
function groupsOf(plan: RestPlan): HandlerNode[] {
  return plan.groups.flatMap((group): HandlerNode[] => {
    const endpoints = group.endpoints.filter(({ path }) => !(path.length === 1 && path[0] === "index"));
    if (endpoints.length === 0) {
      return [];
    }
    const children = treeOf(
      endpoints.map((endpoint) => ({ rest: endpoint.path, endpoint })),
      plan.interface,
    );
    return group.member === undefined ? [...children] : [{ kind: "group", key: group.member, children }];
  });
}

interface Placed {
  readonly rest: readonly string[];
  readonly endpoint: EndpointPlan;
}

function treeOf(placed: readonly Placed[], target: RestInterface): readonly HandlerNode[] {
  const byKey = new Map<string, Placed[]>();
  for (const each of placed) {
    const key = each.rest[0] ?? "";
    byKey.set(key, [...(byKey.get(key) ?? []), each]);
  }
  return [...byKey].map(([key, members]): HandlerOperation | HandlerGroup => {
    const leaf = members.find((member) => member.rest.length === 1);
    if (leaf !== undefined) {
      return {
        kind: "operation",
        key,
        signature: endpointSignature(leaf.endpoint.endpoint, target),
      };
    }
    return {
      kind: "group",
      key,
      children: treeOf(
        members.map(({ rest, endpoint }) => ({ rest: rest.slice(1), endpoint })),
        target,
      ),
    };
  });
}

/** The operations that a server was given handlers for, with their signatures at that time. */
export interface ScaffoldRecord {
  readonly interfaces: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The messages at that time; absent in records of earlier versions. */
  readonly shapes?: Readonly<Record<string, InterfaceShape>>;
}

/** The file with the record in a server's folder. */
export const recordFile = ".bothends-scaffold.json";

/** The record of the current operations. */
export function recordOf(interfaces: readonly HandlerInterface[]): ScaffoldRecord {
  return {
    interfaces: Object.fromEntries(
      interfaces.map((target) => [
        target.module,
        Object.fromEntries(
          operationsOf(target.root).map(({ path, operation }) => [path.join("."), operation.signature]),
        ),
      ]),
    ),
    shapes: Object.fromEntries(interfaces.map(({ module, shape }) => [module, shape])),
  };
}

/** Reads a record. A missing or damaged one is empty. */
export function readRecord(text: string | undefined): ScaffoldRecord {
  if (text === undefined) {
    return { interfaces: {} };
  }
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : { interfaces: {} };
  } catch {
    return { interfaces: {} };
  }
}

export function recordText(record: ScaffoldRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function isRecord(value: unknown): value is ScaffoldRecord {
  return (
    typeof value === "object" &&
    value !== null &&
    "interfaces" in value &&
    typeof value.interfaces === "object" &&
    value.interfaces !== null
  );
}
