import {
  type Endpoint,
  listAnswerContexts,
  listOperationPaths,
  type Plan,
  type RestInterface,
  type RestPlan,
  type Span,
} from "@bothends/generator";
import type { Difference } from "../difference.js";
import type { KnownPairs } from "../moves.js";
import { findCodeNameDifference, findImportedNameDifferences } from "../names-in-code.js";
import { getConfiguredSpan } from "../setting-positions.js";
import { findWireNameDifferences } from "../wire-names.js";
import { compareArguments } from "./arguments.js";
import { findHiddenLimitDifferences, findLimitedVersion } from "./hidden-limits.js";
import type { JsonComparison } from "./json-comparison.js";
import { compareJson } from "./json-types.js";
import { type Endpoints, findEndpointDefinition, formatJson, getObject } from "./json-values.js";
import { mergeSharedDeclarations } from "./property-differences.js";
import { findAnswerContextDifferences } from "./routes/answer-contexts.js";
import {
  createLostCallFinder,
  describeLostCalls,
  describeRenamedCalls,
  type LostCallFinder,
} from "./routes/answering-routes.js";
import { findResponseSpans, getAnswerName, mergeReplacedAnswer } from "./routes/answers.js";
import { findBasePathDifferences } from "./routes/base-path.js";
import { findEmbeddedDifferences } from "./routes/embedded-resources.js";
import { type MatchedRoute, matchRoutes } from "./routes/match-routes.js";
import {
  describeMove,
  type EndpointNames,
  findDefaultMethodDifferences,
  findMethodDifferences,
  type MatchedEndpoints,
  matchEndpoints,
  matchMovedEndpoints,
  type VersionNames,
} from "./routes/methods.js";
import { getShape, matchVariableNames } from "./routes/path-shapes.js";
import { comparePaths } from "./routes/route-patterns.js";
import { findPrecedenceDifferences } from "./routes/route-precedence.js";
import { findVersionDifferences, mergeAnswers } from "./routes/versions.js";

/** The old or the new version of a REST interface. */
export interface RestSide {
  readonly interface: RestInterface;
  readonly plan: Plan | undefined;
}

/** The differences between two versions of a REST interface, and the endpoints that both versions have. */
export interface RestDifferences {
  readonly differences: readonly Difference[];
  readonly endpoints: readonly Endpoints[];
}

/** Compares two versions of a REST interface. */
export function compareRest(oldSide: RestSide, newSide: RestSide, knownPairs: KnownPairs): RestDifferences {
  const [oldNames, newNames] = [getTypeNames(oldSide), getTypeNames(newSide)];
  const context: JsonComparison = {
    old: oldSide.interface,
    new: newSide.interface,
    comparedPairs: new Set(),
    argumentLevels: new Map(),
    hasLooseHandlers: newSide.interface.endpoints.some((endpoint) => listAnswerContexts(endpoint).length > 1),
    limited: findLimitedVersion(oldSide.interface, newSide.interface),
    ...(oldNames !== undefined && newNames !== undefined && { typeNames: [oldNames, newNames] }),
  };
  const { matched, removed, added, alternatives } = matchRoutes(oldSide.interface, newSide.interface, knownPairs);
  const endpoints = matched.flatMap(({ before, after }) => matchEndpoints(before, after));
  const names = [listEndpointNames(oldSide), listEndpointNames(newSide)] as const;
  const moved = matchMovedEndpoints(endpoints, names);
  const differences: Difference[] = [
    ...findBasePathDifferences(oldSide.interface, newSide.interface),
    ...findWireNameDifferences(oldSide.interface, newSide.interface),
    ...findIndexDifferences(oldSide.interface, newSide.interface),
    ...findVersionDifferences(matched),
  ];
  const findLostCalls = createLostCallFinder(context);
  for (const [route, endpoints] of removed) {
    differences.push({
      ...describeLostCalls("removed", findLostCalls("removed", endpoints)),
      ...describeMove("removed", endpoints, moved),
      rule: "route-removed",
      subject: route,
      before: route,
      oldSpan: endpoints[0]?.span,
      newSpan: newSide.interface.span,
      operations: endpoints,
      alternatives: findEndpoints(alternatives.get(route), added),
    });
  }
  for (const [route, endpoints] of added) {
    differences.push({
      ...describeLostCalls("added", findLostCalls("added", endpoints)),
      ...describeMove("added", endpoints, moved),
      rule: "route-added",
      subject: route,
      after: route,
      oldSpan: oldSide.interface.span,
      newSpan: endpoints[0]?.span,
      operations: endpoints,
      alternatives: findEndpoints(alternatives.get(route), removed),
    });
  }
  const routeDifferences = matched.flatMap((pair) => compareRoute(context, pair, { names, moved, findLostCalls }));
  differences.push(
    ...mergeSharedDeclarations([
      ...mergeAnswers(routeDifferences, matched),
      ...findEmbeddedDifferences(context),
      ...moved.flatMap((pair) => compareMovedEndpoint(context, pair)),
    ]),
  );
  differences.push(...findPrecedenceDifferences([oldSide.interface, newSide.interface], matched));
  differences.push(...findHiddenLimitDifferences(context, endpoints));
  const allEndpoints = [...endpoints, ...moved];
  differences.push(...findImportDifferences([oldSide, newSide], allEndpoints));
  const [oldPlan, newPlan] = [getRestPlan(oldSide), getRestPlan(newSide)];
  if (oldPlan !== undefined && newPlan !== undefined) {
    differences.push(...findAnswerContextDifferences([oldPlan, newPlan], allEndpoints));
  }
  return { differences, endpoints: allEndpoints };
}

function findEndpoints(
  routes: readonly string[] | undefined,
  endpoints: ReadonlyMap<string, readonly Endpoint[]>,
): readonly Endpoint[] | undefined {
  return routes?.flatMap((route) => endpoints.get(route) ?? []);
}

/** Returns the names of the exported answer types, keyed by type id; undefined if there is no plan. */
function getTypeNames(side: RestSide): ReadonlyMap<string, string> | undefined {
  return getRestPlan(side)?.answers.names;
}

/** Compares the parts of the index that describe the whole site: authentication methods and links. */
function findIndexDifferences(before: RestInterface, after: RestInterface): readonly Difference[] {
  const getAuthenticationMethods = ({ document }: RestInterface) => getObject(document, "authentication");
  const [oldMethods, newMethods] = [getAuthenticationMethods(before), getAuthenticationMethods(after)];
  const [oldNames, newNames] = [Object.keys(oldMethods), Object.keys(newMethods)];
  const getSpans = (...path: readonly string[]) => ({
    subject: after.name,
    oldSpan: findSiteSpan(before, path),
    newSpan: findSiteSpan(after, path),
  });
  const changedMethods = oldNames
    .filter((name) => newNames.includes(name))
    .map((name) => ({
      name,
      before: formatJson(getObject(oldMethods, name)),
      after: formatJson(getObject(newMethods, name)),
    }))
    .filter((method) => method.before !== method.after);
  const [oldLinks, newLinks] = [before, after].map(({ document }) => formatJson(getObject(document, "_links")));
  return [
    ...oldNames
      .filter((name) => !newNames.includes(name))
      .map(
        (name): Difference => ({ rule: "authentication-removed", ...getSpans("authentication", name), before: name }),
      ),
    ...newNames
      .filter((name) => !oldNames.includes(name))
      .map((name): Difference => ({ rule: "authentication-added", ...getSpans("authentication", name), after: name })),
    ...changedMethods.map(
      ({ name, ...texts }): Difference => ({
        rule: "links-changed",
        ...getSpans("authentication", name),
        subject: `${after.name} ${name}`,
        ...texts,
      }),
    ),
    ...(oldLinks === newLinks
      ? []
      : [{ rule: "links-changed", ...getSpans("_links"), before: oldLinks, after: newLinks } as const]),
  ];
}

/**
 * Returns the position of a member of the index that describes the site. If the index does not contain the member,
 * returns the position of the nearest object that would contain it.
 */
function findSiteSpan(
  { siteMembers = [], span }: Pick<RestInterface, "siteMembers" | "span">,
  path: readonly string[],
): Span {
  const member = siteMembers.find((member) => formatJson(member.path) === formatJson(path));
  return member?.span ?? (path.length > 1 ? findSiteSpan({ siteMembers, span }, path.slice(0, -1)) : span);
}

function findBatchDifferences(
  context: JsonComparison,
  { before, after }: Endpoints,
  subject: string,
): readonly Difference[] {
  const spans = { subject, oldSpan: before.span, newSpan: after.span };
  const formatEndpoint = (side: RestInterface, endpoint: Endpoint) =>
    Object.entries(getObject(findEndpointDefinition(side.document, endpoint), "allow_batch"))
      .flatMap(([version, isAllowed]) => (isAllowed ? [version] : []))
      .sort()
      .join(", ");
  const [oldMethods, newMethods] = [formatEndpoint(context.old, before), formatEndpoint(context.new, after)];
  return oldMethods === newMethods
    ? []
    : [
        newMethods === ""
          ? { rule: "batch-removed", ...spans, before: oldMethods }
          : { rule: "batch-added", ...spans, after: newMethods },
      ];
}

function compareRoute(
  context: JsonComparison,
  { before, after, change }: MatchedRoute,
  {
    names,
    moved,
    findLostCalls,
  }: {
    readonly names: VersionNames;
    readonly moved: readonly MatchedEndpoints[];
    readonly findLostCalls: LostCallFinder;
  },
): readonly Difference[] {
  const [oldEndpoint, newEndpoint] = [before[0], after[0]];
  const differences: Difference[] = [];
  const renamedCalls =
    change === "renamed"
      ? describeRenamedCalls(findLostCalls("removed", before), findLostCalls("added", after))
      : undefined;
  if (
    oldEndpoint !== undefined &&
    newEndpoint !== undefined &&
    (change === "pattern" || change === "optional" || change === "renamed")
  ) {
    const rule = change === "renamed" ? "route-renamed" : "route-pattern-changed";
    const values = {
      before: oldEndpoint.route,
      after: newEndpoint.route,
      oldSpan: oldEndpoint.span,
      newSpan: newEndpoint.span,
    };
    const optionalPart = change === "optional" ? chooseOptionalVariant(oldEndpoint, newEndpoint) : {};
    const paths =
      change === "renamed"
        ? { ...renamedCalls, sameCode: hasSameNames(names, matchEndpoints(before, after)) }
        : comparePaths([context.old, context.new], matchEndpoints(before, after));
    differences.push({ rule, subject: newEndpoint.route, ...values, ...optionalPart, ...paths, operations: after });
  }
  if (oldEndpoint !== undefined && newEndpoint !== undefined) {
    differences.push(
      ...findVariableDifferences(oldEndpoint, newEndpoint).map((difference) => ({ ...difference, operations: after })),
    );
  }
  const matchedEndpoints = matchEndpoints(before, after);
  differences.push(
    ...findMethodDifferences([before, after], { matchedEndpoints, moved, findLostCalls }),
    ...findDefaultMethodDifferences(matchedEndpoints, [before, after]),
  );
  for (const endpoints of matchedEndpoints) {
    const subject = `${endpoints.methods.join(", ")} ${endpoints.after.route}`;
    const isKept = after.some(({ operation }) => operation.join(".") === endpoints.before.operation.join("."));
    const pathDifferences = change === "renamed" ? [] : findPathDifferences(endpoints, subject, names);
    const messageDifferences = [
      ...compareArguments(context, endpoints, subject),
      ...findAnswerDifferences(context, endpoints, subject),
    ];
    // If other routes answer the calls, the difference in the route has the effects of their arguments and answers.
    const areAnswered = renamedCalls?.levels?.some((level) => level !== "breaks") === true;
    const endpointDifferences = [
      ...pathDifferences.map((difference) => (isKept ? { ...difference, variant: "split" } : difference)),
      ...(areAnswered ? limitToCode(messageDifferences) : messageDifferences),
      ...findBatchDifferences(context, endpoints, subject),
    ];
    differences.push(...endpointDifferences.map((difference) => ({ ...difference, operations: [endpoints.after] })));
  }
  return differences;
}

/**
 * Compares an endpoint that moved to another route and kept its name in code. Calls between the versions have other
 * paths, so the differences affect only code. Code contains the names of path variables, unlike paths.
 */
function compareMovedEndpoint(
  context: JsonComparison,
  { before, after, methods }: MatchedEndpoints,
): readonly Difference[] {
  const omitPath = (endpoint: Endpoint): Endpoint => ({
    ...endpoint,
    path: [],
    args: endpoint.args.map((arg) => ({ ...arg, inPath: false })),
  });
  const subject = `${methods.join(", ")} ${after.route}`;
  const differences = [
    ...compareArguments(context, { before: omitPath(before), after: omitPath(after) }, subject),
    ...findAnswerDifferences(context, { before, after }, subject),
  ];
  return limitToCode(differences).map((difference) => ({ ...difference, operations: [after] }));
}

/** Limits the effects of differences in the messages of an endpoint that has another route: calls have other paths. */
function limitToCode(differences: readonly Difference[]): readonly Difference[] {
  return differences.map((difference) =>
    difference.direction === undefined
      ? difference
      : { ...difference, levels: ["none", "none"], isSampled: false, sampleTexts: undefined, isBesideMove: true },
  );
}

function listEndpointNames(side: RestSide): EndpointNames {
  const plan = getRestPlan(side);
  const paths = plan === undefined ? [] : [...listOperationPaths(plan)];
  return plan && new Map(paths.flatMap(([each, path]) => ("route" in each ? [[each, path.join(".")] as const] : [])));
}

/** Whether endpoints have the same names in the generated code of both versions. */
function hasSameNames([oldNames, newNames]: VersionNames, endpoints: readonly Endpoints[]): boolean {
  return endpoints.every(
    ({ before, after }) => oldNames?.has(before) === true && oldNames.get(before) === newNames?.get(after),
  );
}

/**
 * Returns the variant of the rule for a route whose optional parts changed. The variant says whether variables became
 * optional, became required, or both.
 */
function chooseOptionalVariant(before: Endpoint, after: Endpoint): Pick<Difference, "variant" | "sameCode"> {
  const isRequired = ({ args }: Endpoint, name: string) =>
    args.find((arg) => arg.inPath && arg.name === name)?.required;
  const variables = [...matchVariableNames({ before, after })].map(
    ([from, to]) => [isRequired(before, from), isRequired(after, to)] as const,
  );
  const becameOptional = variables.some(([before, after]) => before === true && after === false);
  const becameRequired = variables.some(([before, after]) => before === false && after === true);
  if (becameOptional || becameRequired) {
    return { variant: !becameRequired ? "optionalNow" : !becameOptional ? "optionalBefore" : "optionalElsewhere" };
  }
  // Only optional parts without variables changed, so no argument became optional or required, and the generated code
  // stays the same.
  const [wasOptional, isOptional] = [before, after].map((path) => getShape(path).includes("["));
  return wasOptional === isOptional ? {} : { variant: isOptional ? "optionalNow" : "optionalBefore", sameCode: true };
}

function findVariableDifferences(before: Endpoint, after: Endpoint): readonly Difference[] {
  const spans = { subject: after.route, oldSpan: before.span, newSpan: after.span };
  return [...matchVariableNames({ before, after })]
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => ({ rule: "route-parameter-renamed", before: from, after: to, ...spans }));
}

/** Returns the plan of a REST interface; undefined if names in generated code are not compared. */
function getRestPlan({ plan, interface: rest }: RestSide): RestPlan | undefined {
  const candidate = plan?.interfaces.find(
    (interfacePlan) => interfacePlan.kind === "rest" && interfacePlan.interface === rest,
  );
  return candidate?.kind === "rest" ? candidate : undefined;
}

/** Compares the path of an endpoint in the client and in the handlers. */
function findPathDifferences(
  { before, after }: Endpoints,
  subject: string,
  [oldNames, newNames]: VersionNames,
): readonly Difference[] {
  const [oldPath, newPath] = [before, after].map(({ operation }) => operation.join("."));
  const spans = { oldSpan: before.span, newSpan: after.span };
  return oldNames === undefined || newNames === undefined
    ? []
    : findCodeNameDifference([oldPath, newPath], spans).map((difference) => ({ ...difference, subject }));
}

/** Reports names of classes, functions and types that changed in generated code. */
function findImportDifferences(
  [oldSide, newSide]: readonly [RestSide, RestSide],
  endpoints: readonly Endpoints[],
): readonly Difference[] {
  const [oldPlan, newPlan] = [getRestPlan(oldSide), getRestPlan(newSide)];
  if (oldPlan === undefined || newPlan === undefined) {
    return [];
  }
  const [oldEndpoints, newEndpoints] = [listNamesOfEndpoints(oldPlan), listNamesOfEndpoints(newPlan)];
  const [oldNames, newNames] = [oldEndpoints, newEndpoints].map(
    (names) => new Set([...names.values()].flatMap(({ group, types }) => [group.client, group.handlers, ...types])),
  );
  // A name that the other version has, too, was not renamed: its endpoint belongs to another group now.
  const isRenamed = ({ before = "", after = "" }: Difference) => !newNames?.has(before) && !oldNames?.has(after);
  const differences = endpoints.flatMap(({ before, after }): readonly Difference[] => {
    const [oldEndpoint, newEndpoint] = [oldEndpoints.get(before), newEndpoints.get(after)];
    if (oldEndpoint === undefined || newEndpoint === undefined) {
      return [];
    }
    const spans = { oldSpan: before.span, newSpan: after.span };
    const hasSameDepth = oldEndpoint.types.length === newEndpoint.types.length;
    // At another depth, only the types of the arguments correspond.
    const oldTypes = hasSameDepth ? oldEndpoint.types : oldEndpoint.types.slice(-1);
    const newTypes = hasSameDepth ? newEndpoint.types : newEndpoint.types.slice(-1);
    return [
      ...findImportedNameDifferences([oldEndpoint.group, newEndpoint.group], spans),
      ...oldTypes.flatMap((name, index) => findCodeNameDifference([name, newTypes[index]], spans)),
    ];
  });
  const [oldSpan, newSpan] = [oldSide.interface, newSide.interface].map(
    (version) => getConfiguredSpan(version) ?? version.span,
  );
  return [
    ...findImportedNameDifferences([oldPlan, newPlan], { oldSpan, newSpan }),
    ...new Map(
      differences
        .filter(isRenamed)
        .reverse()
        .map((difference) => [difference.before, difference]),
    ).values(),
  ];
}

interface NamesOfEndpoint {
  readonly group: RestPlan["groups"][number];
  /** The types of the branches that lead to the endpoint, and the type of its arguments. */
  readonly types: readonly string[];
}

/** Returns the names in generated code that belong to each endpoint. */
function listNamesOfEndpoints({ groups, tree }: RestPlan): ReadonlyMap<Endpoint, NamesOfEndpoint> {
  const listInBranch = (
    group: NamesOfEndpoint["group"],
    { name, endpoints, branches }: RestPlan["tree"],
    outerTypes: readonly string[],
  ): readonly (readonly [Endpoint, NamesOfEndpoint])[] => {
    const types = [...outerTypes, name];
    return [
      ...endpoints.map(({ endpoint: { endpoint, input } }) => [endpoint, { group, types: [...types, input] }] as const),
      ...branches.flatMap(({ branch }) => listInBranch(group, branch, types)),
    ];
  };
  return new Map(groups.flatMap((group) => listInBranch(group, group.tree, [tree.name])));
}

function findAnswerDifferences(
  context: JsonComparison,
  { before, after }: Endpoints,
  subject: string,
): readonly Difference[] {
  const spans = { oldSpan: before.span, newSpan: after.span };
  const location = { direction: "output", subject: `${subject} (answer)`, ...spans } as const;
  if (before.answer === undefined || after.answer === undefined) {
    const rule = before.answer === undefined ? "answer-declared" : "answer-undeclared";
    const types = { before: getAnswerName(context, "old", before), after: getAnswerName(context, "new", after) };
    const difference: Difference = {
      rule,
      subject,
      ...types,
      ...spans,
      ...findResponseSpans(context, { before, after }),
    };
    return before.answer === after.answer ? [] : mergeReplacedAnswer(context, { before, after }, [difference]);
  }
  const newContexts = listAnswerContexts(after);
  const contexts = listAnswerContexts(before).flatMap((word) =>
    word !== undefined && newContexts.includes(word) ? [word] : [],
  );
  const differences = compareJson(
    { ...context, comparedPairs: new Set(), ...(contexts.length > 0 && { contexts }) },
    [before.answer, after.answer],
    location,
  );
  return mergeReplacedAnswer(context, { before, after }, differences);
}
