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
  const differences: Difference[] = [];
  const names = variableNames({ before, after });
  const newName = ({ name, inPath }: Arg) => (inPath ? (names.get(name) ?? name) : name);
  for (const arg of before.args) {
    const counterpart = after.args.find(({ name }) => name === newName(arg));
    if (counterpart === undefined) {
      differences.push(presenceDifference("removed", arg, { before, after, subject }));
    } else {
      differences.push(...compareArgument(context, { before, after }, [arg, counterpart], subject));
    }
  }
  const matchedNames = new Set(before.args.map(newName));
  for (const arg of after.args.filter(({ name }) => !matchedNames.has(name))) {
    differences.push(presenceDifference("added", arg, { before, after, subject }));
  }
  return differences;
}

function spansOf({ before, after }: { readonly before: Pick<Arg, "span">; readonly after: Pick<Arg, "span"> }) {
  return { oldSpan: before.span, newSpan: after.span };
}

/** Maps the old name of each path variable to the new name of the variable at the same position. */
export function variableNames({ before, after }: Endpoints): ReadonlyMap<string, string> {
  const [oldVariables, newVariables] = [variablesOf(before.path), variablesOf(after.path)];
  return new Map(
    oldVariables.flatMap((name, index) =>
      newVariables[index] === undefined ? [] : [[name, newVariables[index]] as const],
    ),
  );
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
  const location = { direction: "input", subject: `${subject} ${after.name}`, ...spansOf({ before, after }) } as const;
  const differences: Difference[] = [];
  // If both are path variables, the difference is reported with the route: part of its path became optional or required.
  if (before.required !== after.required && !(before.inPath && after.inPath)) {
    const hasDefault = (after.required ? after.default : before.default) !== undefined;
    const rule: RuleId = after.required ? "argument-became-required" : "argument-became-optional";
    differences.push({ rule, ...location, variant: hasDefault ? "default" : undefined });
  }
  if (before.documentation !== after.documentation) {
    differences.push({ rule: "documentation-changed", ...location, direction: undefined });
  }
  const [oldDefault, newDefault] = [before.default, after.default].map((value) =>
    value === undefined ? undefined : shown(value),
  );
  if (oldDefault !== newDefault) {
    const rule: RuleId =
      oldDefault === undefined ? "default-added" : newDefault === undefined ? "default-removed" : "default-changed";
    differences.push({ rule, ...location, before: oldDefault, after: newDefault });
  }
  if (before.inPath !== after.inPath) {
    const placeText = ({ inPath }: Arg) => (inPath ? "in the path" : "in the query or the body");
    differences.push({
      rule: "type-changed",
      ...location,
      before: placeText(before),
      after: placeText(after),
      sameCode: true,
    });
  }
  const takesNoBody = ({ methods }: Endpoint) => methods.every((method) => method === "GET" || method === "DELETE");
  const inQuery = takesNoBody(endpoints.before) && takesNoBody(endpoints.after);
  const typeDifferences = compareJson(context, [before.type, after.type], { ...location, inQuery });
  differences.push(...typeDifferences);
  const definitions = [
    definitionOf(context.old, endpoints.before, before),
    definitionOf(context.new, endpoints.after, after),
  ] as const;
  // The comparison of the types already reports the formats of most members.
  const isReported = ({ rule, member }: FacetDifference) =>
    typeDifferences.some((each) => each.rule === rule && each.subject === `${location.subject}${member}`);
  const facets = facetDifferences(definitions).filter((each) => !isReported(each));
  differences.push(...facets.map(({ member: _, ...each }): Difference => ({ ...each, ...location, sameCode: true })));
  return differences;
}

/** A value as JSON with sorted members, so that equal values have equal texts. */
export function shown(value: JsonValue): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}

type Definition = { readonly [name: string]: JsonValue };

/** The definition of an argument in the index, with which servers validate requests. */
function definitionOf(rest: RestInterface, endpoint: Endpoint, { name }: Arg): Definition {
  return objectIn(memberOf(definitionOfEndpoint(rest, endpoint), "args"), name);
}

/** The definition of an endpoint in the index. */
export function definitionOfEndpoint({ document }: RestInterface, { route, methods }: Endpoint): JsonValue | undefined {
  const endpoints = memberOf(memberOf(memberOf(document, "routes"), route), "endpoints");
  return (isList(endpoints) ? endpoints : []).find((each) => {
    const methodsMember = memberOf(each, "methods");
    return isList(methodsMember)
      ? methodsMember.includes(methods[0])
      : memberOf(methodsMember, methods[0]) !== undefined;
  });
}

/** Returns the member of an object if it is an object too, otherwise an empty object. */
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
  /** The path to the restricted value in the argument: `.dates[].from`; empty for the argument itself. */
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

/** Other keywords of JSON Schema that restrict values, each with the value that restricts nothing. */
const restrictions: readonly (readonly [keyword: string, open: JsonValue])[] = [
  ["multipleOf", null],
  ["uniqueItems", false],
  ["additionalProperties", true],
];

/** Compares the JSON Schema keywords that restrict the values of an argument and its items. */
function facetDifferences([before, after]: readonly [Definition, Definition]): readonly FacetDifference[] {
  const differences: FacetDifference[] = bounds.flatMap(([keyword, facet, end]): readonly FacetDifference[] => {
    const change = boundChange([boundOf(before, keyword), boundOf(after, keyword)], compareBounds, end);
    return change === undefined ? [] : [difference(`${facet}-${change}`, keyword, [before, after])];
  });
  const [oldPattern, newPattern] = [before["pattern"], after["pattern"]];
  if (shownOf(oldPattern) !== shownOf(newPattern)) {
    const rule: RuleId =
      oldPattern === undefined ? "pattern-added" : newPattern === undefined ? "pattern-removed" : "pattern-changed";
    differences.push(difference(rule, "pattern", [before, after]));
  }
  const format = formatChange(before["format"], after["format"]);
  if (format !== undefined) {
    differences.push({ ...format, member: "" });
  }
  for (const [keyword, unrestricted] of restrictions) {
    const [oldValue, newValue] = [before[keyword] ?? unrestricted, after[keyword] ?? unrestricted];
    if (shown(oldValue) !== shown(newValue)) {
      const rule =
        oldValue === unrestricted ? "type-narrowed" : newValue === unrestricted ? "type-widened" : "type-overlaps";
      differences.push(difference(rule, keyword, [before, after]));
    }
  }
  return [...differences, ...nestedDifferences([before, after])];
}

/** The differences in list items, and in the properties that both definitions have. */
function nestedDifferences([before, after]: readonly [Definition, Definition]): readonly FacetDifference[] {
  const compareNested = (
    name: string,
    path: string,
    [oldDefinition, newDefinition]: readonly [JsonValue | undefined, JsonValue | undefined],
  ) => {
    const differences =
      isObject(oldDefinition) && isObject(newDefinition) ? facetDifferences([oldDefinition, newDefinition]) : [];
    return differences.map((nested) => ({
      ...nested,
      member: `${path}${nested.member}`,
      before: `${name} ${nested.before}`,
      after: `${name} ${nested.after}`,
    }));
  };
  const [oldProperties, newProperties] = [objectIn(before, "properties"), objectIn(after, "properties")];
  return [
    ...compareNested("items", "[]", [before["items"], after["items"]]),
    ...Object.keys(oldProperties).flatMap((name) =>
      compareNested(name, `.${name}`, [oldProperties[name], newProperties[name]]),
    ),
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
  /** 1 for an exclusive lower bound, -1 for an exclusive upper bound, 0 for an inclusive bound. */
  readonly exclusiveOffset: number;
}

function boundOf(definition: Definition, keyword: string): Bound | undefined {
  const value = definition[keyword];
  if (typeof value !== "number") {
    return undefined;
  }
  const shift = isExclusive(definition, keyword) ? (keyword === "minimum" ? 1 : -1) : 0;
  // An exclusive bound of integers is converted to an inclusive one: integers below 10 are at most 9.
  return definition["type"] === "integer" && Number.isInteger(value)
    ? { value: value + shift, exclusiveOffset: 0 }
    : { value, exclusiveOffset: shift };
}

function isExclusive(definition: Definition, keyword: string): boolean {
  return (
    (keyword === "minimum" && definition["exclusiveMinimum"] === true) ||
    (keyword === "maximum" && definition["exclusiveMaximum"] === true)
  );
}

function compareBounds(left: Bound, right: Bound): number {
  return left.value - right.value || left.exclusiveOffset - right.exclusiveOffset;
}
