import type { RestDescriptors } from "../../describe/index.js";
import type { EndpointPlan, GroupPlan, RestPlan } from "../../plan/index.js";
import type { CodeSymbol } from "../../print/index.js";
import { descriptorsFile, type InterfaceFolders } from "../files.js";
import { type EndpointSentence, endpointSentences } from "./endpoint-sentence.js";

/** What all emitters of one REST interface share. */
export interface RestContext {
  readonly plan: RestPlan;
  readonly descriptors: RestDescriptors;
  readonly folders: InterfaceFolders;
  /** Says what an endpoint without documentation does. */
  readonly sentences: EndpointSentence;
}

export function restContext(plan: RestPlan, descriptors: RestDescriptors, folders: InterfaceFolders): RestContext {
  return { plan, descriptors, folders, sentences: endpointSentences(plan.interface.endpoints) };
}

/** A group, and the interface that it belongs to. */
export interface GroupContext {
  readonly group: GroupPlan;
  readonly context: RestContext;
}

/** A group of endpoints that clients and handlers have as a member. */
export type MemberGroup = GroupPlan & { readonly member: string };

export function memberGroups({ groups }: RestPlan): readonly MemberGroup[] {
  return groups.filter((group): group is MemberGroup => group.member !== undefined);
}

export function groupTypesFile(group: GroupPlan): string {
  return `${group.file}.types.ts`;
}

export function inputSymbol(endpoint: EndpointPlan, { group, context }: GroupContext): CodeSymbol {
  return context.folders.contract.type(endpoint.input, groupTypesFile(group));
}

export function endpointSymbol(endpoint: EndpointPlan, { group, context }: GroupContext): CodeSymbol {
  return context.folders.contract.value(endpoint.constant, descriptorsFile(group.file));
}

/** The descriptor of the interface. */
export function interfaceSymbol({ plan, folders }: RestContext): CodeSymbol {
  return folders.contract.value(plan.constant, descriptorsFile(undefined));
}

/** The path that the endpoints of a group have in common: `/core/v2`. */
export function groupPath({ endpoints }: GroupPlan): string {
  return `/${endpoints[0]?.endpoint.namespace ?? ""}`;
}

/** Endpoints by their words below a group, as clients and handlers nest them. */
export interface Branch {
  readonly endpoints: readonly { readonly word: string; readonly endpoint: EndpointPlan }[];
  readonly branches: ReadonlyMap<string, Branch>;
}

export function branchOf(endpoints: readonly EndpointPlan[], depth = 0): Branch {
  const here = endpoints.filter((endpoint) => endpoint.path.length === depth + 1);
  const below = new Map<string, EndpointPlan[]>();
  for (const endpoint of endpoints) {
    if (endpoint.path.length <= depth + 1) {
      continue;
    }
    const word = endpoint.path[depth] ?? "";
    const list = below.get(word);
    if (list === undefined) {
      below.set(word, [endpoint]);
    } else {
      list.push(endpoint);
    }
  }
  return {
    endpoints: here.map((endpoint) => ({ word: endpoint.path[depth] ?? "", endpoint })),
    branches: new Map([...below].map(([word, list]) => [word, branchOf(list, depth + 1)])),
  };
}

/** What an endpoint does, in the schema's words or in ours, then its methods and its route. */
export function endpointText({ endpoint }: EndpointPlan, { sentences }: RestContext): string {
  const { documentation = "", methods, route } = endpoint;
  const text = documentation.trim() === "" ? sentences(endpoint) : documentation;
  return `${text}\n\n${methods.join(", ")} ${route}`;
}
