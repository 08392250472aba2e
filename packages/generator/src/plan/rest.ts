import type { AnswerType, Endpoint, JsonType, RestInterface } from "../model/index.js";
import { planAnswers } from "./answer-types.js";
import type { BranchPlan, EndpointPlan, GroupPlan, RestPlan, SharedEnumeration } from "./plan-model.js";
import {
  createFacadeNames,
  reservedNames,
  Scope,
  takeSharedNames,
  toCamelCase,
  toPascalCase,
  toSafeFileName,
} from "./typescript-names.js";

/** Decides the names and files of a REST interface. Operations with the same first word share a class and a file. */
export function planRest(rest: RestInterface, folder: string): RestPlan {
  const scope = new Scope(reservedNames);
  const { word, ...options } = takeSharedNames(rest.name, scope, ["", "Index", "Answers"]);
  const facade = createFacadeNames(rest.name, scope);
  const members = groupByMember(rest.endpoints);
  checkClashes(rest.endpoints);
  const files = choosePreferredFiles(members);
  const fileScope = new Scope(["endpoints"]);
  const plannedGroups = [...members].map(([member, endpoints]) => {
    const file = fileScope.takeName(toSafeFileName(files.get(member) ?? "root"));
    const stem = toPascalCase(member === undefined ? `${rest.name} root` : file);
    const group = scope.takeWithDerived([stem, `${stem}Group`], (candidate) => [
      `${candidate}Client`,
      `${candidate}Handlers`,
    ]);
    return {
      member,
      file,
      stem: group,
      endpoints: endpoints.map((endpoint) => planEndpoint(endpoint, member, scope)),
    };
  });
  const answers = planAnswers(rest, scope);
  const treeName = createTreeNames(toPascalCase(rest.name), scope);
  const groups = plannedGroups.map(({ member, file, stem, endpoints }): GroupPlan => {
    const names = createTreeNames(stem, scope);
    const words = member === undefined ? [] : [member];
    return {
      member,
      file,
      client: `${stem}Client`,
      handlers: `${stem}Handlers`,
      endpoints,
      tree: planBranch(endpoints, { name: names.tree, words, depth: 0 }, scope),
      endpointsConstant: names.endpointsConstant,
    };
  });
  return {
    kind: "rest",
    interface: rest,
    folder,
    ...facade,
    ...options,
    constant: word,
    index: `${word}Index`,
    answerSchemas: `${word}Answers`,
    answers,
    enumerations: planEnumerations(rest, scope),
    groups,
    tree: {
      name: treeName.tree,
      words: [],
      endpoints: groups.flatMap(({ member, tree }) => (member === undefined ? tree.endpoints : [])),
      branches: groups.flatMap(({ member, tree }) => (member === undefined ? [] : [{ word: member, branch: tree }])),
    },
    endpointsConstant: treeName.endpointsConstant,
  };
}

interface TreeNames {
  readonly tree: string;
  readonly endpointsConstant: string;
}

function createTreeNames(stem: string, scope: Scope): TreeNames {
  const createNames = (candidate: string): TreeNames => ({
    tree: candidate,
    endpointsConstant: nameConstant(candidate),
  });
  return createNames(
    scope.takeWithDerived([`${stem}Endpoints`, `${stem}EndpointTree`], (candidate) =>
      Object.values(createNames(candidate)),
    ),
  );
}

interface BranchInputs {
  readonly name: string;
  readonly words: readonly string[];
  /** The number of words in the path from the group to the branch. */
  readonly depth: number;
}

function planBranch(
  endpoints: readonly EndpointPlan[],
  { name, words, depth }: BranchInputs,
  scope: Scope,
): BranchPlan {
  const deeperEndpoints = new Map<string, EndpointPlan[]>();
  for (const endpoint of endpoints.filter(({ path }) => path.length > depth + 1)) {
    const word = endpoint.path[depth] ?? "";
    const list = deeperEndpoints.get(word);
    if (list === undefined) {
      deeperEndpoints.set(word, [endpoint]);
    } else {
      list.push(endpoint);
    }
  }
  return {
    name,
    words,
    endpoints: endpoints
      .filter(({ path }) => path.length === depth + 1)
      .map((endpoint) => ({ word: endpoint.path[depth] ?? "", endpoint })),
    branches: [...deeperEndpoints].map(([word, list]) => {
      const branchWords = [...words, word];
      const stem = toPascalCase(branchWords.join(" "));
      const branchName = scope.takeName(`${stem}Endpoints`, `${stem}EndpointTree`);
      return { word, branch: planBranch(list, { name: branchName, words: branchWords, depth: depth + 1 }, scope) };
    }),
  };
}

/**
 * Groups endpoints by the first word of their names. Endpoints with only one word are members of the facade (key
 * undefined).
 */
function groupByMember(endpoints: readonly Endpoint[]): ReadonlyMap<string | undefined, readonly Endpoint[]> {
  const groups = new Map<string | undefined, Endpoint[]>();
  for (const endpoint of endpoints) {
    const member = endpoint.operation.length > 1 ? endpoint.operation[0] : undefined;
    const group = groups.get(member);
    if (group === undefined) {
      groups.set(member, [endpoint]);
    } else {
      group.push(endpoint);
    }
  }
  return groups;
}

/**
 * Chooses the file name of each group: its namespace (`core-v2`) if no other group has endpoints in that namespace,
 * otherwise its member.
 */
function choosePreferredFiles(
  groups: ReadonlyMap<string | undefined, readonly Endpoint[]>,
): ReadonlyMap<string | undefined, string> {
  const groupCounts = new Map<string, number>();
  const namespaces = new Map<string | undefined, ReadonlySet<string>>();
  for (const [member, endpoints] of groups) {
    const usedNamespaces = new Set(endpoints.map((endpoint) => endpoint.namespace));
    namespaces.set(member, usedNamespaces);
    for (const namespace of usedNamespaces) {
      groupCounts.set(namespace, (groupCounts.get(namespace) ?? 0) + 1);
    }
  }
  return new Map(
    [...groups.keys()].map((member) => {
      const [firstNamespace = "", ...otherNamespaces] = namespaces.get(member) ?? [];
      const isOnlyGroup =
        otherNamespaces.length === 0 && firstNamespace !== "" && groupCounts.get(firstNamespace) === 1;
      return [member, member === undefined ? "root" : isOnlyGroup ? firstNamespace : member];
    }),
  );
}

function planEndpoint(endpoint: Endpoint, member: string | undefined, scope: Scope): EndpointPlan {
  const words = endpoint.operation.join(" ");
  const stem = scope.takeWithDerived([toPascalCase(words), `${toPascalCase(words)}Endpoint`], (candidate) => [
    candidate,
    nameConstant(candidate),
  ]);
  return {
    endpoint,
    path: member === undefined ? endpoint.operation : endpoint.operation.slice(1),
    constant: nameConstant(stem),
    input: stem,
  };
}

/**
 * Returns the name of the constant for a type: `coreGet` for `CoreGet`. In a writing system without capitals, both
 * names would be equal, so the constant gets a suffix.
 */
function nameConstant(stem: string): string {
  const name = toCamelCase(stem);
  return name === stem ? `${stem}Endpoint` : name;
}

/**
 * Throws if an operation is also a group, such as `a.b` with `a.b.c`. That would be a bug, because `nameEndpoints` does
 * not choose such names.
 */
function checkClashes(endpoints: readonly Endpoint[]): void {
  const groups = new Set<string>();
  for (const { operation } of endpoints) {
    for (let length = 1; length < operation.length; length += 1) {
      groups.add(operation.slice(0, length).join("."));
    }
  }
  const clashingEndpoint = endpoints.find(({ operation }) => groups.has(operation.join(".")));
  if (clashingEndpoint !== undefined) {
    throw new Error(`The operation ${clashingEndpoint.operation.join(".")} is also a group.`);
  }
}

/** The number of times that an enumeration must occur under one name to become a named type. */
const minUses = 3;

/** The occurrences of an enumeration under one name. */
interface Occurrences {
  readonly member: string;
  readonly values: SharedEnumeration["values"];
  /** The words of the operation or answer type in which the enumeration first occurs: `posts list`. */
  readonly firstWords: readonly string[];
  uses: number;
}

/**
 * Gives a shared name to the enumerations that occur several times in members of the same name. The keys of the result
 * are those of `formatEnumerationKey`. If enumerations with different values share a name, the most frequent one gets
 * it, and the names of the others include their collection or operation. The names do not depend on the order of the
 * routes in the index, which differs between sites, and changes when plug-ins do.
 */
function planEnumerations(rest: RestInterface, scope: Scope): ReadonlyMap<string, SharedEnumeration> {
  const occurrencesByKey = new Map<string, Occurrences>();
  for (const { operation, args } of sortByKey(rest.endpoints, formatOrder)) {
    for (const { name, type } of args) {
      countEnumerations(type, { member: name, firstWords: operation.slice(-2), occurrences: occurrencesByKey });
    }
  }
  // The objects that most endpoints answer are first.
  const answersOfEndpoints = rest.endpoints.map(({ answer }) => JSON.stringify(answer ?? null));
  const countEndpoints = ({ id }: AnswerType) =>
    answersOfEndpoints.filter((text) => text.includes(JSON.stringify(id))).length;
  const getAnswerKey = (answer: AnswerType) => formatKey(9999 - countEndpoints(answer), answer.words, answer.id);
  for (const { words, type } of sortByKey(rest.answers, getAnswerKey)) {
    countEnumerations(type, { member: "", firstWords: [words], occurrences: occurrencesByKey });
  }
  const repeatedEnumerations = [...occurrencesByKey]
    .filter(([, { uses }]) => uses >= minUses)
    .sort(([, left], [, right]) => right.uses - left.uses);
  return new Map(
    repeatedEnumerations.map(([key, { member, values, firstWords }]) => {
      const [collection = ""] = firstWords;
      const longerNames = [[collection], firstWords].map((words) => toPascalCase([...words, member].join(" ")));
      return [key, { name: scope.takeName(toPascalCase(member), ...longerNames), member, values }];
    }),
  );
}

/** Formats the position of an endpoint among all endpoints: those with the fewest path segments are first. */
function formatOrder({ route, methods }: Endpoint): string {
  return formatKey(route.split("/").length, route, [...methods].sort().join());
}

function formatKey(count: number, ...words: readonly string[]): string {
  return [String(count).padStart(4, "0"), ...words].join(" ");
}

function sortByKey<Item>(items: readonly Item[], getKey: (item: Item) => string): readonly Item[] {
  return items
    .map((item) => ({ item, key: getKey(item) }))
    .sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
    .map(({ item }) => item);
}

/** Returns the key of an enumeration. Enumerations with the same values under the same name have the same key. */
export function formatEnumerationKey(member: string, values: SharedEnumeration["values"]): string {
  return JSON.stringify([member, values]);
}

interface CountContext {
  readonly member: string;
  readonly firstWords: readonly string[];
  readonly occurrences: Map<string, Occurrences>;
}

function countEnumerations(type: JsonType, context: CountContext): void {
  switch (type.kind) {
    case "enumeration": {
      const { member, firstWords, occurrences } = context;
      // An enumeration with one value does not get a name, because a name would not be shorter than the value.
      if (type.values.length > 1 && member !== "") {
        const key = formatEnumerationKey(member, type.values);
        const enumeration = occurrences.get(key) ?? { member, values: type.values, firstWords, uses: 0 };
        enumeration.uses += 1;
        occurrences.set(key, enumeration);
      }
      break;
    }
    case "array":
      countEnumerations(type.items, context);
      break;
    case "object":
      for (const property of type.properties) {
        countEnumerations(property.type, { ...context, member: property.name });
      }
      break;
    case "union":
      for (const member of type.members) {
        countEnumerations(member, context);
      }
      break;
  }
}
