import { problemOf } from "@bothends/datatypes";
import { builtInTypes } from "@bothends/datatypes/definitions";
import { isDerivedFrom } from "./value-space.js";

/** How the values of a new type relate to those of an old one. */
export type Relation = "same" | "widened" | "narrowed" | "overlaps" | "changed";

const types = new Map<string, (typeof builtInTypes)[number]>(builtInTypes.map((each) => [each.name, each]));

const openTexts: readonly string[] = ["anySimpleType", "string", "normalizedString", "token"];
const binaryTypes: readonly string[] = ["base64Binary", "hexBinary"];

/** Texts of all kinds of values. Two built-in types share values if both read one of them. */
const samples: readonly string[] = [
  "0",
  "1",
  "12",
  "-1",
  "1.5",
  "1E2",
  "2026",
  "true",
  "P1D",
  "2026-03-31",
  "2026-03",
  "2026-03-31T10:00:00",
  "10:00:00",
  "--03-31",
  "--03",
  "---31",
  "0aff",
  "QUJD",
  "en",
  "a:b",
];

/** Compares the values of two built-in types (XSD 1.0 Part 2 §3). */
export function builtinRelation(before: string, after: string): Relation {
  if (before === after) {
    return "same";
  }
  if (includes(after, before)) {
    return includes(before, after) ? "same" : "widened";
  }
  if (includes(before, after)) {
    return "narrowed";
  }
  if ([before, after].some((name) => openTexts.includes(name))) {
    return "overlaps";
  }
  const [left, right] = [types.get(before)?.type, types.get(after)?.type];
  const isShared = samples.some(
    (text) =>
      left !== undefined &&
      right !== undefined &&
      problemOf(left, text) === undefined &&
      problemOf(right, text) === undefined,
  );
  return isShared ? "overlaps" : "changed";
}

/** Whether every text of a type is one of another. */
function includes(name: string, other: string): boolean {
  if (isDerivedFrom(other, name)) {
    return true;
  }
  if (openTexts.includes(name)) {
    return !openTexts.includes(other) && !binaryTypes.includes(other);
  }
  const [outer, inner] = [integerRange(name), integerRange(other)];
  if (outer !== undefined && inner !== undefined) {
    return outer.least <= inner.least && outer.greatest >= inner.greatest;
  }
  // A float or a double reads every decimal, with less precision.
  return (
    (name === "double" && (other === "float" || isDerivedFrom(other, "decimal"))) ||
    (name === "float" && isDerivedFrom(other, "decimal"))
  );
}

interface Range {
  readonly least: bigint;
  readonly greatest: bigint;
}

const unbounded = 10n ** 40n;

function integerRange(name: string): Range | undefined {
  if (!isDerivedFrom(name, "integer")) {
    return undefined;
  }
  let [least, greatest] = [-unbounded, unbounded];
  for (let each = types.get(name); each !== undefined; each = "base" in each ? types.get(each.base) : undefined) {
    for (const [facet, value] of each.facets) {
      const bound = facet === "minInclusive" || facet === "maxInclusive" ? BigInt(value) : 0n;
      least = facet === "minInclusive" && bound > least ? bound : least;
      greatest = facet === "maxInclusive" && bound < greatest ? bound : greatest;
    }
  }
  return { least, greatest };
}
