import type { RestDescriptors } from "../../describe/describe.js";
import type { Endpoint, Method, PathPiece, PathVariable } from "../../model/index.js";
import type { BranchPlan, EndpointPlan, GroupPlan, RestPlan } from "../../plan/index.js";
import type { CodeSymbol } from "../../print/index.js";
import { capitalize } from "../../text.js";
import { type InterfaceFolders, operationsFile } from "../files.js";

/** The inputs for all files of one REST interface. */
export interface RestContext {
  readonly plan: RestPlan;
  readonly descriptors: RestDescriptors;
  readonly folders: InterfaceFolders;
  /** Returns a generated description for an endpoint that has no documentation. */
  readonly sentences: EndpointSentence;
}

export function createRestContext(
  plan: RestPlan,
  descriptors: RestDescriptors,
  folders: InterfaceFolders,
): RestContext {
  return { plan, descriptors, folders, sentences: createEndpointSentences(plan.interface.endpoints) };
}

/** A group of endpoints, and the context of its interface. */
export interface GroupContext {
  readonly group: GroupPlan;
  readonly context: RestContext;
}

/** A group of endpoints that is a member of clients and handlers. */
export type GroupWithMember = GroupPlan & { readonly member: string };

/** Lists the groups of endpoints except the one whose endpoints are direct members of the client. */
export function listGroupsWithMember({ groups }: RestPlan): readonly GroupWithMember[] {
  return groups.filter((group): group is GroupWithMember => group.member !== undefined);
}

/** Returns the name of the file that contains the argument types of a group. */
export function getGroupTypesFile(group: GroupPlan): string {
  return `${group.file}.types.ts`;
}

/**
 * Returns the name of the file that contains the endpoint tree of a group or, if `group` is undefined, of the
 * interface.
 */
export function getEndpointsFile(group: GroupPlan | undefined): string {
  return `${group?.file ?? "shared"}.endpoints.ts`;
}

/** Returns the symbol of the type of an endpoint's arguments. */
export function getInputSymbol(endpoint: EndpointPlan, { group, context }: GroupContext): CodeSymbol {
  return context.folders.contract.getType(endpoint.input, getGroupTypesFile(group));
}

/** Returns the symbol of the constant with an endpoint's descriptor. */
export function getEndpointSymbol(endpoint: EndpointPlan, { folders }: RestContext): CodeSymbol {
  return folders.contract.getValue(endpoint.constant, operationsFile);
}

/** Returns the symbol of the TypeScript interface for a branch of the endpoint tree. */
export function getTreeSymbol(
  { name }: BranchPlan,
  group: GroupPlan | undefined,
  { folders }: RestContext,
): CodeSymbol {
  return folders.contract.getType(name, getEndpointsFile(group));
}

/**
 * Returns the symbol of the constant that lists the endpoint descriptors of a group or, if `group` is undefined, of the
 * interface.
 */
export function getEndpointsSymbol(group: GroupPlan | undefined, { plan, folders }: RestContext): CodeSymbol {
  return folders.contract.getValue(group?.endpointsConstant ?? plan.endpointsConstant, operationsFile);
}

/** Returns the symbol of the interface's descriptor. */
export function getInterfaceSymbol({ plan, folders }: RestContext): CodeSymbol {
  return folders.contract.getValue(plan.constant, operationsFile);
}

/** Returns the path that a group's endpoints have in common: `/core/v2`. */
export function getGroupPath({ endpoints }: GroupPlan): string {
  return `/${endpoints[0]?.endpoint.namespace ?? ""}`;
}

/** Returns the comment of an endpoint: its documentation or a generated description, then its methods and route. */
export function getEndpointText({ endpoint }: EndpointPlan, { sentences }: RestContext): string {
  const { documentation = "", methods, route } = endpoint;
  const text = documentation.trim() === "" ? sentences(endpoint) : documentation;
  return `${text}\n\n${methods.join(", ")} ${route}`;
}

/**
 * Whether an endpoint returns the index, or the index of a namespace. The runtime can answer both without a handler.
 */
export function isIndex({ endpoint }: EndpointPlan): boolean {
  return endpoint.operation.at(-1) === "index" && endpoint.route === `/${endpoint.namespace}`;
}

/**
 * Describes an endpoint in a sentence with the names in its route: `Gets one item of autosaves in one item of blocks.`
 */
export type EndpointSentence = (endpoint: Endpoint) => string;

/** A step of a route below its namespace: literal segments (`blocks`), or `item` in place of variables. */
type Step = string | typeof item;

const item: unique symbol = Symbol("item");

/** Arguments that only endpoints of collections have. */
const collectionArguments: ReadonlySet<string> = new Set(["page", "per_page", "offset"]);

/**
 * Returns a function that describes the endpoints of an interface. All endpoints are needed, because together they show
 * which routes are collections.
 */
export function createEndpointSentences(endpoints: readonly Endpoint[]): EndpointSentence {
  const collections = new Set(endpoints.flatMap(listCollections).map(getKey));
  return (endpoint) => {
    const steps = listRouteSteps(endpoint);
    const isCollection = collections.has(getKey(steps));
    const verbsByTarget = new Map<string, Set<string>>();
    for (const method of endpoint.methods) {
      const [verb, target] = findVerbAndTarget(method, { endpoint, steps, isCollection });
      verbsByTarget.set(target, (verbsByTarget.get(target) ?? new Set()).add(verb));
    }
    const text = [...verbsByTarget].map(([target, verbs]) => `${[...verbs].join(" or ")} ${target}`).join(" or ");
    return `${capitalize(text)}.`;
  };
}

function getKey(steps: readonly Step[]): string {
  return JSON.stringify(steps.map((step) => (step === item ? null : step)));
}

/**
 * Returns the steps of the collection that an endpoint lists, or of the collection that contains its item; none for any
 * other endpoint.
 */
function listCollections(endpoint: Endpoint): readonly (readonly Step[])[] {
  const steps = listRouteSteps(endpoint);
  if (steps.at(-1) === item) {
    return [steps.slice(0, -1)];
  }
  const isList = endpoint.answer?.kind === "array" || endpoint.args.some(({ name }) => collectionArguments.has(name));
  return isList && endpoint.methods.includes("GET") ? [steps] : [];
}

interface ActionContext {
  readonly endpoint: Endpoint;
  readonly steps: readonly Step[];
  readonly isCollection: boolean;
}

/**
 * Returns the verb and the object for a method, such as `["deletes", "one item of blocks"]`. A POST is an update if the
 * endpoint also has PUT or PATCH.
 */
function findVerbAndTarget(
  method: Method,
  { endpoint, steps, isCollection }: ActionContext,
): readonly [verb: string, target: string] {
  if (steps.length === 0) {
    return method === "GET" ? ["gets", `the index of ${endpoint.route}`] : ["calls", endpoint.route];
  }
  const noun = getNoun(steps, { preposition: isCollection ? "in" : "of", endpoint });
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
        ? ["creates", `an item in ${getNoun(steps, { preposition: "of", endpoint })}`]
        : ["calls", getNoun(steps, { preposition: "on", endpoint })];
  }
}

/** Formats a phrase for the last step of a route: `one item of blocks`, or `autosaves in one item of blocks`. */
function getNoun(
  steps: readonly Step[],
  { preposition, endpoint }: { readonly preposition: "in" | "of" | "on"; readonly endpoint: Endpoint },
): string {
  const lastStep = steps.at(-1);
  const precedingSteps = steps.slice(0, -1);
  if (lastStep === undefined) {
    return `/${endpoint.namespace}`;
  }
  if (lastStep === item) {
    return `one item of ${getNoun(precedingSteps, { preposition: "in", endpoint })}`;
  }
  return precedingSteps.length === 0
    ? lastStep
    : `${lastStep} ${preposition} ${getNoun(precedingSteps, { preposition, endpoint })}`;
}

/**
 * Returns the steps of an endpoint's route. Consecutive literal segments are one step, and so are consecutive
 * variables.
 */
function listRouteSteps({ path, namespace }: Endpoint): readonly Step[] {
  const steps: Step[] = [];
  const namespaceLength = namespace === "" ? 0 : namespace.split("/").length;
  for (const step of listSegments(path).slice(namespaceLength).flat()) {
    const lastStep = steps.at(-1);
    if (typeof step === "string" && typeof lastStep === "string") {
      steps[steps.length - 1] = `${lastStep}/${step}`;
    } else if (step !== lastStep) {
      steps.push(step);
    }
  }
  return steps;
}

/** Returns the steps of each segment: its literal text, then its variables. Text after a variable is omitted. */
function listSegments(path: readonly PathPiece[]): readonly (readonly Step[])[] {
  const segments: Step[][] = [[]];
  for (const piece of path.flatMap(withOptionalPieces)) {
    const text = findFixedText(piece);
    if (text === undefined) {
      segments.at(-1)?.push(item);
      continue;
    }
    for (const [index, segmentText] of text.split("/").entries()) {
      const segment = index === 0 ? segments.at(-1) : segments[segments.push([]) - 1];
      const word = segmentText.trim();
      if (segment !== undefined && segment.length === 0 && word !== "") {
        segment.push(word);
      }
    }
  }
  return segments.filter((segment) => segment.length > 0);
}

/**
 * Replaces an optional part of a path with the pieces in it. Reduces a filler, which is an example of what a part of
 * the pattern matches, to its slashes.
 */
function withOptionalPieces(piece: PathPiece): readonly (string | PathVariable)[] {
  if (typeof piece === "string" || "variable" in piece) {
    return [piece];
  }
  return "optional" in piece ? piece.optional.flatMap(withOptionalPieces) : [piece.filler.replace(/[^/]/g, "")];
}

/**
 * Returns the only string that a piece of a path can match; undefined for a variable whose pattern matches several
 * strings. `(?P<name>core/archives)` matches only one.
 */
function findFixedText(piece: string | PathVariable): string | undefined {
  if (typeof piece === "string") {
    return piece;
  }
  return /^[\w /-]+$/.test(piece.pattern) ? piece.pattern : undefined;
}
