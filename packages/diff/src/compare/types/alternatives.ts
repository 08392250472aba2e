import type { PolymorphicType, RecordType } from "@bothends/generator";
import { nameOf, type Place, type SoapSide, type TypeComparison, withoutPair } from "../sides.js";

type DeclaredType = RecordType | PolymorphicType;

/** Compares two states of a type of which at least one has derived types. */
export function compareAlternatives(
  context: TypeComparison,
  { before, after }: { readonly before: DeclaredType; readonly after: DeclaredType },
  place: Place,
): void {
  const [oldAlternatives, newAlternatives] = [alternativesOf(context.old, before), alternativesOf(context.new, after)];
  const isAbstract = (side: SoapSide, type: DeclaredType) =>
    side.types.get(declaredOf(type))?.kind === "record" && !alternativesOf(side, type).has(declaredKey(side, type));
  const variant = isAbstract(context.old, before) || isAbstract(context.new, after) ? "abstract" : undefined;
  const declaredKeys = [declaredKey(context.old, before), declaredKey(context.new, after)];
  for (const [key, type] of oldAlternatives) {
    const counterpart = newAlternatives.get(key);
    if (counterpart !== undefined) {
      const types = { before: reference(type), after: reference(counterpart) };
      context.compare(context, types, { ...place, oldSpan: type.span, newSpan: counterpart.span });
    } else if (!declaredKeys.includes(key)) {
      place.pair.differences.push({
        rule: "derived-type-removed",
        ...withoutPair(place),
        before: nameOf(type),
        oldSpan: type.span,
        variant,
      });
    }
  }
  for (const [key, type] of newAlternatives) {
    if (!oldAlternatives.has(key) && !declaredKeys.includes(key)) {
      place.pair.differences.push({
        rule: "derived-type-added",
        ...withoutPair(place),
        after: nameOf(type),
        newSpan: type.span,
        variant,
      });
    }
  }
  const [wasAbstract, isNowAbstract] = [isAbstract(context.old, before), isAbstract(context.new, after)];
  if (wasAbstract !== isNowAbstract) {
    place.pair.differences.push({
      rule: isNowAbstract ? "type-became-abstract" : "type-became-concrete",
      ...withoutPair(place),
    });
  }
}

function declaredOf(type: DeclaredType): string {
  return type.kind === "record" ? type.id : type.declared;
}

function declaredKey(side: SoapSide, type: DeclaredType): string {
  const record = side.types.get(declaredOf(type));
  return record?.kind === "record" ? record.wireName.local : declaredOf(type);
}

/** The concrete types that values of a type may have, by local name: the type and its derived types. */
function alternativesOf(side: SoapSide, type: DeclaredType): ReadonlyMap<string, RecordType> {
  const ids = type.kind === "record" ? (type.abstract ? [] : [type.id]) : type.alternatives.map((each) => each.type);
  return new Map(
    ids.flatMap((id): readonly (readonly [string, RecordType])[] => {
      const record = side.types.get(id);
      return record?.kind === "record" ? [[record.wireName.local, record]] : [];
    }),
  );
}

function reference({ id }: RecordType) {
  return { kind: "named", id } as const;
}
