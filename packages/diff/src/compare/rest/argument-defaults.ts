import {
  type Arg,
  type ArgumentDefault,
  type Endpoint,
  type JsonType,
  type RestInterface,
  readDefault,
} from "@bothends/generator";
import type { Difference } from "../difference.js";
import { type JsonComparison, resolveType } from "./json-comparison.js";
import { formatLiteral } from "./json-type-rules.js";
import { type Endpoints, formatJson, type JsonMembers } from "./json-values.js";
import { getTypes } from "./schema-texts.js";
import { findTypeSpans } from "./schemas/type-spans.js";

// Compares the defaults of arguments.

/** An argument in both versions. */
export type MatchedArgs = readonly [before: Arg, after: Arg];

/** Whether an argument has a default; null is not a default. */
export function hasDefault({ default: value }: Arg): boolean {
  return value !== undefined && value !== null;
}

/**
 * Whether an argument has a default that its schema does not allow. Such a default has no effect for a variable that
 * the path requires, because requests always contain the variable.
 */
export function isInvalidDefault({ inPath, required }: Arg, readValue: ArgumentDefault | undefined): boolean {
  return !(inPath && required) && readValue !== undefined && "problem" in readValue;
}

/**
 * Compares the defaults of an argument. Servers convert a default to the argument's type: the string `"5"` becomes the
 * number 5.
 */
export function findDefaultDifferences(
  [before, after]: MatchedArgs,
  definitions: readonly [before: JsonMembers, after: JsonMembers],
  location: Omit<Difference, "rule">,
  inQuery: boolean,
): readonly Difference[] {
  const [wasAlwaysSent, isAlwaysSent] = [
    before.required && !mayBeNull(definitions[0], inQuery),
    after.required && !mayBeNull(definitions[1], inQuery),
  ] as const;
  const [oldText, newText] = [before, after].map((arg) =>
    arg.default === undefined ? undefined : formatJson(arg.default),
  );
  const [oldValue, newValue] = [readDefault(before.name, definitions[0]), readDefault(after.name, definitions[1])];
  const values = { before: oldText, after: newText };
  const [wasInvalid, isInvalid] = [isInvalidDefault(before, oldValue), isInvalidDefault(after, newValue)];
  const { oldSpan, newSpan } = location;
  const spans = { oldSpan, newSpan };
  const keywords = definitions
    .flatMap((definition) => Object.keys(definition))
    .filter((name) => name !== "description");
  const differences: Difference[] = [];
  if (oldText !== newText) {
    const rule = !hasDefault(before) ? "default-added" : !hasDefault(after) ? "default-removed" : "default-changed";
    differences.push(
      hasSameEffect(oldValue, newValue)
        ? { rule: "keyword-changed", ...location, before: formatDefault(oldText), after: formatDefault(newText) }
        : {
            rule,
            ...location,
            ...values,
            variant: chooseRequiredVariant(wasAlwaysSent, isAlwaysSent),
          },
    );
  }
  if (wasInvalid !== isInvalid) {
    const [rule, isSent] = isInvalid
      ? (["default-became-invalid", wasAlwaysSent] as const)
      : (["default-became-valid", isAlwaysSent] as const);
    // The keyword that refuses the default changed if the default is the same.
    const value =
      oldText === newText
        ? { after: newText, ...findTypeSpans({ ...spans, locatedSchemas: definitions }, keywords) }
        : values;
    differences.push({ rule, ...location, ...value, variant: isSent ? "required" : undefined });
  }
  return differences;
}

/**
 * Whether requests without the argument have the same effect in both versions: the default has the same value, is
 * absent, or is invalid in both.
 */
function hasSameEffect(before: ArgumentDefault | undefined, after: ArgumentDefault | undefined): boolean {
  const [oldText, newText] = [before, after].map((value) =>
    value === undefined ? "absent" : "problem" in value ? "invalid" : formatLiteral(value.value),
  );
  return oldText === newText;
}

function formatDefault(text: string | undefined): string {
  return `default ${text ?? "none"}`;
}

/**
 * Returns the variant of a rule about defaults. The variant depends on which versions require the argument; it is
 * undefined if neither does. A default has no effect on clients that always send the argument.
 */
function chooseRequiredVariant(wasAlwaysSent: boolean, isAlwaysSent: boolean): string | undefined {
  if (wasAlwaysSent) {
    return isAlwaysSent ? "required" : "requiredBefore";
  }
  return isAlwaysSent ? "requiredNow" : undefined;
}

const defaultRules: readonly string[] = ["default-added", "default-removed", "default-changed"];

/**
 * Adds the effect on answers to a difference in the default of the argument `context`, which determines the members
 * that answers contain if requests have no such argument.
 */
export function addAnswerVariant(
  context: JsonComparison,
  { before, after }: Endpoints,
  difference: Difference,
): Difference {
  if (!defaultRules.includes(difference.rule) || difference.variant !== undefined) {
    return difference;
  }
  const [oldMembers, newMembers] = [listMembers(context.old, before), listMembers(context.new, after)];
  const listOnlyIn = (members: AnswerMembers, others: AnswerMembers) =>
    members.present.filter((name) => others.all.includes(name) && !others.present.includes(name));
  const isLost = listOnlyIn(oldMembers, newMembers).length > 0;
  const isGained = listOnlyIn(newMembers, oldMembers).length > 0;
  const variant = isLost ? (isGained ? "membersMoved" : "membersLost") : isGained ? "membersGained" : undefined;
  return { ...difference, variant };
}

/** The paths of the members of an endpoint's answer: `title.raw`. */
interface AnswerMembers {
  readonly all: readonly string[];
  /** The members in answers to requests without the argument `context`. */
  readonly present: readonly string[];
}

function listMembers(side: RestInterface, { answer, context }: Endpoint): AnswerMembers {
  const listIn = (
    type: JsonType,
    isPresent: (contexts: readonly string[]) => boolean,
    outer: readonly string[] = [],
  ): readonly string[] => {
    const list = (each: JsonType, ids = outer): readonly string[] => listIn(each, isPresent, ids);
    switch (type.kind) {
      case "named":
        return outer.includes(type.id) ? [] : list(resolveType(side, type), [...outer, type.id]);
      case "array":
        return list(type.items);
      case "union":
        return type.members.flatMap((member) => list(member));
      case "object":
        return type.properties
          .filter(({ annotations }) => annotations?.contexts === undefined || isPresent(annotations.contexts))
          .flatMap(({ name, type: inner }) => [name, ...list(inner).map((path) => `${name}.${path}`)]);
      default:
        return [];
    }
  };
  return answer === undefined
    ? { all: [], present: [] }
    : {
        all: listIn(answer, () => true),
        present: listIn(answer, (contexts) => context === undefined || contexts.includes(context)),
      };
}

/** Whether clients can send null, which servers replace with the default. A query cannot contain null. */
function mayBeNull(definition: JsonMembers, inQuery: boolean): boolean {
  return !inQuery && getTypes(definition).includes("null");
}
