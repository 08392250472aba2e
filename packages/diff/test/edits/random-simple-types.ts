import type { Random } from "@bothends/dynamic/random";

/** A simple type: a restriction of a built-in type, a list of it, or a union of several. */
export interface RandomSimpleType {
  readonly variety: "atomic" | "list" | "union";
  /** The restricted built-in types: one, or the member types of a union. */
  readonly parts: readonly Restriction[];
  /** The facets of the list. */
  readonly facets: Facets;
}

type Facets = Readonly<Record<string, string | readonly string[]>>;

interface Restriction {
  readonly base: string;
  readonly facets: Facets;
}

/** A member of this type: an element or an attribute, which may have a default or a fixed value. */
export interface RandomMember {
  readonly type: RandomSimpleType;
  readonly isAttribute: boolean;
  readonly isRequired: boolean;
  readonly constraint?: readonly [kind: "default" | "fixed", text: string];
}

const bases = ["string", "token", "int", "short", "decimal", "boolean", "date", "double", "NMTOKEN", "integer"];
const numericBases = ["int", "short", "decimal", "double", "integer"];
const textBases = ["string", "token", "NMTOKEN"];

function drawRestriction(random: Random): Restriction {
  const base = random.pick(bases) ?? "string";
  return { base, facets: random.drawBoolean(45) ? {} : drawFacets(base, random) };
}

function drawFacets(base: string, random: Random): Facets {
  const least = random.drawIntegerBelow(4);
  const greatest = least + 1 + random.drawIntegerBelow(4);
  if (numericBases.includes(base)) {
    const [min, max] = random.drawBoolean(70) ? ["minInclusive", "maxInclusive"] : ["minExclusive", "maxExclusive"];
    return (
      random.pick<Facets>([
        { [min]: String(least) },
        { [max]: String(greatest) },
        { [min]: String(least), [max]: String(greatest + 1) },
        { enumeration: [String(least), String(greatest)] },
        base === "double" ? { [min]: "1.5" } : { totalDigits: String(1 + random.drawIntegerBelow(3)) },
      ]) ?? {}
    );
  }
  if (textBases.includes(base)) {
    return (
      random.pick<Facets>([
        { minLength: String(least + 1) },
        { maxLength: String(greatest) },
        { length: String(greatest) },
        { enumeration: ["red", "blue"].slice(random.drawIntegerBelow(2)) },
        { pattern: random.pick(["[a-z]+", "[0-9]+", "[a-z0-9]+"]) ?? "[a-z]+" },
      ]) ?? {}
    );
  }
  return base === "date" ? { minInclusive: "2026-01-02" } : {};
}

export function drawMember(random: Random): RandomMember {
  const draw = random.drawIntegerBelow(10);
  const variety = draw < 6 ? "atomic" : draw < 8 ? "list" : "union";
  const count = variety === "union" ? 2 + random.drawIntegerBelow(2) : 1;
  const parts = Array.from({ length: count }, () => drawRestriction(random));
  const facets: Facets = variety === "list" && random.drawBoolean(40) ? { maxLength: "3" } : {};
  return {
    type: { variety, parts, facets },
    isAttribute: random.drawBoolean(30),
    isRequired: random.drawBoolean(70),
  };
}

/** Changes one part of a member. */
export function editMember(member: RandomMember, random: Random): RandomMember {
  const { type } = member;
  switch (random.drawIntegerBelow(8)) {
    case 0:
      return { ...member, isRequired: !member.isRequired };
    case 1:
      return {
        ...member,
        type: { ...type, parts: [...type.parts, drawRestriction(random)], variety: "union", facets: {} },
      };
    case 2:
      return type.parts.length > 2
        ? { ...member, type: { ...type, parts: type.parts.slice(1) } }
        : { ...member, type: { variety: "atomic", parts: type.parts.slice(0, 1), facets: {} } };
    case 3:
      return {
        ...member,
        type: { variety: type.variety === "list" ? "atomic" : "list", parts: type.parts.slice(0, 1), facets: {} },
      };
    case 4:
      return type.variety === "list"
        ? { ...member, type: { ...type, facets: random.pick<Facets>([{}, { length: "2" }, { minLength: "4" }]) ?? {} } }
        : { ...member, type: { ...type, parts: [...type.parts].reverse() } };
    case 5:
      return {
        ...member,
        type: { ...type, parts: type.parts.map((part, index) => (index === 0 ? drawRestriction(random) : part)) },
      };
    default:
      return {
        ...member,
        type: {
          ...type,
          parts: type.parts.map((part, index) =>
            index === type.parts.length - 1 ? { ...part, facets: drawFacets(part.base, random) } : part,
          ),
        },
      };
  }
}

/** Adds, changes or removes the default or fixed value of a member. */
export function editConstraint(member: RandomMember, random: Random, texts: readonly string[]): RandomMember {
  const text = random.pick(texts);
  const { constraint: _, ...rest } = member;
  if (text === undefined || random.drawBoolean(25)) {
    return rest;
  }
  // A required attribute cannot have a default.
  const kind = random.drawBoolean(50) && !(member.isAttribute && member.isRequired) ? "default" : "fixed";
  return { ...rest, constraint: [kind, text] };
}

/** The complex type `T` with the member `a` and an optional member `b`. */
export function typeText({ type, isAttribute, isRequired, constraint }: RandomMember): string {
  const presence = isAttribute ? `use="${isRequired ? "required" : "optional"}"` : `minOccurs="${isRequired ? 1 : 0}"`;
  const value = constraint === undefined ? "" : ` ${constraint[0]}="${constraint[1]}"`;
  const kind = isAttribute ? "attribute" : "element";
  const member = `<${kind} name="a" ${presence}${value}>${simpleTypeText(type)}</${kind}>`;
  const other = '<element name="b" type="string" minOccurs="0"/>';
  return isAttribute
    ? `<complexType name="T"><sequence>${other}</sequence>${member}</complexType>`
    : `<complexType name="T"><sequence>${member}${other}</sequence></complexType>`;
}

/** The type as an anonymous `simpleType`. */
export function simpleTypeText({ variety, parts, facets }: RandomSimpleType): string {
  const texts = parts.map(
    ({ base, facets }) => `<simpleType><restriction base="${base}">${facetTexts(facets)}</restriction></simpleType>`,
  );
  switch (variety) {
    case "atomic":
      return texts[0] ?? "";
    case "union":
      return `<simpleType><union>${texts.join("")}</union></simpleType>`;
    case "list":
      return `<simpleType><restriction><simpleType><list>${texts[0]}</list></simpleType>${facetTexts(facets)}</restriction></simpleType>`;
  }
}

function facetTexts(facets: Facets): string {
  return Object.entries(facets)
    .flatMap(([name, values]) =>
      (typeof values === "string" ? [values] : values).map((value) => `<${name} value="${value}"/>`),
    )
    .join("");
}

const words = [
  "A",
  "A!",
  "AB!",
  "AB!D",
  "AB!DE",
  "",
  "red",
  "blue",
  "a",
  "ab",
  "abc",
  "abcd",
  "abcde",
  "abcdef",
  "abcdefg",
  "abcdefgh",
  "green",
  "two words",
  "  a  b ",
];
const numbers = [
  "-3",
  "0",
  "1",
  "2",
  "3",
  "4",
  "5",
  "6",
  "7",
  "8",
  "9",
  "10",
  "99",
  "100",
  "123",
  "1234",
  "40000",
  "70000",
  "5000000000",
];
const others = [
  "0.5",
  "1.5",
  "2.5",
  "7.25",
  "1E2",
  "+7",
  "007",
  "2.1234",
  "4.1234",
  "6.1234",
  "1.25",
  "-1234",
  "INF",
  "true",
  "false",
  "2026-01-01",
  "2026-01-02",
  "2026-01-03",
  "2026-01-03Z",
];
const lists = [
  "3 4",
  "5 6",
  "7 8",
  "8 9",
  "7.25 2.5",
  "40000 70000",
  "1 2",
  "1 2 3",
  "1 2 3 4",
  "1 2 3 4 5",
  "red blue",
  "red red red red",
  "true false",
  "2026-01-03 2026-01-04",
  "a b c",
  "abc abc",
  "0.5 0.5",
];

/** Texts that represent all values of these types. */
export const literals: readonly string[] = [...words, ...numbers, ...others, ...lists];
