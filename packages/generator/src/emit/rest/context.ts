import type { RestDescriptors } from "../../describe/index.js";
import type { BranchPlan, EndpointPlan, GroupPlan, RestPlan } from "../../plan/index.js";
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

/** The file with the tree of a group, or of the whole interface. */
export function endpointsFile(group: GroupPlan | undefined): string {
  return `${group?.file ?? "shared"}.endpoints.ts`;
}

/** The file with the list of all descriptors. */
export const listFile: string = descriptorsFile("endpoints");

export function inputSymbol(endpoint: EndpointPlan, { group, context }: GroupContext): CodeSymbol {
  return context.folders.contract.type(endpoint.input, groupTypesFile(group));
}

export function endpointSymbol(endpoint: EndpointPlan, { group, context }: GroupContext): CodeSymbol {
  return context.folders.contract.value(endpoint.constant, descriptorsFile(group.file));
}

/** The interface that declares a part of the tree of endpoints. */
export function treeSymbol({ name }: BranchPlan, group: GroupPlan | undefined, { folders }: RestContext): CodeSymbol {
  return folders.contract.type(name, endpointsFile(group));
}

/** The descriptors of all endpoints, or of those of a group. */
export function listSymbol(group: GroupPlan | undefined, { plan, folders }: RestContext): CodeSymbol {
  return group === undefined
    ? folders.contract.value(plan.list, listFile)
    : folders.contract.value(group.list, descriptorsFile(group.file));
}

/** The descriptor of the interface. */
export function interfaceSymbol({ plan, folders }: RestContext): CodeSymbol {
  return folders.contract.value(plan.constant, descriptorsFile(undefined));
}

/** The path that the endpoints of a group have in common: `/core/v2`. */
export function groupPath({ endpoints }: GroupPlan): string {
  return `/${endpoints[0]?.endpoint.namespace ?? ""}`;
}

/** What an endpoint does, in the schema's words or in ours, then its methods and its route. */
export function endpointText({ endpoint }: EndpointPlan, { sentences }: RestContext): string {
  const { documentation = "", methods, route } = endpoint;
  const text = documentation.trim() === "" ? sentences(endpoint) : documentation;
  return `${text}\n\n${methods.join(", ")} ${route}`;
}

/** Whether an endpoint is that of the index, or of a namespace in it: the runtime can answer it from the document. */
export function isIndex({ endpoint }: EndpointPlan): boolean {
  return endpoint.operation.at(-1) === "index" && endpoint.route === `/${endpoint.namespace}`;
}
