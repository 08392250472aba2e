import type { Endpoint, JsonType, RestInterface } from "../model/index.js";
import { planAnswers } from "./answer-types.js";
import { camel, facadeNames, fileWord, pascal, reservedNames, Scope, sharedNames } from "./names.js";
import type { BranchPlan, EndpointPlan, GroupPlan, RestPlan, SharedEnumeration } from "./plan.js";

/** Names and files of one REST interface: a class and a file per first word of the operations. */
export function planRest(rest: RestInterface, folder: string): RestPlan {
  const scope = new Scope(reservedNames);
  const { word, ...options } = sharedNames(rest.name, scope, ["", "Index", "Answers"]);
  const entry = facadeNames(rest.name, scope);
  const members = groupByMember(rest.endpoints);
  checkClashes(rest.endpoints);
  const files = fileWishes(members);
  const taken = new Scope(["endpoints"]);
  const stems = [...members].map(([member, endpoints]) => {
    const file = taken.take(fileWord(files.get(member) ?? "root"));
    const stem = pascal(member === undefined ? `${rest.name} root` : file);
    const group = scope.takeFor([stem, `${stem}Group`], (wish) => [`${wish}Client`, `${wish}Handlers`]);
    return {
      member,
      file,
      stem: group,
      endpoints: endpoints.map((endpoint) => planEndpoint(endpoint, member, scope)),
    };
  });
  const answers = planAnswers(rest, scope);
  const whole = treeNames(pascal(rest.name), scope);
  const groups = stems.map(({ member, file, stem, endpoints }): GroupPlan => {
    const names = treeNames(stem, scope);
    const words = member === undefined ? [] : [member];
    return {
      member,
      file,
      client: `${stem}Client`,
      handlers: `${stem}Handlers`,
      endpoints,
      tree: planBranch(endpoints, { name: names.tree, words, below: 0 }, scope),
      list: names.list,
    };
  });
  return {
    kind: "rest",
    interface: rest,
    folder,
    ...entry,
    ...options,
    constant: word,
    index: `${word}Index`,
    answerSchemas: `${word}Answers`,
    answers,
    enumerations: planEnumerations(rest, scope),
    groups,
    tree: {
      name: whole.tree,
      words: [],
      endpoints: groups.flatMap(({ member, tree }) => (member === undefined ? tree.endpoints : [])),
      branches: groups.flatMap(({ member, tree }) => (member === undefined ? [] : [{ word: member, branch: tree }])),
    },
    list: whole.list,
  };
}

interface TreeNames {
  readonly tree: string;
  readonly list: string;
}

function treeNames(stem: string, scope: Scope): TreeNames {
  const namesOf = (wish: string): TreeNames => ({ tree: wish, list: constantOf(wish) });
  return namesOf(scope.takeFor([`${stem}Endpoints`, `${stem}EndpointTree`], (wish) => Object.values(namesOf(wish))));
}

interface BranchPlace {
  readonly name: string;
  readonly words: readonly string[];
  /** The number of words between the group and the branch. */
  readonly below: number;
}

function planBranch(endpoints: readonly EndpointPlan[], { name, words, below }: BranchPlace, scope: Scope): BranchPlan {
  const deeper = new Map<string, EndpointPlan[]>();
  for (const endpoint of endpoints.filter(({ path }) => path.length > below + 1)) {
    const word = endpoint.path[below] ?? "";
    const list = deeper.get(word);
    if (list === undefined) {
      deeper.set(word, [endpoint]);
    } else {
      list.push(endpoint);
    }
  }
  return {
    name,
    words,
    endpoints: endpoints
      .filter(({ path }) => path.length === below + 1)
      .map((endpoint) => ({ word: endpoint.path[below] ?? "", endpoint })),
    branches: [...deeper].map(([word, list]) => {
      const inner = [...words, word];
      const stem = pascal(inner.join(" "));
      const branchName = scope.take(`${stem}Endpoints`, `${stem}EndpointTree`);
      return { word, branch: planBranch(list, { name: branchName, words: inner, below: below + 1 }, scope) };
    }),
  };
}

/** The endpoints by first word, in index order; those with only one word belong to the facade. */
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

/** A group that is the only one for its namespace is named after it (`core-v2`), other groups after their member. */
function fileWishes(
  groups: ReadonlyMap<string | undefined, readonly Endpoint[]>,
): ReadonlyMap<string | undefined, string> {
  const users = new Map<string, number>();
  const namespaces = new Map<string | undefined, ReadonlySet<string>>();
  for (const [member, endpoints] of groups) {
    const used = new Set(endpoints.map((endpoint) => endpoint.namespace));
    namespaces.set(member, used);
    for (const namespace of used) {
      users.set(namespace, (users.get(namespace) ?? 0) + 1);
    }
  }
  return new Map(
    [...groups.keys()].map((member) => {
      const [first = "", ...others] = namespaces.get(member) ?? [];
      const alone = others.length === 0 && first !== "" && users.get(first) === 1;
      return [member, member === undefined ? "root" : alone ? first : member];
    }),
  );
}

function planEndpoint(endpoint: Endpoint, member: string | undefined, scope: Scope): EndpointPlan {
  const words = endpoint.operation.join(" ");
  const stem = scope.takeFor([pascal(words), `${pascal(words)}Endpoint`], (wish) => [wish, constantOf(wish)]);
  return {
    endpoint,
    path: member === undefined ? endpoint.operation : endpoint.operation.slice(1),
    constant: constantOf(stem),
    input: stem,
  };
}

/** Many scripts have no capitals: a name with a lower-case first letter would be the same name. */
function constantOf(stem: string): string {
  const name = camel(stem);
  return name === stem ? `${stem}Endpoint` : name;
}

/** `a.b` and `a.b.c` cannot both be operations. Endpoint naming excludes this, so it is a bug. */
function checkClashes(endpoints: readonly Endpoint[]): void {
  const groups = new Set<string>();
  for (const { operation } of endpoints) {
    for (let length = 1; length < operation.length; length += 1) {
      groups.add(operation.slice(0, length).join("."));
    }
  }
  const clash = endpoints.find(({ operation }) => groups.has(operation.join(".")));
  if (clash !== undefined) {
    throw new Error(`The operation ${clash.operation.join(".")} is also a group.`);
  }
}

/** How often an enumeration must occur under one name to get a type. */
const leastUses = 3;

/** An enumeration under one name. */
interface Occurrences {
  readonly member: string;
  readonly values: SharedEnumeration["values"];
  /** The words of the operation or answer type where it first occurs: `posts list`. */
  readonly first: readonly string[];
  uses: number;
}

/**
 * Names the enumerations that repeat under one name, keyed by `enumerationKey`. If several have the same name, the first in the
 * index gets it; the others also include the name of their collection or operation.
 */
export function planEnumerations(rest: RestInterface, scope: Scope): ReadonlyMap<string, SharedEnumeration> {
  const found = new Map<string, Occurrences>();
  for (const { operation, args } of rest.endpoints) {
    for (const { name, type } of args) {
      countIn(type, { member: name, first: operation.slice(-2), found });
    }
  }
  for (const { words, type } of rest.answers) {
    countIn(type, { member: "", first: [words], found });
  }
  const shared = [...found].filter(([, { uses }]) => uses >= leastUses);
  return new Map(
    shared.map(([key, { member, values, first }]) => {
      const [collection = ""] = first;
      const longer = [[collection], first].map((words) => pascal([...words, member].join(" ")));
      return [key, { name: scope.take(pascal(member), ...longer), member, values }];
    }),
  );
}

/** Equal for equal values under one name. */
export function enumerationKey(member: string, values: SharedEnumeration["values"]): string {
  return JSON.stringify([member, values]);
}

interface Place {
  readonly member: string;
  readonly first: readonly string[];
  readonly found: Map<string, Occurrences>;
}

function countIn(type: JsonType, place: Place): void {
  switch (type.kind) {
    case "enumeration": {
      const { member, first, found } = place;
      // A single value is as short as a name.
      if (type.values.length > 1 && member !== "") {
        const key = enumerationKey(member, type.values);
        const occurrences = found.get(key) ?? { member, values: type.values, first, uses: 0 };
        occurrences.uses += 1;
        found.set(key, occurrences);
      }
      break;
    }
    case "array":
      countIn(type.items, place);
      break;
    case "object":
      for (const property of type.properties) {
        countIn(property.type, { ...place, member: property.name });
      }
      break;
    case "union":
      for (const member of type.members) {
        countIn(member, place);
      }
      break;
  }
}
