import type { Operation } from "@bothends/generator";
import type { Direction } from "../../rules/rule.js";
import type { Difference, Place, TypePair } from "../sides.js";

/** The differences of an operation, and the pairs of types that it exchanges. */
export interface OperationDifferences {
  readonly operation: string;
  readonly pair: TypePair;
}

/** Two states of an operation, and where their differences go. */
export interface OperationPlace {
  readonly subject: string;
  readonly before: Operation;
  readonly after: Operation;
  readonly pair: TypePair;
}

export function report(
  { subject, before, after, pair }: OperationPlace,
  difference: Pick<Difference, "rule"> & Partial<Difference>,
): void {
  pair.differences.push({ subject, oldSpan: before.span, newSpan: after.span, ...difference });
}

export function placeIn({ before, after, pair }: OperationPlace, direction: Direction, subject: string): Place {
  return { direction, subject, oldSpan: before.span, newSpan: after.span, pair };
}
