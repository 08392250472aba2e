import type { FacetValue, Field, Operation, TypeReference } from "../../model/index.js";
import { definitionOf, planOf, type SoapContext } from "./context.js";

/** What a member's type does not show: defaults, bounds, facets of a simple type without a name. */
export function fieldFacts(field: Field, context: SoapContext): readonly string[] {
  const facts: string[] = [];
  if ("default" in field && field.default !== undefined) {
    facts.push(`Default: ${quoted(field.default)}.`);
  }
  if ("fixed" in field && field.fixed !== undefined) {
    facts.push(`Always ${quoted(field.fixed)}.`);
  }
  if ("max" in field && field.max !== 1) {
    facts.push(...occurrenceFacts(field.min, field.max));
  }
  if ("type" in field) {
    facts.push(...inlineFacts(field.type, context));
  }
  return facts;
}

function occurrenceFacts(min: number, max: number | "unbounded"): readonly string[] {
  if (max === "unbounded") {
    return min > 1 ? [`At least ${min}.`] : [];
  }
  return [min === max ? `Exactly ${max}.` : min > 0 ? `${min} to ${max}.` : `At most ${max}.`];
}

function inlineFacts(reference: TypeReference, context: SoapContext): readonly string[] {
  if (reference.kind === "builtin" || !planOf(reference.id, context).inline) {
    return [];
  }
  const definition = definitionOf(reference.id, context);
  if (definition.kind !== "restriction") {
    return [];
  }
  return [...definition.facets.flatMap(facetFact), ...inlineFacts(definition.base, context)];
}

/** A facet in words. */
export function facetFact(facet: FacetValue): readonly string[] {
  switch (facet.facet) {
    case "length":
      return [`Length ${facet.value}.`];
    case "minLength":
      return [`Length at least ${facet.value}.`];
    case "maxLength":
      return [`Length at most ${facet.value}.`];
    case "totalDigits":
      return [`At most ${facet.value} digits.`];
    case "fractionDigits":
      return [`At most ${facet.value} digits after the point.`];
    case "minInclusive":
      return [`At least ${facet.value}.`];
    case "maxInclusive":
      return [`At most ${facet.value}.`];
    case "minExclusive":
      return [`More than ${facet.value}.`];
    case "maxExclusive":
      return [`Less than ${facet.value}.`];
    case "pattern":
      return [`Pattern: ${facet.value.join(" or ")}`];
    case "whiteSpace":
      return [];
  }
}

/** What an operation does at one end, in the schema's words or in ours. */
export function operationText({ name, documentation, output }: Operation, end: "client" | "server"): string {
  if (documentation !== undefined && documentation.trim() !== "") {
    return documentation;
  }
  if (output === undefined) {
    return `${end === "client" ? "Sends" : "Receives"} the message of the operation ${name}, which has no answer.`;
  }
  return `${end === "client" ? "Calls" : "Answers"} the operation ${name}.`;
}

/** The errors of an operation's declared faults: `May throw NotFound or Busy.` */
export function faultFact(verb: string, { faults }: Operation, { plan }: SoapContext): readonly string[] {
  const names = faults.flatMap((fault) => plan.faultOf.get(fault)?.name ?? []);
  const last = names.pop();
  if (last === undefined) {
    return [];
  }
  return [`${verb} ${names.length === 0 ? last : `${names.join(", ")} or ${last}`}.`];
}

function quoted(text: string): string {
  return text === "" ? "empty" : text;
}
