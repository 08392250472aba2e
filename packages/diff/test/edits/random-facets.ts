import type { Random } from "@bothends/dynamic/random";

/** Facets of a restricted built-in type, each with its value. */
export interface RandomRestriction {
  readonly base: string;
  readonly facets: readonly (readonly [name: string, value: string])[];
}

const textBases = ["string", "string", "normalizedString", "token", "NMTOKEN"];
const numberBases = ["int", "integer", "decimal"];
const textParts = ["a", "1", "[a1]", "[a-c]", "[0-9]", "\\s", " ", ".", "\\S", "a1"];
const numberParts = ["1", "0", "[01]", "[0-9]", "-?", "\\.", "[1-9]"];
const quantifiers = ["", "", "", "?", "{1,2}", "{2}", "*", "+"];

/** Draws two versions of a simple type: facets may be replaced with a pattern, values or another base. */
export function drawVersions(random: Random): readonly [RandomRestriction, RandomRestriction] {
  const isNumeric = random.drawBoolean(35);
  const bases = isNumeric ? numberBases : textBases;
  const base = random.pick(bases) ?? "string";
  const otherBase = random.drawBoolean(65) ? base : (random.pick([...bases, "string"]) ?? "string");
  return [drawRestriction(base, random), drawRestriction(otherBase, random)];
}

function drawRestriction(base: string, random: Random): RandomRestriction {
  const isNumeric = numberBases.includes(base);
  const drawFacets = isNumeric ? drawNumberFacets : drawTextFacets;
  return { base, facets: drawFacets(base, random) };
}

function drawPattern(parts: readonly string[], random: Random): string {
  const part = () => `${random.pick(parts)}${random.pick(quantifiers)}`.replace(/\?[?*+{].*$/, "?");
  const branch = () => Array.from({ length: 1 + random.drawIntegerBelow(3) }, part).join("");
  return Array.from({ length: 1 + random.drawIntegerBelow(2) }, branch).join("|");
}

function drawTextFacets(base: string, random: Random): RandomRestriction["facets"] {
  const count = String(1 + random.drawIntegerBelow(3));
  const isSpaceless = base === "NMTOKEN";
  const values = isSpaceless ? ["a", "1", "a1", "aa"] : ["a", "1", "a1", "a a", "aa"];
  const start = random.drawIntegerBelow(values.length - 1);
  const space = random.pick(["replace", "collapse"]) ?? "collapse";
  const whiteSpace: RandomRestriction["facets"] =
    base === "string" && random.drawBoolean(30) ? [["whiteSpace", space]] : [];
  const facets: RandomRestriction["facets"] =
    random.pick([
      [["length", count]],
      [["minLength", count]],
      [["maxLength", count]],
      [["pattern", drawPattern(textParts, random)]],
      [["pattern", drawPattern(textParts, random)]],
      [
        ["pattern", drawPattern(textParts, random)],
        ["maxLength", count],
      ],
      values.slice(start, start + 2).map((value) => ["enumeration", value] as const),
      [],
    ] as const) ?? [];
  return [...whiteSpace, ...facets];
}

function drawNumberFacets(base: string, random: Random): RandomRestriction["facets"] {
  const least = random.drawIntegerBelow(12) - 2;
  const greatest = least + random.drawIntegerBelow(100);
  return (
    random.pick<RandomRestriction["facets"]>([
      [["minInclusive", String(least)]],
      [
        ["minInclusive", String(least)],
        ["maxInclusive", String(greatest)],
      ],
      [["totalDigits", String(1 + random.drawIntegerBelow(2))]],
      base === "decimal" ? [["fractionDigits", String(random.drawIntegerBelow(2))]] : [["maxExclusive", "10"]],
      [["pattern", drawPattern(numberParts, random)]],
      [["pattern", drawPattern(numberParts, random)]],
      [["pattern", "[0-9]{1,2}"]],
      [
        ["enumeration", "1"],
        ["enumeration", "11"],
      ],
    ]) ?? []
  );
}
