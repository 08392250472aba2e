import type { PartName, Span } from "@bothends/generator";
import type { Difference } from "./compare/difference.js";
import type { RuleId } from "./rules/index.js";

// Finds the positions of the parts of declarations that differences are about, if these parts are on other lines than
// the declarations: attributes and facets in a schema, keywords in a JSON schema.

/** The name of a part. If it ends with `*`, it stands for all parts that begin with the text before it. */
type PartPattern = PartName | "required*";

const occurrences: readonly PartPattern[] = ["minOccurs", "maxOccurs"];
const types: readonly PartPattern[] = [
  "base",
  "itemType",
  "memberTypes",
  "member *",
  "type *",
  "type",
  "types",
  "$ref",
  "const",
  "oneOf",
  "anyOf",
];
const enumeration: readonly PartPattern[] = ["enumeration *", "enum", ...types];
// A type loses or gets facets with another base type.
const lengths: readonly PartPattern[] = ["length", "minLength", "maxLength", ...types];
const ranges: readonly PartPattern[] = ["minInclusive", "maxInclusive", "minExclusive", "maxExclusive", ...types];
const digits: readonly PartPattern[] = ["totalDigits", "fractionDigits", ...types];
const patterns: readonly PartPattern[] = ["pattern *", ...types];
const names: readonly PartPattern[] = ["name", "ref"];

const documentation: readonly PartPattern[] = ["description", "title"];
const otherMembers: readonly PartPattern[] = ["additionalProperties", "patternProperties"];
const keywords: readonly PartPattern[] = [
  "format",
  "default",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "contains",
  "minContains",
  "maxContains",
  "propertyNames",
  "readOnly",
];

/** The names of the parts that a rule is about. */
const partsOfRules: Readonly<Partial<Record<RuleId, readonly PartPattern[]>>> = {
  "answer-declared": ["route"],
  "answer-keyword-changed": keywords,
  "answer-undeclared": ["route"],
  "attachment-types-changed": ["content *"],
  "batch-added": ["allow_batch"],
  "batch-removed": ["allow_batch"],
  "default-added": ["default"],
  "default-changed": ["default"],
  "default-removed": ["default"],
  "digits-loosened": digits,
  "digits-tightened": digits,
  "documentation-changed": documentation,
  "encoding-changed": ["use"],
  "enum-closed": enumeration,
  "enum-opened": enumeration,
  "enum-value-added": enumeration,
  "enum-value-removed": enumeration,
  "fault-element-changed": ["element", "type"],
  "fault-renamed": ["name"],
  "fixed-added": ["fixed"],
  "fixed-changed": ["fixed"],
  "fixed-removed": ["fixed"],
  "format-added": ["format"],
  "format-changed": ["format"],
  "format-removed": ["format"],
  "group-became-optional": occurrences,
  "group-became-required": occurrences,
  "http-parameters-moved": ["parameters"],
  "input-element-changed": ["element", "namespace"],
  "keyword-changed": keywords,
  "length-loosened": lengths,
  "length-tightened": lengths,
  "member-added-nillable": names,
  "member-added-optional": names,
  "member-added-required": names,
  "member-became-nillable": ["nillable", "type null", "type *", "types"],
  "member-became-not-nillable": ["nillable", "type null", "type *", "types"],
  "member-became-optional": ["minOccurs", "use", "required"],
  "member-became-repeated": ["maxOccurs"],
  "member-became-required": ["minOccurs", "use", "required"],
  "member-became-single": ["maxOccurs"],
  "member-contexts-changed": ["context *", "required*", "context"],
  "member-namespace-changed": ["form", "ref"],
  "member-occurs-narrowed": occurrences,
  "member-occurs-widened": occurrences,
  "member-removed-nillable": names,
  "member-removed-optional": names,
  "member-removed-required": names,
  "member-renamed": names,
  "method-added": ["method *", "methods"],
  "method-removed": ["method *", "methods"],
  "mixed-changed": ["mixed"],
  "name-in-code-changed": ["route"],
  "output-element-changed": ["element", "namespace"],
  "pattern-added": patterns,
  "pattern-changed": patterns,
  "pattern-removed": patterns,
  "policy-added": ["policy *"],
  "policy-changed": ["policy *"],
  "policy-removed": ["policy *"],
  "port-renamed": ["name"],
  "range-changed": ranges,
  "range-loosened": ranges,
  "range-tightened": ranges,
  "route-added": ["route"],
  "route-parameter-renamed": ["route"],
  "route-pattern-changed": ["route"],
  "route-precedence-changed": ["route"],
  "route-removed": ["route"],
  "route-renamed": ["route"],
  "route-version-changed": ["route"],
  "service-renamed": ["name"],
  "style-changed": ["style"],
  "type-became-abstract": ["abstract"],
  "type-became-concrete": ["abstract"],
  "type-changed": types,
  "type-in-code-changed": types,
  "type-narrowed": types,
  "type-overlaps": types,
  "type-renamed": ["title", ...names],
  "type-replaced": types,
  "type-widened": types,
  "union-member-added": ["memberTypes", "member *", ...types],
  "union-member-removed": ["memberTypes", "member *", ...types],
  "union-order-changed": ["memberTypes"],
  "whitespace-changed": ["whiteSpace", ...types],
};

/** Rules about what a reference takes from the declaration to which it refers. */
const declarationRules: readonly RuleId[] = [
  "default-added",
  "default-changed",
  "default-removed",
  "fixed-added",
  "fixed-changed",
  "fixed-removed",
  "member-became-nillable",
  "member-became-not-nillable",
  "type-changed",
  "type-narrowed",
  "type-overlaps",
  "type-replaced",
  "type-widened",
];

/** Returns the positions of a difference: those of the parts that it is about, if they are on other lines. */
export function findPartSpans(difference: Difference): Pick<Difference, "oldSpan" | "newSpan"> {
  const { rule, before = "", after = "" } = difference;
  const texts = [before, after];
  const isAboutItems = texts.some((text) => text.startsWith("items."));
  const select = (span: Span | undefined) => (isAboutItems ? (span?.parts?.["items"] ?? span) : span);
  const [oldSpan, newSpan] = [select(difference.oldSpan), select(difference.newSpan)];
  const names = rule.startsWith("wildcard-") ? listWildcardParts(texts) : orderNames(partsOfRules[rule] ?? [], texts);
  const [oldParts, newParts] = [listParts(oldSpan), listParts(newSpan)];
  const find = (span: Span | undefined, parts: Parts, others: Parts) =>
    findPart(names, parts, others) ??
    (declarationRules.includes(rule) ? span?.parts?.["declaration"] : undefined) ??
    span;
  return { oldSpan: find(oldSpan, oldParts, newParts), newSpan: find(newSpan, newParts, oldParts) };
}

type Parts = ReadonlyMap<string, Span>;

/** Returns the parts of a declaration; for a reference, also those of the declaration to which it refers. */
function listParts(span: Span | undefined): Parts {
  const parts = Object.entries(span?.parts ?? {}).flatMap(([name, part]) =>
    part === undefined ? [] : [[name, part] as const],
  );
  return new Map([...(span?.parts?.["declaration"] ? listParts(span.parts["declaration"]) : []), ...parts]);
}

/** The words in values of differences that stand for facets. */
const facetsOfWords: Readonly<Record<string, readonly PartName[]>> = {
  greatest: ["maxInclusive", "maxExclusive"],
  least: ["minInclusive", "minExclusive"],
};

/** Returns the parts of a wildcard that differ: its values end with how its content is processed. */
function listWildcardParts(texts: readonly string[]): readonly PartPattern[] {
  const [before, after] = texts.map((text) => text.split(", ").at(-1));
  return [...otherMembers, before === after ? "namespace" : "processContents"];
}

/**
 * Orders the names of the parts that a difference may be about. If its values contain facets or keywords, these come
 * first, and others are omitted.
 */
function orderNames(names: readonly PartPattern[], texts: readonly string[]): readonly PartPattern[] {
  const words = texts.flatMap((text) => text.split(/[ .]/)).flatMap((word) => facetsOfWords[word] ?? word);
  const named = names.filter((name) => words.includes(name));
  return named.length === 0 ? names : [...named, ...names.filter((name) => types.includes(name))];
}

/**
 * Returns the position of the first part with one of the names. Of several parts, returns the first that the other
 * version does not have.
 */
function findPart(names: readonly PartPattern[], parts: Parts, others: Parts): Span | undefined {
  for (const name of names) {
    const found = [...parts].filter(([part]) =>
      name.endsWith("*") ? part.startsWith(name.slice(0, -1)) : part === name,
    );
    const [, span] = name.endsWith("*") ? (found.find(([part]) => !others.has(part)) ?? []) : (found[0] ?? []);
    if (span !== undefined) {
      return span;
    }
  }
  return undefined;
}
