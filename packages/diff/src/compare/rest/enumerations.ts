import type { JsonType } from "@bothends/generator";
import type { Difference } from "../difference.js";
import { formatLiteral } from "./json-type-rules.js";
import { findTypeSpans, type LocatedSchemas } from "./schemas/type-spans.js";

type EnumerationTarget = Pick<Difference, "direction" | "subject"> & LocatedSchemas;

type Values = Extract<JsonType, { readonly kind: "enumeration" }>["values"];

/** Returns the values that only one of two enumerations has. */
export function findEnumerationDifferences(
  values: readonly [before: Values, after: Values],
  target: EnumerationTarget,
): readonly Difference[] {
  const [before, after] = [values[0].map(formatLiteral), values[1].map(formatLiteral)];
  const removedValues = before.filter((value) => !after.includes(value)).join(" | ");
  const addedValues = after.filter((value) => !before.includes(value)).join(" | ");
  const variant = before.some((value) => after.includes(value)) ? undefined : "replaced";
  // A method of a string, for example, is not a method of a number.
  const oldKinds = values[0].map((value) => typeof value);
  const kind: Partial<Difference> = values[1].every((value) => oldKinds.includes(typeof value))
    ? {}
    : { variant: "otherKind", ...(variant === "replaced" && { levels: ["none", "breaks"] }) };
  const located = { ...target, ...findTypeSpans(target, ["enum", "type"]) };
  return [
    ...(removedValues === ""
      ? []
      : [{ rule: "enum-value-removed", ...located, before: removedValues, variant } as const]),
    ...(addedValues === ""
      ? []
      : [{ rule: "enum-value-added", ...located, after: addedValues, variant, ...kind } as const]),
  ];
}
