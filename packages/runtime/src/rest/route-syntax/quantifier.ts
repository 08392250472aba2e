import type { PatternSource } from "@bothends/datatypes/pattern";

export interface Quantity {
  readonly min: number;
  readonly max: number;
  readonly lazy?: boolean;
}

/** Reads a quantifier of the route dialect; undefined when none stands here. */
export function readRouteQuantifier(source: PatternSource): Quantity | undefined {
  const start = source.offset;
  const quantity = readQuantity(source);
  if (quantity === undefined) {
    return undefined;
  }
  const lazy = source.take("?");
  if (source.at("+") || source.at("*") || source.at("?")) {
    throw source.error("Possessive quantifiers, and quantifiers of quantifiers, are not supported.", start);
  }
  return lazy ? { ...quantity, lazy } : quantity;
}

function readQuantity(source: PatternSource): Quantity | undefined {
  if (source.take("?")) {
    return { min: 0, max: 1 };
  }
  if (source.take("*")) {
    return { min: 0, max: Number.POSITIVE_INFINITY };
  }
  if (source.take("+")) {
    return { min: 1, max: Number.POSITIVE_INFINITY };
  }
  return readCount(source);
}

// A brace that begins no quantity stands for itself.
function readCount(source: PatternSource): Quantity | undefined {
  const start = source.offset;
  if (!source.take("{")) {
    return undefined;
  }
  const min = source.readNumber();
  const max = source.take(",") ? (source.readNumber() ?? Number.POSITIVE_INFINITY) : min;
  if (min === undefined || max === undefined || !source.take("}")) {
    source.offset = start;
    return undefined;
  }
  if (max < min) {
    throw source.error("The quantity's maximum is less than its minimum.", start);
  }
  return { min, max };
}
