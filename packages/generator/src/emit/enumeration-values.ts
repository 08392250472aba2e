import type { EnumerationType, TypeReference } from "../model/index.js";
import type { ValueKind } from "../plan/index.js";
import type { Literal } from "../print/index.js";
import { builtinOf, definitionOf, type SoapContext } from "./soap-context.js";

/**
 * The values of an enumeration as literals, or undefined where text and value are not one to one: `1.0` and `1.00` are
 * one decimal, so a literal type would be too narrow.
 */
export function enumerationLiterals(type: EnumerationType, context: SoapContext): readonly Literal[] | undefined {
  const kind = valueKind(type.base, context);
  const literals = type.values.map(({ text }) => literalOf(text, kind));
  if (literals.length === 0 || literals.some((each) => each === undefined)) return undefined;
  return [...new Set(literals.filter((each) => each !== undefined))];
}

function valueKind(reference: TypeReference, context: SoapContext): ValueKind | undefined {
  if (reference.kind === "builtin") {
    return reference.name === "anyURI" ? "string" : builtinOf(reference.name, context).value;
  }
  const definition = definitionOf(reference.id, context);
  switch (definition.kind) {
    case "enumeration":
    case "restriction":
      return valueKind(definition.base, context);
    case "union": {
      const kinds = new Set(definition.members.map((member) => valueKind(member, context)));
      return kinds.size === 1 && kinds.has("string") ? "string" : undefined;
    }
    default:
      return undefined;
  }
}

function literalOf(text: string, kind: ValueKind | undefined): Literal | undefined {
  switch (kind) {
    case "string":
      return text;
    case "number":
      return /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text))
        ? Number(text) + 0
        : undefined;
    case "bigint":
      return /^[+-]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, "")) : undefined;
    case "boolean":
      return ["true", "1"].includes(text) ? true : ["false", "0"].includes(text) ? false : undefined;
    default:
      return undefined;
  }
}
