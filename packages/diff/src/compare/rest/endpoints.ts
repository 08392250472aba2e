import type { Endpoint, Method, Plan, RestInterface } from "@bothends/generator";
import { type Difference, wireNameDifferences } from "../sides.js";
import { isSimilarName } from "../similar-names.js";
import { compareArguments, definitionOfEndpoint, type Endpoints, objectIn, shown, variableNames } from "./arguments.js";
import { compareJson, type JsonComparison } from "./json-types.js";

/** One state of a REST interface. */
export interface RestSide {
  readonly interface: RestInterface;
  readonly plan: Plan | undefined;
}

/** The differences between two states of a REST interface, and their common endpoints. */
export interface RestDifferences {
  readonly differences: readonly Difference[];
  readonly endpoints: readonly Endpoints[];
}

/** Compares two states of a REST interface. */
export function compareRest(old: RestSide, new_: RestSide): RestDifferences {
  const context: JsonComparison = { old: old.interface, new: new_.interface, compared: new Set() };
  const { matched, removed, added } = matchRoutes(old.interface, new_.interface);
  const found: Difference[] = [...baseDifferences(old.interface, new_.interface), ...versionDifferences(matched)];
  for (const [route, endpoints] of removed) {
    found.push({
      rule: "route-removed",
      subject: route,
      before: route,
      oldSpan: endpoints[0]?.span,
      newSpan: new_.interface.span,
      operations: endpoints,
    });
  }
  for (const [route, endpoints] of added) {
    found.push({
      rule: "route-added",
      subject: route,
      after: route,
      oldSpan: old.interface.span,
      newSpan: endpoints[0]?.span,
      operations: endpoints,
    });
  }
  for (const each of matched) {
    found.push(...compareRoute(context, each, [old, new_]));
  }
  return { differences: found, endpoints: matched.flatMap(({ before, after }) => matchEndpoints(before, after)) };
}

type Routes = ReadonlyMap<string, readonly Endpoint[]>;

interface MatchedRoute {
  readonly before: readonly Endpoint[];
  readonly after: readonly Endpoint[];
  readonly change: "same" | "pattern" | "optional" | "version" | "renamed";
}

/** Matches routes by key, by shape without variable names, without patterns, without optional parts, by version, then by similarity. */
function matchRoutes(before: RestInterface, after: RestInterface) {
  let [old, new_] = [routesOf(before), routesOf(after)];
  const matched: MatchedRoute[] = [];
  const match = (change: MatchedRoute["change"], isSame: (left: string, right: string) => boolean) => {
    for (const [route, endpoints] of old) {
      const candidates = [...new_].filter(([other]) => isSame(route, other));
      const [only] = candidates;
      if (only !== undefined && candidates.length === 1) {
        matched.push({ before: endpoints, after: only[1], change });
        old = without(old, route);
        new_ = without(new_, only[0]);
      }
    }
  };
  const exact = [...old].filter(([route]) => new_.has(route));
  for (const [route, endpoints] of exact) {
    matched.push({ before: endpoints, after: new_.get(route) ?? [], change: "same" });
  }
  const known = new Set(exact.map(([route]) => route));
  old = new Map([...old].filter(([route]) => !known.has(route)));
  new_ = new Map([...new_].filter(([route]) => !known.has(route)));
  match("same", (left, right) => canonicalRoute(left) === canonicalRoute(right));
  const all = [...routesOf(before), ...routesOf(after)];
  const shapes = new Map(all.map(([route, [endpoint]]) => [route, shapeOf(endpoint)]));
  match("pattern", (left, right) => shapes.get(left) === shapes.get(right));
  match("optional", (left, right) => withoutOptional(shapes.get(left)) === withoutOptional(shapes.get(right)));
  match("version", (left, right) => withoutVersion(shapes.get(left)) === withoutVersion(shapes.get(right)));
  const names = [...shapes.values()].flatMap((shape) => shape.split("/"));
  match("renamed", (left, right) => isRenamed(shapes.get(left) ?? left, shapes.get(right) ?? right, names));
  return { matched, removed: old, added: new_ };
}

function routesOf({ endpoints }: RestInterface): Routes {
  const routes = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    routes.set(endpoint.route, [...(routes.get(endpoint.route) ?? []), endpoint]);
  }
  return routes;
}

function without(routes: Routes, route: string): Routes {
  return new Map([...routes].filter(([each]) => each !== route));
}

/** A route without the names of its variables, and with the short notation of digits and of classes with one member. */
function canonicalRoute(route: string): string {
  return route
    .replace(/\(\?P?<\w+>/g, "(?<>")
    .replaceAll("[0-9]", "\\d")
    .replace(/\[(\\[dwsDWS])\]/g, "$1");
}

/** A path with its variables blanked: `/core/v2/blocks/{}`. */
function shapeOf(endpoint: Endpoint | undefined): string {
  const text = (path: Endpoint["path"]): string =>
    path
      .map((piece) => (typeof piece === "string" ? piece : "optional" in piece ? `[${text(piece.optional)}]` : "{}"))
      .join("");
  return endpoint === undefined ? "" : text(endpoint.path);
}

/** A shape in which every part is required. */
function withoutOptional(shape: string | undefined): string {
  return (shape ?? "").replace(/[[\]]/g, "");
}

function withoutVersion(shape: string | undefined): string {
  return (shape ?? "").replace(/\/v?\d+(?:\.\d+)*(?=\/|$)/, "/v");
}

/** Whether two paths differ in only one segment, and the two segments are similar. */
function isRenamed(left: string, right: string, names: readonly string[]): boolean {
  const [a, b] = [left.split("/"), right.split("/")];
  const differing = a.flatMap((segment, index) => (segment === b[index] ? [] : [[segment, b[index] ?? ""] as const]));
  const [only] = differing;
  return (
    a.length === b.length &&
    differing.length === 1 &&
    only !== undefined &&
    !only[0].includes("{") &&
    isSimilarName(only[0], only[1], names)
  );
}

function versionDifferences(matched: readonly MatchedRoute[]): readonly Difference[] {
  const moved = new Map<string, Difference>();
  for (const { before, after, change } of matched) {
    const [old, new_] = [before[0], after[0]];
    if (change === "version" && old !== undefined && new_ !== undefined) {
      const values = { before: old.namespace, after: new_.namespace, oldSpan: old.span, newSpan: new_.span };
      const key = `${old.namespace} ${new_.namespace}`;
      moved.set(key, moved.get(key) ?? { rule: "route-version-changed", subject: `/${new_.namespace}`, ...values });
    }
  }
  return [...moved.values()];
}

function baseDifferences(before: RestInterface, after: RestInterface): readonly Difference[] {
  const spans = { subject: after.name, oldSpan: before.span, newSpan: after.span };
  const found: Difference[] = [];
  if (before.base.path !== after.base.path) {
    found.push({ rule: "base-path-changed", ...spans, before: before.base.path, after: after.base.path });
  }
  const languageText = ({ base: { language } }: RestInterface) =>
    [
      ...(language?.variable === undefined ? [] : [`variable ${language.variable}`]),
      ...(language?.argument === undefined ? [] : [`argument ${language.argument}`]),
    ].join(", ") || "none";
  const [oldLanguage, newLanguage] = [languageText(before), languageText(after)];
  if (oldLanguage !== newLanguage) {
    found.push({ rule: "base-language-changed", ...spans, before: oldLanguage, after: newLanguage });
  }
  found.push(...wireNameDifferences([before.segments, after.segments], spans));
  found.push(...indexDifferences(before, after));
  const text = ({ base }: RestInterface) =>
    base.values.map((each) => `${each.variable}: ${each.values.join(", ")}`).join("; ");
  if (text(before) !== text(after)) {
    found.push({ rule: "base-values-changed", ...spans, before: text(before), after: text(after) });
  }
  return found;
}

/** Compares the index's information about the site: authentication methods and links. */
function indexDifferences(before: RestInterface, after: RestInterface): readonly Difference[] {
  const spans = { subject: after.name, oldSpan: before.span, newSpan: after.span };
  const namesIn = ({ document }: RestInterface) => Object.keys(objectIn(document, "authentication"));
  const [old, new_] = [namesIn(before), namesIn(after)];
  const [from, to] = [before, after].map(({ document }) => shown(objectIn(document, "_links")));
  return [
    ...old
      .filter((name) => !new_.includes(name))
      .map((name): Difference => ({ rule: "authentication-removed", ...spans, before: name })),
    ...new_
      .filter((name) => !old.includes(name))
      .map((name): Difference => ({ rule: "authentication-added", ...spans, after: name })),
    ...(from === to ? [] : [{ rule: "links-changed", ...spans, before: from, after: to } as const]),
  ];
}

function batchDifferences(
  context: JsonComparison,
  { before, after }: Endpoints,
  subject: string,
): readonly Difference[] {
  const spans = { subject, oldSpan: before.span, newSpan: after.span };
  const textOf = (side: RestInterface, endpoint: Endpoint) =>
    Object.keys(objectIn(definitionOfEndpoint(side, endpoint), "allow_batch"))
      .sort()
      .join(", ");
  const [from, to] = [textOf(context.old, before), textOf(context.new, after)];
  return from === to
    ? []
    : [to === "" ? { rule: "batch-removed", ...spans, before: from } : { rule: "batch-added", ...spans, after: to }];
}

function compareRoute(
  context: JsonComparison,
  { before, after, change }: MatchedRoute,
  sides: readonly [RestSide, RestSide],
): readonly Difference[] {
  const [old, new_] = [before[0], after[0]];
  const found: Difference[] = [];
  if (
    old !== undefined &&
    new_ !== undefined &&
    (change === "pattern" || change === "optional" || change === "renamed")
  ) {
    const rule = change === "renamed" ? "route-renamed" : "route-pattern-changed";
    const values = { before: old.route, after: new_.route, oldSpan: old.span, newSpan: new_.span };
    const optional = change === "optional" ? optionalChange(old, new_) : {};
    found.push({ rule, subject: new_.route, ...values, ...optional, operations: after });
  }
  if (old !== undefined && new_ !== undefined) {
    found.push(...variableDifferences(old, new_).map((each) => ({ ...each, operations: after })));
  }
  found.push(...methodDifferences(before, after));
  for (const endpoints of matchEndpoints(before, after)) {
    const subject = `${endpoints.after.methods[0]} ${endpoints.after.route}`;
    const differences = [
      ...(change === "renamed" ? [] : nameDifferences(endpoints, subject, sides)),
      ...compareArguments(context, endpoints, subject),
      ...answerDifferences(context, endpoints, subject),
      ...batchDifferences(context, endpoints, subject),
    ];
    found.push(...differences.map((each) => ({ ...each, operations: [endpoints.after] })));
  }
  return found;
}

/** The effect of optional parts that moved: which variables became optional or required. */
function optionalChange(before: Endpoint, after: Endpoint): Pick<Difference, "variant" | "sameCode"> {
  const isRequired = ({ args }: Endpoint, name: string) =>
    args.find((arg) => arg.inPath && arg.name === name)?.required;
  const variables = [...variableNames({ before, after })].map(
    ([from, to]) => [isRequired(before, from), isRequired(after, to)] as const,
  );
  const becameOptional = variables.some(([old, new_]) => old === true && new_ === false);
  const becameRequired = variables.some(([old, new_]) => old === false && new_ === true);
  if (becameOptional || becameRequired) {
    return { variant: !becameRequired ? "optionalNow" : !becameOptional ? "optionalBefore" : "optionalElsewhere" };
  }
  // The optional parts contain no variables, so no argument changed.
  const [old, new_] = [before, after].map((each) => shapeOf(each).includes("["));
  return old === new_ ? {} : { variant: new_ ? "optionalNow" : "optionalBefore", sameCode: true };
}

function variableDifferences(before: Endpoint, after: Endpoint): readonly Difference[] {
  const spans = { subject: after.route, oldSpan: before.span, newSpan: after.span };
  return [...variableNames({ before, after })]
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => ({ rule: "route-parameter-renamed", before: from, after: to, ...spans }));
}

function matchEndpoints(before: readonly Endpoint[], after: readonly Endpoint[]): readonly Endpoints[] {
  const free = new Set(after);
  return before.flatMap((endpoint) => {
    const found = [...free].find(({ methods }) => methods.some((method) => endpoint.methods.includes(method)));
    if (found === undefined) {
      return [];
    }
    free.delete(found);
    return [{ before: endpoint, after: found }];
  });
}

function methodDifferences(before: readonly Endpoint[], after: readonly Endpoint[]): readonly Difference[] {
  const [old, new_] = [methodsOf(before), methodsOf(after)];
  const differences = (from: typeof old, to: typeof old, change: "added" | "removed") =>
    [...from]
      .filter(([method]) => !to.has(method))
      .map(([method, endpoint]): Difference => {
        const isShared = endpoint.methods.some((each) => to.has(each));
        const other = [...to.values()][0]?.span;
        const spans =
          change === "added" ? { oldSpan: other, newSpan: endpoint.span } : { oldSpan: endpoint.span, newSpan: other };
        const value = change === "added" ? { after: method } : { before: method };
        const subject = `${method} ${endpoint.route}`;
        return {
          rule: `method-${change}`,
          subject,
          ...spans,
          ...value,
          variant: isShared ? "shared" : undefined,
          operations: [endpoint],
        };
      });
  return [...differences(old, new_, "removed"), ...differences(new_, old, "added")];
}

function methodsOf(endpoints: readonly Endpoint[]): ReadonlyMap<Method, Endpoint> {
  return new Map(endpoints.flatMap((endpoint) => endpoint.methods.map((method) => [method, endpoint] as const)));
}

function nameDifferences(
  { before, after }: Endpoints,
  subject: string,
  [old, new_]: readonly [RestSide, RestSide],
): readonly Difference[] {
  if (old.plan === undefined || new_.plan === undefined) {
    return [];
  }
  const [from, to] = [before, after].map(({ operation }) => operation.join("."));
  const spans = { oldSpan: before.span, newSpan: after.span };
  return from === to ? [] : [{ rule: "name-in-code-changed", subject, before: from, after: to, ...spans }];
}

function answerDifferences(
  context: JsonComparison,
  { before, after }: Endpoints,
  subject: string,
): readonly Difference[] {
  const spans = { oldSpan: before.span, newSpan: after.span };
  const place = { direction: "output", subject: `${subject} (answer)`, ...spans } as const;
  if (before.answer === undefined || after.answer === undefined) {
    const rule = before.answer === undefined ? "answer-declared" : "answer-undeclared";
    return before.answer === after.answer ? [] : [{ rule, subject, ...spans }];
  }
  return compareJson({ ...context, compared: new Set() }, [before.answer, after.answer], place);
}
