import type { Endpoint, JsonType, NamedDeclaration, Operation } from "@bothends/generator";
import type { DifferenceWithOperations } from "./difference.js";
import { findPlaceOfName } from "./places-of-names.js";
import { type InterfacePlan, listUses, type NamedVersions } from "./uses-of-types.js";

type Enumeration = Extract<NamedDeclaration, { readonly kind: "enumeration" }>["enumeration"];

/**
 * Finds shared enumerations of a REST interface that have another name in generated code. The names depend on other
 * enumerations, one of which may have the old name now: code that uses this name for the arguments and members of the
 * old enumeration then has other values.
 */
export function findRenamedEnumerations(versions: NamedVersions): readonly DifferenceWithOperations[] {
  const [oldEnumerations, newEnumerations] = [versions.before, versions.after].map(({ plan }) =>
    listEnumerations(plan),
  );
  const renamed = (oldEnumerations ?? []).flatMap((enumeration) => {
    const counterparts = (newEnumerations ?? []).filter((each) => formatKey(each) === formatKey(enumeration));
    const namesake = newEnumerations?.find(({ name }) => name === enumeration.name);
    const isKept = namesake !== undefined && counterparts.includes(namesake);
    return isKept ? [] : [{ enumeration, newName: counterparts[0]?.name, namesake }];
  });
  if (renamed.length === 0) {
    return [];
  }
  const uses = listUses(versions);
  return renamed.flatMap(({ enumeration, newName, namesake }): readonly DifferenceWithOperations[] => {
    const operations = listUsesWithOtherName([enumeration, namesake], versions, uses.listEndpoints);
    // If no enumeration has the old name, and no other name replaces it, the name vanished.
    const isReported = newName !== undefined || (namesake !== undefined && operations.length > 0);
    const variant = namesake === undefined ? undefined : newName === undefined ? "lostToOther" : "leftToOther";
    return isReported
      ? [
          {
            rule: "name-in-code-changed",
            subject: newName ?? enumeration.name,
            before: enumeration.name,
            ...(newName !== undefined && { after: newName }),
            variant,
            ...findPlaceOfName({ kind: "enumeration", enumeration }, { versions, uses }),
            operations,
          },
        ]
      : [];
  });
}

function listEnumerations(plan: InterfacePlan): readonly Enumeration[] {
  return plan.kind === "rest" ? [...plan.enumerations.values()] : [];
}

/** Formats the member and the values of an enumeration. The order of the values has no meaning in code. */
function formatKey({ member, values }: Pick<Enumeration, "member" | "values">): string {
  return JSON.stringify([member, values.map((value) => JSON.stringify(value)).sort()]);
}

/**
 * Returns the new endpoints with an argument, or a part of an answer, that had an enumeration in the old version and
 * that does not have the enumeration with its name in the new version.
 */
function listUsesWithOtherName(
  [enumeration, namesake]: readonly [Enumeration, Enumeration | undefined],
  { before, after, matchedPairs }: NamedVersions,
  listEndpoints: (answer: string) => readonly Endpoint[],
): readonly Endpoint[] {
  const hasOtherName = (oldType: JsonType, newType: JsonType | undefined, member: string) =>
    newType !== undefined &&
    hasEnumeration(oldType, member, enumeration) &&
    !(namesake !== undefined && hasEnumeration(newType, member, namesake));
  const [oldAnswers = [], newAnswers = []] = [before, after].map((side) =>
    side.interface.kind === "rest" ? side.interface.answers : [],
  );
  const answers = oldAnswers.filter(({ id, type }) =>
    hasOtherName(type, newAnswers.find((answer) => answer.id === id)?.type, ""),
  );
  const answeringEndpoints = new Set<Endpoint>(answers.flatMap(({ id }) => listEndpoints(id)));
  return matchedPairs.flatMap(([oldEndpoint, newEndpoint]) => {
    if (!isEndpoint(oldEndpoint) || !isEndpoint(newEndpoint)) {
      return [];
    }
    const isUse = oldEndpoint.args.some(({ name, type }) =>
      hasOtherName(type, newEndpoint.args.find((arg) => arg.name === name)?.type, name),
    );
    return isUse || answeringEndpoints.has(oldEndpoint) ? [newEndpoint] : [];
  });
}

function isEndpoint(operation: Operation | Endpoint): operation is Endpoint {
  return "route" in operation;
}

/** Whether a part of a type is an enumeration. `member` is the name of the argument or member that has the type. */
function hasEnumeration(type: JsonType, member: string, enumeration: Enumeration): boolean {
  switch (type.kind) {
    case "enumeration":
      return formatKey({ member, values: type.values }) === formatKey(enumeration);
    case "array":
      return hasEnumeration(type.items, member, enumeration);
    case "union":
      return type.members.some((each) => hasEnumeration(each, member, enumeration));
    case "object":
      return type.properties.some((property) => hasEnumeration(property.type, property.name, enumeration));
    default:
      return false;
  }
}
