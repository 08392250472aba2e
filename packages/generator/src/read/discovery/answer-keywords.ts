import { didYouMean } from "@bothends/xml";
import type { JsonMember } from "../../source/json.js";
import type { AnswerReading } from "./answer-schemas.js";

/** Keywords that say what a value is. */
const read = new Set(
  (
    "$ref type properties required items enum const additionalProperties patternProperties oneOf anyOf title description " +
    "context readonly readOnly format $defs definitions"
  ).split(" "),
);

/** Keywords for people and tools: they say nothing of values. */
const silent = new Set(
  (
    "$schema $id id $comment comment examples example default deprecated writeOnly links contentEncoding contentMediaType " +
    "$vocabulary"
  ).split(" "),
);

/** Keywords that bound values in a way that a type cannot: what is said without them stays true. */
const bounds = new Set(
  (
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems " +
    "minProperties maxProperties contains minContains maxContains propertyNames"
  ).split(" "),
);

/** Keywords without which a type would say something else. */
const refused = new Set(
  (
    "allOf not if then else prefixItems additionalItems dependencies dependentRequired dependentSchemas unevaluatedItems " +
    "unevaluatedProperties $dynamicRef $recursiveRef $anchor $dynamicAnchor extends disallow contentSchema"
  ).split(" "),
);

/** Reports the keywords of one schema that the reader does not read. Those that bound values are collected. */
export function checkKeywords(members: ReadonlyMap<string, JsonMember>, reading: AnswerReading): void {
  for (const { name, nameSpan } of members.values()) {
    if (read.has(name) || silent.has(name)) continue;
    if (refused.has(name)) {
      reading.diagnostics.error("ANS002", nameSpan, { message: `"${name}" is not supported.` });
    } else if (bounds.has(name)) {
      if (!reading.bounds.has(name)) reading.bounds.set(name, nameSpan);
    } else if (reading.own) {
      reading.diagnostics.warning("ANS004", nameSpan, {
        message: `"${name}" is no keyword of JSON Schema.`,
        help: didYouMean(name, read),
      });
    }
  }
}

/** One note for all keywords of a file that bound values. */
export function reportBounds({ bounds: found, diagnostics }: AnswerReading): void {
  const [first] = found.values();
  if (first === undefined) return;
  const names = [...found.keys()].map((name) => `"${name}"`);
  diagnostics.info("ANS003", first, { message: `Types say nothing of ${names.join(", ")} in this file.` });
}
