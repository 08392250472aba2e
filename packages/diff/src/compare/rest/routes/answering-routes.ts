import { PatternError } from "@bothends/datatypes/pattern";
import { type Endpoint, findPath, type Method } from "@bothends/generator";
import { getRule } from "../../../rules/index.js";
import { getConsequences, type Level } from "../../../rules/rule.js";
import type { AnsweringRoute, Difference } from "../../difference.js";
import { compareArguments } from "../arguments.js";
import type { JsonComparison } from "../json-comparison.js";
import { isAccepted, listSamplePaths, matchRoute, readVersion } from "./route-patterns.js";
import { findRoute, haveSimilarStarts, readRoutes, type Version, type VersionRoute } from "./route-precedence.js";

// Finds what a server of the other version does with calls of an endpoint that only one version has: another route may
// match their paths.

export type Change = "removed" | "added";

/** What becomes of the calls of endpoints that only one version has. */
interface LostCalls {
  /** The effect on clients of the version; undefined if the rule of the difference says it. */
  readonly level?: Level;
  /** The route of the other version that matches paths of the calls; undefined if no route does. */
  readonly answeringRoute?: AnsweringRoute | undefined;
}

/** Finds what becomes of the calls of endpoints, or of one of their methods, that only one version has. */
export type LostCallFinder = (change: Change, endpoints: readonly Endpoint[], lostMethod?: Method) => LostCalls;

/** Creates a function that finds what becomes of calls. It reads the routes of each version once. */
export function createLostCallFinder(context: JsonComparison): LostCallFinder {
  const versions = new Map<Change, readonly [writer: Version, reader: Version]>();
  return (change, endpoints, lostMethod) => {
    try {
      const found = versions.get(change) ?? readVersions(context, change);
      versions.set(change, found);
      const calls = endpoints.flatMap((endpoint) =>
        endpoint.methods
          .filter((method) => lostMethod === undefined || method === lostMethod)
          .map((method) => judgeCalls(context, { change, versions: found, endpoint, method })),
      );
      return joinCalls(calls);
    } catch (error) {
      // The other version may have no route for the calls: the rule assumes this.
      if (error instanceof PatternError) {
        return {};
      }
      throw error;
    }
  };
}

function readVersions(context: JsonComparison, change: Change): readonly [writer: Version, reader: Version] {
  const [before, after] = [readRoutes(context.old), readRoutes(context.new)];
  return change === "removed" ? [before, after] : [after, before];
}

interface Calls {
  readonly change: Change;
  readonly versions: readonly [writer: Version, reader: Version];
  readonly endpoint: Endpoint;
  readonly method: Method;
}

/** What a server of the other version does with the calls of an endpoint with one method. */
interface JudgedCalls {
  readonly level: Level;
  /** The route that matches paths of the calls; undefined if no route does. */
  readonly route?: string;
  /** A path that the route matches. */
  readonly path?: string;
  /** Whether the route matches all paths. */
  readonly areAllMatched?: boolean;
}

function judgeCalls(context: JsonComparison, calls: Calls): JudgedCalls {
  const { versions, endpoint, method } = calls;
  const [writer] = versions;
  const written = readVersion(writer.interface, endpoint);
  const sent = [written.route, ...written.written];
  const [ownCandidates, candidates] = versions.map(({ routes }) =>
    routes.generated.filter((route) => route.methods.includes(method) && haveSimilarStarts(written, route)),
  );
  if (ownCandidates === undefined || candidates === undefined || candidates.length === 0) {
    return { level: "breaks" };
  }
  // In the version of the endpoint, calls with the paths of these routes already reach other handlers.
  const earlierRoutes = ownCandidates.slice(
    0,
    ownCandidates.findIndex(({ pattern }) => pattern === endpoint.route),
  );
  const shared = candidates.map((route, index) =>
    findPath({
      matching: [...sent, route.pattern],
      ...excludePaths([...earlierRoutes, ...candidates.slice(0, index)]),
    }),
  );
  const samples = shared.every(({ kind }) => kind === "none") ? [] : listSamplePaths(written);
  const answers = [...shared.flatMap((found) => (found.kind === "found" ? [found.text] : [])), ...samples]
    .filter((path) => isAccepted(path, written) && findRoute(ownCandidates, path, method)?.pattern === endpoint.route)
    .map((path) => ({ path, route: findRoute(candidates, path, method) }));
  const matched = answers.find(({ route }) => route !== undefined);
  if (matched?.route === undefined) {
    return { level: shared.some(({ kind }) => kind === "unknown") ? "some" : "breaks" };
  }
  const { route, path } = matched;
  const areAllMatched =
    answers.every((answer) => answer.route === route) &&
    findPath({ matching: sent, ...excludePaths([...earlierRoutes, route]) }).kind === "none";
  const levels = answers.map((answer) =>
    answer.route === undefined ? "breaks" : findReadingLevel(context, calls, answer.path, answer.route),
  );
  const isTolerated = areAllMatched && levels.every((level) => level === "tolerated");
  const isRead = levels.some((level) => level !== "breaks");
  return {
    level: isTolerated ? "tolerated" : isRead ? "some" : "breaks",
    route: route.pattern,
    path: encodeURI(path),
    areAllMatched,
  };
}

/** Returns the option of `findPath` that excludes the paths of routes. */
function excludePaths(routes: readonly VersionRoute[]): { readonly notMatching?: string } {
  // Several routes may have variables with the same name.
  const patterns = routes.map(({ pattern }) => pattern.replace(/\(\?P?<\w+>/g, "(?:"));
  return patterns.length === 0 ? {} : { notMatching: `(?:${patterns.join("|")})` };
}

/**
 * Returns the effect on the calls with a path if the endpoint of another route answers them: `tolerated` if it accepts
 * all of them, and has the same type of answers.
 */
function findReadingLevel(
  context: JsonComparison,
  { change, versions, endpoint, method }: Calls,
  path: string,
  { endpoints, compiledRoute }: VersionRoute,
): Level {
  const [, reader] = versions;
  const answering = endpoints.find(({ methods }) => methods.includes(method));
  if (
    answering === undefined ||
    matchRoute(compiledRoute, path) === undefined ||
    !isAccepted(path, readVersion(reader.interface, answering))
  ) {
    return "breaks";
  }
  // The path contains the values of its variables. They take precedence over other arguments with their names.
  const listVariables = ({ args }: Endpoint) => args.filter(({ inPath }) => inPath).map(({ name }) => name);
  const omitArguments = (each: Endpoint, names: readonly string[]): Endpoint => ({
    ...each,
    path: [],
    args: each.args.filter(({ name }) => !names.includes(name)),
  });
  const readVariables = listVariables(answering);
  const writing = omitArguments(endpoint, [...listVariables(endpoint), ...readVariables]);
  const reading = omitArguments(answering, readVariables);
  const pair = change === "removed" ? { before: writing, after: reading } : { before: reading, after: writing };
  const party = change === "removed" ? "oldClients" : "newClients";
  const alwaysSent = writing.args.filter(({ required }) => required).map(({ name }) => name);
  const requiredByReader = reading.args.filter(({ required }) => required).map(({ name }) => name);
  const levels = compareArguments(context, pair, "").map((difference) => {
    const level = getConsequences(getRule(difference.rule), difference)[party];
    const [name = ""] = difference.subject.trim().split(/[.[]/);
    const isAlways = alwaysSent.includes(name) || requiredByReader.includes(name);
    return level === "breaks" && !isAlways ? "some" : level;
  });
  if (levels.includes("breaks")) {
    return "breaks";
  }
  const hasSameAnswer = JSON.stringify(endpoint.answer) === JSON.stringify(answering.answer);
  return hasSameAnswer && !levels.includes("some") ? "tolerated" : "some";
}

/** Joins the effects on the calls of several endpoints and methods. */
function joinCalls(calls: readonly JudgedCalls[]): LostCalls {
  const matchedCalls = calls.filter(({ route }) => route !== undefined);
  const matched = matchedCalls.find(({ level }) => level === "some") ?? matchedCalls[0];
  const areAllMatched = calls.every((each) => each.areAllMatched === true && each.route === matched?.route);
  const [first = "breaks"] = calls.map(({ level }) => level);
  const level: Level = calls.every((each) => each.level === first) ? first : "some";
  return {
    level,
    ...(matched?.route !== undefined && {
      answeringRoute: { route: matched.route, path: areAllMatched ? undefined : matched.path },
    }),
  };
}

/** Describes what becomes of the calls of removed or added endpoints. */
export function describeLostCalls(
  change: Change,
  { level, answeringRoute }: LostCalls,
): Pick<Difference, "levels" | "answeringRoutes"> {
  return change === "removed"
    ? { ...(level !== undefined && { levels: [level, "none"] }), answeringRoutes: { new: answeringRoute } }
    : // The rules say that an added route or method affects only the clients that use it.
      { answeringRoutes: { old: answeringRoute } };
}

/** Describes what becomes of the calls of a renamed route, if routes of the other version match their paths. */
export function describeRenamedCalls(
  removed: LostCalls,
  added: LostCalls,
): Pick<Difference, "levels" | "answeringRoutes"> {
  return {
    levels: [removed.level ?? "breaks", added.level ?? "breaks"],
    answeringRoutes: { new: removed.answeringRoute, old: added.answeringRoute },
  };
}
