import type { Difference } from "../../difference.js";
import type { MatchedRoute } from "./match-routes.js";

/** Reports the namespaces of routes that moved to another version. */
export function findVersionDifferences(matchedRoutes: readonly MatchedRoute[]): readonly Difference[] {
  const differences = new Map<string, Difference>();
  for (const { before, after, change } of matchedRoutes) {
    const [oldEndpoint, newEndpoint] = [before[0], after[0]];
    if (change === "version" && oldEndpoint !== undefined && newEndpoint !== undefined) {
      const values = {
        before: oldEndpoint.namespace,
        after: newEndpoint.namespace,
        oldSpan: oldEndpoint.span,
        newSpan: newEndpoint.span,
      };
      const key = `${oldEndpoint.namespace} ${newEndpoint.namespace}`;
      differences.set(
        key,
        differences.get(key) ?? { rule: "route-version-changed", subject: `/${newEndpoint.namespace}`, ...values },
      );
    }
  }
  return [...differences.values()];
}

/**
 * Merges the differences of answers that are declared in only one version because the routes of a namespace moved to
 * another version.
 */
export function mergeAnswers(
  differences: readonly Difference[],
  matchedRoutes: readonly MatchedRoute[],
): readonly Difference[] {
  const namespaces = new Map<unknown, string>(
    matchedRoutes.flatMap(({ after, change }) =>
      change === "version" ? after.map((endpoint) => [endpoint, endpoint.namespace] as const) : [],
    ),
  );
  const mergedDifferences = new Map<string, Difference>();
  for (const [index, difference] of differences.entries()) {
    const { rule, operations = [] } = difference;
    const isAboutAnswers = rule === "answer-declared" || rule === "answer-undeclared";
    const namespace = isAboutAnswers ? namespaces.get(operations[0]) : undefined;
    const key = namespace === undefined ? String(index) : `${rule} ${namespace}`;
    const first = mergedDifferences.get(key);
    mergedDifferences.set(
      key,
      first === undefined
        ? difference
        : { ...first, subject: `/${namespace}`, operations: [...(first.operations ?? []), ...operations] },
    );
  }
  return [...mergedDifferences.values()];
}
