import type { JsonProperty, JsonType, RestInterface, Span } from "@bothends/generator";
import { getRule } from "../../../rules/index.js";
import { getConsequences, type Level } from "../../../rules/rule.js";
import type { Difference } from "../../difference.js";
import { listEndpointsOfAnswers } from "../../uses-of-types.js";
import { findAnswer, type JsonComparison } from "../json-comparison.js";
import { formatType } from "../json-type-rules.js";
import { compareJson } from "../json-types.js";
import { isInContext, noEffect } from "../property-differences.js";

// Compares the resources that the option `embed` of clients adds to answers: objects in the context `embed`. Only the
// code of callers depends on their types: clients do not check them, and handlers do not write them.

type Relation = NonNullable<RestInterface["embedded"]>["relations"][number];

/** Finds the differences in embedded resources that affect the code of callers. */
export function findEmbeddedDifferences(context: JsonComparison): readonly Difference[] {
  const [before, after] = [context.old.embedded, context.new.embedded];
  if (before === undefined || after === undefined) {
    return [];
  }
  const operations = listEndpointsOfAnswers(context.new).get(after.links) ?? [];
  const names = new Set([...before.relations, ...after.relations].map(({ name }) => name));
  const differences = [...names].flatMap((name) => {
    const [oldRelation, newRelation] = [before, after].map(({ relations }) =>
      relations.find((relation) => relation.name === name),
    );
    return compareRelations(context, name, [oldRelation, newRelation]);
  });
  return differences.flatMap((difference): readonly Difference[] => {
    const callers = findEffectOnCallers(difference);
    return callers === "none" ? [] : [{ ...difference, levels: noEffect, codeLevels: ["none", callers], operations }];
  });
}

function compareRelations(
  context: JsonComparison,
  name: string,
  [before, after]: readonly [before: Relation | undefined, after: Relation | undefined],
): readonly Difference[] {
  const target = {
    direction: "output",
    subject: `_embedded.${name}`,
    oldSpan: findSpan(context.old, before?.type),
    newSpan: findSpan(context.new, after?.type),
  } as const;
  if (before !== undefined && after !== undefined) {
    const embedContext = {
      ...context,
      old: selectEmbeddedMembers(context.old, context.new),
      new: selectEmbeddedMembers(context.new, context.old),
      comparedPairs: new Set<string>(),
      contexts: ["embed"],
    };
    return compareJson(embedContext, [before.type, after.type], target);
  }
  // Without a type, a resource may be any JSON value.
  return after === undefined
    ? [{ rule: "type-widened", ...target, before: formatRelation(before), after: "any", variant: "union" }]
    : [{ rule: "type-narrowed", ...target, before: "any", after: formatRelation(after), variant: "union" }];
}

/** Omits the members of objects that embedded resources of neither version have. */
function selectEmbeddedMembers(version: RestInterface, other: RestInterface): RestInterface {
  const isEmbedded = (id: string, name: string, { answers }: RestInterface) => {
    const type = answers.find((answer) => answer.id === id)?.type;
    const property = type?.kind === "object" ? type.properties.find((each) => each.name === name) : undefined;
    return property !== undefined && isInContext(property, "embed");
  };
  const answers = version.answers.map((answer) => {
    const { id, type } = answer;
    const isKept = ({ name }: JsonProperty) => [version, other].some((each) => isEmbedded(id, name, each));
    return type.kind === "object"
      ? { ...answer, type: { ...type, properties: type.properties.filter(isKept) } }
      : answer;
  });
  return { ...version, answers };
}

function formatRelation(relation: Relation | undefined): string {
  return relation === undefined ? "any" : formatType(relation.type);
}

/** Returns the position of the object, or of the first one; that of the index if there is no relation. */
function findSpan(version: RestInterface, type: JsonType | undefined): Span {
  const [first] = type === undefined ? [] : listNamedTypes(type);
  return (first && findAnswer(version, first)?.span) ?? version.span;
}

function listNamedTypes(type: JsonType): readonly Extract<JsonType, { readonly kind: "named" }>[] {
  switch (type.kind) {
    case "named":
      return [type];
    case "array":
      return listNamedTypes(type.items);
    case "union":
      return type.members.flatMap(listNamedTypes);
    default:
      return [];
  }
}

/** Returns the effect on the code of callers. All members of embedded resources are optional in their types. */
function findEffectOnCallers(difference: Difference): Level {
  const { rule, after = "" } = difference;
  if (rule === "member-became-optional" || rule === "member-became-required") {
    return "none";
  }
  const { callers } = getConsequences(getRule(rule), difference);
  const isStillEmbedded = rule === "member-contexts-changed" && /^all$|\bembed\b/.test(after);
  return isStillEmbedded ? "none" : callers;
}
