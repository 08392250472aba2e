import type { EnumerationType, TypeDefinition, TypeId, TypeReference } from "../model/index.js";
import type { ValueKind } from "./builtins.js";
import type { SoapPlan } from "./plan-model.js";

/** A value that can be written as a literal in TypeScript. */
type Literal = string | number | bigint | boolean;

/** The names and the types of a SOAP interface. */
interface PlannedTypes {
  readonly plan: SoapPlan;
  readonly definitions: ReadonlyMap<TypeId, TypeDefinition>;
}

/**
 * Returns the values of an enumeration as literals; undefined if a value can be written in several ways. A union of
 * literals would then be too narrow: `1.0` and `1.00` are the same decimal.
 */
export function findEnumerationLiterals(type: EnumerationType, planned: PlannedTypes): readonly Literal[] | undefined {
  const kind = findEnumeratedKind(type.base, planned);
  const literals = type.values.map(({ text }) => findLiteralValue(text, kind));
  if (literals.length === 0 || literals.some((value) => value === undefined)) {
    return undefined;
  }
  return [...new Set(literals.filter((value) => value !== undefined))];
}

/** Returns the kind of the values of an enumeration's base type; undefined if its members have several kinds. */
export function findEnumeratedKind(reference: TypeReference, planned: PlannedTypes): ValueKind | undefined {
  const { plan, definitions } = planned;
  if (reference.kind === "builtin") {
    return reference.name === "anyURI" ? "string" : plan.builtins.get(reference.name)?.value;
  }
  const definition = definitions.get(reference.id);
  const represented = plan.types.get(reference.id)?.represented;
  if (represented !== undefined) {
    return represented.value;
  }
  switch (definition?.kind) {
    case "enumeration":
    case "restriction":
      return findEnumeratedKind(definition.base, planned);
    case "union": {
      const kinds = new Set(definition.members.map((member) => findEnumeratedKind(member, planned)));
      return kinds.size === 1 && kinds.has("string") ? "string" : undefined;
    }
    default:
      return undefined;
  }
}

function findLiteralValue(text: string, kind: ValueKind | undefined): Literal | undefined {
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
