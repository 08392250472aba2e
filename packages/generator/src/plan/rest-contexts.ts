import type { Endpoint, JsonType, RestInterface } from "../model/index.js";
import type { Scope } from "./names.js";
import type { ObjectContexts } from "./plan.js";

/** A member that not all answers show. */
interface ShownMember {
  readonly path: string;
  /** The contexts that show it; undefined if only the object in `previous` lacks it. */
  readonly contexts: readonly string[] | undefined;
}

/** The object that a deletion answers in `previous` is without the members of this name's context, too. */
const previous = "previous";

/** Names what the contexts of endpoints leave out of the objects that they answer, by the ids of their types. */
export function planContexts(
  { endpoints, answers }: RestInterface,
  names: ReadonlyMap<string, string>,
  scope: Scope,
): ReadonlyMap<string, ObjectContexts> {
  const contextsOf = new Map<string, Set<string>>();
  for (const endpoint of endpoints) {
    const object = objectOf(endpoint);
    if (object !== undefined && endpoint.context !== undefined) {
      const contexts = contextsOf.get(object) ?? new Set();
      contextsOf.set(object, contexts);
      for (const context of [...enumeratedContexts(endpoint), endpoint.context]) {
        contexts.add(context);
      }
    }
  }
  const planned = new Map<string, ObjectContexts>();
  for (const { id, type } of answers) {
    const members = contextsOf.has(id) ? shownMembers(type, "") : [];
    if (members.length > 0) {
      const contexts = [...(contextsOf.get(id) ?? []), ...members.flatMap((member) => member.contexts ?? [])];
      const linked = members.some((member) => member.contexts === undefined) ? [previous] : [];
      const lists = [...new Set([...contexts, ...linked])].map(
        (context) => [context, leftOut(context, members)] as const,
      );
      planned.set(id, { name: scope.take(`${names.get(id)}Contexts`), leftOut: new Map(lists) });
    }
  }
  return planned;
}

/** The type of the object that an endpoint answers, or that is in its answer. */
export function objectOf({ answer }: Pick<Endpoint, "answer">): string | undefined {
  return answer && namedIn(answer);
}

function namedIn(type: JsonType): string | undefined {
  switch (type.kind) {
    case "named":
      return type.id;
    case "array":
      return namedIn(type.items);
    case "union":
      return type.members.map(namedIn).find((id) => id !== undefined);
    case "object":
      return [...type.properties.map((property) => property.type), ...(type.additional ? [type.additional] : [])]
        .map(namedIn)
        .find((id) => id !== undefined);
    default:
      return undefined;
  }
}

function enumeratedContexts({ args }: Endpoint): readonly string[] {
  const type = args.find(({ name }) => name === "context")?.type;
  return type?.kind === "enumeration" ? type.values.filter((value) => typeof value === "string") : [];
}

/** The members of an object that some contexts leave out, and those of the objects inside it. */
function shownMembers(type: JsonType, prefix: string): readonly ShownMember[] {
  switch (type.kind) {
    case "array":
      return shownMembers(type.items, prefix);
    case "union":
      return type.members.flatMap((member) => shownMembers(member, prefix));
    case "object":
      return type.properties.flatMap(({ name, type: inner, facts }) => {
        // A dot separates the names of a path.
        if (name.includes(".")) {
          return [];
        }
        const path = `${prefix}${name}`;
        const below = shownMembers(inner, `${path}.`);
        const isCertain = facts?.contexts === undefined && facts?.notInPrevious !== true;
        return isCertain ? below : [{ path, contexts: facts?.contexts }, ...below];
      });
    default:
      return [];
  }
}

function leftOut(context: string, members: readonly ShownMember[]): readonly string[] {
  const absent = members.filter(({ contexts }) =>
    contexts === undefined ? context === previous : context !== previous && !contexts.includes(context),
  );
  const paths = new Set(absent.map(({ path }) => path));
  return [...paths].filter((path) => !outerPaths(path).some((outer) => paths.has(outer)));
}

/** The members around a member: `content` around `content.raw`. */
function outerPaths(path: string): readonly string[] {
  const words = path.split(".");
  return words.slice(1).map((_, index) => words.slice(0, index + 1).join("."));
}
