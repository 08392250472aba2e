import type { SimpleType } from "@bothends/datatypes";
import * as datatypes from "@bothends/datatypes/xs";
import { accepts, createDatatype, type EffectiveType } from "./effective-type.js";
import { listLiterals } from "./sample-literals.js";
import type { ValueDifference } from "./value-difference.js";

// Determines whether the TypeScript types of two versions can represent each other's values: a `number` cannot
// represent an integer of 20 digits.

/**
 * Sets the variant of a difference in the TypeScript type of a value: whether one version's type cannot represent some
 * of the values that the other version's writers send. Readers refuse such values.
 */
export function addRepresentableValues(
  differences: readonly ValueDifference[],
  types: readonly [before: EffectiveType, after: EffectiveType],
): readonly ValueDifference[] {
  return differences.map((difference) => {
    if (difference.rule !== "type-in-code-changed") {
      return difference;
    }
    const [before, after] = types;
    const variant = refusesValues(before, after, types)
      ? "narrower"
      : refusesValues(after, before, types)
        ? "wider"
        : undefined;
    return variant === undefined ? difference : { ...difference, variant, levels: undefined };
  });
}

/**
 * Whether a reader refuses values only because its TypeScript type cannot represent them. A type of a module may refuse
 * any value, so it is not considered.
 */
function refusesValues(
  writer: EffectiveType,
  reader: EffectiveType,
  types: readonly [EffectiveType, EffectiveType],
): boolean {
  const [writerType, schemaType, readerType] = [
    createDatatype(writer, getRepresentedType),
    createDatatype(reader),
    createDatatype(reader, getRepresentedType),
  ];
  return [...largeLiterals, ...types.flatMap((type) => listLiterals(type, types))].some(
    (text) => accepts(writerType, text) && accepts(schemaType, text) && !accepts(readerType, text),
  );
}

/** Literals that no `number` or `Date` can represent: with many digits, or with a year of five digits. */
const largeLiterals: readonly string[] = [
  ...Array.from({ length: 25 }, (_, index) => "9".repeat(16 + index)),
  ...["-9007199254740993", "0.12345678901234567891", "123456789012345678.5"],
  ...["12026-03-31", "12026-03-31Z", "12026-03-31T10:00:00", "12026-03-31T10:00:00Z", "-0044-03-15T10:00:00Z"],
];

/** The descriptors of built-in types in all their representations, by name. */
const builtInTypes: ReadonlyMap<string, SimpleType<unknown>> = new Map(
  Object.entries(datatypes).flatMap(([name, type]) => ("write" in type ? [[name, type as SimpleType<unknown>]] : [])),
);

function getRepresentedType({ representation }: EffectiveType): SimpleType<unknown> | undefined {
  return builtInTypes.get(representation?.descriptor ?? "");
}
