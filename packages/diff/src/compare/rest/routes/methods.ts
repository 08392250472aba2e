import type { Endpoint, Method } from "@bothends/generator";
import type { Level } from "../../../rules/rule.js";
import type { Difference } from "../../difference.js";
import type { Endpoints } from "../json-values.js";
import { type Change, describeLostCalls, type LostCallFinder } from "./answering-routes.js";

/** The versions of an endpoint, or of the methods that two endpoints share. */
export interface MatchedEndpoints extends Endpoints {
  /** The methods that reports show for the endpoints. */
  readonly methods: readonly Method[];
}

/**
 * Matches each old endpoint with a new endpoint that shares at least one method. If the methods of one endpoint are now
 * split among several endpoints, or the reverse, each of these is matched with that one endpoint. Endpoints that share
 * no method are matched if they have the same name in code: other methods replaced all methods of the endpoint.
 */
export function matchEndpoints(before: readonly Endpoint[], after: readonly Endpoint[]): readonly MatchedEndpoints[] {
  const unmatchedOld = new Set(before);
  const unmatchedNew = new Set(after);
  const matchedEndpoints: MatchedEndpoints[] = [];
  for (const endpoint of before) {
    const counterpart = [...unmatchedNew].find(({ methods }) =>
      methods.some((method) => endpoint.methods.includes(method)),
    );
    if (counterpart !== undefined) {
      unmatchedOld.delete(endpoint);
      unmatchedNew.delete(counterpart);
      matchedEndpoints.push({ before: endpoint, after: counterpart, methods: counterpart.methods.slice(0, 1) });
    }
  }
  const methods = new Set(before.flatMap((endpoint) => endpoint.methods));
  for (const method of methods) {
    const [oldEndpoint, newEndpoint] = [before, after].map((endpoints) =>
      endpoints.find((endpoint) => endpoint.methods.includes(method)),
    );
    if (
      oldEndpoint !== undefined &&
      newEndpoint !== undefined &&
      (unmatchedOld.has(oldEndpoint) || unmatchedNew.has(newEndpoint))
    ) {
      unmatchedOld.delete(oldEndpoint);
      unmatchedNew.delete(newEndpoint);
      const sharedMethods = newEndpoint.methods.filter((each) => oldEndpoint.methods.includes(each));
      matchedEndpoints.push({ before: oldEndpoint, after: newEndpoint, methods: sharedMethods });
    }
  }
  for (const endpoint of unmatchedOld) {
    const counterpart = [...unmatchedNew].find((candidate) => hasSameName(endpoint, candidate));
    if (counterpart !== undefined) {
      matchedEndpoints.push({ before: endpoint, after: counterpart, methods: counterpart.methods.slice(0, 1) });
    }
  }
  return matchedEndpoints;
}

/** The name of each endpoint in the generated code of a version; undefined if names are not compared. */
export type EndpointNames = ReadonlyMap<Endpoint, string> | undefined;

export type VersionNames = readonly [before: EndpointNames, after: EndpointNames];

/**
 * Matches the endpoints that only one version of their route has, by their names in code: an endpoint that moved to
 * another route may keep its name.
 */
export function matchMovedEndpoints(
  matchedEndpoints: readonly MatchedEndpoints[],
  [oldNames = new Map(), newNames = new Map()]: VersionNames,
): readonly MatchedEndpoints[] {
  const matched = new Set(matchedEndpoints.flatMap(({ before, after }) => [before, after]));
  const newEndpoints = new Map(Array.from(newNames, ([endpoint, name]) => [name, endpoint]));
  return [...oldNames].flatMap(([before, name]) => {
    const after = newEndpoints.get(name);
    return after === undefined || matched.has(before) || matched.has(after)
      ? []
      : [{ before, after, methods: after.methods.slice(0, 1) }];
  });
}

/**
 * Describes the effect on code if endpoints that only one version of their route has, or one of their methods, moved to
 * other routes and kept their names.
 */
export function describeMove(
  change: Change,
  endpoints: readonly Endpoint[],
  moved: readonly MatchedEndpoints[],
  lostMethod?: Method,
): Pick<Difference, "variant" | "codeLevels" | "endpointsWithNames"> {
  const found = endpoints.flatMap((endpoint) =>
    moved.flatMap(({ before, after }) =>
      change === "removed" ? (before === endpoint ? [after] : []) : after === endpoint ? [before] : [],
    ),
  );
  if (found.length === 0) {
    return {};
  }
  const endpointsWithNames = found.map(({ methods, route }) => `${methods[0]} ${route}`);
  if (found.length < endpoints.length) {
    return { endpointsWithNames, ...(change === "removed" && { codeLevels: ["some", "some"] }) };
  }
  const lostMethods = lostMethod === undefined ? endpoints.flatMap(({ methods }) => methods) : [lostMethod];
  const isAccepted = lostMethods.every((method) => found.some(({ methods }) => methods.includes(method)));
  return {
    variant: "moved",
    endpointsWithNames,
    ...(change === "removed" && !isAccepted && { codeLevels: ["some", "none"] }),
  };
}

function hasSameName(left: Endpoint, right: Endpoint): boolean {
  return left.operation.join(".") === right.operation.join(".");
}

/** Reports the methods that only one version of a route accepts. */
export function findMethodDifferences(
  [before, after]: readonly [readonly Endpoint[], readonly Endpoint[]],
  {
    matchedEndpoints,
    moved,
    findLostCalls,
  }: {
    readonly matchedEndpoints: readonly MatchedEndpoints[];
    readonly moved: readonly MatchedEndpoints[];
    readonly findLostCalls: LostCallFinder;
  },
): readonly Difference[] {
  const [oldMethods, newMethods] = [getMethods(before), getMethods(after)];
  const differences = (from: typeof oldMethods, to: typeof oldMethods, change: Change) =>
    [...from]
      .filter(([method]) => !to.has(method))
      .map(([method, endpoint]): Difference => {
        const isShared = matchedEndpoints.some((pair) => pair.before === endpoint || pair.after === endpoint);
        const otherSpan = [...to.values()][0]?.span;
        const spans =
          change === "added"
            ? { oldSpan: otherSpan, newSpan: endpoint.span }
            : { oldSpan: endpoint.span, newSpan: otherSpan };
        const value = change === "added" ? { after: method } : { before: method };
        const subject = `${method} ${endpoint.route}`;
        return {
          rule: `method-${change}`,
          subject,
          ...spans,
          ...value,
          ...(isShared ? { variant: "shared" } : describeMove(change, [endpoint], moved, method)),
          ...describeLostCalls(change, findLostCalls(change, [endpoint], method)),
          operations: [endpoint],
        };
      });
  return [...differences(oldMethods, newMethods, "removed"), ...differences(newMethods, oldMethods, "added")];
}

function getMethods(endpoints: readonly Endpoint[]): ReadonlyMap<Method, Endpoint> {
  return new Map(endpoints.flatMap((endpoint) => endpoint.methods.map((method) => [method, endpoint] as const)));
}

/**
 * Reports endpoints whose first method changed, because calls without the option `method` send it. Not reported for an
 * endpoint that was split or joined and has another name now: its calls must be rewritten.
 */
export function findDefaultMethodDifferences(
  matchedEndpoints: readonly MatchedEndpoints[],
  [oldEndpoints, newEndpoints]: readonly [readonly Endpoint[], readonly Endpoint[]],
): readonly Difference[] {
  const hasOnePartner = ({ before, after }: MatchedEndpoints) =>
    matchedEndpoints.filter((pair) => pair.before === before || pair.after === after).length === 1;
  return matchedEndpoints.flatMap((pair): readonly Difference[] => {
    const { before, after } = pair;
    const [oldDefault, newDefault] = [before.methods[0], after.methods[0]];
    if (oldDefault === newDefault || !(hasSameName(before, after) || hasOnePartner(pair))) {
      return [];
    }
    const levels = [
      findCallLevel(oldDefault, after, newEndpoints),
      findCallLevel(newDefault, before, oldEndpoints),
    ] as const;
    const [isRemoved, isAdded] = levels.map((level) => level === "breaks");
    return [
      {
        rule: "default-method-changed",
        subject: `${newDefault} ${after.route}`,
        before: oldDefault,
        after: newDefault,
        oldSpan: before.span,
        newSpan: after.span,
        variant: isRemoved ? (isAdded ? "replaced" : "removed") : isAdded ? "added" : undefined,
        levels,
        operations: [after],
      },
    ];
  });
}

/** Returns how a server answers calls of an endpoint with a method: another endpoint of the route may accept it. */
function findCallLevel(method: Method, endpoint: Endpoint, endpointsOfRoute: readonly Endpoint[]): Level {
  if (endpoint.methods.includes(method)) {
    return "none";
  }
  return endpointsOfRoute.some(({ methods }) => methods.includes(method)) ? "some" : "breaks";
}
