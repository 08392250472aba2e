import type { RestDescriptors } from "../describe/index.js";
import type { EndpointPlan, GroupPlan, RestPlan } from "../plan/index.js";
import type { CodeSymbol } from "../print/index.js";
import { descriptorsFile, type Places } from "./places.js";

/** What all emitters of one REST interface share. */
export interface RestContext {
  readonly plan: RestPlan;
  readonly descriptors: RestDescriptors;
  readonly places: Places;
}

export function groupTypesFile(group: GroupPlan): string {
  return `${group.file}.types.ts`;
}

export function inputSymbol(endpoint: EndpointPlan, { group, context }: InGroup): CodeSymbol {
  return context.places.contract.type(endpoint.input, groupTypesFile(group));
}

export function endpointSymbol(endpoint: EndpointPlan, { group, context }: InGroup): CodeSymbol {
  return context.places.contract.value(endpoint.constant, descriptorsFile(group.file));
}

export interface InGroup {
  readonly group: GroupPlan;
  readonly context: RestContext;
}

/** Endpoints by their words below a group, as clients and handlers nest them. */
export interface Branch {
  readonly endpoints: readonly { readonly word: string; readonly endpoint: EndpointPlan }[];
  readonly branches: ReadonlyMap<string, Branch>;
}

export function branchOf(endpoints: readonly EndpointPlan[], depth = 0): Branch {
  const own = endpoints.filter((endpoint) => endpoint.path.length === depth + 1);
  const below = new Map<string, EndpointPlan[]>();
  for (const endpoint of endpoints) {
    if (endpoint.path.length <= depth + 1) continue;
    const word = endpoint.path[depth] ?? "";
    const list = below.get(word);
    if (list === undefined) below.set(word, [endpoint]);
    else list.push(endpoint);
  }
  return {
    endpoints: own.map((endpoint) => ({ word: endpoint.path[depth] ?? "", endpoint })),
    branches: new Map([...below].map(([word, list]) => [word, branchOf(list, depth + 1)])),
  };
}

/** Where the endpoints of a group are: `/core/v2`. */
export function groupPlace({ endpoints }: GroupPlan): string {
  return `/${endpoints[0]?.endpoint.namespace ?? ""}`;
}
