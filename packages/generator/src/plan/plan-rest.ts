import type { AnswerType, Endpoint, RestInterface } from "../model/index.js";
import { facadeNames, sharedNames } from "./interface-names.js";
import type { EndpointPlan, GroupPlan, RestPlan } from "./plan.js";
import { planEnumerations } from "./rest-enumerations.js";
import { reservedNames, Scope } from "./scope.js";
import { camel, fileWord, memberWord, pascal } from "./words.js";

/** Names and files of one REST interface: a class and a file per first word of the operations. */
export function planRest(rest: RestInterface, folder: string): RestPlan {
  const scope = new Scope(reservedNames);
  const { word, ...options } = sharedNames(rest.name, scope, ["", "Index", "Answers"]);
  const entry = facadeNames(rest.name, scope);
  const members = groupByMember(rest.endpoints);
  checkClashes(rest.endpoints);
  const files = fileWishes(members);
  const taken = new Scope();
  const groups = [...members].map(([member, endpoints]): GroupPlan => {
    const file = taken.take(fileWord(files.get(member) ?? "root"));
    const stem = pascal(member === undefined ? `${rest.name} root` : file);
    const group = scope.takeFor([stem, `${stem}Group`], (wish) => [`${wish}Client`, `${wish}Handlers`]);
    return {
      member: member === undefined ? undefined : memberWord(member),
      file,
      client: `${group}Client`,
      handlers: `${group}Handlers`,
      endpoints: endpoints.map((endpoint) => planEndpoint(endpoint, member, scope)),
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
    answers: nameAnswers(rest.answers, scope),
    enumerations: planEnumerations(rest, scope),
    groups,
  };
}

/** The name in the schema; of several types of one name, the second also has its namespace. */
function nameAnswers(answers: readonly AnswerType[], scope: Scope): ReadonlyMap<string, string> {
  return new Map(
    answers.map(({ id, words, namespace }) => {
      const name = pascal(words);
      return [id, scope.take(name, namespace === "" ? `${name}Answer` : pascal(`${namespace} ${words}`))];
    }),
  );
}

/** The endpoints by first word, in the order of the index; those of one word belong to the facade. */
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

/** A group that has a namespace to itself is named after it (`core-v2`), others after their member. */
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
    path: (member === undefined ? endpoint.operation : endpoint.operation.slice(1)).map(memberWord),
    constant: constantOf(stem),
    input: stem,
  };
}

/** Many scripts have no capitals: there, the name with a small first letter is the same name. */
function constantOf(stem: string): string {
  const name = camel(stem);
  return name === stem ? `${stem}Endpoint` : name;
}

/** `a.b` and `a.b.c` cannot both be operations. The names of endpoints exclude this, so it is a mistake of ours. */
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
