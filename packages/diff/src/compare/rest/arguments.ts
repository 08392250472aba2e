import { type Arg, type Endpoint, findDefaultProblem, type JsonValue, type RestInterface } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import { collapseSpace, type Difference, hasSameDocumentation } from "../sides.js";
import { isSimilarName, matchUnique } from "../similar-names.js";
import type { KeywordDifference } from "./json-alternatives.js";
import { compareJson, type JsonComparison } from "./json-types.js";
import { formatJson, getMember, getObject, isList, type JsonMembers } from "./json-values.js";
import { compareKeywords } from "./keywords.js";
import { formatStructure } from "./schema-texts.js";

/** The old and the new state of an endpoint. */
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
  const names = matchVariableNames({ before, after });
  const newName = ({ name, inPath }: Arg) => (inPath ? (names.get(name) ?? name) : name);
  const matched = before.args.flatMap((arg): readonly MatchedArgs[] => {
    const counterpart = after.args.find(({ name }) => name === newName(arg));
    return counterpart === undefined ? [] : [[arg, counterpart]];
  });
  const isUnmatched = (arg: Arg) => !matched.some((pair) => pair.includes(arg));
  const [oldArgs, newArgs] = [before.args.filter(isUnmatched), after.args.filter(isUnmatched)];
  const renamed = matchRenamedArguments(context, { before, after }, [oldArgs, newArgs]);
  const isRenamed = (arg: Arg) => renamed.some((pair) => pair.includes(arg));
  return [
    ...renamed.map((pair) => createRenameDifference(pair, subject)),
    ...[...matched, ...renamed].flatMap((pair) => compareArgument(context, { before, after }, pair, subject)),
    ...oldArgs
      .filter((arg) => !isRenamed(arg))
      .flatMap((arg) => createPresenceDifferences(context, "removed", arg, { before, after, subject })),
    ...newArgs
      .filter((arg) => !isRenamed(arg))
      .flatMap((arg) => createPresenceDifferences(context, "added", arg, { before, after, subject })),
  ];
}

type MatchedArgs = readonly [before: Arg, after: Arg];

/**
 * Matches removed and added arguments with equal types and presence: first each with the only argument that has a similar name or
 * the same description, then the last remaining pair. The position is considered only for definitions that are more than a type:
 * many unrelated arguments are strings.
 */
function matchRenamedArguments(
  context: JsonComparison,
  { before, after }: Endpoints,
  [removedArgs, addedArgs]: readonly [readonly Arg[], readonly Arg[]],
): readonly MatchedArgs[] {
  const [oldTexts, newTexts] = [
    new Map(removedArgs.map((arg) => [arg, formatStructure(getDefinition(context.old, before, arg))])),
    new Map(addedArgs.map((arg) => [arg, formatStructure(getDefinition(context.new, after, arg))])),
  ];
  const isSame = (left: Arg, right: Arg) =>
    !left.inPath &&
    !right.inPath &&
    left.required === right.required &&
    (left.default === undefined) === (right.default === undefined) &&
    oldTexts.get(left) === newTexts.get(right);
  const isSameDescribed = (left: Arg, right: Arg) =>
    isSame(left, right) && collapseSpace(left.documentation) !== "" && hasSameDocumentation(left, right);
  const isSameTyped = (left: Arg, right: Arg) => isSame(left, right) && oldTexts.get(left) !== formatStructure({});
  return matchUnique(
    [removedArgs, addedArgs],
    [
      (left, right) => isSame(left, right) && isSimilarName(left.name, right.name),
      isSameDescribed,
      isSameTyped,
      (left, right) =>
        isSameTyped(left, right) &&
        !hasOnlyType(getDefinition(context.old, before, left)) &&
        before.args.length === after.args.length &&
        before.args.indexOf(left) === after.args.indexOf(right),
    ],
  );
}

/** Whether the definition of an argument only names its type. */
function hasOnlyType(definition: JsonMembers): boolean {
  const { type } = definition;
  return type !== undefined && formatStructure(definition) === formatStructure({ type });
}

function createRenameDifference([before, after]: MatchedArgs, subject: string): Difference {
  const hasDefault = before.default !== undefined;
  return {
    rule: "argument-renamed",
    direction: "input",
    subject: `${subject} ${after.name}`,
    before: before.name,
    after: after.name,
    variant: before.required && !hasDefault ? undefined : "optional",
    ...getSpans({ before, after }),
  };
}

function getSpans({ before, after }: { readonly before: Pick<Arg, "span">; readonly after: Pick<Arg, "span"> }) {
  return { oldSpan: before.span, newSpan: after.span };
}

/** Maps the old name of each path variable to the new name of the variable at the same position. */
export function matchVariableNames({ before, after }: Endpoints): ReadonlyMap<string, string> {
  const [oldVariables, newVariables] = [getVariables(before.path), getVariables(after.path)];
  return new Map(
    oldVariables.flatMap((name, index) =>
      newVariables[index] === undefined ? [] : [[name, newVariables[index]] as const],
    ),
  );
}

function getVariables(path: Endpoint["path"]): readonly string[] {
  return path.flatMap((piece) => {
    if (typeof piece === "string" || "filler" in piece) {
      return [];
    }
    return "optional" in piece ? getVariables(piece.optional) : [piece.variable];
  });
}

function createPresenceDifferences(
  context: JsonComparison,
  change: "added" | "removed",
  arg: Arg,
  { before, after, subject }: Endpoints & { readonly subject: string },
): readonly Difference[] {
  const hasDefault = arg.required && arg.default !== undefined;
  const isAdded = change === "added";
  const location = { direction: "input", subject: `${subject} ${arg.name}` } as const;
  const spans = isAdded ? { oldSpan: before.span, newSpan: arg.span } : { oldSpan: arg.span, newSpan: after.span };
  const presence: Difference = {
    rule: `argument-${change}-${arg.required ? "required" : "optional"}`,
    ...location,
    variant: hasDefault ? "default" : undefined,
    ...(isAdded ? { after: arg.name } : { before: arg.name }),
    ...spans,
  };
  const rest = isAdded ? context.new : context.old;
  if (!hasInvalidDefault(arg, getDefinition(rest, isAdded ? after : before, arg))) {
    return [presence];
  }
  const value = formatJson(arg.default ?? null);
  return [
    presence,
    isAdded
      ? { rule: "default-became-invalid", ...location, variant: "added", after: value, ...spans }
      : { rule: "default-became-valid", ...location, variant: "removed", before: value, ...spans },
  ];
}

/** Whether the schema of an argument refuses the argument's default. Requests always contain a variable that the path requires. */
function hasInvalidDefault(arg: Arg, definition: JsonMembers): boolean {
  return !(arg.inPath && arg.required) && findDefaultProblem(arg.name, definition) !== undefined;
}

const unionRules: readonly RuleId[] = ["union-member-added", "union-member-removed"];

/**
 * Rules about a type as a whole. If the comparison of two types reports a difference with one of these rules, added and removed
 * alternatives of the types are not reported as well.
 */
const wholeTypeRules: readonly RuleId[] = [
  ...unionRules,
  "member-became-nillable",
  "member-became-not-nillable",
  "type-widened",
  "type-narrowed",
  "type-overlaps",
  "type-changed",
  "enum-opened",
  "enum-closed",
];

function compareArgument(
  context: JsonComparison,
  endpoints: Endpoints,
  [before, after]: MatchedArgs,
  subject: string,
): readonly Difference[] {
  const location = { direction: "input", subject: `${subject} ${after.name}`, ...getSpans({ before, after }) } as const;
  const differences: Difference[] = [];
  // If both arguments are path variables, the difference is reported for the route: a part of its path became optional or required.
  if (before.required !== after.required && !(before.inPath && after.inPath)) {
    const hasDefault = (after.required ? after.default : before.default) !== undefined;
    const rule: RuleId = after.required ? "argument-became-required" : "argument-became-optional";
    differences.push({ rule, ...location, variant: hasDefault ? "default" : undefined });
  }
  if (!hasSameDocumentation(before, after)) {
    differences.push({ rule: "documentation-changed", ...location, direction: undefined });
  }
  const [oldDefault, newDefault] = [before.default, after.default].map((value) =>
    value === undefined ? undefined : formatJson(value),
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
  const definitions = [
    getDefinition(context.old, endpoints.before, before),
    getDefinition(context.new, endpoints.after, after),
  ] as const;
  const isInvalid = hasInvalidDefault(after, definitions[1]);
  if (isInvalid !== hasInvalidDefault(before, definitions[0])) {
    const rule: RuleId = isInvalid ? "default-became-invalid" : "default-became-valid";
    differences.push({ rule, ...location, before: oldDefault, after: newDefault });
  }
  const takesNoBody = ({ methods }: Endpoint) => methods.every((method) => method === "GET" || method === "DELETE");
  const inQuery = takesNoBody(endpoints.before) && takesNoBody(endpoints.after);
  const typeDifferences = compareJson(context, [before.type, after.type], { ...location, inQuery });
  differences.push(...typeDifferences);
  const keywordDifferences = compareKeywords(definitions, { isArgument: true }).filter(
    (keyword) => !isReported(keyword, location.subject, typeDifferences),
  );
  differences.push(
    ...keywordDifferences.map(
      ({ member, isStructural: _, ...keywordDifference }): Difference => ({
        ...keywordDifference,
        ...location,
        subject: `${location.subject}${member}`,
        direction: keywordDifference.rule === "documentation-changed" ? undefined : location.direction,
        sameCode: true,
      }),
    ),
  );
  const [oldStructure, newStructure] = definitions.map(formatStructure);
  const isUnreported = typeDifferences.length === 0 && !keywordDifferences.some(({ isStructural }) => isStructural);
  if (isUnreported && oldStructure !== newStructure) {
    const values = { before: oldStructure, after: newStructure };
    differences.push({ rule: "type-overlaps", ...location, ...values, sameCode: true });
  }
  return differences;
}

/**
 * Whether the comparison of types already reports a difference, or reports a more exact difference of the same value or its
 * members.
 */
function isReported(
  { rule, member, isStructural }: KeywordDifference,
  argument: string,
  typeDifferences: readonly Difference[],
): boolean {
  const subject = `${argument}${member}`;
  const rules = typeDifferences
    .filter((difference) => difference.subject === subject)
    .map((difference) => difference.rule);
  return (
    rules.includes(rule) ||
    (unionRules.includes(rule) && rules.some((reportedRule) => wholeTypeRules.includes(reportedRule))) ||
    (rule === "type-overlaps" &&
      isStructural === true &&
      typeDifferences.some((difference) => isWithin(difference, subject)))
  );
}

/** Whether a difference is about a value or a part of it: `q`, `q.a` and `q[]` belong to `q`, but `qa` does not. */
function isWithin({ subject }: Difference, value: string): boolean {
  return subject === value || [".", "["].some((separator) => subject.startsWith(`${value}${separator}`));
}

/** Returns the index's definition of an argument. Servers validate requests with this definition. */
function getDefinition(rest: RestInterface, endpoint: Endpoint, { name }: Arg): JsonMembers {
  return getObject(getMember(findEndpointDefinition(rest, endpoint), "args"), name);
}

/** Returns the definition of an endpoint in the index. */
export function findEndpointDefinition(
  { document }: RestInterface,
  { route, methods }: Endpoint,
): JsonValue | undefined {
  const endpoints = getMember(getMember(getMember(document, "routes"), route), "endpoints");
  return (isList(endpoints) ? endpoints : []).find((endpoint) => {
    const methodsMember = getMember(endpoint, "methods");
    return isList(methodsMember)
      ? methodsMember.includes(methods[0])
      : getMember(methodsMember, methods[0]) !== undefined;
  });
}
