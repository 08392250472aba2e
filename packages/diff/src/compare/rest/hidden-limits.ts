import {
  type Endpoint,
  hasLimit,
  hiddenLimits,
  listHiddenLimits,
  listsLimits,
  type RestInterface,
  readDefault,
  type Span,
} from "@bothends/generator";
import type { Difference } from "../difference.js";
import type { JsonComparison } from "./json-comparison.js";
import { type Endpoints, findEndpointDefinition, getMember, getObject, type JsonMembers } from "./json-values.js";
import type { Schemas } from "./unions/schema-alternatives.js";

/**
 * Returns the only version whose servers apply the hidden limits of WordPress, because its index lists no limits;
 * undefined if both or neither do.
 */
export function findLimitedVersion(before: RestInterface, after: RestInterface): JsonComparison["limited"] {
  const [isOldLimited, isNewLimited] = [!listsLimits(before.document), !listsLimits(after.document)];
  return isOldLimited === isNewLimited ? undefined : isOldLimited ? "old" : "new";
}

/**
 * Adds the hidden limits of an argument in one version for which the other version lists the same keyword. A change of
 * such a limit is a change of the keyword: nothing changes if the index now lists a limit that servers already applied.
 */
export function addListedLimits({ limited }: JsonComparison, name: string, [before, after]: Schemas): Schemas {
  return limited === "old"
    ? [{ ...selectLimits(name, before, (keyword) => keyword in after), ...before }, after]
    : limited === "new"
      ? [before, { ...selectLimits(name, after, (keyword) => keyword in before), ...after }]
      : [before, after];
}

function selectLimits(name: string, definition: JsonMembers, isSelected: (keyword: string) => boolean): JsonMembers {
  const limits = listHiddenLimits(name, definition, hiddenLimits);
  // If the default exceeds the limits, servers do not apply them.
  const value = readDefault(name, { ...limits, ...definition });
  return value !== undefined && "problem" in value
    ? {}
    : Object.fromEntries(Object.entries(limits).filter(([keyword]) => isSelected(keyword)));
}

/** Reports, once for the interface, that the hidden limits of arguments apply in only one version. */
export function findHiddenLimitDifferences(
  context: JsonComparison,
  endpoints: readonly Endpoints[],
): readonly Difference[] {
  const { limited } = context;
  if (limited === undefined) {
    return [];
  }
  const affected = endpoints.map((pair) => ({ after: pair.after, names: listAffectedNames(context, pair) }));
  const names = [...new Set(affected.flatMap((endpoint) => endpoint.names))].sort().join(", ");
  if (names === "") {
    return [];
  }
  const [oldArguments, newArguments] = [listLimitedArguments(context.old), listLimitedArguments(context.new)];
  const spans = {
    oldSpan: oldArguments[0]?.span ?? context.old.span,
    newSpan: newArguments[0]?.span ?? context.new.span,
  };
  return [
    {
      ...(limited === "old"
        ? { rule: "hidden-limits-removed", before: names }
        : { rule: "hidden-limits-added", after: names }),
      subject: context.new.name,
      ...spans,
      limitedArguments: [...oldArguments, ...newArguments].map((argument) => argument.name),
      operations: affected.flatMap(({ after, names }) => (names.length === 0 ? [] : [after])),
    },
  ];
}

/** Returns the names of the arguments of both versions that have a hidden limit in only one version. */
function listAffectedNames(
  { limited, old: oldVersion, new: newVersion }: JsonComparison,
  { before, after }: Endpoints,
): readonly string[] {
  const [oldArgs, newArgs] = [listDefinitions(oldVersion, before), listDefinitions(newVersion, after)];
  const [limitedArgs, otherArgs] = limited === "old" ? [oldArgs, newArgs] : [newArgs, oldArgs];
  return Object.keys(limitedArgs).filter((name) => {
    const other = getObject(otherArgs, name);
    const limits = selectLimits(name, getObject(limitedArgs, name), (keyword) => !(keyword in other));
    return name in otherArgs && Object.keys(limits).length > 0;
  });
}

function listDefinitions({ document }: RestInterface, endpoint: Endpoint): JsonMembers {
  const definition = findEndpointDefinition(document, endpoint);
  return getObject(definition, "args");
}

/** Lists the arguments that have a limit in an index, in its order. */
function listLimitedArguments({
  document,
  endpoints,
}: RestInterface): readonly { readonly name: string; readonly span: Span }[] {
  return endpoints.flatMap((endpoint) => {
    const args = getMember(findEndpointDefinition(document, endpoint), "args");
    return endpoint.args
      .filter(({ name }) => hasLimit(getObject(args, name)))
      .map(({ name, span }) => ({ name: `${endpoint.methods[0]} ${endpoint.route} ${name}`, span }));
  });
}
