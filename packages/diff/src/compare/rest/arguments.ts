import { type Arg, type Endpoint, type RestInterface, readDefault, wordpressConventions } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import type { Difference } from "../difference.js";
import { collapseSpace, hasSameDocumentation } from "../documentation.js";
import { computeNameSimilarity, isSimilarName, matchUnique } from "../similar-names.js";
import {
  addAnswerVariant,
  findDefaultDifferences,
  hasDefault,
  isInvalidDefault,
  type MatchedArgs,
} from "./argument-defaults.js";
import { findAbsenceLimits, findArgumentCodeLimits, findCodeLimits } from "./code-types.js";
import { addListedLimits } from "./hidden-limits.js";
import type { JsonComparison } from "./json-comparison.js";
import { isSentAsText } from "./json-type-rules.js";
import { compareJson, type JsonReportTarget } from "./json-types.js";
import {
  addPositions,
  type Endpoints,
  findSpans,
  formatJson,
  getArgumentDefinition,
  type JsonMembers,
  listVariables,
} from "./json-values.js";
import { adjustLevels, findArgumentLevels, findOrderLevels } from "./read-values.js";
import { matchVariableNames } from "./routes/path-shapes.js";
import {
  acceptsEveryText,
  formatFormats,
  formatStructure,
  formatTypeOrder,
  formatTypes,
  getTypes,
  hasOnlyType,
  hasSameTypes,
} from "./schema-texts.js";
import { compareKeywords } from "./schemas/keywords.js";
import { findChangedSpans } from "./schemas/type-spans.js";
import { type KeywordDifference, overlapVariant, type Schemas } from "./unions/schema-alternatives.js";

const { rawText } = wordpressConventions;

/**
 * Compares the arguments of an endpoint. Path variables are matched by position, because requests do not contain their
 * names. All other arguments are matched by name.
 */
export function compareArguments(
  context: JsonComparison,
  { before, after }: Endpoints,
  subject: string,
): readonly Difference[] {
  const names = matchVariableNames({ before, after });
  const newVariables = new Set(names.values());
  const findCounterpart = ({ name, inPath }: Arg) => {
    const newName = inPath ? names.get(name) : undefined;
    return newName === undefined
      ? after.args.find((arg) => arg.name === name && !(arg.inPath && newVariables.has(name)))
      : after.args.find((arg) => arg.inPath && arg.name === newName);
  };
  const matchedArgs = before.args.flatMap((arg): readonly MatchedArgs[] => {
    const counterpart = findCounterpart(arg);
    return counterpart === undefined ? [] : [[arg, counterpart]];
  });
  const isUnmatched = (arg: Arg) => !matchedArgs.some((pair) => pair.includes(arg));
  const [oldArgs, newArgs] = [before.args.filter(isUnmatched), after.args.filter(isUnmatched)];
  const renamedArgs = matchRenamedArguments(context, { before, after }, [oldArgs, newArgs]);
  const isRenamed = (arg: Arg) => renamedArgs.some((pair) => pair.includes(arg));
  return [
    ...renamedArgs.map((pair) =>
      createRenameDifference(pair, subject, [
        getDefinition(context.old, before, pair[0]),
        getDefinition(context.new, after, pair[1]),
      ]),
    ),
    ...matchedArgs.flatMap((pair) => compareArgument(context, { before, after }, pair, subject)),
    // Servers do not read the other name, so further differences of a renamed argument affect only code.
    ...renamedArgs
      .flatMap((pair) => compareArgument(context, { before, after }, pair, subject))
      .map((difference): Difference => ({ ...difference, levels: ["none", "none"] })),
    ...oldArgs
      .filter((arg) => !isRenamed(arg))
      .flatMap((arg) => createPresenceDifferences(context, "removed", arg, { before, after, subject })),
    ...newArgs
      .filter((arg) => !isRenamed(arg))
      .flatMap((arg) => createPresenceDifferences(context, "added", arg, { before, after, subject })),
  ];
}

/**
 * Matches removed arguments with added arguments if both have the same type, both or neither are required, and both or
 * neither have a default. There are four steps: the argument with the most similar name; the same description; the only
 * remaining pair; the same position. Then matches arguments with similar names whose values have the same JSON types,
 * although their restrictions differ. Without a similar name, both must also have the same format. The position counts
 * only for definitions that consist of more than a type, because many unrelated arguments are plain strings.
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
  const hasSamePresence = (left: Arg, right: Arg) =>
    !left.inPath && !right.inPath && left.required === right.required && hasDefault(left) === hasDefault(right);
  const isSame = (left: Arg, right: Arg) => hasSamePresence(left, right) && oldTexts.get(left) === newTexts.get(right);
  const hasSameFormat = (left: Arg, right: Arg) =>
    formatFormats(getDefinition(context.old, before, left)) === formatFormats(getDefinition(context.new, after, right));
  const isSameDescribed = (left: Arg, right: Arg) =>
    isSame(left, right) &&
    hasSameFormat(left, right) &&
    collapseSpace(left.documentation) !== "" &&
    hasSameDocumentation(left, right);
  const isRelated = (left: Arg, right: Arg) =>
    hasSamePresence(left, right) &&
    hasSameTypes(getDefinition(context.old, before, left), getDefinition(context.new, after, right));
  const isSameTyped = (left: Arg, right: Arg) =>
    isSame(left, right) && hasSameFormat(left, right) && oldTexts.get(left) !== formatStructure({});
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
      (left, right) => isRelated(left, right) && isSimilarName(left.name, right.name),
    ],
    (left, right) => computeNameSimilarity(left.name, right.name),
  );
}

function createRenameDifference([before, after]: MatchedArgs, subject: string, definitions: Schemas): Difference {
  const [wasInvalid, isInvalid] = [
    isInvalidDefault(before, readDefault(before.name, definitions[0])),
    isInvalidDefault(after, readDefault(after.name, definitions[1])),
  ];
  return {
    rule: "argument-renamed",
    direction: "input",
    subject: `${subject} ${after.name}`,
    before: before.name,
    after: after.name,
    variant: before.required && !hasDefault(before) ? undefined : "optional",
    // Servers refuse requests without the argument if its default does not match its schema.
    ...((wasInvalid || isInvalid) && {
      levels: [isInvalid ? "breaks" : "tolerated", wasInvalid ? "breaks" : "tolerated"] as const,
    }),
    ...getSpans({ before, after }),
  };
}

function getSpans({ before, after }: { readonly before: Pick<Arg, "span">; readonly after: Pick<Arg, "span"> }) {
  return { oldSpan: before.span, newSpan: after.span };
}

function createPresenceDifferences(
  context: JsonComparison,
  change: "added" | "removed",
  arg: Arg,
  { before, after, subject }: Endpoints & { readonly subject: string },
): readonly Difference[] {
  const isAdded = change === "added";
  const location = { direction: "input", subject: `${subject} ${arg.name}` } as const;
  const spans = isAdded ? { oldSpan: before.span, newSpan: arg.span } : { oldSpan: arg.span, newSpan: after.span };
  const presence: Difference = {
    rule: `argument-${change}-${arg.required ? "required" : "optional"}`,
    ...location,
    variant: arg.inPath && !arg.required ? "inPath" : arg.required && hasDefault(arg) ? "default" : undefined,
    ...(isAdded ? { after: arg.name } : { before: arg.name }),
    ...spans,
  };
  const side = isAdded ? context.new : context.old;
  if (!isInvalidDefault(arg, readDefault(arg.name, getDefinition(side, isAdded ? after : before, arg)))) {
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

const unionRules: readonly RuleId[] = ["union-member-added", "union-member-removed"];

/**
 * Rules about a whole type. If two types differ by one of these rules, their added and removed alternatives are not
 * reported as well.
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
  const definitions = addListedLimits(context, after.name, [
    addPositionsOf(before, getDefinition(context.old, endpoints.before, before)),
    addPositionsOf(after, getDefinition(context.new, endpoints.after, after)),
  ]);
  const locateKeyword = (keyword: string): ArgumentLocation => ({
    ...location,
    ...locate(keyword, definitions, location),
  });
  const createVersion = (schema: JsonMembers, { name, required, inPath }: Arg, { methods, path }: Endpoint) => ({
    schema,
    isRequired: required,
    pathPattern: listVariables(path).find(({ variable }) => variable === name)?.pattern,
    acceptsRawText:
      !inPath && !methods.includes("GET") && rawText.includes(after.name) && formatTypes(schema) === "object",
  });
  const versions = [
    createVersion(definitions[0], before, endpoints.before),
    createVersion(definitions[1], after, endpoints.after),
  ] as const;
  const inQuery = isInQuery(endpoints, before, after);
  const argument = { before, after, definitions, versions, inQuery };
  const schemaDifferences = findSchemaDifferences(context, argument, location);
  // A variable of a path may have no declaration. If one was added or removed, its type matters more than its text.
  const isDeclared = [
    getArgumentDefinition(context.old.document, endpoints.before, before.name),
    getArgumentDefinition(context.new.document, endpoints.after, after.name),
  ].every((definition) => Object.keys(definition).length > 0);
  return [
    ...findRequirementDifferences([before, after], locateKeyword("required")),
    ...(hasSameDocumentation(before, after) || (!isDeclared && schemaDifferences.length > 0)
      ? []
      : [{ rule: "documentation-changed", ...locateKeyword("description"), direction: undefined } as const]),
    ...(defaultsToNamespace(before, endpoints.before) && defaultsToNamespace(after, endpoints.after)
      ? []
      : findDefaultDifferences([before, after], definitions, locateKeyword("default"), inQuery).map((difference) =>
          after.name === "context" ? addAnswerVariant(context, endpoints, difference) : difference,
        )),
    ...findPlaceDifferences([before, after], location),
    ...schemaDifferences,
  ];
}

/** Returns the definition of an argument, in which each part has its position. */
function addPositionsOf({ positions }: Arg, definition: JsonMembers): JsonMembers {
  return positions === undefined ? definition : addPositions(definition, positions);
}

/** Returns the positions of a keyword, or those of the argument if it has none. */
function locate(keyword: string, definitions: Schemas, { oldSpan, newSpan }: ArgumentLocation) {
  const spans = findSpans(definitions, [keyword]);
  return { oldSpan: spans.oldSpan ?? oldSpan, newSpan: spans.newSpan ?? newSpan };
}

/** Whether the default of an argument is the namespace of its endpoint, which is reported if it changed. */
function defaultsToNamespace(arg: Arg, { namespace }: Endpoint): boolean {
  return arg.default === namespace;
}

/** The subject and positions to report for the differences of an argument. */
type ArgumentLocation = Omit<JsonReportTarget, "inQuery" | "schemas" | "locatedSchemas">;

/**
 * Finds a difference in whether an argument is required. For a path variable of both versions, the difference is
 * reported for the route instead: a part of its path became optional or required.
 */
function findRequirementDifferences([before, after]: MatchedArgs, location: ArgumentLocation): readonly Difference[] {
  if (before.required === after.required || (before.inPath && after.inPath)) {
    return [];
  }
  const rule: RuleId = after.required ? "argument-became-required" : "argument-became-optional";
  const requiringVersion = after.required ? after : before;
  const limits = findAbsenceLimits([before.type, after.type]);
  return [{ rule, ...location, variant: hasDefault(requiringVersion) ? "default" : undefined, ...limits }];
}

/** Finds a difference in where an argument is sent: in the path, or in the query or the body. */
function findPlaceDifferences([before, after]: MatchedArgs, location: ArgumentLocation): readonly Difference[] {
  const formatPlace = ({ inPath }: Arg) => (inPath ? "in the path" : "in the query or the body");
  return before.inPath === after.inPath
    ? []
    : [
        {
          rule: "type-changed",
          ...location,
          before: formatPlace(before),
          after: formatPlace(after),
          sameCode: true,
        },
      ];
}

/** Whether both versions send an argument in the address. */
function isInQuery(endpoints: Endpoints, before: Arg, after: Arg): boolean {
  const hasNoBody = ({ methods }: Endpoint) => methods.every((method) => method === "GET" || method === "DELETE");
  return (before.inPath && after.inPath) || (hasNoBody(endpoints.before) && hasNoBody(endpoints.after));
}

/** Compares the schemas of an argument: type and keywords, and for schemas that are not types, the structure. */
function findSchemaDifferences(
  context: JsonComparison,
  argument: ArgumentVersions,
  location: ArgumentLocation,
): readonly Difference[] {
  const { before, after, definitions, inQuery } = argument;
  const target = { ...location, inQuery, schemas: definitions, locatedSchemas: definitions };
  const types = [before.type, after.type] as const;
  const [limits, limitsOfParts] = [findArgumentCodeLimits(types, rawText.includes(after.name)), findCodeLimits(types)];
  const comparedTypes = compareJson(context, types, target).map((difference): Difference => {
    const isWholeArgument = difference.subject === location.subject;
    return {
      ...difference,
      ...(isWholeArgument ? chooseVariant(difference.rule, argument) : {}),
      ...(wholeTypeRules.includes(difference.rule) ? { codeLimits: isWholeArgument ? limits : limitsOfParts } : {}),
    };
  });
  // Most arguments did not change. Equal definitions differ only in types that other parts of the index determine.
  if (comparedTypes.length === 0 && JSON.stringify(definitions[0]) === JSON.stringify(definitions[1])) {
    return [];
  }
  const allKeywordDifferences = compareKeywords(definitions, { isArgument: true });
  const refusedNames = new Set(
    allKeywordDifferences.flatMap(({ isRefusal, member }) =>
      isRefusal === true ? [`${location.subject}${member}`] : [],
    ),
  );
  const typeDifferences = comparedTypes.map((difference) =>
    refusedNames.has(difference.subject) && presenceRules.includes(difference.rule)
      ? { ...difference, variant: "refused" }
      : difference,
  );
  const keywordDifferences = allKeywordDifferences.filter(
    (keyword) => !isReported(keyword, location.subject, typeDifferences),
  );
  const [oldStructure, newStructure] = definitions.map(formatStructure);
  const isUnreported = typeDifferences.length === 0 && !keywordDifferences.some(({ isStructural }) => isStructural);
  const structures = { before: oldStructure, after: newStructure };
  const differences = [
    ...typeDifferences,
    ...keywordDifferences.map(
      ({ member, isStructural: _, isRefusal: __, ...keywordDifference }): Difference => ({
        ...location,
        ...keywordDifference,
        oldSpan: keywordDifference.oldSpan ?? location.oldSpan,
        newSpan: keywordDifference.newSpan ?? location.newSpan,
        subject: `${location.subject}${member}`,
        direction: keywordDifference.rule === "documentation-changed" ? undefined : location.direction,
        sameCode: true,
      }),
    ),
    ...(isUnreported && oldStructure !== newStructure
      ? [{ rule: "type-overlaps", ...location, ...findChangedSpans(target), ...structures, sameCode: true } as const]
      : []),
  ];
  const [oldOrder, newOrder] = definitions.map(formatTypeOrder);
  if (differences.length === 0 && oldOrder === newOrder) {
    return [];
  }
  if (differences.length === 0) {
    const [before, after] = definitions.map((definition) => getTypes(definition).join(", "));
    const orders = before === after ? {} : { before, after };
    const [oldWriter = "some", newWriter = "some"] = findOrderLevels(argument.versions, inQuery);
    const levels = [oldWriter, newWriter] as const;
    return levels.every((level) => level === "none")
      ? []
      : [{ rule: "union-order-changed", ...location, ...orders, levels, sameCode: true }];
  }
  const key = JSON.stringify([argument.versions, inQuery]);
  const argumentLevels = context.argumentLevels.get(key) ?? findArgumentLevels(argument.versions, inQuery);
  context.argumentLevels.set(key, argumentLevels);
  const adjustedDifferences = adjustLevels(differences, argumentLevels, {
    subject: location.subject,
    versions: argument.versions,
    inQuery,
  });
  // An added or removed alternative is reported anyway. That it may accept values of another one matters only to calls.
  const effective = adjustedDifferences.filter(
    ({ variant, levels }) => variant !== overlapVariant || levels?.every((level) => level === "none") !== true,
  );
  return effective.length === 0 ? adjustedDifferences : effective;
}

interface ArgumentVersions {
  readonly before: Arg;
  readonly after: Arg;
  readonly definitions: Schemas;
  readonly versions: Parameters<typeof findArgumentLevels>[0];
  readonly inQuery: boolean;
}

/**
 * Returns the variant of a rule about a union or about null. The variant depends on how an argument is sent and
 * validated.
 */
function chooseVariant(
  rule: RuleId,
  { before, after, definitions, inQuery }: ArgumentVersions,
): Pick<Difference, "variant"> {
  const isAdded = rule === "union-member-added" || rule === "member-became-nillable";
  if (!isAdded && rule !== "union-member-removed" && rule !== "member-became-not-nillable") {
    return {};
  }
  const isAboutNull = !unionRules.includes(rule);
  // `reader` is the version whose definition does not allow null or the member type that the rule is about. `type` is
  // the argument's type in the other version.
  const [reader, definition, type] = isAdded
    ? [before, definitions[0], after.type]
    : [after, definitions[1], before.type];
  if (inQuery) {
    // A query cannot contain null: clients send an empty string instead.
    return acceptsEveryText(definition) && (isAboutNull || isSentAsText(type)) ? { variant: "text" } : {};
  }
  // WordPress treats an argument with the value null as absent.
  return isAboutNull && !reader.required ? { variant: "tolerated" } : {};
}

/** The rules about members that only one version has. */
const presenceRules: readonly RuleId[] = [
  "member-added-optional",
  "member-added-required",
  "member-removed-optional",
  "member-removed-required",
];

/** The rules about members that are required in only one version because only that version has them. */
const requirementRules: ReadonlyMap<RuleId, RuleId> = new Map([
  ["member-removed-required", "member-became-optional"],
  ["member-added-required", "member-became-required"],
]);

/** Whether the comparison of types reports the difference, or a more exact one in the same value or a part of it. */
function isReported(
  keywordDifference: KeywordDifference,
  argument: string,
  typeDifferences: readonly Difference[],
): boolean {
  const { rule, member, isStructural } = keywordDifference;
  const subject = `${argument}${member}`;
  const rules = typeDifferences
    .filter((difference) => difference.subject === subject)
    .map((difference) => difference.rule);
  return (
    rules.includes(rule) ||
    rules.some((reportedRule) => requirementRules.get(reportedRule) === rule) ||
    isPartOfRename(keywordDifference, subject, typeDifferences) ||
    (unionRules.includes(rule) && rules.some((reportedRule) => wholeTypeRules.includes(reportedRule))) ||
    (keywordDifference.isRefusal === true && rules.some((reportedRule) => presenceRules.includes(reportedRule))) ||
    (rule === "type-overlaps" &&
      isStructural === true &&
      typeDifferences.some((difference) => isWithin(difference, subject)))
  );
}

/** Whether the comparison of types reports that a removed or added optional member was renamed. */
function isPartOfRename(
  { rule, before, after }: KeywordDifference,
  subject: string,
  typeDifferences: readonly Difference[],
): boolean {
  const name = rule === "member-removed-optional" ? before : rule === "member-added-optional" ? after : undefined;
  const isOther = (difference: Difference) =>
    (rule === "member-removed-optional" ? difference.before : difference.after) === name &&
    `${subject.slice(0, -(name ?? "").length)}${difference.after}` === difference.subject;
  return name !== undefined && typeDifferences.some((each) => each.rule === "member-renamed" && isOther(each));
}

/** Whether a difference is about a value or a part of it: `q`, `q.a` and `q[]` belong to `q`, but `qa` does not. */
function isWithin({ subject }: Difference, value: string): boolean {
  return subject === value || [".", "["].some((separator) => subject.startsWith(`${value}${separator}`));
}

/**
 * Returns the definition of an argument in the index, with which servers validate requests. The pattern of a path
 * variable determines its type if the definition does not.
 */
function getDefinition({ document }: RestInterface, endpoint: Endpoint, { name, inPath, type }: Arg): JsonMembers {
  const definition = getArgumentDefinition(document, endpoint, name);
  const hasPatternType = inPath && getTypes(definition).length === 0 && ["string", "integer"].includes(type.kind);
  return hasPatternType ? { ...definition, type: type.kind } : definition;
}
