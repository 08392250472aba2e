import type { BigIntRange } from "./integer.js";

/** The integer types that a JavaScript number does not hold (XSD 1.0 Part 2 §3.3.13 to §3.3.25). */
export const integerRange: BigIntRange = { name: "xs:integer" };
export const nonPositiveIntegerRange: BigIntRange = { name: "xs:nonPositiveInteger", max: 0n };
export const negativeIntegerRange: BigIntRange = { name: "xs:negativeInteger", max: -1n };
export const nonNegativeIntegerRange: BigIntRange = { name: "xs:nonNegativeInteger", min: 0n };
export const positiveIntegerRange: BigIntRange = { name: "xs:positiveInteger", min: 1n };
export const longRange: BigIntRange = { name: "xs:long", min: -9223372036854775808n, max: 9223372036854775807n };
export const unsignedLongRange: BigIntRange = { name: "xs:unsignedLong", min: 0n, max: 18446744073709551615n };
