import {
  type Arg,
  type Endpoint,
  type EndpointAnswer,
  type JsonProperty,
  type JsonType,
  type JsonValue,
  listAnswerContexts,
  type RestPlan,
} from "@bothends/generator";
import { findWorstLevel, type Level } from "../../../rules/rule.js";
import type { Difference } from "../../difference.js";
import { listEndpointsOfAnswers } from "../../uses-of-types.js";
import { findAnswer } from "../json-comparison.js";
import { formatStructure } from "../json-type-rules.js";
import { addPositions, getArgumentDefinition, type JsonMembers } from "../json-values.js";
import { mapPropertiesByName } from "../property-differences.js";
import { findTypeSpans } from "../schemas/type-spans.js";
import type { MatchedEndpoints } from "./methods.js";
import { findNamedMemberDifferences, type ObjectVersions } from "./named-members.js";

// Finds types of answers that changed in generated code because they are declared for other values of `context`.

type Plans = readonly [before: RestPlan, after: RestPlan];
type TypeVersions = readonly [before: JsonType, after: JsonType];

/** The effects on code that writes values of a type and on code that reads them. */
interface CodeLevels {
  readonly write: Level;
  readonly read: Level;
}

/**
 * Reports the endpoints and the named types whose contexts changed, if the change or its opposite affects code. Only
 * members that both schemas declare matter: other rules are about added and removed members.
 */
export function findAnswerContextDifferences(
  plans: Plans,
  endpoints: readonly MatchedEndpoints[],
): readonly Difference[] {
  return [
    ...endpoints.flatMap((pair) => compareEndpoint(plans, pair)),
    ...compareNamedTypes(plans),
    ...compareNamedMembers(plans, endpoints),
  ];
}

function compareEndpoint([oldPlan, newPlan]: Plans, { before, after, methods }: MatchedEndpoints) {
  const [oldAnswer, newAnswer] = [describeAnswer(oldPlan, before), describeAnswer(newPlan, after)];
  if (oldAnswer === undefined || newAnswer === undefined || oldAnswer.contexts.join() === newAnswer.contexts.join()) {
    return [];
  }
  const contexts = [...oldAnswer.contexts, ...newAnswer.contexts].filter((context) =>
    [before, after].every((endpoint) => acceptsContext(endpoint, context)),
  );
  return createDifferences((versions) => compareAnswers(versions, contexts), [oldAnswer, newAnswer], {
    rule: "answer-contexts-changed",
    subject: `${methods.join(", ")} ${after.route} (answer)`,
    before: formatContexts(before, oldAnswer),
    after: formatContexts(after, newAnswer),
    ...findTypeSpans(
      {
        locatedSchemas: [
          locateArgument(oldPlan.interface.document, before),
          locateArgument(newPlan.interface.document, after),
        ],
        oldSpan: findContextArgument(before)?.span ?? before.span,
        newSpan: findContextArgument(after)?.span ?? after.span,
      },
      ["enum", "type", "default"],
    ),
    operations: [after],
  });
}

/** Compares the types of an endpoint's answers. Calls in both versions can have the given contexts. */
function compareAnswers(
  [before, after]: readonly [DescribedAnswer, DescribedAnswer],
  contexts: readonly string[],
): CodeLevels {
  const reads = [
    compareTypes([before.type, after.type], [before.schema, after.schema]),
    ...contexts.map((context) =>
      compareTypes([before.getType(context), after.getType(context)], [before.schema, after.schema]),
    ),
  ];
  const { write } = compareTypes(
    [joinAlternatives(before.handled), joinAlternatives(after.handled)],
    [joinAlternatives([before.schema]), joinAlternatives([after.schema])],
  );
  return { write, read: findWorstLevel(reads.map(({ read }) => read)) };
}

/** Returns a difference if code is affected, or would be affected by the opposite change. */
function createDifferences<Version>(
  compare: (versions: readonly [Version, Version]) => CodeLevels,
  [before, after]: readonly [Version, Version],
  difference: Difference,
): readonly Difference[] {
  const [levels, oppositeLevels] = [compare([before, after]), compare([after, before])];
  const isAffected = [levels, oppositeLevels].some(({ write, read }) => write !== "none" || read !== "none");
  return isAffected ? [{ ...difference, codeLevels: [levels.read, levels.write] }] : [];
}

/** The types that generated code has for the answers of an endpoint. */
interface DescribedAnswer {
  /** The type in the schema, which has the members of all contexts. */
  readonly schema: JsonType;
  /** The type of the answer to a call without the argument `context`. */
  readonly type: JsonType;
  /** The contexts on which the type depends, the default first; empty if the default is unknown. */
  readonly contexts: readonly string[];
  readonly getType: (context: string) => JsonType;
  /** The types that the answer of a handler may have. */
  readonly handled: readonly JsonType[];
}

function describeAnswer({ answers, interface: rest }: RestPlan, endpoint: Endpoint): DescribedAnswer | undefined {
  const planned = answers.endpoints.get(endpoint);
  if (planned === undefined || endpoint.answer === undefined) {
    return undefined;
  }
  const types = new Map([...answers.objects.values()].flatMap((object) => object.types.map((each) => [each.id, each])));
  const resolve = (each: JsonType) => replaceNamedTypes(each, (id) => types.get(id)?.fullType);
  const type = resolve(planned.type);
  const typesByContext = new Map(
    listTypesByContext(planned.contexts, answers).map(([context, each]) => [context, resolve(each)]),
  );
  const [defaultContext, ...acceptedContexts] = listAnswerContexts(endpoint);
  // Without types by context, all contexts have the same type.
  const otherContexts = typesByContext.size === 0 ? acceptedContexts : [...typesByContext.keys()];
  const contexts = new Set(defaultContext === undefined ? [] : [defaultContext, ...otherContexts.sort()]);
  return {
    schema: replaceNamedTypes(endpoint.answer, (id) => findAnswer(rest, { id })?.type),
    type,
    contexts: [...contexts].filter((context) => context !== undefined),
    getType: (context) => typesByContext.get(context) ?? type,
    handled: typesByContext.size === 0 ? [type] : [...typesByContext.values()],
  };
}

type AnswersPlan = RestPlan["answers"];

/** Returns the types by context to which the type of an endpoint refers. Endpoints with the same object share them. */
function listTypesByContext(
  contexts: EndpointAnswer["contexts"],
  { objects }: AnswersPlan,
): readonly (readonly [context: string, type: JsonType])[] {
  if (contexts?.kind === "each") {
    return [...contexts.answers];
  }
  const idsByContext = objects.get(contexts?.object ?? "")?.contexts?.byContext ?? new Map<string, string>();
  return [...idsByContext].map(([context, id]) => {
    const named: JsonType = { kind: "named", id };
    return [context, contexts?.isList === true ? { kind: "array", items: named } : named];
  });
}

function findContextArgument({ args }: Endpoint): Arg | undefined {
  return args.find(({ name }) => name === "context");
}

/** Returns the definition of the argument `context`, in which each part has its position. */
function locateArgument(index: JsonValue, endpoint: Endpoint): JsonMembers {
  const definition = getArgumentDefinition(index, endpoint, "context");
  const positions = findContextArgument(endpoint)?.positions;
  return positions === undefined ? definition : addPositions(definition, positions);
}

/** Whether calls of an endpoint can have the given argument `context`. */
function acceptsContext(endpoint: Endpoint, context: string): boolean {
  const type = findContextArgument(endpoint)?.type;
  return type !== undefined && (type.kind !== "enumeration" || type.values.includes(context));
}

/** Lists the contexts of an answer that calls can request: endpoints with the same object may accept others. */
function formatContexts(endpoint: Endpoint, { contexts }: DescribedAnswer): string {
  return contexts.filter((context) => acceptsContext(endpoint, context)).join(", ") || "none";
}

/** Replaces the named types in a type. A type that contains itself has a name, so this does not recur without end. */
function replaceNamedTypes(type: JsonType, find: (id: string) => JsonType | undefined): JsonType {
  const replace = (each: JsonType) => replaceNamedTypes(each, find);
  switch (type.kind) {
    case "named":
      return find(type.id) ?? type;
    case "array":
      return { ...type, items: replace(type.items) };
    case "union":
      return { ...type, members: type.members.map(replace) };
    case "object":
      return { ...type, properties: type.properties.map((each) => ({ ...each, type: replace(each.type) })) };
    default:
      return type;
  }
}

/**
 * Joins types as generated code does for handlers: an object may have the members of each object type, and members that
 * some of the types lack are optional.
 */
function joinAlternatives(types: readonly JsonType[]): JsonType {
  const members = types.flatMap((type) => (type.kind === "union" ? type.members : [type]));
  const objects = members.filter((member) => member.kind === "object");
  const arrays = members.filter((member) => member.kind === "array");
  const others = members.filter(({ kind }) => kind !== "object" && kind !== "array");
  const joined: readonly JsonType[] = [
    ...new Map(others.map((member) => [formatStructure(member), member])).values(),
    ...(arrays.length === 0
      ? []
      : [{ kind: "array", items: joinAlternatives(arrays.map(({ items }) => items)) } as const]),
    ...(objects.length === 0 ? [] : [joinObjects(objects)]),
  ];
  const [first, ...rest] = joined;
  return first !== undefined && rest.length === 0 ? first : { kind: "union", members: joined };
}

type ObjectType = Extract<JsonType, { readonly kind: "object" }>;

function joinObjects(objects: readonly ObjectType[]): ObjectType {
  const openObject = objects.find(({ properties }) => properties.length === 0);
  if (openObject !== undefined) {
    return openObject;
  }
  const names = [...new Set(objects.flatMap(({ properties }) => properties.map(({ name }) => name)))];
  const properties = names.flatMap((name): readonly JsonProperty[] => {
    const versions = objects.flatMap((object) => mapPropertiesByName(object).get(name) ?? []);
    const [first] = versions;
    const isRequired = versions.length === objects.length && versions.every(({ required }) => required);
    return first === undefined
      ? []
      : [{ ...first, required: isRequired, type: joinAlternatives(versions.map(({ type }) => type)) }];
  });
  const additional = objects.find((object) => object.additional !== undefined)?.additional;
  return { kind: "object", properties, ...(additional !== undefined && { additional }) };
}

/**
 * Compares which members two types have. `schemas` are the types with the members of all contexts. Nested named types
 * have the members of all contexts in both versions, so they are not compared.
 */
function compareTypes([before, after]: TypeVersions, schemas: TypeVersions): CodeLevels {
  const [oldSchema, newSchema] = schemas;
  if (before.kind === "array" && after.kind === "array" && oldSchema.kind === "array" && newSchema.kind === "array") {
    return compareTypes([before.items, after.items], [oldSchema.items, newSchema.items]);
  }
  if (before.kind === "union" && after.kind === "union" && oldSchema.kind === "union" && newSchema.kind === "union") {
    const lists = [before, after, oldSchema, newSchema].map(({ members }) => members);
    const isAligned = lists.every(({ length }) => length === before.members.length);
    return findWorstCodeLevels(
      (isAligned ? before.members : []).flatMap((_, index) => {
        const [oldMember, newMember, oldOther, newOther] = lists.map((members) => members[index]);
        return oldMember && newMember && oldOther && newOther
          ? [compareTypes([oldMember, newMember], [oldOther, newOther])]
          : [];
      }),
    );
  }
  const objects = [before, after, oldSchema, newSchema].filter((type) => type.kind === "object");
  const [oldMembers, newMembers, oldDeclared, newDeclared] = objects.map(mapPropertiesByName);
  if (oldMembers === undefined || newMembers === undefined || oldDeclared === undefined || newDeclared === undefined) {
    return noEffect;
  }
  // In code, an object that has no declared members in a context may have any members.
  if (oldMembers.size === 0 || newMembers.size === 0) {
    return compareWithOpenObject([[...oldMembers.values()], [...newMembers.values()]]);
  }
  return findWorstCodeLevels(
    [...oldDeclared].flatMap(([name, { type }]) => {
      const newType = newDeclared.get(name)?.type;
      return newType === undefined
        ? []
        : [compareMembers([oldMembers.get(name), newMembers.get(name)], [type, newType])];
    }),
  );
}

/** Compares objects of which at least one may have any members. */
function compareWithOpenObject([before, after]: readonly [
  readonly JsonProperty[],
  readonly JsonProperty[],
]): CodeLevels {
  const findLevel = (properties: readonly JsonProperty[]): Level =>
    properties.length === 0 ? "none" : properties.some(({ required }) => required) ? "breaks" : "some";
  return { write: findLevel(after), read: before.length === 0 && after.length > 0 ? "some" : findLevel(before) };
}

const noEffect: CodeLevels = { write: "none", read: "none" };

/** Compares a member in two types, which is undefined in a type that does not contain it. */
function compareMembers(
  [before, after]: readonly [JsonProperty | undefined, JsonProperty | undefined],
  schemas: TypeVersions,
): CodeLevels {
  if (after === undefined) {
    // Handlers may return members that the type of the answer does not contain, but not of a type with a name.
    return before === undefined ? noEffect : { write: "some", read: "breaks" };
  }
  const presence: CodeLevels = {
    write: after.required && before?.required !== true ? "breaks" : "none",
    read: before?.required === true && !after.required ? "breaks" : "none",
  };
  return before === undefined
    ? presence
    : findWorstCodeLevels([presence, compareTypes([before.type, after.type], schemas)]);
}

function findWorstCodeLevels(all: readonly CodeLevels[]): CodeLevels {
  return {
    write: findWorstLevel(all.map(({ write }) => write)),
    read: findWorstLevel(all.map(({ read }) => read)),
  };
}

/** Reports the names that stand for the type of an object in another context. */
function compareNamedTypes(plans: Plans): readonly Difference[] {
  const [oldTypes, newTypes] = plans.map(listNamedTypes);
  const endpoints = listEndpointsOfAnswers(plans[1].interface);
  return [...(oldTypes ?? [])].flatMap(([name, before]) => {
    const after = newTypes?.get(name);
    if (after === undefined || before.context === after.context) {
      return [];
    }
    return createDifferences(
      ([from, to]) => compareTypes([from.type, to.type], [from.schema, to.schema]),
      [before, after],
      {
        rule: "answer-contexts-changed",
        variant: "type",
        subject: name,
        before: before.context,
        after: after.context,
        oldSpan: before.span,
        newSpan: after.span,
        operations: endpoints.get(after.id) ?? [],
      },
    );
  });
}

/**
 * Reports the members whose types have a name in only one version, and other members in code for this reason. Compares
 * the types with the same name, and the answers of each call.
 */
function compareNamedMembers([oldPlan, newPlan]: Plans, endpoints: readonly MatchedEndpoints[]): readonly Difference[] {
  const [oldTypes, newTypes] = [listNamedTypes(oldPlan), listNamedTypes(newPlan)];
  const endpointsOfAnswers = listEndpointsOfAnswers(newPlan.interface);
  const getSubject = (id: string) => findAnswer(newPlan.interface, { id })?.words ?? id;
  const named = [...oldTypes].flatMap(([name, before]): readonly ObjectVersions[] => {
    const after = newTypes.get(name);
    const operations = endpointsOfAnswers.get(after?.id ?? "") ?? [];
    return after === undefined
      ? []
      : [{ ...pairVersions(before, after), subject: getSubject(after.id), isRead: false, operations }];
  });
  const called = endpoints.flatMap(({ before, after }): readonly ObjectVersions[] => {
    const [oldAnswer, newAnswer] = [describeAnswer(oldPlan, before), describeAnswer(newPlan, after)];
    const object = after.answer?.kind === "array" ? after.answer.items : after.answer;
    if (oldAnswer === undefined || newAnswer === undefined || object?.kind !== "named") {
      return [];
    }
    const contexts = oldAnswer.contexts.filter((context) => newAnswer.contexts.includes(context));
    const span = findAnswer(newPlan.interface, object)?.span;
    return contexts
      .map((context) => {
        const [oldVersion, newVersion] = [oldAnswer, newAnswer].map(({ schema, getType }) => ({
          type: getItems(getType(context)),
          schema: getItems(schema),
          span,
        }));
        const versions = oldVersion && newVersion && pairVersions(oldVersion, newVersion);
        return versions && { ...versions, subject: getSubject(object.id), isRead: true, operations: [after] };
      })
      .filter((versions) => versions !== undefined);
  });
  return findNamedMemberDifferences([oldPlan.interface, newPlan.interface], [...named, ...called], compareTypes);
}

interface Version {
  readonly type: JsonType;
  readonly schema: JsonType;
  readonly span: Difference["oldSpan"];
}

function pairVersions(before: Version, after: Version): Pick<ObjectVersions, "types" | "schemas" | "spans"> {
  return {
    types: [before.type, after.type],
    schemas: [before.schema, after.schema],
    spans: [before.span, after.span],
  };
}

function getItems(type: JsonType): JsonType {
  return type.kind === "array" ? type.items : type;
}

/** Returns the types of objects in answers, keyed by name. */
function listNamedTypes({ answers, interface: rest }: RestPlan) {
  return new Map(
    [...answers.objects].flatMap(([id, { types }]) => {
      const answer = findAnswer(rest, { id });
      return answer === undefined
        ? []
        : types.map(
            (each) =>
              [
                each.name,
                {
                  id,
                  type: each.fullType,
                  schema: answer.type,
                  span: answer.span,
                  context: each.id.slice(id.length + 1),
                },
              ] as const,
          );
    }),
  );
}
