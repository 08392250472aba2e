import type { Endpoint, RestInterface } from "../model/index.js";
import type { EndpointPlan, Plan, RestPlan, SoapPlan } from "../plan/plan.js";
import type { HandlerGroup, HandlerInterface, HandlerNode, HandlerOperation } from "./handlers.js";
import { endpointSignature, operationSignature } from "./signature.js";

/** What a server of these interfaces must handle, as the generated handlers types say it. */
export function handlersOf(plan: Plan): readonly HandlerInterface[] {
  return plan.interfaces.map((of) => ({
    module: of.folder,
    type: of.handlers,
    routes: of.routes,
    kind: of.kind,
    root: { kind: "group", key: "", children: of.kind === "soap" ? servicesOf(of) : groupsOf(of) },
  }));
}

function servicesOf(plan: SoapPlan): HandlerNode[] {
  return plan.services.map((service) => ({
    kind: "group",
    key: service.member,
    children: service.operations.map(
      ({ operation, method }): HandlerOperation => ({
        kind: "operation",
        key: method,
        answer: soapAnswer(plan, operation),
        signature: operationSignature(plan.interface, operation),
      }),
    ),
  }));
}

/** null where the operation may answer null; nothing where it answers nothing. */
function soapAnswer(
  plan: SoapPlan,
  operation: SoapPlan["services"][number]["operations"][number]["operation"],
): string | undefined {
  const { output } = operation;
  if (output === undefined || output.result.kind === "empty") return "undefined";
  if (output.result.kind !== "member" || output.body.kind !== "element" || output.body.type.kind !== "named")
    return undefined;
  const { id } = output.body.type;
  const { key } = output.result;
  const wrapper = plan.interface.types.find((type) => type.id === id);
  const member = wrapper?.kind === "record" ? wrapper.fields.find((field) => field.key === key) : undefined;
  if (member?.kind !== "element") return undefined;
  if (member.max !== 1) return "[]";
  return member.nillable || member.min === 0 ? "null" : undefined;
}

/** Indexes are the runtime's to answer: a handler for them is never missing. */
function groupsOf(plan: RestPlan): HandlerNode[] {
  return plan.groups.flatMap((group): HandlerNode[] => {
    const endpoints = group.endpoints.filter(({ path }) => !(path.length === 1 && path[0] === "index"));
    if (endpoints.length === 0) return [];
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

function treeOf(placed: readonly Placed[], of: RestInterface): readonly HandlerNode[] {
  const byKey = new Map<string, Placed[]>();
  for (const one of placed) {
    const key = one.rest[0] ?? "";
    byKey.set(key, [...(byKey.get(key) ?? []), one]);
  }
  return [...byKey].map(([key, members]): HandlerOperation | HandlerGroup => {
    const leaf = members.find((member) => member.rest.length === 1);
    if (leaf !== undefined) {
      return {
        kind: "operation",
        key,
        answer: restAnswer(leaf.endpoint.endpoint, key),
        signature: endpointSignature(leaf.endpoint.endpoint, of),
      };
    }
    return {
      kind: "group",
      key,
      children: treeOf(
        members.map(({ rest, endpoint }) => ({ rest: rest.slice(1), endpoint })),
        of,
      ),
    };
  });
}

/** What fits any JSON, or a list with a type; an object with a type is for people to write. */
function restAnswer({ answer }: Endpoint, key: string): string | undefined {
  if (answer === undefined) return key === "list" ? "[]" : "{}";
  return answer.kind === "array" ? "[]" : undefined;
}
