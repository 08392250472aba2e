import type { Reference, Value } from "../describe/index.js";
import type { Expression } from "../print/index.js";
import { literal } from "./nodes.js";

/** A descriptor value as an expression; `refer` says how code reaches what it refers to. */
export function expressionOf(value: Value, refer: (reference: Reference) => Expression): Expression {
  if (typeof value !== "object" || value === null) return literal(value);
  if (isList(value)) return { kind: "array", items: value.map((each) => expressionOf(each, refer)) };
  if (value.kind !== "object") return refer(value);
  return {
    kind: "object",
    entries: value.members.map(([key, each]) => ({ key, value: expressionOf(each, refer) })),
  };
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
