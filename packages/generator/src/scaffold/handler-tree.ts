import type { Endpoint, RestInterface } from "../model/index.js";
import type { EndpointPlan, Plan, RestPlan, SoapPlan } from "../plan/plan.js";
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
}

export interface HandlerGroup {
  readonly kind: "group";
  readonly key: string;
  readonly children: readonly HandlerNode[];
}

export interface HandlerOperation {
  readonly kind: "operation";
  readonly key: string;
  /** The answer of a new handler until a person writes it: an expression that fits the type; undefined: it throws a fault. */
  readonly answer: string | undefined;
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
  return plan.interfaces.map((target) => ({
    module: target.folder,
    type: target.handlers,
    routes: target.routes,
    kind: target.kind,
    root: { kind: "group", key: "", children: target.kind === "soap" ? servicesOf(target) : groupsOf(target) },
  }));
}

function servicesOf(plan: SoapPlan): HandlerNode[] {
  return plan.services.flatMap((service): HandlerNode[] => {
    const children = service.operations.map(
      ({ operation, method }): HandlerOperation => ({
        kind: "operation",
        key: method,
        answer: soapAnswer(plan, operation),
        signature: operationSignature(plan.interface, operation),
      }),
    );
    return plan.hasFacade ? [{ kind: "group", key: service.member, children }] : children;
  });
}

/** `null` if the answer may be null, `[]` for a list, `undefined` for an operation without an answer. */
function soapAnswer(
  plan: SoapPlan,
  operation: SoapPlan["services"][number]["operations"][number]["operation"],
): string | undefined {
  const { output } = operation;
  if (output === undefined || output.result.kind === "empty") {
    return "undefined";
  }
  if (output.result.kind !== "member" || output.body.kind !== "element" || output.body.type.kind !== "named") {
    return undefined;
  }
  const { id } = output.body.type;
  const { key } = output.result;
  const wrapper = plan.interface.types.find((type) => type.id === id);
  const member = wrapper?.kind === "record" ? wrapper.fields.find((field) => field.key === key) : undefined;
  if (member?.kind !== "element") {
    return undefined;
  }
  if (member.max !== 1) {
    return "[]";
  }
  return member.nillable || member.min === 0 ? "null" : undefined;
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
        answer: restAnswer(leaf.endpoint.endpoint, key),
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

/** An answer that fits any JSON, or an empty list. An object of a declared type has to be written by a person. */
function restAnswer({ answer }: Endpoint, key: string): string | undefined {
  if (answer === undefined) {
    return key === "list" ? "[]" : "{}";
  }
  return answer.kind === "array" ? "[]" : undefined;
}

/** The operations that a server was given handlers for, with their signatures at that time. */
export interface ScaffoldRecord {
  readonly interfaces: Readonly<Record<string, Readonly<Record<string, string>>>>;
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
