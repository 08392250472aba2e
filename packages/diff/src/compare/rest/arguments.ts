import type { Arg, Endpoint, JsonValue, RestInterface } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import type { Difference } from "../sides.js";
import { boundChange } from "../types/facets.js";
import { compareJson, formatChange, type JsonComparison } from "./json-types.js";

/** Two states of an endpoint. */
export interface Endpoints {
  readonly before: Endpoint;
  readonly after: Endpoint;
}

/** Compares the arguments of an endpoint. Path variables are matched by position, because their names are not sent. */
export function compareArguments(
  context: JsonComparison,
  { before, after }: Endpoints,
  subject: string,
): readonly Difference[] {
  const found: Difference[] = [];
  const names = variableNames({ before, after });
  const newName = ({ name, inPath }: Arg) => (inPath ? (names.get(name) ?? name) : name);
  for (const arg of before.args) {
    const counterpart = after.args.find(({ name }) => name === newName(arg));
    if (counterpart === undefined) {
      found.push(presenceDifference("removed", arg, { before, after, subject }));
    } else {
      found.push(...compareArgument(context, { before, after }, [arg, counterpart], subject));
    }
  }
  const known = new Set(before.args.map(newName));
  for (const arg of after.args.filter(({ name }) => !known.has(name))) {
    found.push(presenceDifference("added", arg, { before, after, subject }));
  }
  return found;
}

function spansOf({ before, after }: { readonly before: Pick<Arg, "span">; readonly after: Pick<Arg, "span"> }) {
  return { oldSpan: before.span, newSpan: after.span };
}

/** The new names of the path variables by the old ones. */
export function variableNames({ before, after }: Endpoints): ReadonlyMap<string, string> {
  const [old, new_] = [variablesOf(before.path), variablesOf(after.path)];
  return new Map(old.flatMap((name, index) => (new_[index] === undefined ? [] : [[name, new_[index]] as const])));
}

function variablesOf(path: Endpoint["path"]): readonly string[] {
  return path.flatMap((piece) => {
    if (typeof piece === "string" || "filler" in piece) {
      return [];
    }
    return "optional" in piece ? variablesOf(piece.optional) : [piece.variable];
  });
}

function presenceDifference(
  change: "added" | "removed",
  arg: Arg,
  { before, after, subject }: Endpoints & { readonly subject: string },
): Difference {
  const hasDefault = arg.required && arg.default !== undefined;
  return {
    rule: `argument-${change}-${arg.required ? "required" : "optional"}`,
    direction: "input",
    subject: `${subject} ${arg.name}`,
    variant: hasDefault ? "default" : undefined,
    ...(change === "added"
      ? { after: arg.name, oldSpan: before.span, newSpan: arg.span }
      : { before: arg.name, oldSpan: arg.span, newSpan: after.span }),
  };
}

function compareArgument(
  context: JsonComparison,
  endpoints: Endpoints,
  [before, after]: readonly [Arg, Arg],
  subject: string,
): readonly Difference[] {
  const place = { direction: "input", subject: `${subject} ${after.name}`, ...spansOf({ before, after }) } as const;
  const found: Difference[] = [];
  // A variable in an optional part of the path is reported with the route.
  if (before.required !== after.required && !(before.inPath && after.inPath)) {
    const hasDefault = (after.required ? after.default : before.default) !== undefined;
    const rule: RuleId = after.required ? "argument-became-required" : "argument-became-optional";
    found.push({ rule, ...place, variant: hasDefault ? "default" : undefined });
  }
  if (before.documentation !== after.documentation) {
    found.push({ rule: "documentation-changed", ...place, direction: undefined });
  }
  const [from, to] = [before.default, after.default].map((value) => (value === undefined ? undefined : shown(value)));
  if (from !== to) {
    const rule: RuleId =
      from === undefined ? "default-added" : to === undefined ? "default-removed" : "default-changed";
    found.push({ rule, ...place, before: from, after: to });
  }
  if (before.inPath !== after.inPath) {
    const placeText = ({ inPath }: Arg) => (inPath ? "in the path" : "in the query or the body");
    found.push({ rule: "type-changed", ...place, before: placeText(before), after: placeText(after), sameCode: true });
  }
  const isQuery = ({ methods }: Endpoint) => methods.every((method) => method === "GET" || method === "DELETE");
  const inQuery = isQuery(endpoints.before) && isQuery(endpoints.after);
  const typeDifferences = compareJson(context, [before.type, after.type], { ...place, inQuery });
  found.push(...typeDifferences);
  const definitions = [
    definitionOf(context.old, endpoints.before, before),
    definitionOf(context.new, endpoints.after, after),
  ] as const;
  // The comparison of the types names the formats of most members.
  const isKnown = ({ rule, member }: FacetDifference) =>
    typeDifferences.some((each) => each.rule === rule && each.subject === `${place.subject}${member}`);
  const facets = facetDifferences(definitions).filter((each) => !isKnown(each));
  found.push(...facets.map(({ member: _, ...each }): Difference => ({ ...each, ...place, sameCode: true })));
  return found;
}

/** Text that is equal for equal values, regardless of member order. */
export function shown(value: JsonValue): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([left], [right]) => (left < right ? -1 : 1)))
      : each,
  );
}

type Definition = { readonly [name: string]: JsonValue };

/** The index definition of an argument, used by servers for validation. */
function definitionOf(rest: RestInterface, endpoint: Endpoint, { name }: Arg): Definition {
  return objectIn(memberOf(definitionOfEndpoint(rest, endpoint), "args"), name);
}

/** The definition of an endpoint in the index. */
export function definitionOfEndpoint({ document }: RestInterface, { route, methods }: Endpoint): JsonValue | undefined {
  const endpoints = memberOf(memberOf(memberOf(document, "routes"), route), "endpoints");
  return (isList(endpoints) ? endpoints : []).find((each) => {
    const words = memberOf(each, "methods");
    return isList(words) ? words.includes(methods[0]) : memberOf(words, methods[0]) !== undefined;
  });
}

/** An object member; empty if absent. */
export function objectIn(value: JsonValue | undefined, name: string): Definition {
  const member = memberOf(value, name);
  return isObject(member) ? member : {};
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isObject(value: JsonValue | undefined): value is Definition {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

interface FacetDifference {
  readonly rule: RuleId;
  /** The path in the argument: `.dates[].from`. */
  readonly member: string;
  readonly before: string;
  readonly after: string;
  readonly variant?: string;
}

const bounds = [
  ["minimum", "range", "least"],
  ["maximum", "range", "greatest"],
  ["minLength", "length", "least"],
  ["maxLength", "length", "greatest"],
  ["minItems", "length", "least"],
  ["maxItems", "length", "greatest"],
] as const;

/** Further keywords that restrict values, each with the value that restricts nothing. */
const restrictions: readonly (readonly [keyword: string, open: JsonValue])[] = [
  ["multipleOf", null],
  ["uniqueItems", false],
  ["additionalProperties", true],
];

/** Compares the JSON Schema keywords that restrict the values of an argument and its items. */
function facetDifferences([before, after]: readonly [Definition, Definition]): readonly FacetDifference[] {
  const found: FacetDifference[] = bounds.flatMap(([keyword, subject, side]): readonly FacetDifference[] => {
    const change = boundChange([boundOf(before, keyword), boundOf(after, keyword)], compareBounds, side);
    return change === undefined ? [] : [difference(`${subject}-${change}`, keyword, [before, after])];
  });
  const [oldPattern, newPattern] = [before["pattern"], after["pattern"]];
  if (shownOf(oldPattern) !== shownOf(newPattern)) {
    const rule: RuleId =
      oldPattern === undefined ? "pattern-added" : newPattern === undefined ? "pattern-removed" : "pattern-changed";
    found.push(difference(rule, "pattern", [before, after]));
  }
  const format = formatChange(before["format"], after["format"]);
  if (format !== undefined) {
    found.push({ ...format, member: "" });
  }
  for (const [keyword, open] of restrictions) {
    const [from, to] = [before[keyword] ?? open, after[keyword] ?? open];
    if (shown(from) !== shown(to)) {
      const rule = from === open ? "type-narrowed" : to === open ? "type-widened" : "type-overlaps";
      found.push(difference(rule, keyword, [before, after]));
    }
  }
  return [...found, ...nestedDifferences([before, after])];
}

/** The differences in list items, and in the properties that both definitions have. */
function nestedDifferences([before, after]: readonly [Definition, Definition]): readonly FacetDifference[] {
  const within = (name: string, path: string, states: readonly [JsonValue | undefined, JsonValue | undefined]) => {
    const [old, new_] = states;
    const found = isObject(old) && isObject(new_) ? facetDifferences([old, new_]) : [];
    return found.map((each) => ({
      ...each,
      member: `${path}${each.member}`,
      before: `${name} ${each.before}`,
      after: `${name} ${each.after}`,
    }));
  };
  const [old, new_] = [objectIn(before, "properties"), objectIn(after, "properties")];
  return [
    ...within("items", "[]", [before["items"], after["items"]]),
    ...Object.keys(old).flatMap((name) => within(name, `.${name}`, [old[name], new_[name]])),
  ];
}

function shownOf(value: JsonValue | undefined): string {
  return value === undefined ? "none" : shown(value);
}

function difference(
  rule: RuleId,
  keyword: string,
  [before, after]: readonly [Definition, Definition],
): FacetDifference {
  const text = (definition: Definition) =>
    `${keyword} ${isExclusive(definition, keyword) ? "exclusive " : ""}${shownOf(definition[keyword])}`;
  return { rule, member: "", before: text(before), after: text(after) };
}

interface Bound {
  readonly value: number;
  /** 1 for an exclusive lower bound, -1 for an exclusive upper bound, otherwise 0. */
  readonly beyond: number;
}

function boundOf(definition: Definition, keyword: string): Bound | undefined {
  const value = definition[keyword];
  if (typeof value !== "number") {
    return undefined;
  }
  const inward = isExclusive(definition, keyword) ? (keyword === "minimum" ? 1 : -1) : 0;
  // Integers below 10 are at most 9.
  return definition["type"] === "integer" && Number.isInteger(value)
    ? { value: value + inward, beyond: 0 }
    : { value, beyond: inward };
}

function isExclusive(definition: Definition, keyword: string): boolean {
  return (
    (keyword === "minimum" && definition["exclusiveMinimum"] === true) ||
    (keyword === "maximum" && definition["exclusiveMaximum"] === true)
  );
}

function compareBounds(left: Bound, right: Bound): number {
  return left.value - right.value || left.beyond - right.beyond;
}
