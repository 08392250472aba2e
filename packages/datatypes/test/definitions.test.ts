import { findProblem, getValueSpace, type SimpleType } from "@bothends/datatypes";
import { type BuiltinDatatype, builtinDatatypes, facets } from "@bothends/datatypes/definitions";
import * as xs from "@bothends/datatypes/xs";
import { expect, test } from "vitest";
import { builtInCases } from "./built-in-cases.js";
import { readText } from "./reading.js";

const definitions: readonly BuiltinDatatype[] = builtinDatatypes;

function typeNamed(name: string | undefined): SimpleType<unknown> {
  return definitions.find((each) => each.name === name)?.type ?? xs.anySimpleType;
}

test("there are 44 built-in types, and each has its name", () => {
  expect(definitions).toHaveLength(44);
  expect(definitions.filter(({ name, type }) => type.name !== `xs:${name}`)).toEqual([]);
});

test("a type is listed after the types that it is derived from", () => {
  const names = definitions.map(({ name }) => name);
  const late = definitions.filter(({ name, base, item }) =>
    [base, item].some((used) => used !== undefined && names.indexOf(used) > names.indexOf(name)),
  );
  expect(late).toEqual([]);
});

test.each(definitions.filter(({ item }) => item === undefined))(
  "$name accepts the texts that its base accepts within its facets",
  ({ name, type, base, facets: definedFacets }) => {
    const uses = definedFacets.map(([facet, value]) => [facets[facet], facet === "pattern" ? [value] : value] as const);
    const defined = xs.restriction([typeNamed(base)], uses, name);
    const cases = builtInCases.find((each) => each.type === type);
    const texts = [
      ...(cases?.valid.map((each) => (typeof each === "string" ? each : each[0])) ?? []),
      ...(cases?.invalid ?? []),
    ];
    // A primitive type is more than its facets, and XSD forbids the point of integers without a facet (§3.3.13).
    const different = texts.filter(
      (text) =>
        base !== "anySimpleType" &&
        !text.includes(".") &&
        (findProblem(type, text) === undefined) !== (findProblem(defined, text) === undefined),
    );
    expect(different).toEqual([]);
    expect(defined.whiteSpace).toBe(type.whiteSpace);
  },
);

test.each(definitions)("$name reads the JavaScript values of its definition", ({ type, value }) => {
  const cases = builtInCases.find((each) => each.type === type);
  const [first] = cases?.valid ?? [];
  if (first === undefined) {
    expect(["xs:QName", "xs:NOTATION"]).toContain(type.name);
    return;
  }
  const read = readText(type, typeof first === "string" ? first : first[0]);
  const kind = Array.isArray(read) ? "strings" : read instanceof Uint8Array ? "bytes" : typeof read;
  expect(kind).toBe(value);
});

test("only the types that Part 2 orders have an order, and only texts, octets and lists have a length", () => {
  const having = (trait: "compare" | "length") =>
    definitions
      .filter(({ base, type }) => base === "anySimpleType" && getValueSpace(type)[trait] !== undefined)
      .map(({ name }) => name);
  expect(having("compare")).toEqual([
    ...["decimal", "float", "double", "duration", "dateTime", "time", "date"],
    ...["gYearMonth", "gYear", "gMonthDay", "gDay", "gMonth"],
  ]);
  expect(having("length")).toEqual(["string", "hexBinary", "base64Binary", "anyURI"]);
});
