import type { RestDescriptors } from "../../describe/describe.js";
import type { Endpoint, Method, PathPiece, PathVariable } from "../../model/index.js";
import type { BranchPlan, EndpointPlan, GroupPlan, RestPlan } from "../../plan/index.js";
import type { CodeSymbol } from "../../print/index.js";
import { type InterfaceFolders, operationsFile } from "../files.js";

/** The state shared by all emitters of one REST interface. */
export interface RestContext {
  readonly plan: RestPlan;
  readonly descriptors: RestDescriptors;
  readonly folders: InterfaceFolders;
  /** Describes an endpoint that has no documentation. */
  readonly sentences: EndpointSentence;
}

export function restContext(plan: RestPlan, descriptors: RestDescriptors, folders: InterfaceFolders): RestContext {
  return { plan, descriptors, folders, sentences: endpointSentences(plan.interface.endpoints) };
}

/** A group and its interface. */
export interface GroupContext {
  readonly group: GroupPlan;
  readonly context: RestContext;
}

/** A group of endpoints that is a member of clients and handlers. */
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

export function inputSymbol(endpoint: EndpointPlan, { group, context }: GroupContext): CodeSymbol {
  return context.folders.contract.type(endpoint.input, groupTypesFile(group));
}

export function endpointSymbol(endpoint: EndpointPlan, { folders }: RestContext): CodeSymbol {
  return folders.contract.value(endpoint.constant, operationsFile);
}

/** The interface that declares a branch of the tree of endpoints. */
export function treeSymbol({ name }: BranchPlan, group: GroupPlan | undefined, { folders }: RestContext): CodeSymbol {
  return folders.contract.type(name, endpointsFile(group));
}

/** The descriptors of all endpoints, or of a group's endpoints. */
export function listSymbol(group: GroupPlan | undefined, { plan, folders }: RestContext): CodeSymbol {
  return folders.contract.value(group?.list ?? plan.list, operationsFile);
}

/** The descriptor of the interface. */
export function interfaceSymbol({ plan, folders }: RestContext): CodeSymbol {
  return folders.contract.value(plan.constant, operationsFile);
}

/** The common path of a group's endpoints: `/core/v2`. */
export function groupPath({ endpoints }: GroupPlan): string {
  return `/${endpoints[0]?.endpoint.namespace ?? ""}`;
}

/** The description of an endpoint, from the schema or generated, followed by its methods and route. */
export function endpointText({ endpoint }: EndpointPlan, { sentences }: RestContext): string {
  const { documentation = "", methods, route } = endpoint;
  const text = documentation.trim() === "" ? sentences(endpoint) : documentation;
  return `${text}\n\n${methods.join(", ")} ${route}`;
}

/** Whether an endpoint is that of the index, or of one of its namespaces: the runtime can answer it from the document. */
export function isIndex({ endpoint }: EndpointPlan): boolean {
  return endpoint.operation.at(-1) === "index" && endpoint.route === `/${endpoint.namespace}`;
}

/** Describes an endpoint in the words of its route: `Gets one item of autosaves in one item of blocks.` */
export type EndpointSentence = (endpoint: Endpoint) => string;

/** A part of a route below its namespace: the literal segments between two variables, or variables. */
type Step = string | typeof item;

const item: unique symbol = Symbol("item");

/** Arguments of collection endpoints. */
const collectionArguments: ReadonlySet<string> = new Set(["page", "per_page", "offset"]);

/** Describes the endpoints of one interface. Its routes show which of them are collections. */
export function endpointSentences(endpoints: readonly Endpoint[]): EndpointSentence {
  const collections = new Set(endpoints.flatMap(collectionsOf).map(keyOf));
  return (endpoint) => {
    const steps = stepsOf(endpoint);
    const isCollection = collections.has(keyOf(steps));
    const acts = new Map<string, Set<string>>();
    for (const method of endpoint.methods) {
      const [verb, target] = actOf(method, { endpoint, steps, isCollection });
      acts.set(target, (acts.get(target) ?? new Set()).add(verb));
    }
    const text = [...acts].map(([target, verbs]) => `${[...verbs].join(" or ")} ${target}`).join(" or ");
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  };
}

function keyOf(steps: readonly Step[]): string {
  return JSON.stringify(steps.map((step) => (step === item ? null : step)));
}

/** The collection that an endpoint lists, or that contains its item. */
function collectionsOf(endpoint: Endpoint): readonly (readonly Step[])[] {
  const steps = stepsOf(endpoint);
  if (steps.at(-1) === item) {
    return [steps.slice(0, -1)];
  }
  const isList = endpoint.answer?.kind === "array" || endpoint.args.some(({ name }) => collectionArguments.has(name));
  return isList && endpoint.methods.includes("GET") ? [steps] : [];
}

interface Place {
  readonly endpoint: Endpoint;
  readonly steps: readonly Step[];
  readonly isCollection: boolean;
}

/** A route with POST and PUT or PATCH is for updates. */
function actOf(method: Method, { endpoint, steps, isCollection }: Place): readonly [verb: string, target: string] {
  if (steps.length === 0) {
    return method === "GET" ? ["gets", `the index of ${endpoint.route}`] : ["calls", endpoint.route];
  }
  const noun = nounOf(steps, { preposition: isCollection ? "in" : "of", endpoint });
  const target = isCollection ? `items of ${noun}` : noun;
  switch (method) {
    case "GET":
      return isCollection ? ["lists", `the items of ${noun}`] : ["gets", noun];
    case "DELETE":
      return ["deletes", target];
    case "PUT":
    case "PATCH":
      return ["updates", target];
    case "POST":
      if (steps.at(-1) === item || endpoint.methods.some((other) => other === "PUT" || other === "PATCH")) {
        return ["updates", target];
      }
      return isCollection
        ? ["creates", `an item in ${nounOf(steps, { preposition: "of", endpoint })}`]
        : ["calls", nounOf(steps, { preposition: "on", endpoint })];
  }
}

/** `one item of blocks`, or `autosaves in one item of blocks`. */
function nounOf(
  steps: readonly Step[],
  { preposition, endpoint }: { readonly preposition: "in" | "of" | "on"; readonly endpoint: Endpoint },
): string {
  const last = steps.at(-1);
  const before = steps.slice(0, -1);
  if (last === undefined) {
    return `/${endpoint.namespace}`;
  }
  if (last === item) {
    return `one item of ${nounOf(before, { preposition: "in", endpoint })}`;
  }
  return before.length === 0 ? last : `${last} ${preposition} ${nounOf(before, { preposition, endpoint })}`;
}

/** Consecutive literal segments are one step, and so are consecutive variables. */
function stepsOf({ path, namespace }: Endpoint): readonly Step[] {
  const steps: Step[] = [];
  const literals = namespace === "" ? 0 : namespace.split("/").length;
  for (const step of segmentsOf(path).slice(literals).flat()) {
    const last = steps.at(-1);
    if (typeof step === "string" && typeof last === "string") {
      steps[steps.length - 1] = `${last}/${step}`;
    } else if (step !== last) {
      steps.push(step);
    }
  }
  return steps;
}

/** The steps of each segment: its literal text, then its variables. Text after a variable is left out. */
function segmentsOf(path: readonly PathPiece[]): readonly (readonly Step[])[] {
  const segments: Step[][] = [[]];
  for (const piece of path.flatMap(withOptionalPieces)) {
    const text = fixedTextOf(piece);
    if (text === undefined) {
      segments.at(-1)?.push(item);
      continue;
    }
    for (const [index, part] of text.split("/").entries()) {
      const segment = index === 0 ? segments.at(-1) : segments[segments.push([]) - 1];
      const word = part.trim();
      if (segment !== undefined && segment.length === 0 && word !== "") {
        segment.push(word);
      }
    }
  }
  return segments.filter((segment) => segment.length > 0);
}

/** Fillers match several texts; only their slashes are certain. */
function withOptionalPieces(piece: PathPiece): readonly (string | PathVariable)[] {
  if (typeof piece === "string" || "variable" in piece) {
    return [piece];
  }
  return "optional" in piece ? piece.optional.flatMap(withOptionalPieces) : [piece.filler.replace(/[^/]/g, "")];
}

/** The text of a piece; undefined for a variable, unless its pattern matches only one text, as in `(?P<name>core/archives)`. */
function fixedTextOf(piece: string | PathVariable): string | undefined {
  if (typeof piece === "string") {
    return piece;
  }
  return /^[\w /-]+$/.test(piece.pattern) ? piece.pattern : undefined;
}
